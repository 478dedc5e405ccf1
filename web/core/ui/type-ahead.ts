import type { ComboOption } from './combo-list.tsx'

/** Letters typed within this many milliseconds of each other are one word, as in the lists of the system. */
const oneWordMs = 1000

export interface Typed {
  text: string
  /** Milliseconds on the clock of events. */
  at: number
}

/** What has been typed by now: the word goes on, or begins anew. */
export const typedOn = (before: Typed, letter: string, at: number): Typed => ({
  text: at - before.at < oneWordMs ? before.text + letter : letter,
  at,
})

/** Whether a later word of a label begins with this: an account is known by its name, and its code comes first. */
const hasLater = (label: string, start: string) =>
  [...label.matchAll(/\s(?=\S)/g)].some(({ index }) => label.startsWith(start, index + 1))

/**
 * The option meant by a word: the chosen one as long as it fits, else the next. The same letter again goes on to the
 * next. A later word of its name counts where no name begins so.
 */
export function optionFor(
  text: string,
  options: readonly ComboOption[],
  value: string | null,
): ComboOption | undefined {
  const word = text.toLowerCase()
  const isOneLetter = [...word].every((letter) => letter === word[0])
  const chosen = options.findIndex((option) => option.value === value)
  const from = Math.max(0, isOneLetter ? chosen + 1 : chosen)
  const inTurn = [...options.slice(from), ...options.slice(0, from)]
  const begins = (start: string) =>
    inTurn.find(({ label }) => label.toLowerCase().startsWith(start)) ??
    inTurn.find(({ label }) => hasLater(label.toLowerCase(), start))
  return begins(word) ?? (isOneLetter ? begins(word.slice(0, 1)) : undefined)
}
