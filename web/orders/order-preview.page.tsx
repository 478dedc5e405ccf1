import { useState } from 'react'
import { orderDeeds, ordersApi, orderTransitions, type AnyOrder, type OrderDeed } from '../../contract/orders.ts'
import { useMay } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { DownloadButton } from '../core/ui/download-button.tsx'
import type { IconName } from '../core/ui/icons.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip, statusText } from '../core/ui/status-chip.tsx'
import { toast, toastWithAction } from '../core/ui/toast.tsx'
import { MoreMenu, type MoreItem } from '../record/more-menu.tsx'
import { RecordTimeline } from '../timeline/record-timeline.tsx'
import { InvoiceDialog } from './invoice-dialog.tsx'
import { OnSite } from './on-site.tsx'
import { nextDeed } from './order-actions.ts'
import { OrderDocument } from './order-document.tsx'
import { OrderRail } from './order-aside.tsx'

const deedIcons: Record<OrderDeed, IconName> = {
  confirm: 'check',
  start: 'next',
  hold: 'clock',
  complete: 'success',
  reopen: 'undo',
  close: 'lock',
  cancel: 'stop',
}
const asksReason: readonly OrderDeed[] = ['hold', 'cancel']

export function Page() {
  const guid = useGuid()
  const read = useRead(ordersApi.get, { guid })
  return <Loaded of={read}>{({ order }) => <Preview order={order} />}</Loaded>
}

function Preview({ order }: { order: AnyOrder }) {
  const t = useT('orders', 'lines', 'record', 'common')
  const go = useGo()
  const may = useMay()
  const text = useErrorText()
  const [asking, setAsking] = useState<OrderDeed | null>(null)
  const [isInvoicing, setInvoicing] = useState(false)
  const { guid, version } = order
  const failed = { onError: (error: unknown) => toast.error(text(error)) }
  const status = useWrite(ordersApi.status)
  const restore = useWrite(ordersApi.restore, {
    ...failed,
    onSuccess: () => toast.success(t('orders:restored', { name: order.number })),
  })
  const archive = useWrite(ordersApi.remove, {
    ...failed,
    onSuccess: () =>
      void toastWithAction(t('orders:archived', { name: order.number }), t('common:undo'), () =>
        restore.mutate({ guid }),
      ),
  })
  const move = async (deed: OrderDeed, reason?: string) => {
    await status.mutateAsync({ guid, version, deed, ...(reason ? { reason } : {}) })
    toast.success(t(`orders:done.${deed}`, { name: order.number }))
  }
  const start = (deed: OrderDeed) =>
    asksReason.includes(deed) ? setAsking(deed) : void move(deed).catch((error: unknown) => toast.error(text(error)))
  const isPossible = (deed: OrderDeed) => (orderTransitions[deed].from as readonly string[]).includes(order.status)
  const next = nextDeed[order.status]
  const invoiceRefusal =
    order.status === 'cancelled'
      ? t('orders:why.cancelled')
      : order.invoiceStatus === 'invoiced' || order.invoiceStatus === 'nothing_to_invoice'
        ? t('orders:why.nothingToInvoice')
        : null
  const isFinished = order.status === 'closed' || order.status === 'cancelled'
  return (
    <>
      <PageHeader
        title={order.number}
        badge={<StatusChip status={order.displayStatus} ns="orders" />}
        crumbs={[{ to: '/apps/orders/list', label: t('orders:list.title') }]}
        actions={
          <>
            <DownloadButton op={ordersApi.pdf} input={{ guid }}>
              {t('orders:pdf')}
            </DownloadButton>
            {may(ordersApi.update) && order.hasAmounts && !isFinished ? (
              <ActionButton variant="default" icon="edit" onClick={() => void go(`/apps/orders/edit/${guid}`)}>
                {t('orders:editAction')}
              </ActionButton>
            ) : null}
            <MoreMenu
              items={[
                ...orderDeeds.map((deed): MoreItem => ({
                  key: deed,
                  label: phraseOr(`orders:deeds.${deed}`, deed),
                  icon: deedIcons[deed],
                  isDangerous: deed === 'cancel',
                  isHidden: !may(ordersApi.status),
                  disabledReason: isPossible(deed)
                    ? null
                    : t('orders:why.notNow', { status: statusText(order.status, 'orders') }),
                  onClick: () => start(deed),
                })),
                {
                  key: 'archive',
                  label: t('orders:archive'),
                  icon: 'archive',
                  isHidden: order.archivedAt !== null || !may(ordersApi.remove),
                  onClick: () => archive.mutate({ guid }),
                },
                {
                  key: 'restore',
                  label: t('orders:restore'),
                  icon: 'undo',
                  isHidden: order.archivedAt === null || !may(ordersApi.restore),
                  onClick: () => restore.mutate({ guid }),
                },
              ]}
            />
            {next && may(ordersApi.status) ? (
              <ActionButton
                variant={next === 'close' ? 'default' : 'light'}
                loading={status.isPending}
                onClick={() => start(next)}
              >
                {phraseOr(`orders:deeds.${next}`, next)}
              </ActionButton>
            ) : null}
            {may(ordersApi.invoice) && order.hasAmounts ? (
              <ActionButton icon="invoice" disabledReason={invoiceRefusal} onClick={() => setInvoicing(true)}>
                {t('orders:invoiceAction')}
              </ActionButton>
            ) : null}
          </>
        }
      />
      <OnSite order={order} />
      <div className="with-rail">
        <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
          <OrderDocument order={order} />
          <div className="no-print">
            <RecordTimeline op={ordersApi.timeline} guid={guid} />
          </div>
        </div>
        <div className="no-print">
          <OrderRail order={order} />
        </div>
      </div>
      {isInvoicing && order.hasAmounts ? <InvoiceDialog order={order} onClose={() => setInvoicing(false)} /> : null}
      <ConfirmDialog
        isOpen={asking !== null}
        onClose={() => setAsking(null)}
        title={asking ? phraseOr(`orders:deeds.${asking}`, asking) : ''}
        confirmLabel={asking ? phraseOr(`orders:deeds.${asking}`, asking) : ''}
        isDangerous={asking === 'cancel'}
        reasonLabel={asking ? phraseOr(`orders:reasonFor.${asking}`, asking) : ''}
        onConfirm={(reason) => (asking ? move(asking, reason) : undefined)}
      />
    </>
  )
}
