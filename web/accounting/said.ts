import type { JournalEntry } from '../../contract/journal-entries.ts'
import { type AccountRole, chart, reversalBegins } from '../../contract/ledger.ts'
import { phrase } from '../core/i18n/i18n.ts'
import { languageNow } from '../core/i18n/store.ts'

/** An account that kept the name it came with is called what the reader calls it; one's own name stays. */
export const accountName = (name: string, role: AccountRole | null): string =>
  role !== null && chart[role].name === name ? phrase(`accounting:accounts.${role}`) : name

type Told = Pick<JournalEntry, 'source' | 'narrative' | 'document'>

/**
 * What an entry is about: what somebody wrote, or what happened and to which document. What nobody wrote is kept in
 * English.
 */
export function narrativeOf({ source, narrative, document }: Told): string {
  if (languageNow() === 'en' || source === 'manual') return narrative
  if (source === 'reversal')
    return phrase('accounting:journal.reversalOf', { text: narrative.slice(reversalBegins.length) })
  const happened = phrase(`accounting:sources.${source}`)
  return document === null ? happened : `${happened} ${document.number}`
}
