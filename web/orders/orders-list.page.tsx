import { lazy } from 'react'
import { orderInvoiceStatuses, ordersApi, orderStatuses } from '../../contract/orders.ts'
import { nouns } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { spanOf } from '../core/api/business.ts'
import { readAhead } from '../core/api/hooks.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { useJobTypeFilter } from '../lines/job-type-filter.ts'
import { editMany } from '../record/edit-many.tsx'
import { ListFrame, statusFilter } from '../record/list-frame.tsx'
import { useOrderColumns } from './order-columns.tsx'
import { usePartFilters } from './part-filters.ts'
import { useSeesMoney } from './sees-money.ts'

const OrderPeek = lazy(() => import('./order-peek.tsx').then((module) => ({ default: module.OrderPeek })))
const EditOrders = lazy(() => import('./edit-orders.tsx').then((module) => ({ default: module.EditOrders })))

/** Whoever sees no money comes for the work that is next. */
const listFor = (seesMoney: boolean) => ({
  op: ordersApi.list,
  defaultSort: seesMoney ? '-createdAt' : 'nextScheduled',
})

export function Page() {
  const t = useT('orders')
  const columns = useOrderColumns()
  const jobTypes = useJobTypeFilter()
  const parts = usePartFilters()
  const seesMoney = useSeesMoney()
  const mayAdd = useCan(ordersApi.create)
  return (
    <ListFrame
      noun="Orders"
      createOp={ordersApi.create}
      tagsOp={ordersApi.tags}
      bulkOp={ordersApi.bulk}
      subtitle={seesMoney ? undefined : t('orders:list.jobs')}
      emptyText={mayAdd ? undefined : t('orders:empty.assigned')}
      tiles={{
        label: t('orders:list.tiles'),
        metricsOp: ordersApi.metrics,
        hasAmounts: seesMoney,
        statuses: ['confirmed', 'in_progress', 'on_hold', 'completed', 'closed', 'cancelled'],
      }}
      {...listFor(seesMoney)}
      exportOp={ordersApi.export}
      columns={columns}
      rowLabel={(o) => o.number}
      peek={(o) => <OrderPeek guid={o.guid} />}
      bulk={[editMany(t, ordersApi.edit, 'orders:counted', EditOrders)]}
      filters={[
        statusFilter(t('orders:statusLabel'), orderStatuses, 'Orders'),
        {
          type: 'many',
          field: 'invoiceStatus',
          label: t('orders:invoiceStatus'),
          options: orderInvoiceStatuses.map((status) => ({
            value: status,
            label: phraseOr(`orders:invoiceStatuses.${status}`, status),
          })),
        },
        ...parts,
        ...jobTypes,
        {
          type: 'one',
          field: 'schedule',
          label: t('orders:scheduleStatus'),
          options: [
            { value: 'scheduled', label: t('orders:scheduleStatuses.scheduled') },
            { value: 'unscheduled', label: t('orders:scheduleStatuses.unscheduled') },
          ],
        },
        { type: 'days', field: 'scheduledOn', label: t('orders:scheduled') },
      ]}
    />
  )
}

Page.beginReads = ((may, search) =>
  Promise.all([
    readListAhead(may, listFor(may(nouns.Orders.amountFor)), search),
    readAhead(may, ordersApi.metrics, spanOf(ordersApi.metrics)),
  ])) satisfies BeginReads
