import type { JournalEntry } from '../../contract/journal-entries.ts'
import { type AccountRole, chart } from '../../contract/ledger.ts'
import { phrase } from '../core/i18n/i18n.ts'
import { languageNow } from '../core/i18n/store.ts'

/** An account that kept the name it came with is called what the reader calls it; one's own name stays. */
export const accountName = (name: string, role: AccountRole | null): string =>
  role !== null && chart[role].name === name ? phrase(`accounting:accounts.${role}`) : name

type Told = Pick<JournalEntry, 'source' | 'narrative' | 'document'>

/** What an entry is about: what somebody wrote, or of what a document posted its event and number. */
export const narrativeOf = ({ source, narrative, document }: Told): string =>
  languageNow() === 'en' || document === null
    ? narrative
    : `${phrase(`accounting:sources.${source}`)} ${document.number}`
