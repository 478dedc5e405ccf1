import { sql } from 'kysely'
import { addDays } from '../../contract/core/dates.ts'
import { conflict, invalid } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { type HireBill, type HireBillPlan, lastPeriodEnd, planHireBill } from '../../contract/hire-runs.ts'
import { inclusiveDays } from '../../contract/hire.ts'
import type { PlanItem } from '../../contract/jobs.ts'
import { ordersApi } from '../../contract/orders.ts'
import { today as todayOf } from '../businesses/businesses.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { money } from '../core/i18n/format.ts'
import { definePlanned } from '../core/jobs/planned.ts'
import { stamp, userOf } from '../core/records.ts'
import { type FoundRun, hireWithin, keepHireBill, runsOf, settleRun } from '../orders/hire.service.ts'
import { lockForInvoicing, lockOrder, refreshInvoicing } from '../orders/order.service.ts'
import type { OrderRow } from '../orders/stages.service.ts'
import { byCode } from './codes.ts'
import { depositCredits, type DraftLine } from './credits.ts'
import { creditsOf, draftHireNotes } from './hire-notes.ts'
import { asNewLine, insertDraft, putAway } from './invoices.drafts.ts'
import { lockOpenDeposits } from './invoices.queries.ts'
import { termsOf } from './invoices.terms.ts'
import { close, price, unpriced } from './split.ts'

/** A hire with what is to be billed of it. */
interface Due {
  run: FoundRun
  plan: HireBillPlan
}

const dueOf = (runs: readonly FoundRun[], throughOf: (run: FoundRun) => string | null): Due[] =>
  runs.flatMap((run) => {
    const through = throughOf(run)
    const plan = through === null ? null : planHireBill(run, run.bills, through)
    return plan ? [{ run, plan }] : []
  })

/** Where nothing else is left to bill but what was too much on drafts, these are made anew: none has seen them yet. */
function planDues(runs: readonly FoundRun[], throughOf: (run: FoundRun) => string | null) {
  const dues = dueOf(runs, throughOf)
  const stale = new Set(
    dues.flatMap(({ run, plan }) =>
      plan.cents < 0
        ? run.bills.flatMap((bill) => (bill.isDraft && bill.cents > 0 ? (bill.invoiceGuid ?? []) : []))
        : [],
    ),
  )
  if (stale.size === 0) return { runs, dues, stale: [] }
  const without = runs.map((run) => ({
    ...run,
    bills: run.bills.filter(({ invoiceGuid }) => invoiceGuid === null || !stale.has(invoiceGuid)),
  }))
  return { runs: without, dues: dueOf(without, throughOf), stale: [...stale] }
}

const shown = ({ run, plan }: Due): HireBill => ({
  lineGuid: run.lineGuid,
  name: run.name,
  from: plan.spans[0]?.from ?? run.startedOn,
  to: plan.spans.at(-1)?.to ?? run.offOn ?? run.startedOn,
  days: plan.spans.reduce((sum, span) => sum + inclusiveDays(span), 0),
  units: run.units,
  cents: plan.cents,
  why: {
    parts: plan.charge.parts,
    discountCents: plan.charge.grossCents - plan.charge.cents,
    billedCents: plan.billedCents,
  },
})

/** How a bill comes about, for whoever pays it: `7 × $180.00 + 293 × $585.00 − $540.00`. */
function sumOf({ charge, billedCents }: HireBillPlan): string {
  const parts = charge.parts.map(({ units, unitCents }) => `${units} × ${money(unitCents)}`).join(' + ')
  const less = [charge.grossCents - charge.cents, billedCents].filter((cents) => cents > 0)
  return [parts, ...less.map((cents) => money(cents))].join(' − ')
}

async function draftLines(ctx: Ctx, order: OrderRow, dues: readonly Due[]): Promise<DraftLine[]> {
  const lines = await ctx.db.selectFrom('orderLines').selectAll().where('orderGuid', '=', order.guid).execute()
  return dues.map(({ run, plan }) => {
    const line = lines.find(({ guid }) => guid === run.lineGuid)
    const bill = shown({ run, plan })
    return {
      ...unpriced,
      guid: newGuid(),
      kind: 'hire',
      productGuid: line?.productGuid ?? null,
      revenueStreamGuid: line?.revenueStreamGuid ?? null,
      name: run.name,
      description: sumOf(plan),
      hireFrom: bill.from,
      hireTo: bill.to,
      quantity: '1',
      unit: 'each',
      unitPriceCents: plan.cents,
      discount: null,
      gstCode: line?.gstCode ?? 'GST',
    }
  })
}

/** What live invoices billed as hire of an order, less what notes take back: GST included, before deposits. */
async function hireBilled(ctx: Ctx, orderGuid: string): Promise<number> {
  const { cents } = await ctx.db
    .selectFrom('invoices as i')
    .select(
      sql<number>`coalesce(sum(case when i.kind = 'adjustment_note' then -i.total_cents
      else i.total_cents + i.deposit_applied_cents end), 0)::bigint`.as('cents'),
    )
    .where('i.orderGuid', '=', orderGuid)
    .where('i.status', '<>', 'void')
    .where('i.archivedAt', 'is', null)
    .where(sql<boolean>`exists (select from hire_bills h where h.invoice_guid = i.guid)`)
    .executeTakeFirstOrThrow()
  return cents
}

/** Cents that rounding GST on every bill may come to. */
const mostRounding = 50

/** What a hire was billed too much, GST included and above zero. */
const tooMuchOf = async (ctx: Ctx, order: OrderRow, due: Due): Promise<number> => {
  const lines = await draftLines(ctx, order, [{ run: due.run, plan: { ...due.plan, cents: -due.plan.cents } }])
  return price({ priceMode: order.priceMode, roundingRule: order.roundingRule }, lines, null).totals.totalCents
}

/**
 * Drafts the invoice of what is due of a locked order, and notes for what was billed too much; settles what has ended.
 * The last bill of all makes up for what rounding GST bill by bill has lost or added. Where all of it comes to nothing
 * the days are kept without one.
 */
async function draftHire(ctx: Ctx, order: OrderRow, { runs: all, dues, stale }: ReturnType<typeof planDues>) {
  for (const draft of stale) await putAway(ctx, draft)
  const billed = dues.filter(({ plan }) => plan.cents > 0)
  const over = dues.filter(({ plan }) => plan.cents < 0)
  let lines = await draftLines(ctx, order, billed)
  const amounts = await Promise.all(over.map((due) => tooMuchOf(ctx, order, due)))
  for (const { run, plan } of dues) if (plan.isLast) await settleRun(ctx, order, run, plan.charge.lineCents)
  const isEnd = all.every((run) => run.isSettled || dues.some((due) => due.run === run && due.plan.isLast))
  const terms = { priceMode: order.priceMode, roundingRule: order.roundingRule }
  if (isEnd) {
    const wanted = (await hireWithin(ctx.db, order.guid)).cents - (await hireBilled(ctx, order.guid))
    const plain = price(terms, lines, null).totals.totalCents
    const given = amounts.reduce((sum, cents) => sum + cents, 0)
    const off = wanted + given - plain
    if (Math.abs(off) <= mostRounding) {
      if (billed.length > 0) ({ lines } = close(terms, lines, null, wanted + given))
      else if (amounts.length > 0) amounts.push((amounts.pop() ?? 0) - off)
    }
  }
  const notes: { guid: string; totalCents: number }[] = []
  for (const [i, { run, plan }] of over.entries())
    notes.push(
      ...(await draftHireNotes(ctx, { run, spans: plan.spans, cents: plan.cents, amountCents: amounts[i] ?? 0 })),
    )
  for (const { run, plan } of dues)
    if (plan.cents === 0) await keepHireBill(ctx, { runGuid: run.guid, spans: plan.spans, cents: 0, invoice: null })
  if (billed.length === 0) {
    await keepMoved(ctx, order)
    return { invoice: null, notes }
  }
  const work = price(terms, lines, null)
  const due = byCode(
    lines.map(({ gstCode }, i) => ({
      gstCode,
      netCents: work.lines[i]?.netCents ?? 0,
      gstCents: work.lines[i]?.gstCents ?? 0,
    })),
  )
  // Stages are deposits of what is billed beside hire.
  const deposits = (await isStaged(ctx, order.guid)) ? [] : await lockOpenDeposits(ctx.db, order.guid)
  const credits = depositCredits(order.priceMode, deposits, due, false)
  const priced = price(terms, [...lines, ...credits], null)
  const { subtotalCents, discountCents, gstCents, totalCents } = priced.totals
  const totals = { subtotalCents, discountCents, gstCents, totalCents }
  const rows = [...lines, ...credits].map((line, i) => ({
    ...line,
    position: i + 1,
    netCents: priced.lines[i]?.netCents ?? 0,
    gstCents: priced.lines[i]?.gstCents ?? 0,
    totalCents: priced.lines[i]?.totalCents ?? 0,
  }))
  const { businessGuid, customerGuid, contactGuid, siteGuid, quoteGuid, title } = order
  const guid = await insertDraft(
    ctx,
    {
      ...{ businessGuid, customerGuid, contactGuid, siteGuid, quoteGuid, title, ...terms },
      ...(await termsOf(ctx, businessGuid, customerGuid)),
      orderGuid: order.guid,
      ownerGuid: order.ownerGuid ?? userOf(ctx),
      reference: order.customerReference,
      kind: 'progress',
      discount: null,
      depositAppliedCents: work.totals.totalCents - totalCents,
    },
    rows.map(asNewLine),
    totals,
  )
  for (const [i, { run, plan }] of billed.entries())
    await keepHireBill(ctx, {
      runGuid: run.guid,
      spans: plan.spans,
      cents: plan.cents,
      invoice: { guid, lineGuid: lines[i]?.guid ?? '' },
    })
  await keepMoved(ctx, order)
  ctx.audit({
    action: 'invoice.created',
    entity: 'Invoices',
    guid,
    after: { title, kind: 'progress', totalCents, orderNumber: order.number },
  })
  return { invoice: { guid, label: title, totalCents }, notes }
}

/** Whoever looked at the order before saw other amounts. */
async function keepMoved(ctx: Ctx, order: OrderRow) {
  await ctx.db.updateTable('orders').set(stamp(ctx, order.version)).where('guid', '=', order.guid).execute()
  await refreshInvoicing(ctx, order.guid)
}

async function isStaged(ctx: Ctx, orderGuid: string): Promise<boolean> {
  const stage = await ctx.db
    .selectFrom('orderStages')
    .select('guid')
    .where('orderGuid', '=', orderGuid)
    .limit(1)
    .executeTakeFirst()
  return stage !== undefined
}

function tell(ctx: Ctx, order: OrderRow, dues: readonly Due[]) {
  ctx.audit({
    action: 'order.hire_billed',
    entity: 'Orders',
    guid: order.guid,
    after: {
      number: order.number,
      cents: dues.reduce((sum, { plan }) => sum + plan.cents, 0),
      bills: dues.map((due) => shown(due)),
    },
  })
}

export async function hireBill(ctx: Ctx, input: Input<(typeof ordersApi)['hireBill']>) {
  const order = await lockForInvoicing(ctx, input.guid, input.version)
  const today = todayOf(await ctx.workFor(order.businessGuid), ctx.now)
  if (input.through > today) throw invalid('through', 'Choose a day that isn’t after today.')
  const planned = planDues(await runsOf(ctx.db, order.guid), () => input.through)
  const { dues } = planned
  const bills = dues.map(shown)
  const expected = await foreseen(ctx, order, planned)
  if (input.dryRun) return { bills, invoice: null, ...expected }
  if (dues.length === 0) throw conflict('There is no hire to bill through this day.')
  const { invoice, notes } = await draftHire(ctx, order, planned)
  tell(ctx, order, dues)
  const creditCents = notes.reduce((sum, { totalCents }) => sum + totalCents, 0)
  return { bills, invoice, ...expected, note: notes[0] ?? null, creditCents }
}

/** What of too much could be taken back by notes, and what can only be refunded. */
async function foreseen(ctx: Ctx, order: OrderRow, { dues, stale }: ReturnType<typeof planDues>) {
  let [creditCents, refundCents] = [0, 0]
  for (const due of dues.filter(({ plan }) => plan.cents < 0)) {
    const amount = await tooMuchOf(ctx, order, due)
    const taken = (await creditsOf(ctx.db, due.run, amount)).reduce((sum, { cents }) => sum + cents, 0)
    creditCents += taken
    refundCents += amount - taken
  }
  return { note: null, creditCents, refundCents, replacesDraft: stale.length > 0 }
}

/** By the clock a hire is billed once its period has ended, and its rest the day after it came back. */
const periodOf = (today: string) => (run: FoundRun) => {
  const yesterday = addDays(today, -1)
  if (run.offOn !== null && run.offOn <= yesterday) return run.offOn
  return lastPeriodEnd(run.startedOn, run.every, yesterday)
}

const billable = ['confirmed', 'in_progress', 'on_hold', 'completed', 'closed'] as const

/** Orders with something on hire where it is past six in the morning, in the order of their guids. */
async function findHired(ctx: Ctx, after: string | null, limit: number) {
  let query = ctx.db
    .selectFrom('orders as o')
    .innerJoin('businesses as b', 'b.guid', 'o.businessGuid')
    .select([
      'o.guid',
      'o.number',
      'o.businessGuid',
      sql<string>`(${ctx.now}::timestamptz at time zone b.time_zone)::date::text`.as('today'),
    ])
    .where('o.archivedAt', 'is', null)
    .where('o.status', 'in', billable)
    .where(sql<boolean>`extract(hour from ${ctx.now}::timestamptz at time zone b.time_zone) >= 6`)
    .where(
      sql<boolean>`exists (select from hire_runs h join order_lines l on l.guid = h.line_guid
        where h.order_guid = o.guid and (h.settled_at is null or l.quantity_invoiced = 0))`,
    )
  if (after !== null) query = query.where('o.guid', '>', after)
  return query.orderBy('o.guid').limit(limit).execute()
}

/** Looks every hour, so that each business finds its bills after six in the morning. */
export const hireJob = definePlanned<string>({
  name: 'hire',
  call: ordersApi.processHire,
  cron: '4 * * * *',
  plan: async (ctx, after, limit) => {
    const items: { item: PlanItem; mark: string; businessGuid: string }[] = []
    let mark = after
    for (;;) {
      const orders = await findHired(ctx, mark, limit)
      for (const { guid, number, businessGuid, today } of orders) {
        if (items.length === limit) return { items, isPartial: true }
        mark = guid
        const { dues } = planDues(await runsOf(ctx.db, guid), periodOf(today))
        if (dues.length === 0) continue
        const cents = dues.reduce((sum, { plan }) => sum + plan.cents, 0)
        const effect = `Bill the hire of order ${number}: ${money(cents)} before GST.`
        items.push({ item: { key: guid, record: { guid, label: number }, do: true, effect }, mark: guid, businessGuid })
      }
      if (orders.length < limit) return { items, isPartial: false }
    }
  },
  act: async (ctx, guid) => {
    const order = await lockOrder(ctx, guid)
    if (order.archivedAt !== null || !billable.some((status) => status === order.status)) return false
    const today = todayOf(await ctx.workFor(order.businessGuid), ctx.now)
    const planned = planDues(await runsOf(ctx.db, guid), periodOf(today))
    if (planned.dues.length === 0) return false
    await draftHire(ctx, order, planned)
    tell(ctx, order, planned.dues)
    return true
  },
})
