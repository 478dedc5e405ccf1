import { forbidden, invalidTransition, notFound } from '../../contract/core/errors.ts'
import { localDay } from '../../contract/core/dates.ts'
import { nouns } from '../../contract/nouns.ts'
import { leadsFrom } from '../../contract/core/transitions.ts'
import { type AnyOrder, ordersApi, orderTransitions } from '../../contract/orders.ts'
import type { Ctx } from '../core/ctx.ts'
import { checkVersion } from '../core/db/rows.ts'
import { may } from '../core/http/permission.ts'
import { stamp } from '../core/records.ts'
import { crewNoteOf } from '../job-types/job-strings.service.ts'
import { isWork } from '../../contract/core/money.ts'
import type { DocumentTotals } from '../documents/lines.service.ts'
import { saidOf } from '../documents/said.service.ts'
import { filterReadableReferences, readableReference } from '../row-scope/row-scope.service.ts'
import { shownLink } from '../service-links/service-links.service.ts'
import {
  addInvoiced,
  findOrder,
  insertLines,
  type OrderRow,
  refreshState,
  settleLines,
  rowForUpdate,
  visibleRowForUpdate,
} from './orders.queries.ts'
import { hireWithin, shownHires } from './hire.queries.ts'
import { recordEdited } from './changes.record.service.ts'
import { endOrderStages, shownStages } from './stages.service.ts'
import { profitOf } from './orders.costs.ts'
import { moneyOf, paymentStatusOf, relatedInvoices, scheduleStatusOf } from './orders.state.ts'

/** What things cost is not for everybody who may see what they sell for. */
const maySeeCosts = (ctx: Ctx) => may(ctx.actor, 'read', 'Products:Costs')

export const seesAmounts = (ctx: Ctx) => may(ctx.actor, ...nouns.Orders.amountFor)

/** Who may not see what things come to sets no prices either. */
export function mustSeeAmounts(ctx: Ctx) {
  if (!seesAmounts(ctx)) throw forbidden('You don’t have access to the amounts of orders.')
}

/**
 * One order as its screen shows it; outside the caller's rows there is none. Its schema takes the amounts out where
 * they are not for the caller.
 */
export async function one(ctx: Ctx, guid: string): Promise<{ order: AnyOrder }> {
  const hasAmounts = seesAmounts(ctx)
  const row = await findOrder(ctx, guid, hasAmounts && maySeeCosts(ctx))
  if (!row) throw notFound()
  const { invoices, quote, payments, messages, timeZone, lines, stages, hire, gstForwardCents, ...order } = row
  const today = localDay(ctx.now.toISOString(), timeZone)
  const money = moneyOf(order.totalCents, invoices, payments, hire, gstForwardCents)
  const { subtotalCents, discountCents, gstCents, totalCents } = order
  const shown = hasAmounts ? lines : lines.filter(isWork)
  return {
    order: {
      ...order,
      hasAmounts,
      crewNote: order.jobTypeGuid ? await crewNoteOf(ctx.db, guid, ctx.deps.settings.defaultLanguage) : null,
      lines: shown.map(({ costCents: _cost, ...line }) => ({
        ...line,
        said: saidOf(line, ctx.deps.settings.defaultLanguage),
      })),
      displayStatus: order.status,
      scheduleStatus: scheduleStatusOf(order, today),
      paymentStatus: paymentStatusOf(order, money, invoices),
      profitCents: order.costs ? profitOf(totalCents - gstCents, lines, order.costs) : null,
      totals: { subtotalCents, discountCents, gstCents, totalCents },
      money,
      stages: shownStages(stages, order, today),
      hire: shownHires(hire, order, today),
      ...shownLink(ctx, 'order', order.serviceGuid),
      related: {
        quote: await readableReference(ctx, 'Quotes', quote),
        invoices: await filterReadableReferences(ctx, 'Invoices', relatedInvoices(invoices, today)),
        payments: await filterReadableReferences(ctx, 'Payments', payments),
        messages: await filterReadableReferences(ctx, 'Messages', messages),
      },
    },
  }
}

/** Locks an order that the caller may change, in the version he saw. */
export async function lockVisibleOrder(ctx: Ctx, guid: string, version?: number): Promise<OrderRow> {
  const row = await visibleRowForUpdate(ctx, guid)
  if (!row) throw notFound()
  if (version !== undefined) await checkVersion(row, version, ordersApi.get, () => one(ctx, guid))
  return row
}

/** The order an invoice is made of, for the invoices: visible, locked, and open to changes. */
export async function lockForInvoicing(ctx: Ctx, guid: string, version: number): Promise<OrderRow> {
  mustSeeAmounts(ctx)
  const order = await lockVisibleOrder(ctx, guid, version)
  if (order.archivedAt !== null) throw invalidTransition('This order is archived. Restore it first.')
  if (!leadsFrom(orderTransitions, 'invoice', order.status))
    throw invalidTransition(
      order.status === 'cancelled' ? 'This order is cancelled.' : 'Confirm the order before invoicing it.',
    )
  return order
}

/** For the invoices: an order's row under lock, whoever asks. */
export async function lockOrder(ctx: Pick<Ctx, 'db'>, guid: string): Promise<OrderRow> {
  const row = await rowForUpdate(ctx.db, guid)
  if (!row) throw notFound()
  return row
}

/**
 * For the invoices, under the order's lock: raises what is invoiced of its lines. Refused beyond what was ordered.
 * Whoever looked at the order before has seen more left to invoice than there is: it gets a new version.
 */
export async function takeQuantities(
  ctx: Ctx,
  order: Pick<OrderRow, 'guid' | 'version'>,
  lines: ReadonlyMap<string, string>,
) {
  await addInvoiced(ctx.db, lines, 1)
  await ctx.db.updateTable('orders').set(stamp(ctx, order.version)).where('guid', '=', order.guid).execute()
  await refreshState(ctx.db, order.guid)
}

/**
 * For the invoices, under the order's lock: what an archived draft or a voided invoice had taken can be invoiced again.
 */
export async function giveBackQuantities(ctx: Pick<Ctx, 'db'>, orderGuid: string, lines: ReadonlyMap<string, string>) {
  await addInvoiced(ctx.db, lines, -1)
  await refreshState(ctx.db, orderGuid)
}

interface SettledLines {
  kept: readonly Parameters<typeof settleLines>[1][number][]
  added: Parameters<typeof insertLines>[2]
  /** JSON text. */
  discount: string | null
  totals: DocumentTotals
}

/** For the invoices, under the order's lock: what is left of an order that ends before all of it was billed. */
export async function replaceSettled(ctx: Ctx, order: OrderRow, { kept, added, discount, totals }: SettledLines) {
  await settleLines(ctx.db, kept)
  await insertLines(ctx.db, order.guid, added)
  const { subtotalCents, discountCents, gstCents, totalCents } = totals
  await ctx.db
    .updateTable('orders')
    .set({ discount, subtotalCents, discountCents, gstCents, totalCents })
    .where('guid', '=', order.guid)
    .execute()
}

/**
 * For the invoices: after an order ended before all of it was billed, `before` and `lines` as they were: what fell
 * away is recorded as a change, and the stages fall with the work.
 */
export async function recordSettled(ctx: Ctx, before: OrderRow, lines: Parameters<typeof recordEdited>[2]) {
  const { totalCents } = await lockOrder(ctx, before.guid)
  await recordEdited(ctx, before, lines, totalCents, 'Settled')
  const hired = await hireWithin(ctx.db, before.guid)
  await endOrderStages(ctx, before.guid, totalCents - hired.cents)
}

/** For the invoices, under the order's lock, after an invoice of the order was issued or voided. */
export const refreshInvoicing = (ctx: Pick<Ctx, 'db'>, orderGuid: string) => refreshState(ctx.db, orderGuid)
