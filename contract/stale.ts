import { isNoun, type NounName, rowOf } from './nouns.ts'

/**
 * Paths that are no noun's: the caller's own account is one of the users, and letting mails go again sends messages.
 */
const elsewhere: Readonly<Record<string, readonly NounName[]>> = { Kernal: ['Users'], Maintenance: ['Messages'] }

/** What is read anew after something was done to records of a noun: what it makes, and wherever these are shown. */
export function staleAfter(name: string): string[] {
  if (!isNoun(name)) return [name, ...(elsewhere[name] ?? [])]
  const changed = [name, ...(rowOf(name).makes ?? [])]
  return [...new Set(changed.flatMap((one) => [one, ...(isNoun(one) ? (rowOf(one).shownOn ?? []) : [])]))]
}
