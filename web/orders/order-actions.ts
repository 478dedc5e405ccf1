import { leadsFrom } from '../../contract/core/transitions.ts'
import { isAllInvoiced, mayBePrepaid, orderRefusal } from '../../contract/order-actions.ts'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { orderDeeds, ordersApi, orderTransitions, type AnyOrder, type OrderDeed } from '../../contract/orders.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { phraseOr, type T } from '../core/i18n/i18n.ts'
import type { IconName } from '../core/ui/icons.ts'
import { statusText } from '../core/ui/status-chip.tsx'
import type { ActionFacts } from '../record/actions.ts'
import { archivingActions } from '../record/archiving.ts'

/** The sensible next step of each status. */
const nextDeed: Partial<Record<AnyOrder['status'], OrderDeed>> = {
  draft: 'confirm',
  pending_confirmation: 'confirm',
  confirmed: 'start',
  on_hold: 'start',
  in_progress: 'complete',
  completed: 'close',
}

const icons: Record<OrderDeed, IconName> = {
  confirm: 'check',
  start: 'next',
  hold: 'clock',
  complete: 'success',
  reopen: 'undo',
  close: 'lock',
  cancel: 'stop',
}

const deedText = (deed: OrderDeed) => phraseOr(`orders:deeds.${deed}`, deed)

const isDone = ({ status }: AnyOrder) => status === 'completed' || status === 'closed'

export type OrderAction =
  | OrderDeed
  | 'edit'
  | 'message'
  | 'substatus'
  | 'next'
  | 'invoice'
  | 'prepay'
  | 'supply'
  | 'archive'
  | 'restore'

/** What a cancelled order leaves behind is said by a dialog of its own. */
const asksReason: readonly OrderDeed[] = ['hold']
const asked = (deed: OrderDeed) =>
  asksReason.includes(deed)
    ? { confirm: { title: deedText(deed), reason: phraseOr(`orders:reasonFor.${deed}`, deed) } }
    : {}

/** What can be done with an order, and why not now. What is done is invoiced, everything else goes on. */
export function orderActions(order: AnyOrder, t: T): ActionFacts<OrderAction>[] {
  const { status } = order
  const next = nextDeed[status]
  const refused = (deed: keyof typeof orderTransitions) => {
    const refusal = orderRefusal(deed, order)
    const values = { status: statusText(status, 'orders').toLocaleLowerCase() }
    return { refusal: refusal && t(`orders:why.${refusal}`, values) }
  }
  return [
    {
      key: 'invoice',
      op: ordersApi.invoice,
      label: t('orders:invoiceAction'),
      icon: 'invoice',
      place: 'main',
      // Stages are invoiced where they stand.
      isHidden: !order.hasAmounts || order.stages.length > 0,
      isNext: isDone(order) && !isAllInvoiced(order),
      ...refused('invoice'),
    },
    {
      key: 'edit',
      op: ordersApi.update,
      label: t('orders:editAction'),
      icon: 'edit',
      place: 'head',
      isHidden: !order.hasAmounts || !leadsFrom(orderTransitions, 'update', status),
      ...refused('update'),
    },
    ...(next
      ? [
          {
            key: 'next' as const,
            op: ordersApi.status,
            label: deedText(next),
            ...asked(next),
            icon: 'next' as const,
            place: 'light' as const,
            isNext: true,
          },
        ]
      : []),
    { key: 'message', op: messageWritesApi.writeOnOrder, label: t('compose:action'), icon: 'mail' },
    {
      key: 'substatus',
      op: ordersApi.substatus,
      label: t('orders:substatus.set'),
      icon: 'palette',
      isHidden: order.archivedAt !== null,
    },
    {
      key: 'prepay',
      op: paymentsApi.create,
      label: t('orders:prepayAction'),
      icon: 'cash',
      isHidden: !order.hasAmounts || !mayBePrepaid(status) || isAllInvoiced(order) || order.archivedAt !== null,
    },
    {
      key: 'supply',
      op: ordersApi.update,
      label: t('orders:supply.menu'),
      icon: 'clock',
      isHidden: !order.hasAmounts || !leadsFrom(orderTransitions, 'update', status) || order.archivedAt !== null,
      refusal: order.hasAmounts && order.money.invoicedCents > 0 ? t('orders:supply.issued') : null,
    },
    ...orderDeeds.map((deed) => ({
      key: deed,
      op: ordersApi.status,
      label: deedText(deed),
      icon: icons[deed],
      isDangerous: deed === 'cancel',
      ...asked(deed),
      ...refused(deed),
    })),
    ...archivingActions(t, 'orders', ordersApi, { name: order.number, archivedAt: order.archivedAt }),
  ]
}

export const nextDeedOf = ({ status }: AnyOrder): OrderDeed | undefined => nextDeed[status]
