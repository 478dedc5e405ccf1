import { useState } from 'react'

/**
 * Editing a record that others may change meanwhile. `base` is what the form starts from, `round` its key: taking theirs starts
 * a new round. `answers` are those to the question whose version is to stay.
 */
export function useStaleBase<T extends { version: number }>(first: T, update: { reset: () => void }) {
  const [base, setBase] = useState(first)
  const [round, setRound] = useState(0)
  const answers = {
    onKeepMine: (theirs: T) => {
      // The next save starts from their version number and puts this one over it, knowingly.
      setBase({ ...base, version: theirs.version })
      update.reset()
    },
    onTakeTheirs: (theirs: T) => {
      setBase(theirs)
      setRound(round + 1)
      update.reset()
    },
    onClose: () => update.reset(),
  }
  return { base, round, answers }
}
