import { orderDeeds, ordersApi, type AnyOrder, type OrderDeed } from '../../contract/orders.ts'
import { pathOf } from '../../contract/nouns.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { OnSite } from './on-site.tsx'
import { OrderTabs } from './order-tabs.tsx'
import { SubstatusChip } from './substatus-chip.tsx'
import { OrderRail } from './order-aside.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import type { Deed } from '../record/record-actions.tsx'
import { RecordFrame } from '../record/record-frame.tsx'
import { nextDeedOf, orderActions } from './order-actions.ts'

const CancelDialog = whenOpen(() => import('./cancel-dialog.tsx').then((module) => module.CancelDialog))
const ComposeDialog = whenOpen(() => import('../messages/compose-dialog.tsx').then((module) => module.ComposeDialog))
const RecordPayment = whenOpen(() => import('../payments/record-payment.tsx').then((module) => module.RecordPayment))
const SubstatusDialog = whenOpen(() => import('./substatus-dialog.tsx').then((module) => module.SubstatusDialog))
const SupplyDialog = whenOpen(() => import('./supply-dialog.tsx').then((module) => module.SupplyDialog))
const InvoiceDialog = whenOpen(() => import('./invoice-dialog.tsx').then((module) => module.InvoiceDialog))

export function Page() {
  const guid = useGuid()
  const read = useRead(ordersApi.get, { guid })
  return <Loaded of={read}>{({ order }) => <Preview order={order} />}</Loaded>
}

function Preview({ order }: { order: AnyOrder }) {
  const t = useT('orders', 'lines', 'record', 'payments', 'common', 'compose')
  const go = useGo()
  const { guid, version } = order
  const status = useWrite(ordersApi.status)
  const move = (deed: OrderDeed): Deed => ({
    run: async (reason) => {
      await status.mutateAsync({ guid, version, deed, ...(reason ? { reason } : {}) })
      toast.success(t(`orders:done.${deed}`, { name: order.number }))
    },
  })
  const deeds = Object.fromEntries(orderDeeds.map((deed) => [deed, move(deed)])) as Record<OrderDeed, Deed>
  const next = nextDeedOf(order)
  return (
    <RecordFrame
      noun="Orders"
      title={order.number}
      badge={
        <>
          <StatusChip status={order.displayStatus} ns="orders" />
          {order.substatus ? <SubstatusChip substatus={order.substatus} /> : null}
        </>
      }
      tags={{ of: order.tags, ops: ordersApi }}
      listLabel={t('orders:list.title')}
      lead={
        <DownloadButton op={ordersApi.pdf} input={{ guid }}>
          {t('orders:pdf')}
        </DownloadButton>
      }
      actions={orderActions(order, t)}
      record={order}
      deeds={{
        ...deeds,
        next: next ? deeds[next] : {},
        cancel: { dialog: (close) => <CancelDialog order={order} onClose={close} /> },
        substatus: { dialog: (close) => <SubstatusDialog order={order} onClose={close} /> },
        supply: { dialog: (close) => (order.hasAmounts ? <SupplyDialog order={order} onClose={close} /> : null) },
        prepay: {
          dialog: (close) => (
            <RecordPayment
              customer={{ guid: order.customerGuid, name: order.customer.displayName }}
              order={{ guid, businessGuid: order.businessGuid }}
              onClose={close}
            />
          ),
        },
        message: { dialog: (close) => <ComposeDialog about={{ by: 'orderGuid', guid }} onClose={close} /> },
        edit: { run: () => go(pathOf('Orders', 'edit', guid)) },
        invoice: { dialog: (close) => (order.hasAmounts ? <InvoiceDialog order={order} onClose={close} /> : null) },
      }}
      above={<OnSite order={order} />}
      rail={<OrderRail order={order} />}
    >
      <OrderTabs order={order} />
    </RecordFrame>
  )
}
