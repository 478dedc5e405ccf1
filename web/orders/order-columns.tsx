import type { ordersApi } from '../../contract/orders.ts'
import type { ItemOf } from '../core/api/types.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { Money } from '../core/ui/money.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import type { Column } from '../core/ui/table/types.ts'
import { useSeesMoney } from './sees-money.ts'
import { SubstatusChip } from './substatus-chip.tsx'
import { tagColumn } from '../record/tag-column.tsx'

type Item = ItemOf<typeof ordersApi.list>
const invoiceTones = {
  nothing_to_invoice: 'neutral',
  to_invoice: 'warning',
  partially_invoiced: 'primary',
  drafted: 'primary',
  invoiced: 'success',
  over_invoiced: 'error',
} as const

/** Columns of what an order brings in. */
const ofMoney: readonly string[] = ['invoiceStatus', 'invoicedCents', 'totalCents']

export function useOrderColumns(): Column<Item>[] {
  const t = useT('orders', 'common')
  const seesMoney = useSeesMoney()
  const columns: Column<Item>[] = [
    { id: 'number', header: t('orders:number'), sort: true, card: 'title', cell: (o) => o.number },
    { id: 'title', header: t('orders:name'), sort: true, grow: 2, cell: (o) => o.title },
    { id: 'customer', header: t('orders:customer'), grow: 1.5, cell: (o) => o.customerName },
    { id: 'assigned', header: t('orders:assignedTo'), isHidden: true, cell: (o) => o.assignedName },
    {
      id: 'crew',
      header: t('orders:people.crew'),
      isHidden: true,
      cell: (o) => (o.crewNames.length > 0 ? o.crewNames.join(', ') : null),
    },
    { id: 'jobType', header: t('common:jobType'), isHidden: true, cell: (o) => o.jobTypeName },
    {
      id: 'status',
      header: t('orders:statusLabel'),
      card: 'side',
      cell: (o) => <StatusChip status={o.displayStatus} ns="orders" />,
    },
    {
      id: 'substatus',
      header: t('orders:substatus.one'),
      isSpare: true,
      cell: (o) => (o.substatus ? <SubstatusChip substatus={o.substatus} /> : null),
    },
    {
      id: 'invoiceStatus',
      header: t('orders:invoiceStatus'),
      cell: (o) => (
        <StatusChip
          status={o.invoiceStatus}
          tone={invoiceTones[o.invoiceStatus]}
          label={phraseOr(`orders:invoiceStatuses.${o.invoiceStatus}`, o.invoiceStatus)}
        />
      ),
    },
    {
      id: 'scheduledOn',
      header: t('orders:scheduled'),
      // Whoever does the work sorts by what is next; finished work and work without a day come after it.
      sort: seesMoney ? true : 'nextScheduled',
      cell: (o) => <DateText value={o.scheduledOn} />,
    },
    {
      id: 'createdAt',
      header: t('orders:created'),
      sort: true,
      isHidden: true,
      cell: (o) => <DateText value={o.createdAt} />,
    },
    tagColumn(t),
    {
      id: 'invoicedCents',
      header: t('orders:invoiced'),
      isHidden: true,
      align: 'end',
      cell: (o) => <Money cents={o.invoicedCents ?? 0} />,
    },
    {
      id: 'totalCents',
      header: t('orders:total'),
      sort: true,
      align: 'end',
      card: 'side',
      cell: (o) => <Money cents={o.totalCents ?? 0} />,
    },
  ]
  return seesMoney ? columns : columns.filter(({ id }) => !ofMoney.includes(id))
}
