import type { Invoice } from '../../contract/invoices.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { ClaimBlock } from '../lines/claim-block.tsx'
import { DocumentCard, DocumentText } from '../lines/document-card.tsx'
import { DocumentLines } from '../lines/document-lines.tsx'
import { TotalsBlock, TotalsRow } from '../lines/totals-block.tsx'

export function InvoiceTotals({ invoice }: { invoice: Invoice }) {
  const t = useT('invoices')
  const isNote = invoice.kind === 'adjustment_note'
  return (
    <TotalsBlock totals={invoice.totals}>
      {invoice.paidCents ? <TotalsRow label={t('invoices:paid')} cents={-invoice.paidCents} /> : null}
      {invoice.creditedCents ? <TotalsRow label={t('invoices:credited')} cents={-invoice.creditedCents} /> : null}
      {invoice.refundedCents ? <TotalsRow label={t('invoices:refunded')} cents={invoice.refundedCents} /> : null}
      {invoice.status === 'issued' && !isNote ? <TotalsRow label={t('invoices:balance')} cents={invoice.balanceCents} isStrong /> : null}
    </TotalsBlock>
  )
}

export function InvoiceDocument({ invoice }: { invoice: Invoice }) {
  const t = useT('invoices')
  const f = useFormat()
  const isNote = invoice.kind === 'adjustment_note'
  const kind = isNote ? t('invoices:documentKind.adjustment') : invoice.isTaxInvoice ? t('invoices:documentKind.tax') : t('invoices:documentKind.plain')
  const banner =
    invoice.status === 'void' ? (
      <div className="document-banner" data-tone="error">
        {t('invoices:voidBecause', { reason: invoice.voidReason ?? '' })}
      </div>
    ) : isNote && invoice.related.adjusts ? (
      <div className="document-banner" data-tone="info">
        {t('invoices:adjustmentText', { number: invoice.related.adjusts.label, amount: f.money(invoice.totals.totalCents) })}
      </div>
    ) : null
  return (
    <DocumentCard
      kind={kind}
      number={invoice.number ?? t('invoices:draftNumber')}
      title={invoice.title}
      stamp={banner}
      party={{
        heading: t('invoices:customer'),
        name: invoice.billTo?.name ?? invoice.customer.displayName,
        lines: [invoice.contact?.name, invoice.contact?.email ?? invoice.customer.email, invoice.site?.label],
      }}
      facts={[
        { label: t('invoices:issueOn'), value: <DateText value={invoice.issueOn} />, isHidden: !invoice.issueOn },
        { label: t('invoices:dueOn'), value: <DateText value={invoice.dueOn} />, isHidden: !invoice.dueOn || isNote },
        { label: t('invoices:termsDays'), value: f.number(invoice.termsDays), isHidden: invoice.status !== 'draft' },
        { label: t('invoices:reference'), value: invoice.reference, isHidden: !invoice.reference },
      ]}
    >
      <DocumentLines lines={invoice.lines} priceMode={invoice.priceMode} />
      <InvoiceTotals invoice={invoice} />
      <ClaimBlock claim={invoice.claim} />
      <DocumentText heading={t('invoices:notes')}>{invoice.notes}</DocumentText>
    </DocumentCard>
  )
}
