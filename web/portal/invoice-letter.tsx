import { formatAbn } from '../../contract/core/abn.ts'
import type { PublicBusiness } from '../../contract/businesses.ts'
import type { ServiceInvoice } from '../../contract/service.ts'
import { servicePath } from '../../contract/places.ts'
import type { Format } from '../core/i18n/format.ts'
import { phraseOr, useT, type T } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { ClaimBlock } from '../lines/claim-block.tsx'
import { DocumentLines } from '../lines/document-lines.tsx'
import { TotalsBlock, TotalsRow } from '../lines/totals-block.tsx'
import { BankRows } from './bank-panel.tsx'
import { Instalments } from './instalments.tsx'
import { isPayable } from './invoice-amount.tsx'
import { Letter } from './letter.tsx'

/** "Tax invoice" is the law's word (GST Act s 29-70): it stands exactly where it is one. */
export const invoiceHeading = (t: T, invoice: Pick<ServiceInvoice, 'kind' | 'isTaxInvoice' | 'forfeitureClause'>) =>
  invoice.forfeitureClause !== null
    ? t('service:invoice.depositRequest')
    : invoice.kind === 'adjustment_note'
      ? t('service:invoice.adjustmentNote')
      : invoice.isTaxInvoice
        ? t('service:invoice.taxInvoice')
        : t('service:invoice.invoice')

/** What stands in the letter, for its customer and for whoever writes it. */
export type LetterInvoice = Pick<
  ServiceInvoice,
  | 'number'
  | 'kind'
  | 'title'
  | 'isTaxInvoice'
  | 'status'
  | 'billTo'
  | 'siteLabel'
  | 'reference'
  | 'issueOn'
  | 'dueOn'
  | 'priceMode'
  | 'notes'
  | 'forfeitureClause'
  | 'lines'
  | 'totals'
  | 'paidCents'
  | 'refundedCents'
  | 'creditedCents'
  | 'writtenOffCents'
  | 'instalments'
  | 'balanceCents'
  | 'payments'
  | 'refunds'
  | 'creditedBy'
  | 'claim'
> & {
  /** Missing where the letter is looked at before it has a page. */
  depositUses?: ServiceInvoice['depositUses']
  order: { serviceGuid: string | null; number: string } | null
}

const cardNames: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  eftpos_au: 'eftpos',
}

function Payments({ invoice, f }: { invoice: LetterInvoice; f: Format }) {
  const t = useT('service')
  if (!invoice.payments.length && !invoice.refunds.length) return null
  return (
    <section className="letter-payments" aria-labelledby="payments-title">
      <h3 id="payments-title">{t('service:invoice.payments')}</h3>
      <ul>
        {invoice.payments.map((payment) => (
          <li key={payment.number}>
            <span>
              {f.date(payment.receivedOn)}
              <span className="muted small block">
                {phraseOr(`service:methods.${payment.method}`, payment.method)}
                {payment.card
                  ? ` · ${cardNames[payment.card.brand] ?? payment.card.brand} •••• ${payment.card.last4}`
                  : ''}{' '}
                · {unbroken(t('service:receipt.number', { number: payment.number }))}
              </span>
            </span>
            <span className="tabular">{f.money(payment.cents)}</span>
          </li>
        ))}
        {invoice.refunds.map((refund) => (
          <li key={refund.number}>
            <span>
              {f.date(refund.refundedOn)}
              <span className="muted small block">
                {unbroken(t('service:invoice.refundOf', { number: refund.number }))}
              </span>
            </span>
            <span className="tabular">{f.money(-refund.cents)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How a security deposit was used: applied, kept, returned, or still held. */
function DepositUses({ invoice, f }: { invoice: LetterInvoice; f: Format }) {
  const t = useT('service')
  const { depositUses, paidCents, refundedCents } = invoice
  if (!depositUses || paidCents === 0) return null
  const heldCents = depositUses.reduce((left, { cents }) => left - cents, paidCents - refundedCents)
  const said = [
    ...depositUses.map(({ number, isKept, cents, on }) => ({
      text: [f.date(on), t(`service:invoice.deposit.${isKept ? 'kept' : 'applied'}`, { number })].join(' · '),
      cents,
    })),
    ...(refundedCents > 0 ? [{ text: t('service:invoice.deposit.returned'), cents: refundedCents }] : []),
    ...(heldCents > 0 ? [{ text: t('service:invoice.deposit.still'), cents: heldCents }] : []),
  ]
  return (
    <section className="letter-payments" aria-labelledby="deposit-title">
      <h3 id="deposit-title">{t('service:invoice.deposit.title')}</h3>
      <ul>
        {said.map(({ text, cents }) => (
          <li key={text}>
            <span>{unbroken(text)}</span>
            <span className="tabular">{f.money(cents)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What is only held is neither with GST nor free of it. */
const unmarked = (lines: LetterInvoice['lines']) => lines.map((line) => ({ ...line, gstCode: 'GST' as const }))

/** The invoice itself, complete on paper: with the payments received and the way to pay the rest. */
export function InvoiceLetter({
  invoice,
  business,
  f,
  isInset = false,
}: {
  invoice: LetterInvoice
  business: PublicBusiness
  f: Format
  isInset?: boolean
}) {
  const t = useT('service')
  const isNote = invoice.kind === 'adjustment_note'
  const isHeld = invoice.forfeitureClause !== null
  const kind =
    invoice.kind === 'standard' || isNote || isHeld
      ? null
      : phraseOr(`service:invoice.kinds.${invoice.kind}`, invoice.kind)
  const { paidCents, refundedCents, creditedCents, writtenOffCents } = invoice
  // Staff read what was given up; its customer reads that the invoice is closed, and to call.
  const isBalanced = invoice.status === 'issued' || (isInset && invoice.status === 'written_off')
  const hasMoney = [paidCents, refundedCents, creditedCents, writtenOffCents].some((cents) => cents !== 0)
  return (
    <Letter
      isInset={isInset}
      business={business}
      kind={invoiceHeading(t, invoice)}
      number={invoice.number}
      detail={kind}
      title={invoice.title}
      facts={[
        {
          label: t('service:facts.billTo'),
          value: invoice.billTo.abn
            ? `${invoice.billTo.name}\n${t('service:abn', { abn: formatAbn(invoice.billTo.abn) })}`
            : invoice.billTo.name,
        },
        invoice.issueOn ? { label: t('service:facts.issued'), value: f.date(invoice.issueOn) } : null,
        isNote || !invoice.dueOn ? null : { label: t('service:facts.due'), value: f.date(invoice.dueOn) },
        invoice.order
          ? {
              label: t('service:facts.order'),
              value: invoice.order.serviceGuid ? (
                <AppLink to={servicePath('order', invoice.order.serviceGuid)} className="link">
                  {invoice.order.number}
                </AppLink>
              ) : (
                invoice.order.number
              ),
            }
          : null,
        invoice.siteLabel ? { label: t('service:facts.site'), value: invoice.siteLabel } : null,
        invoice.reference ? { label: t('service:facts.reference'), value: invoice.reference } : null,
      ]}
    >
      <DocumentLines
        lines={isHeld ? unmarked(invoice.lines) : invoice.lines}
        priceMode={invoice.priceMode}
        hasAllParts={isInset}
        format={f}
      />
      <TotalsBlock totals={invoice.totals}>
        {invoice.paidCents ? <TotalsRow label={t('service:invoice.paid')} cents={-invoice.paidCents} /> : null}
        {/* What of a security deposit is returned is not owed again: it stands among the payments. */}
        {invoice.refundedCents && !isHeld ? (
          <TotalsRow label={t('service:invoice.refunded')} cents={invoice.refundedCents} />
        ) : null}
        {invoice.creditedCents ? (
          <TotalsRow
            label={
              invoice.creditedBy.length > 0
                ? t('service:invoice.creditedBy', { numbers: invoice.creditedBy.join(', ') })
                : t('service:invoice.credited')
            }
            cents={-invoice.creditedCents}
          />
        ) : null}
        {writtenOffCents && isBalanced ? (
          <TotalsRow label={t('service:invoice.writtenOff')} cents={-writtenOffCents} />
        ) : null}
        {hasMoney && isBalanced && !isNote ? (
          <TotalsRow label={t('service:invoice.balance')} cents={invoice.balanceCents} isStrong />
        ) : null}
      </TotalsBlock>
      <ClaimBlock claim={invoice.claim} />
      {isHeld ? (
        <p className="letter-small">{t('service:invoice.heldText')}</p>
      ) : business.gstRegistered ? (
        <p className="letter-small">
          {invoice.priceMode === 'inclusive' ? t('service:prices.inclusive') : t('service:prices.exclusive')}
        </p>
      ) : null}
      <Instalments instalments={invoice.instalments} f={f} />
      <Payments invoice={invoice} f={f} />
      {isHeld ? <DepositUses invoice={invoice} f={f} /> : null}
      {invoice.forfeitureClause ? (
        <section className="letter-payments" aria-labelledby="forfeiture-title">
          <h3 id="forfeiture-title">{t('service:invoice.forfeiture')}</h3>
          <p className="letter-prose small">{invoice.forfeitureClause}</p>
        </section>
      ) : null}
      {invoice.notes ? <p className="letter-prose small">{invoice.notes}</p> : null}
      {isPayable(invoice) && business.bankAccount ? (
        <section className={isInset ? 'letter-bank' : 'print-only letter-bank'} aria-label={t('service:bank.title')}>
          <h3>{t('service:bank.title')}</h3>
          <BankRows invoice={invoice} business={business} />
        </section>
      ) : null}
    </Letter>
  )
}
