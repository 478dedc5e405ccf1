import { isText } from './core/money.ts'
import { leadsFrom } from './core/transitions.ts'
import { type AnyOrder, type Order, type OrderStatus, orderTransitions } from './orders.ts'

/** Why not, as a word that the screens have a phrase for. */
export type OrderRefusal =
  | 'archived'
  | 'cancelled'
  | 'unconfirmed'
  | 'nothingToInvoice'
  | 'drafted'
  | 'onlyHire'
  | 'notNow'

type Counted = Pick<Order['lines'][number], 'guid' | 'kind' | 'quantity'> & { quantityInvoiced?: string }
interface Facts extends Pick<AnyOrder, 'status' | 'invoiceStatus' | 'archivedAt'> {
  lines?: readonly Counted[]
  hire?: readonly Pick<Order['hire'][number], 'lineGuid'>[]
}

/** Whether all that is left to invoice is on hire, which is billed by its days. */
function isOnlyHireLeft({ lines = [], hire = [] }: Facts): boolean {
  const hired = new Set(hire.map(({ lineGuid }) => lineGuid))
  const isInvoiced = ({ quantity, quantityInvoiced = '0' }: Counted) => Number(quantity) === Number(quantityInvoiced)
  return hired.size > 0 && lines.every((line) => hired.has(line.guid) || isText(line) || isInvoiced(line))
}

/** Whether nothing is left to invoice: all of it stands on invoices, of which some may be drafts. */
export const isAllInvoiced = ({ invoiceStatus }: Pick<AnyOrder, 'invoiceStatus'>): boolean =>
  invoiceStatus !== 'to_invoice' && invoiceStatus !== 'partially_invoiced'

/** Whether an order is agreed and still to be invoiced, so that money may come for it beforehand. */
export const mayBePrepaid = (status: OrderStatus): boolean => prepaidStatuses.some((one) => one === status)
export const prepaidStatuses = ['confirmed', 'in_progress', 'on_hold', 'completed'] as const satisfies OrderStatus[]

/** Why a deed cannot be done with an order now; null when it can. */
export function orderRefusal(deed: keyof typeof orderTransitions, order: Facts): OrderRefusal | null {
  const leads = leadsFrom(orderTransitions, deed, order.status)
  if (deed === 'invoice' && !leads) return order.status === 'cancelled' ? 'cancelled' : 'unconfirmed'
  if (!leads) return 'notNow'
  if ((deed === 'invoice' || deed === 'update') && order.archivedAt !== null) return 'archived'
  if (deed !== 'invoice') return null
  if (order.invoiceStatus === 'drafted') return 'drafted'
  if (isAllInvoiced(order)) return 'nothingToInvoice'
  return isOnlyHireLeft(order) ? 'onlyHire' : null
}
