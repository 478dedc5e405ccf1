import { useState } from 'react'
import { type Payment, paymentsApi } from '../../contract/payments.ts'
import { refundRequests } from '../../contract/places.ts'
import type { Payee } from '../../contract/refunds.ts'
import { useMay } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { sentenceCase } from '../core/i18n/sentence-case.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { TakeOffDialog } from './credit-dialogs.tsx'
import { methodText } from './payment-columns.tsx'

/** Where the money came from. */
export function PaymentFacts({ payment }: { payment: Payment }) {
  const t = useT('payments')
  const { card } = payment
  return (
    <KeyValueList
      items={[
        { label: t('payments:amount'), value: <Money cents={payment.amountCents} /> },
        {
          label: t('payments:refunded'),
          value: <Money cents={payment.refundedCents} />,
          isHidden: payment.refundedCents === 0,
        },
        {
          label: t('payments:credit'),
          value: <Money cents={payment.unallocatedCents} />,
          isHidden: payment.unallocatedCents === 0,
        },
        {
          label: t('payments:prepaidOrder'),
          value: (
            <RecordLink noun="Orders" guid={payment.orderGuid ?? ''} className="link">
              {payment.orderNumber ?? ''}
            </RecordLink>
          ),
          isHidden: !payment.orderGuid,
        },
        {
          label: t('payments:disputedAt'),
          value: <DateText value={payment.disputedAt} />,
          isHidden: !payment.disputedAt,
        },
        {
          label: t('payments:reversedOn'),
          value: <DateText value={payment.reversedOn} />,
          isHidden: !payment.reversedOn,
        },
        {
          label: t('payments:reverse.reason'),
          value: payment.reversal ? t(`payments:reverse.reasons.${payment.reversal.reason}`) : null,
          isHidden: !payment.reversal,
        },
        {
          label: t('payments:reverse.noted'),
          value: payment.reversal?.note,
          isHidden: !payment.reversal?.note,
        },
        { label: t('payments:receivedOn'), value: <DateText value={payment.receivedOn} /> },
        { label: t('payments:method'), value: methodText(payment.method) },
        {
          label: t('payments:card'),
          value: card ? t('payments:cardOf', { brand: sentenceCase(card.brand), last4: card.last4 }) : null,
          isHidden: !card,
        },
        { label: t('payments:reference'), value: payment.reference, isHidden: !payment.reference },
        {
          label: t('payments:customer'),
          value: (
            <RecordLink noun="Customers" guid={payment.customerGuid} className="link">
              {payment.customerName}
            </RecordLink>
          ),
        },
        { label: t('payments:note'), value: payment.note, isHidden: !payment.note },
      ]}
    />
  )
}

/** What the money was for. */
export function Allocations({ payment }: { payment: Payment }) {
  const t = useT('payments')
  const f = useFormat()
  const canTakeOff = useMay()(paymentsApi.unallocate)
  const [taken, setTaken] = useState<Payment['allocations'][number] | null>(null)
  if (payment.reversal && payment.reversal.takenOff.length === 0)
    return <p className="muted no-margin">{t('payments:paidNothing')}</p>
  return (
    <div className="table-scroll">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('payments:invoice')}</th>
            <th scope="col" className="end">
              {t('payments:amount')}
            </th>
            <th scope="col">
              <span className="visually-hidden">{t('payments:takeOff.menu')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {payment.allocations.map((allocation) => (
            <tr key={allocation.guid}>
              <td>
                <RecordLink noun="Invoices" guid={allocation.invoiceGuid} className="link">
                  {allocation.invoiceNumber ?? t('payments:invoice')}
                </RecordLink>
              </td>
              <td className="end tabular">
                <Money cents={allocation.cents} />
              </td>
              <td className="end">
                {canTakeOff && allocation.refundableCents > 0 ? (
                  <button
                    type="button"
                    className="link small"
                    aria-label={`${t('payments:takeOff.menu')} ${allocation.invoiceNumber ?? ''}`}
                    onClick={() => setTaken(allocation)}
                  >
                    {t('payments:takeOff.menu')}
                  </button>
                ) : null}
              </td>
            </tr>
          ))}
          {payment.reversal?.takenOff.map((one) => (
            <tr key={one.guid}>
              <td>
                <RecordLink noun="Invoices" guid={one.invoiceGuid} className="link">
                  {one.invoiceNumber ?? t('payments:invoice')}
                </RecordLink>
                <span className="cell-sub">{t('payments:takeOff.on', { day: f.date(one.on) })}</span>
              </td>
              <td className="end tabular muted">
                <Money cents={one.cents} />
              </td>
              <td aria-hidden="true" />
            </tr>
          ))}
          {payment.unallocatedCents ? (
            <tr>
              <td>{t('payments:credit')}</td>
              <td className="end tabular">
                <Money cents={payment.unallocatedCents} />
              </td>
              <td aria-hidden="true" />
            </tr>
          ) : null}
        </tbody>
      </table>
      {taken ? <TakeOffDialog payment={payment} allocation={taken} onClose={() => setTaken(null)} /> : null}
    </div>
  )
}

/** The invoice that owes the money again; none where credit went back. */
function RefundedFrom({ refund: { reopens } }: { refund: Payment['refunds'][number] }) {
  const t = useT('payments')
  if (!reopens) return <span className="muted">–</span>
  return (
    <>
      {t('payments:refund.effects.money_back')}
      <span className="cell-sub">
        <RecordLink noun="Invoices" guid={reopens.guid} className="link">
          {reopens.label}
        </RecordLink>
      </span>
    </>
  )
}

/** The bank account of a refund; whoever pays it may read the whole number, and the log says who did. */
function RefundPayee({ guid, payee }: { guid: string; payee: Payee }) {
  const t = useT('payments')
  const may = useMay()
  const show = useWrite(paymentsApi.showPayee)
  return (
    <>
      <PayeeText payee={show.data?.payee ?? payee} />
      {may(paymentsApi.showPayee) && !show.data ? (
        <button type="button" className="link small" disabled={show.isPending} onClick={() => show.mutate({ guid })}>
          {t('payments:refund.showPayee')}
        </button>
      ) : null}
    </>
  )
}

/** The bank account that money went to, as far as it is shown. */
export function PayeeText({ payee }: { payee: Payee }) {
  return (
    <span className="cell-sub">
      {payee.accountName} <bdi className="tabular">{`${payee.bsb} ${payee.accountNumber}`}</bdi>
    </span>
  )
}

export function Refunds({ payment }: { payment: Payment }) {
  const t = useT('payments')
  if (!payment.refunds.length && !payment.requests.length)
    return <p className="muted no-margin">{t('payments:noRefunds')}</p>
  return (
    <div className="table-scroll">
      <table className="plain-table refunds-table">
        <thead>
          <tr>
            <th scope="col">{t('payments:number')}</th>
            <th scope="col">{t('payments:refund.on')}</th>
            <th scope="col">{t('payments:refund.reason')}</th>
            <th scope="col">{t('payments:refund.does')}</th>
            <th scope="col" className="end">
              {t('payments:amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {payment.requests.map((request) => (
            <tr key={request.guid}>
              <td className="muted">–</td>
              <td>
                <DateText value={request.createdAt} />
              </td>
              <td colSpan={2}>
                <AppLink to={refundRequests.path} className="link">
                  {t('payments:requests.waits')}
                </AppLink>
              </td>
              <td className="end tabular">
                <Money cents={request.amountCents} />
              </td>
            </tr>
          ))}
          {payment.refunds.map((refund) => (
            <tr key={refund.guid}>
              <td>{unbroken(refund.number)}</td>
              <td>
                <DateText value={refund.createdAt} />
              </td>
              <td>
                {phraseOr(`payments:reasons.${refund.reasonCode}`, refund.reasonCode)}
                {refund.note ? <span className="cell-sub">{refund.note}</span> : null}
                {refund.payee ? <RefundPayee guid={refund.guid} payee={refund.payee} /> : null}
              </td>
              <td>
                {refund.adjustmentNote ? (
                  <RecordLink noun="Invoices" guid={refund.adjustmentNote.guid} className="link">
                    {refund.adjustmentNote.label}
                  </RecordLink>
                ) : (
                  <RefundedFrom refund={refund} />
                )}
              </td>
              <td className="end tabular">
                <Money cents={refund.amountCents} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
