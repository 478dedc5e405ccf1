import type { Invoice } from '../../contract/invoices.ts'
import { mayBePaid } from '../../contract/invoice-transitions.ts'
import { useT } from '../core/i18n/i18n.ts'
import { TotalsBlock, TotalsRow } from '../lines/totals-block.tsx'

export function InvoiceTotals({ invoice }: { invoice: Invoice }) {
  const t = useT('invoices')
  return (
    <TotalsBlock totals={invoice.totals}>
      {invoice.paidCents ? <TotalsRow label={t('invoices:paid')} cents={-invoice.paidCents} /> : null}
      {invoice.creditedCents ? <TotalsRow label={t('invoices:credited')} cents={-invoice.creditedCents} /> : null}
      {invoice.refundedCents ? <TotalsRow label={t('invoices:refunded')} cents={invoice.refundedCents} /> : null}
      {invoice.writtenOffCents ? <TotalsRow label={t('invoices:writtenOff')} cents={-invoice.writtenOffCents} /> : null}
      {mayBePaid(invoice) ? <TotalsRow label={t('invoices:balance')} cents={invoice.balanceCents} isStrong /> : null}
    </TotalsBlock>
  )
}
