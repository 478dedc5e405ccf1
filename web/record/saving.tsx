import { useState, type ReactNode } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { bare } from '../core/i18n/languages.ts'
import { StaleDialog, staleRecord, type StaleRow } from '../core/ui/stale-dialog.tsx'
import { toast } from '../core/ui/toast.tsx'
import { changedFields, isContested, isOpen, onTopOf } from './changes.ts'
import { namesOf, useShown, type Fields } from './record-facts.tsx'

type Choice = 'mine' | 'theirs' | 'none'

interface Question<R, I> {
  from: R
  theirs: R
  mine: Partial<I>
  answer: (choice: Choice) => void
}

export interface SavingOptions<I extends object, R> {
  /** The record as it was read. */
  first: R
  /** Its name in answers, such as `customer`. */
  noun: string
  fields: Fields<I>
  /** Sends what was changed. */
  send: (version: number, changes: Partial<I>) => Promise<R>
  /** The record as the form has it, out of what the server says it is now. */
  of?: (current: never) => R
  /** Fields that only make sense together: prices and the lines they are of. */
  together?: readonly (readonly (keyof I & string)[])[]
}

/**
 * Saves what was changed of a record, and nothing else. When somebody else saved first, changes of different fields
 * both hold, and a toast says so; where both changed the same, both versions are shown, and keeping one's own
 * overwrites only what was shown.
 *
 * `base` is what the form starts from and `round` its key: taking the saved version starts a new round.
 */
export function useSaving<I extends object, R extends { version: number }>(options: SavingOptions<I, R>) {
  const { first, noun, fields, send, together = [], of = (current: R) => current } = options
  const t = useT('common')
  const [base, setBase] = useState(first)
  const [round, setRound] = useState(0)
  const [question, setQuestion] = useState<Question<R, I> | null>(null)
  const restart = (record: R) => {
    setBase(record)
    setRound((before) => before + 1)
  }
  const ask = async (given: Omit<Question<R, I>, 'answer'>) => {
    const choice = await new Promise<Choice>((answer) => setQuestion({ ...given, answer }))
    setQuestion(null)
    return choice
  }
  const save = async (changes: Partial<I>): Promise<R> => {
    let from = base
    let mine = changes
    const besides = new Set<string>()
    // Nothing was changed, so there is nothing to save.
    while (Object.keys(mine).length) {
      try {
        const saved = await send(from.version, mine)
        if (besides.size)
          toast.info(t('common:stale.merged', { fields: [...besides].map((label) => bare(label)).join(', ') }))
        return saved
      } catch (failure) {
        const current = staleRecord<never>(failure, noun)
        if (!current) {
          // Their version was shown and put aside: it is not asked about twice.
          setBase(from)
          throw failure
        }
        const theirs = of(current)
        const changed = changedFields(namesOf(fields), from, theirs)
        if (isContested(mine, theirs, changed, together)) {
          const choice = await ask({ from, theirs, mine })
          if (choice === 'theirs') restart(theirs)
          if (choice !== 'mine') throw failure
        } else for (const name of changed) besides.add(t(fields.rows[name].label))
        mine = onTopOf(mine, theirs)
        from = theirs
      }
    }
    return from
  }
  const dialog: ReactNode = question ? <Both {...question} fields={fields} /> : null
  return { base, round, restart, save, dialog }
}

/** Both versions, field by field: what I changed, and what the other did. */
function Both<I extends object, R>({ from, theirs, mine, answer, fields }: Question<R, I> & { fields: Fields<I> }) {
  const t = useT('common')
  const shown = useShown(fields)
  const [before, after] = [from as object, theirs as object]
  const changed = changedFields(namesOf(fields), before, after)
  const rows = namesOf(fields).flatMap((name): StaleRow[] => {
    if (name in mine ? !isOpen(name, mine, after) : !changed.includes(name)) return []
    return [
      {
        label: t(fields.rows[name].label),
        mine:
          name in mine ? (
            shown(name, { ...before, ...mine })
          ) : (
            <span className="muted">{t('common:stale.untouched')}</span>
          ),
        theirs: shown(name, after),
        isDifferent: true,
      },
    ]
  })
  return (
    <StaleDialog
      isOpen
      rows={rows}
      onKeepMine={() => answer('mine')}
      onTakeTheirs={() => answer('theirs')}
      onClose={() => answer('none')}
    />
  )
}
