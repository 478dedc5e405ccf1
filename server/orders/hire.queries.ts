import { sql } from 'kysely'
import { invalidTransition } from '../../contract/core/errors.ts'
import {
  type DaySpan,
  type HirePrice,
  type HireRhythm,
  planHireBill,
  type ShownHire,
  unitsOut,
} from '../../contract/hire-runs.ts'
import { addDays } from '../../contract/core/dates.ts'
import { computeTotals } from '../../contract/core/money.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import type { OrderLineRow, OrderRow } from './orders.queries.ts'

/** A live bill of a hire; where it came to nothing, or nobody owed what was too much, it has no invoice. */
interface HireBilled {
  cents: number
  spans: DaySpan[]
  invoiceGuid: string | null
  invoiceLineGuid: string | null
  isDraft: boolean
}

/** A hire with what came back and what live bills have of it. */
export interface FoundRun {
  guid: string
  lineGuid: string
  name: string
  startedOn: string
  offOn: string | null
  units: string
  every: HireRhythm
  price: HirePrice
  /** What it is of its order's total. */
  countedCents: number
  /** What the invoices of live bills have of it, GST included; notes that take something back lessen it. */
  invoicedCents: number
  isSettled: boolean
  returns: { offOn: string; units: string }[]
  bills: HireBilled[]
}

/** The hires of an order, in the order of its lines. */
export const hireOf = (order: string) => sql<FoundRun[]>`(select coalesce(json_agg(json_build_object('guid', h.guid,
  'lineGuid', h.line_guid, 'name', l.name, 'startedOn', h.started_on, 'offOn', h.off_on,
  'units', trim_scale(h.units)::text, 'every', h.every, 'price', h.price, 'countedCents', h.counted_cents,
  'isSettled', h.settled_at is not null,
  'invoicedCents', (select coalesce(sum(sign(b.cents) * abs(i.total_cents)), 0) from hire_bills b
    join invoice_lines i on i.guid = b.invoice_line_guid where b.run_guid = h.guid and b.voided_at is null),
  'returns', (select coalesce(json_agg(json_build_object('offOn', r.off_on, 'units', trim_scale(r.units)::text)
    order by r.off_on, r.guid), '[]'::json) from hire_returns r where r.run_guid = h.guid),
  'bills', (select coalesce(json_agg(json_build_object('cents', b.cents,
    'invoiceGuid', b.invoice_guid, 'invoiceLineGuid', b.invoice_line_guid,
    'isDraft', coalesce((select i.status in ('draft', 'scheduled') from invoices i
      where i.guid = b.invoice_guid), false),
    'spans',
    (select coalesce(json_agg(json_build_object('from', lower(d), 'to', upper(d) - 1)), '[]'::json)
      from unnest(b.days) d)) order by b.created_at, b.guid), '[]'::json)
    from hire_bills b where b.run_guid = h.guid and b.voided_at is null))
  order by l.position), '[]'::json)
  from hire_runs h join order_lines l on l.guid = h.line_guid where h.order_guid = ${sql.ref(order)})`

export const runsOf = async (db: Db, orderGuid: string): Promise<FoundRun[]> =>
  (
    await db
      .selectFrom('orders as o')
      .select(hireOf('o.guid').as('runs'))
      .where('o.guid', '=', orderGuid)
      .executeTakeFirstOrThrow()
  ).runs

/** Days from the first one on that lie before others of these spans, and in none of them. */
function gapsIn(spans: readonly DaySpan[], first: string): DaySpan[] {
  const gaps: DaySpan[] = []
  let next = first
  for (const { from, to } of spans.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    if (from > next) gaps.push({ from: next, to: addDays(from, -1) })
    if (to >= next) next = addDays(to, 1)
  }
  return gaps
}

/** Of a cancelled order nothing is billed any more. */
export const shownHires = (runs: readonly FoundRun[], order: Pick<OrderRow, 'status'>, today: string): ShownHire[] =>
  runs.map((run) => ({
    lineGuid: run.lineGuid,
    name: run.name,
    units: run.units,
    unitsOut: unitsOut(run),
    on: run.startedOn,
    off: run.offOn,
    every: run.every,
    returns: run.returns,
    billedTo: run.bills
      .flatMap(({ spans }) => spans)
      .reduce<string | null>((last, { to }) => (last === null || to > last ? to : last), null),
    unbilled: gapsIn(
      run.bills.flatMap(({ spans }) => spans),
      run.startedOn,
    ),
    billedCents: run.bills.reduce((sum, { cents }) => sum + cents, 0),
    dueCents: order.status === 'cancelled' ? 0 : (planHireBill(run, run.bills, today)?.cents ?? 0),
    minimumDays: run.price.rates.minimumDays ?? 1,
  }))

type Counted = Pick<OrderRow, 'guid' | 'priceMode' | 'roundingRule' | 'discount'>

/** What lines come to on the terms of their order, GST included. */
const totalOf = ({ priceMode, roundingRule, discount }: Counted, lines: readonly OrderLineRow[]) =>
  computeTotals({ priceMode, roundingRule, documentDiscount: discount, lines }).totalCents

/**
 * Writes what each hire is of its order's total: what the order would come to less without it. Gives what all of them
 * are: the rest is billed as every order is, by lines, shares or stages.
 */
export async function countHire(db: Db, order: Counted): Promise<number> {
  const runs = await runsOf(db, order.guid)
  if (runs.length === 0) return 0
  let lines = await db
    .selectFrom('orderLines')
    .selectAll()
    .where('orderGuid', '=', order.guid)
    .orderBy('position')
    .execute()
  const whole = totalOf(order, lines)
  let before = whole
  for (const { guid, lineGuid, countedCents } of runs) {
    lines = lines.filter((line) => line.guid !== lineGuid)
    const left = totalOf(order, lines)
    if (before - left !== countedCents)
      await db
        .updateTable('hireRuns')
        .set({ countedCents: before - left })
        .where('guid', '=', guid)
        .execute()
    before = left
  }
  return whole - before
}

/** The lines of an order that are billed as hire, and what these are of its total. */
export async function hireWithin(db: Db, orderGuid: string) {
  const rows = await db
    .selectFrom('hireRuns')
    .select(['lineGuid', 'countedCents'])
    .where('orderGuid', '=', orderGuid)
    .execute()
  return {
    lines: new Set(rows.map(({ lineGuid }) => lineGuid)),
    cents: rows.reduce((sum, { countedCents }) => sum + countedCents, 0),
  }
}

/** Days that an invoice had billed are free again: its draft was archived, or it was voided. */
export async function freeHireDays(ctx: Pick<Ctx, 'db' | 'now'>, invoiceGuid: string) {
  const freed = await ctx.db
    .updateTable('hireBills')
    .set({ voidedAt: ctx.now })
    .where('invoiceGuid', '=', invoiceGuid)
    .where('voidedAt', 'is', null)
    .returning('runGuid')
    .execute()
  if (freed.length === 0) return
  await sql`update order_lines l set quantity_invoiced = 0 from hire_runs h where h.line_guid = l.guid
    and h.settled_at is not null and h.guid = any(${freed.map(({ runGuid }) => runGuid)}::uuid[])`.execute(ctx.db)
}

/** An archived draft of hire stays so: its days may be billed by now. */
export async function refuseHireDraft(db: Db, invoiceGuid: string) {
  const bill = await db
    .selectFrom('hireBills')
    .select('guid')
    .where('invoiceGuid', '=', invoiceGuid)
    .limit(1)
    .executeTakeFirst()
  if (bill) throw invalidTransition('This draft billed hire. Bill the hire again from its order.')
}
