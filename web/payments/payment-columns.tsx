import type { paymentsApi } from '../../contract/payments.ts'
import type { ItemOf } from '../core/api/types.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import '../record/record.css'
import { DateText } from '../core/ui/date-text.tsx'
import { Money } from '../core/ui/money.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import type { Column } from '../core/ui/table/types.ts'

type Item = ItemOf<typeof paymentsApi.list>

export const methodText = (method: string) => phraseOr(`payments:methods.${method}`, method)

export function usePaymentColumns(): Column<Item>[] {
  const t = useT('payments')
  const unpaid = ({ orderNumber }: Item) =>
    orderNumber ? t('payments:prepaymentOf', { number: orderNumber }) : t('payments:credit')
  return [
    { id: 'number', header: t('payments:number'), sort: true, card: 'title', cell: (p) => p.number },
    { id: 'receivedOn', header: t('payments:receivedOn'), sort: true, cell: (p) => <DateText value={p.receivedOn} /> },
    {
      id: 'customer',
      header: t('payments:customer'),
      grow: 2,
      cell: (p) =>
        p.isDisputed || p.isReversed ? (
          <span className="row tight">
            {p.customerName} <StatusChip status={p.isReversed ? 'reversed' : 'disputed'} ns="payments" />
          </span>
        ) : (
          p.customerName
        ),
    },
    { id: 'method', header: t('payments:method'), cell: (p) => methodText(p.method) },
    {
      id: 'invoices',
      header: t('payments:invoices'),
      grow: 1.5,
      cell: (p) => p.invoices || (p.isReversed ? null : <span className="muted">{unpaid(p)}</span>),
    },
    { id: 'reference', header: t('payments:reference'), isHidden: true, cell: (p) => p.reference },
    {
      id: 'amountCents',
      header: t('payments:amount'),
      sort: true,
      align: 'end',
      card: 'side',
      cell: (p) => (
        <span className="amount-cell">
          <Money cents={p.amountCents} />
          {p.refundedCents ? (
            <span className="cell-sub">
              {t('payments:refundedNote')} <Money cents={p.refundedCents} />
            </span>
          ) : null}
        </span>
      ),
    },
  ]
}
