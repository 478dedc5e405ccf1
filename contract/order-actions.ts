import { leadsFrom } from './core/transitions.ts'
import { orderTransitions, type AnyOrder } from './orders.ts'

/** Why not, as a word that the screens have a phrase for. */
export type OrderRefusal = 'archived' | 'cancelled' | 'unconfirmed' | 'nothingToInvoice' | 'notNow'

type Facts = Pick<AnyOrder, 'status' | 'invoiceStatus' | 'archivedAt'>

export const isAllInvoiced = ({ invoiceStatus }: Pick<AnyOrder, 'invoiceStatus'>): boolean =>
  invoiceStatus === 'invoiced' || invoiceStatus === 'over_invoiced' || invoiceStatus === 'nothing_to_invoice'

/** Why a deed cannot be done with an order now; null when it can. */
export function orderRefusal(deed: keyof typeof orderTransitions, order: Facts): OrderRefusal | null {
  const leads = leadsFrom(orderTransitions, deed, order.status)
  if (deed === 'invoice' && !leads) return order.status === 'cancelled' ? 'cancelled' : 'unconfirmed'
  if (!leads) return 'notNow'
  if ((deed === 'invoice' || deed === 'update') && order.archivedAt !== null) return 'archived'
  return deed === 'invoice' && isAllInvoiced(order) ? 'nothingToInvoice' : null
}
