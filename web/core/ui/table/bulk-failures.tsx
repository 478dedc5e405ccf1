import { Alert } from '@mantine/core'
import { useT } from '../../i18n/i18n.ts'
import { Dialog } from '../dialog.tsx'
import type { BulkResult } from './types.ts'

/** The rows that a bulk action left alone, each with the reason. */
export function BulkFailures({
  failed,
  nameOf,
  onClose,
}: {
  failed: BulkResult['results']
  nameOf: (guid: string) => string
  onClose: () => void
}) {
  const t = useT('common')
  return (
    <Dialog onClose={onClose} title={t('common:bulk.failedTitle', { count: failed.length })}>
      <Alert color="red" variant="light">
        <ul className="plain-list">
          {failed.map((result) => (
            <li key={result.guid}>
              <span className="strong">{nameOf(result.guid)}</span> {result.message}
            </li>
          ))}
        </ul>
      </Alert>
    </Dialog>
  )
}
