import type { Invoice } from '../../contract/invoices.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DocumentBanner } from '../lines/document-banner.tsx'
import { InvoiceLetter, type LetterInvoice } from '../portal/invoice-letter.tsx'
import { OwnLetter } from '../portal/own-letter.tsx'
import { isSecurity } from './invoice-kind.ts'

/** What its customer gets; what came in and went back stands beside it, with links. */
const letterOf = (invoice: Invoice, isRegistered: boolean, draftNumber: string): LetterInvoice => ({
  ...invoice,
  number: invoice.number ?? draftNumber,
  isTaxInvoice: invoice.status === 'draft' ? isRegistered && !isSecurity(invoice) : invoice.isTaxInvoice,
  forfeitureClause: isSecurity(invoice) ? (invoice.forfeitureClause ?? '') : null,
  billTo: { name: invoice.billTo?.name ?? invoice.customer.displayName, abn: invoice.billTo?.abn ?? null },
  siteLabel: invoice.site?.label ?? null,
  issueOn: invoice.issueOn ?? '',
  dueOn: invoice.dueOn ?? '',
  payments: [],
  refunds: [],
  creditedBy: invoice.related.adjustmentNotes.map(({ label }) => label),
  order: invoice.related.order ? { serviceGuid: null, number: invoice.related.order.label } : null,
})

/** Why there is nothing to pay, above the letter. */
function Standing({ invoice }: { invoice: Invoice }) {
  const t = useT('invoices')
  const f = useFormat()
  const { adjusts } = invoice.related
  if (invoice.status === 'void')
    return (
      <DocumentBanner tone="error">{t('invoices:voidBecause', { reason: invoice.voidReason ?? '' })}</DocumentBanner>
    )
  if (invoice.kind === 'adjustment_note' && adjusts)
    return (
      <DocumentBanner tone="info">
        <span>
          {t('invoices:adjustmentText', { number: adjusts.label, amount: f.money(invoice.totals.totalCents) })}
        </span>
      </DocumentBanner>
    )
  return null
}

export function InvoiceDocument({ invoice }: { invoice: Invoice }) {
  const t = useT('invoices', 'service')
  const f = useFormat()
  return (
    <>
      <Standing invoice={invoice} />
      <OwnLetter of={invoice} document={invoice.status === 'draft' ? undefined : { invoiceGuid: invoice.guid }}>
        {(business) => (
          <InvoiceLetter
            invoice={letterOf(invoice, business.gstRegistered, t('invoices:draftNumber'))}
            business={business}
            f={f}
            isInset
          />
        )}
      </OwnLetter>
    </>
  )
}
