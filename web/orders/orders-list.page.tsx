import { lazy } from 'react'
import { orderInvoiceStatuses, ordersApi, orderStatuses } from '../../contract/orders.ts'
import { nouns, pathTo, pathOf } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { Can } from '../core/api/can-show.tsx'
import { readAhead, useRead } from '../core/api/hooks.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { statusText } from '../core/ui/status-chip.tsx'
import { StatusTiles } from '../core/ui/status-tiles.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { archiveMany } from '../record/archiving.ts'
import { useOrderColumns } from './order-columns.tsx'
import { useSeesMoney } from './sees-money.ts'

const OrderPeek = lazy(() => import('./order-peek.tsx').then((module) => ({ default: module.OrderPeek })))

/** Whoever sees no money comes for the work that is next. */
const listFor = (seesMoney: boolean) => ({
  op: ordersApi.list,
  defaultSort: seesMoney ? '-createdAt' : 'nextScheduled',
})

export function Page() {
  const t = useT('orders')
  const metrics = useRead(ordersApi.metrics, {})
  const columns = useOrderColumns()
  const seesMoney = useSeesMoney()
  const mayAdd = useCan(ordersApi.create)
  const add = (
    <Can op={ordersApi.create}>
      <AppLink to={pathOf('Orders', 'add')} className="button-link">
        {t('orders:new')}
      </AppLink>
    </Can>
  )
  return (
    <>
      <PageHeader
        title={t('orders:list.title')}
        subtitle={t(seesMoney ? 'orders:list.subtitle' : 'orders:list.jobs')}
        actions={add}
      />
      <StatusTiles
        op={ordersApi.list}
        label={t('orders:list.tiles')}
        ns="orders"
        items={metrics.data?.items}
        hasAmounts={seesMoney}
        statuses={['confirmed', 'in_progress', 'on_hold', 'completed', 'closed', 'cancelled']}
      />
      <DataTable
        {...listFor(seesMoney)}
        exportOp={ordersApi.export}
        label={t('orders:list.title')}
        columns={columns}
        rowLabel={(o) => o.number}
        rowLink={(o) => pathTo('Orders', o.guid)}
        peek={(o) => <OrderPeek guid={o.guid} />}
        filters={[
          {
            type: 'many',
            field: 'status',
            label: t('orders:statusLabel'),
            options: orderStatuses.map((status) => ({ value: status, label: statusText(status, 'orders') })),
          },
          {
            type: 'many',
            field: 'invoiceStatus',
            label: t('orders:invoiceStatus'),
            options: orderInvoiceStatuses.map((status) => ({
              value: status,
              label: phraseOr(`orders:invoiceStatuses.${status}`, status),
            })),
          },
          { type: 'days', field: 'scheduledOn', label: t('orders:scheduled') },
          {
            type: 'one',
            field: 'archived',
            label: t('orders:archivedFilter'),
            options: [{ value: 'true', label: t('orders:archivedOnly') }],
          },
        ]}
        bulk={[archiveMany(t, 'orders', ordersApi.bulk)]}
        empty={{
          title: t('orders:empty.title'),
          text: t(mayAdd ? 'orders:empty.text' : 'orders:empty.assigned'),
          action: add,
        }}
      />
    </>
  )
}

Page.beginReads = ((may, search) =>
  Promise.all([
    readListAhead(may, listFor(may(nouns.Orders.amountFor)), search),
    readAhead(may, ordersApi.metrics, {}),
  ])) satisfies BeginReads
