import { owingInvoiceStatuses, type InvoiceDisplayStatus } from '../../contract/invoices.ts'
import { useT } from '../core/i18n/i18n.ts'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { isNote } from './invoice-kind.ts'

interface Sendable {
  kind: string
  displayStatus: InvoiceDisplayStatus
  sentAt: string | null
}

const waiting: readonly string[] = [...owingInvoiceStatuses, 'overdue']

/** Waits for money although nobody was told: issued from a list, say, or with its order. */
export const isUnsent = ({ kind, displayStatus, sentAt }: Sendable): boolean =>
  !isNote(kind) && sentAt === null && waiting.includes(displayStatus)

/** The status; an invoice that was only issued doesn't claim that it was sent. */
export const InvoiceChip = ({ invoice }: { invoice: Sendable }) => (
  <StatusChip
    status={invoice.displayStatus === 'sent' && isUnsent(invoice) ? 'issued' : invoice.displayStatus}
    ns="invoices"
  />
)

/** The same in a list, where one looks for those that still have to go out. */
export function InvoiceStatusCell({ invoice }: { invoice: Sendable }) {
  const t = useT('invoices')
  return (
    <>
      <InvoiceChip invoice={invoice} />
      {isUnsent(invoice) ? <span className="cell-sub nowrap">{t('invoices:notEmailed')}</span> : null}
    </>
  )
}
