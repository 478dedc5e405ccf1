import type { Updateable } from 'kysely'
import { conflict, invalidTransition } from '../../contract/core/errors.ts'
import type { EventName } from '../../contract/events.ts'
import { isAllInvoiced } from '../../contract/order-actions.ts'
import { leadsFrom } from '../../contract/core/transitions.ts'
import { orderTransitions, type OrderDeed, type OrderStatus } from '../../contract/orders.ts'
import { isUnissued } from '../../contract/invoice-transitions.ts'
import type { Ctx } from '../core/ctx.ts'
import type { Orders } from '../core/db/schema-business.ts'
import { mustHaveCredit } from '../customers/credit.service.ts'
import { invoicesOf, type OrderRow } from './orders.queries.ts'

const transitionWords: Record<OrderDeed, string> = {
  confirm: 'confirmed',
  start: 'started',
  hold: 'put on hold',
  complete: 'completed',
  reopen: 'reopened',
  close: 'closed',
  cancel: 'cancelled',
}
export const transitionEvents: Record<OrderDeed, EventName> = {
  confirm: 'order.confirmed',
  start: 'order.started',
  hold: 'order.held',
  complete: 'order.completed',
  reopen: 'order.reopened',
  close: 'order.closed',
  cancel: 'order.cancelled',
}
const stateWords: Record<OrderStatus, string> = {
  draft: 'a draft',
  pending_confirmation: 'waiting for confirmation',
  confirmed: 'confirmed',
  in_progress: 'in progress',
  on_hold: 'on hold',
  completed: 'completed',
  closed: 'closed',
  cancelled: 'cancelled',
}

/** What a deed writes, or the sentence why it is not possible. */
export async function changesOf(ctx: Ctx, order: OrderRow, deed: OrderDeed): Promise<Updateable<Orders>> {
  const { to } = orderTransitions[deed]
  if (!leadsFrom(orderTransitions, deed, order.status))
    throw invalidTransition(`An order that is ${stateWords[order.status]} can’t be ${transitionWords[deed]}.`)
  if (deed === 'close') await refuseClose(ctx, order)
  if (deed === 'confirm') {
    await mustHaveCredit(ctx, { ...order, addsCents: order.totalCents - order.invoicedCents, noun: 'order' })
    return { status: to, confirmedAt: order.confirmedAt ?? ctx.now }
  }
  if (deed === 'start' && order.startedAt === null) return { status: to, startedAt: ctx.now }
  if (deed === 'complete') return { status: to, startedAt: order.startedAt ?? ctx.now, completedAt: ctx.now }
  if (deed === 'reopen') return { status: to, completedAt: null }
  return { status: to }
}

async function refuseClose(ctx: Ctx, order: OrderRow) {
  if (!isAllInvoiced(order)) throw conflict('This order isn’t fully invoiced yet.')
  const invoices = await invoicesOf(ctx.db, order.guid)
  if (invoices.some((i) => isUnissued(i.status))) throw conflict('This order has a draft invoice. Issue it first.')
  const owing = invoices.find((i) => i.balanceCents > 0)
  if (owing) throw conflict(`Invoice ${owing.number} on this order isn’t fully paid yet.`)
}

export async function refuseArchive(ctx: Ctx, order: OrderRow) {
  const invoices = await invoicesOf(ctx.db, order.guid)
  if (invoices.some((i) => isUnissued(i.status) || i.balanceCents > 0)) throw conflict('This order has open invoices.')
}
