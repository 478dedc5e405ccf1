import { sql } from 'kysely'
import { addDays } from '../../contract/core/dates.ts'
import { AppError, conflict, invalid, invalidTransition } from '../../contract/core/errors.ts'
import {
  compareQuantities,
  computeTotals,
  type Discount,
  scaleCents,
  timesQuantity,
} from '../../contract/core/money.ts'
import type { Input } from '../../contract/core/op.ts'
import { hireCharge, inclusiveDays } from '../../contract/hire.ts'
import { endOfHire, type HireItem, type HirePrice, planHireBill, unitsOut } from '../../contract/hire-runs.ts'
import { priceDocument, trimQuantity } from '../../contract/lines.ts'
import type { ordersApi } from '../../contract/orders.ts'
import { today as todayOf } from '../businesses/businesses.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { asJson, stamp, userOf } from '../core/records.ts'
import { toUnits } from '../documents/quantities.service.ts'
import { recordEdited } from './changes.record.service.ts'
import { countHire, type FoundRun, runsOf } from './hire.queries.ts'
import { lockVisibleOrder, mustSeeAmounts, one } from './order.service.ts'
import { orderLines, type OrderLineRow, type OrderRow, refreshState, settleLines } from './orders.queries.ts'
import { settleStages } from './stages.service.ts'

export { freeHireDays, hireWithin, refuseHireDraft, runsOf, type FoundRun } from './hire.queries.ts'

/** The longest that a hire may have run unnoticed: ten years. */
const maxDays = 3660
const hireStatuses = ['confirmed', 'in_progress', 'on_hold', 'completed']

export async function hire(ctx: Ctx, input: Input<(typeof ordersApi)['hire']>) {
  mustSeeAmounts(ctx)
  const order = await lockVisibleOrder(ctx, input.guid, input.version)
  if (order.archivedAt !== null) throw invalidTransition('This order is archived. Restore it first.')
  if (!hireStatuses.includes(order.status))
    throw invalidTransition(
      order.status === 'cancelled' || order.status === 'closed'
        ? `A ${order.status} order has no hire.`
        : 'Confirm the order before putting it on hire.',
    )
  const business = await ctx.workFor(order.businessGuid)
  const today = todayOf(business, ctx.now)
  const lines = await orderLines(ctx.db, order.guid)
  for (const [i, item] of input.items.entries()) {
    const at = `items.${i}`
    const runs = await runsOf(ctx.db, order.guid)
    const line = lines.find(({ guid }) => guid === item.lineGuid)
    const run = runs.find(({ lineGuid }) => lineGuid === item.lineGuid)
    if (!line) throw invalid(`${at}.lineGuid`, 'Choose a hire line of this order.')
    const on = 'on' in item ? item.on : item.off
    if (on > today) throw invalid(`${at}.${'on' in item ? 'on' : 'off'}`, 'Choose a day that isn’t after today.')
    if ('on' in item) {
      if (on < addDays(today, -maxDays)) throw invalid(`${at}.on`, 'A hire can last ten years at most.')
      if (run) throw invalid(`${at}.lineGuid`, 'This line is already on hire.')
      await start(ctx, { order, lines, line, runs, gstRegistered: business.gstRegistered }, item, at)
    } else {
      if (!run) throw invalid(`${at}.lineGuid`, 'This line isn’t on hire.')
      await takeBack(ctx, order, run, item, at)
    }
  }
  await ctx.db.updateTable('orders').set(stamp(ctx, order.version)).where('guid', '=', order.guid).execute()
  const workCents = order.totalCents - (await countHire(ctx.db, order))
  await settleStages(ctx, order, workCents, `Changes to ${order.number}`)
  for (const run of await runsOf(ctx.db, order.guid))
    // What ended on a day that is billed already has no bill to come.
    if (run.offOn !== null && !run.isSettled && !planHireBill(run, run.bills, today)) await settleRun(ctx, order, run)
  await refreshState(ctx.db, order.guid)
  return one(ctx, order.guid)
}

interface Begun {
  order: OrderRow
  lines: readonly OrderLineRow[]
  line: OrderLineRow
  runs: readonly FoundRun[]
  gstRegistered: boolean
}

async function start(ctx: Ctx, begun: Begun, item: Extract<HireItem, { on: string }>, at: string) {
  const { order, line } = begun
  if (line.sourceKey?.startsWith('plan:'))
    throw conflict(`Billed from hoarding plan ${line.sourceKey.split(':')[1] ?? ''}.`)
  const price = line.kind === 'hire' ? priceOf(begun) : null
  if (!price) throw invalid(`${at}.lineGuid`, 'Only lines with hire dates and rates can go on hire.')
  if (toUnits(line.quantityInvoiced) > 0n) throw invalid(`${at}.lineGuid`, 'Part of this line is already invoiced.')
  await ctx.db
    .insertInto('hireRuns')
    .values({
      orderGuid: order.guid,
      lineGuid: line.guid,
      startedOn: item.on,
      units: line.quantity,
      every: item.every,
      price: JSON.stringify(price),
      createdAt: ctx.now,
      createdBy: userOf(ctx),
    })
    .execute()
  ctx.audit({
    action: 'order.hired',
    entity: 'Orders',
    guid: order.guid,
    after: {
      number: order.number,
      name: `${trimQuantity(line.quantity)} × ${line.name}`,
      on: item.on,
      every: item.every,
    },
  })
}

/** What a line costs by the day, as it stands when its hire begins; null of one that has no rates or days. */
function priceOf({ order, lines, line, runs, gstRegistered }: Begun): HirePrice | null {
  const { hireRates: rates, hireFrom: from, hireTo: to } = line
  if (!rates || !from || !to) return null
  const isWithGst = order.priceMode === 'inclusive' && gstRegistered && line.gstCode === 'GST'
  const charge = hireCharge(rates, inclusiveDays({ from, to }))
  return {
    rates,
    planned: { from, to },
    plannedCents: line.unitPriceCents,
    listedCents: isWithGst ? scaleCents(charge, 11, 10) : charge,
    isWithGst,
    discount: line.discount,
    orderDiscount: sharedDiscount(order, lines, line, runs),
  }
}

/** A percentage is of everything; a fixed discount goes to what is billed otherwise, and the rest of it to hire. */
function sharedDiscount(
  { priceMode, roundingRule, discount }: OrderRow,
  lines: readonly OrderLineRow[],
  line: OrderLineRow,
  runs: readonly FoundRun[],
): Discount | null {
  if (discount?.type !== 'fixed') return discount
  const hired = new Set([line.guid, ...runs.map(({ lineGuid }) => lineGuid)])
  const others = lines.filter(({ guid }) => !hired.has(guid))
  const { linesCents } = computeTotals({ priceMode, roundingRule, lines: others })
  const taken = runs.reduce((sum, { price }) => sum + (price.orderDiscount?.value ?? 0), 0)
  const own = computeTotals({ priceMode, roundingRule, lines: [line] }).linesCents
  const value = Math.min(discount.value - Math.max(linesCents, 0) - taken, own)
  return value > 0 ? { type: 'fixed', value } : null
}

async function takeBack(
  ctx: Ctx,
  order: OrderRow,
  run: FoundRun,
  item: Extract<HireItem, { off: string }>,
  at: string,
) {
  const out = unitsOut(run)
  if (compareQuantities(out, '0') === 0) throw invalid(`${at}.lineGuid`, 'All of this line is already back.')
  if (item.off < run.startedOn) throw invalid(`${at}.off`, 'The last day can’t be before the first.')
  const units = item.units ?? out
  if (compareQuantities(units, out) > 0)
    throw new AppError('VALIDATION_FAILED', undefined, {
      fields: [{ path: `${at}.units`, message: `Only ${out} are still on hire.` }],
    })
  await returnUnits(ctx, order, run, item.off, units)
}

async function returnUnits(ctx: Ctx, order: OrderRow, run: FoundRun, offOn: string, units: string) {
  await ctx.db
    .insertInto('hireReturns')
    .values({ runGuid: run.guid, offOn, units, createdAt: ctx.now, createdBy: userOf(ctx) })
    .execute()
  const end = endOfHire({ units: run.units, returns: [...run.returns, { offOn, units }] })
  if (end !== null) await ctx.db.updateTable('hireRuns').set({ offOn: end }).where('guid', '=', run.guid).execute()
  ctx.audit({
    action: 'order.hire_returned',
    entity: 'Orders',
    guid: order.guid,
    after: { number: order.number, name: `${units} × ${run.name}`, on: offOn },
  })
}

/**
 * A hire that has ended leaves its line at what it was billed, before the order's discount. The one place where hire
 * changes what an order comes to: it is recorded as a change of what was agreed, past one that waits for its customer.
 */
export async function settleRun(
  ctx: Ctx,
  order: OrderRow,
  run: Pick<FoundRun, 'guid' | 'lineGuid' | 'units' | 'startedOn' | 'offOn' | 'price'>,
  lineCents?: number,
) {
  const live = await runsOf(ctx.db, order.guid)
  const now = live.find(({ guid }) => guid === run.guid)
  if (!now) return
  if (!now.isSettled) {
    const cents = lineCents ?? beforeDiscount(now)
    const before = await ctx.db
      .selectFrom('orders')
      .selectAll()
      .where('guid', '=', order.guid)
      .executeTakeFirstOrThrow()
    const lines = await orderLines(ctx.db, order.guid)
    await settleLine(ctx, now, cents)
    await ctx.db.updateTable('hireRuns').set({ settledAt: ctx.now }).where('guid', '=', run.guid).execute()
    const totalCents = await repriceOrder(ctx, order)
    // What an order without a quote came to until now is what was agreed at first.
    const contractCents = before.contractCents ?? before.totalCents
    await ctx.db.updateTable('orders').set({ contractCents }).where('guid', '=', order.guid).execute()
    await recordEdited(ctx, { ...before, contractCents }, lines, totalCents, 'Off hire')
    ctx.audit({
      action: 'order.settled',
      entity: 'Orders',
      guid: order.guid,
      before: { totalCents: order.totalCents },
      after: { number: order.number, name: now.name, totalCents },
    })
  }
  await ctx.db.updateTable('orderLines').set({ quantityInvoiced: '1' }).where('guid', '=', run.lineGuid).execute()
}

/** What was billed of a hire, before a percentage that the order takes off. */
function beforeDiscount({ bills, price }: FoundRun): number {
  const cents = bills.reduce((sum, bill) => sum + bill.cents, 0)
  const { orderDiscount } = price
  if (orderDiscount?.type === 'fixed') return cents === 0 ? 0 : cents + orderDiscount.value
  const bp = orderDiscount?.value ?? 0
  return bp >= 10_000 ? cents : scaleCents(cents, 10_000, 10_000 - bp)
}

async function settleLine(ctx: Ctx, run: FoundRun, cents: number) {
  const { costCents, name } = await ctx.db
    .selectFrom('orderLines')
    .select(['costCents', 'name'])
    .where('guid', '=', run.lineGuid)
    .executeTakeFirstOrThrow()
  await ctx.db
    .updateTable('orderLines')
    .set({
      name: run.units === '1' ? name : `${run.units} × ${name}`.slice(0, 200),
      quantity: '1',
      unit: 'each',
      unitPriceCents: cents,
      isPriceManual: true,
      discount: null,
      costCents: costCents === null ? null : timesQuantity(costCents, run.units),
      hireFrom: run.startedOn,
      hireTo: run.offOn ?? run.startedOn,
    })
    .where('guid', '=', run.lineGuid)
    .execute()
}

/** The amounts of an order from its lines as they are now. */
export async function repriceOrder(ctx: Ctx, { guid }: Pick<OrderRow, 'guid'>): Promise<number> {
  const order = await ctx.db.selectFrom('orders').selectAll().where('guid', '=', guid).executeTakeFirstOrThrow()
  const rows = await orderLines(ctx.db, guid)
  const { lines, totals } = priceDocument({ ...order, lines: rows })
  const changed = rows.flatMap(({ guid: lineGuid, quantity, discount, ...row }, i) => {
    const { netCents = 0, gstCents = 0, totalCents = 0 } = lines[i] ?? {}
    const isSame = row.netCents === netCents && row.gstCents === gstCents && row.totalCents === totalCents
    return isSame ? [] : [{ guid: lineGuid, quantity, discount: asJson(discount), netCents, gstCents, totalCents }]
  })
  await settleLines(ctx.db, changed)
  const { subtotalCents, discountCents, gstCents, totalCents } = totals
  await ctx.db
    .updateTable('orders')
    .set({ subtotalCents, discountCents, gstCents, totalCents, updatedAt: ctx.now })
    .where('guid', '=', guid)
    .execute()
  await countHire(ctx.db, order)
  return totalCents
}

/** A cancelled order has nothing on hire; its lines fall to what was billed of them, where anything was. */
export async function endHire(ctx: Ctx, order: OrderRow, today: string, { isBilled }: { isBilled: boolean }) {
  for (const run of await runsOf(ctx.db, order.guid)) {
    const out = unitsOut(run)
    const last = today < run.startedOn ? run.startedOn : today
    if (compareQuantities(out, '0') > 0) await returnUnits(ctx, order, run, last, out)
    if (isBilled) await settleRun(ctx, order, run)
  }
}

interface Billed {
  runGuid: string
  spans: readonly { from: string; to: string }[]
  cents: number
  invoice: { guid: string; lineGuid: string } | null
}

/** For the invoices, under the order's lock: days of a hire are billed, by a line of an invoice or by nothing. */
export async function keepHireBill(ctx: Ctx, { runGuid, spans, cents, invoice }: Billed) {
  const days = `{${spans.map(({ from, to }) => `[${from},${addDays(to, 1)})`).join(',')}}`
  await ctx.db
    .insertInto('hireBills')
    .values({
      guid: newGuid(),
      runGuid,
      days: sql<string>`${days}::datemultirange`,
      cents,
      invoiceGuid: invoice?.guid ?? null,
      invoiceLineGuid: invoice?.lineGuid ?? null,
      createdAt: ctx.now,
      createdBy: userOf(ctx),
    })
    .execute()
}
