import { ordersApi, type AnyOrder, type OrderDeed } from '../../contract/orders.ts'
import type { useMay } from '../core/api/can.ts'
import { phraseOr, type T } from '../core/i18n/i18n.ts'
import type { NextAction } from '../record/next-action.tsx'

/** The sensible next step of each status. */
export const nextDeed: Partial<Record<AnyOrder['status'], OrderDeed>> = {
  draft: 'confirm',
  pending_confirmation: 'confirm',
  confirmed: 'start',
  on_hold: 'start',
  in_progress: 'complete',
  completed: 'close',
}

const isDone = ({ status }: AnyOrder) => status === 'completed' || status === 'closed'
const hasMore = ({ invoiceStatus }: AnyOrder) =>
  invoiceStatus === 'to_invoice' || invoiceStatus === 'partially_invoiced'

/** What is sensibly done next, in the words of the order's own page: what is done is invoiced, everything else goes on. */
export function nextOf(order: AnyOrder, may: ReturnType<typeof useMay>, t: T): NextAction | null {
  if (isDone(order) && hasMore(order) && order.hasAmounts && may(ordersApi.invoice))
    return { label: t('orders:invoiceAction'), icon: 'invoice' }
  const deed = nextDeed[order.status]
  return deed && may(ordersApi.status) ? { label: phraseOr(`orders:deeds.${deed}`, deed), icon: 'next' } : null
}
