import type { JournalEntry } from '../../contract/journal-entries.ts'
import { phrase } from '../core/i18n/i18n.ts'
import { unbroken } from '../core/ui/unbroken.tsx'
import { RecordLink } from '../record/record-link.tsx'

/** Why something was posted, and the record that it follows. */
export function EntrySource({ of: { source, document } }: { of: Pick<JournalEntry, 'source' | 'document'> }) {
  return (
    <span className="cell-sub">
      {phrase(`accounting:sources.${source}`)}
      {document ? (
        <>
          {' · '}
          <RecordLink noun={document.noun} guid={document.guid}>
            {unbroken(document.number)}
          </RecordLink>
        </>
      ) : null}
    </span>
  )
}
