import { z } from 'zod'
import { cents, day, guid, maybe, quantity, reference, version } from './core/common.ts'
import { addDays, addMonths } from './core/dates.ts'
import {
  addQuantities,
  compareQuantities,
  type Discount,
  scaleCents,
  subtractQuantities,
  timesQuantity,
} from './core/money.ts'
import { post } from './core/op.ts'
import { chargedDays, hireCharge, type HireDays, type HireRates, inclusiveDays } from './hire.ts'
import { cronOps } from './jobs.ts'
import { nouns } from './nouns.ts'

/** How often a hire is billed: every so many days from its first, or by the month. */
export const hireRhythms = ['7', '28', 'month'] as const
export type HireRhythm = (typeof hireRhythms)[number]

/** What a hire costs, as it was agreed when it began. Amounts are in the price mode of its order. */
export interface HirePrice {
  rates: HireRates
  /** The days that were planned, and what one of it costs for these: another price than the rates' scales them all. */
  planned: HireDays
  plannedCents: number
  /** What the rates come to for the planned days, in the price mode. */
  listedCents: number
  isWithGst: boolean
  discount: Discount | null
  /** Of the order's discount: a percentage of what is left of that, or so many cents until they are used up. */
  orderDiscount: Discount | null
}

interface Returned {
  /** The last day these are charged for. */
  offOn: string
  units: string
}

/** A hire as far as its charge depends on it. */
export interface HireRun {
  startedOn: string
  units: string
  /** In any order; together no more than the units. */
  returns: readonly Returned[]
  price: HirePrice
}

/** What one costs for so many days, GST as the order's prices have it. */
function hirePriceOf(price: HirePrice, days: number): number {
  const charge = hireCharge(price.rates, days)
  const listed = price.isWithGst ? scaleCents(charge, 11, 10) : charge
  if (price.plannedCents === price.listedCents) return listed
  const plannedCharge = hireCharge(price.rates, inclusiveDays(price.planned))
  return plannedCharge === 0 ? price.plannedCents : scaleCents(charge, price.plannedCents, plannedCharge)
}

const reduced = (amount: number, discount: Discount | null): number => {
  if (!discount) return amount
  if (discount.type === 'fixed') return Math.max(amount - discount.value, 0)
  return amount - scaleCents(amount, discount.value, 10_000)
}

/** So many that went back on one day, or that are still out. */
interface HirePart {
  units: string
  /** Charged days: at least the minimum. */
  days: number
  unitCents: number
  cents: number
}
export interface HireCharge {
  parts: HirePart[]
  /** Quantity × price of all parts. */
  grossCents: number
  /** After the line's discount: what its line comes to before the order's. */
  lineCents: number
  /** After every discount. */
  cents: number
}

/** How many are still out after a day. */
export const unitsOut = ({ units, returns }: Pick<HireRun, 'units' | 'returns'>, after?: string): string =>
  returns
    .filter(({ offOn }) => after === undefined || offOn <= after)
    .reduce((left, { units: back }) => subtractQuantities(left, back), units)

/** The last day of a hire all of which is back; null while some is out. */
export const endOfHire = (run: Pick<HireRun, 'units' | 'returns'>): string | null =>
  compareQuantities(unitsOut(run), '0') > 0
    ? null
    : run.returns.reduce((last, { offOn }) => (offOn > last ? offOn : last), '')

/**
 * What a hire comes to from its first day through another one, both charged. What went back is charged through its own
 * day, with its own minimum; nothing before it began.
 */
export function chargeThrough(run: HireRun, through: string): HireCharge {
  if (through < run.startedOn) return { parts: [], grossCents: 0, lineCents: 0, cents: 0 }
  const byDay = new Map<string, string>()
  for (const { offOn, units } of run.returns)
    if (offOn < through) byDay.set(offOn, addQuantities(byDay.get(offOn) ?? '0', units))
  const back = [...byDay].sort(([a], [b]) => (a < b ? -1 : 1))
  const left = back.reduce((rest, [, units]) => subtractQuantities(rest, units), run.units)
  const groups = compareQuantities(left, '0') > 0 ? [...back, [through, left] as const] : back
  const parts = groups.map(([to, units]): HirePart => {
    const days = inclusiveDays({ from: run.startedOn, to })
    const unitCents = hirePriceOf(run.price, days)
    return { units, days: chargedDays(run.price.rates, days), unitCents, cents: timesQuantity(unitCents, units) }
  })
  const grossCents = parts.reduce((sum, part) => sum + part.cents, 0)
  const lineCents = reduced(grossCents, run.price.discount)
  return { parts, grossCents, lineCents, cents: reduced(lineCents, run.price.orderDiscount) }
}

/** The last day of the n-th period, counted from 1 and always from the first day. */
const periodEnd = (startedOn: string, every: HireRhythm, n: number): string =>
  every === 'month' ? addDays(addMonths(startedOn, n), -1) : addDays(startedOn, n * Number(every) - 1)

/** The last day of the newest period that has ended by a day; null while the first one runs. */
export function lastPeriodEnd(startedOn: string, every: HireRhythm, by: string): string | null {
  let n = Math.max(0, Math.floor(inclusiveDays({ from: startedOn, to: by }) / (every === 'month' ? 31 : Number(every))))
  while (periodEnd(startedOn, every, n + 1) <= by) n++
  return n > 0 ? periodEnd(startedOn, every, n) : null
}

/** Days that follow each other, both of them included. */
export type DaySpan = HireDays

/** The days of a span that are in none of the others, in order. */
export function daysWithout(span: DaySpan, others: readonly DaySpan[]): DaySpan[] {
  let next = span.from
  const free: DaySpan[] = []
  for (const { from, to } of [...others].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    if (from > span.to) break
    if (from > next) free.push({ from: next, to: addDays(from, -1) })
    if (to >= next) next = addDays(to, 1)
  }
  if (next <= span.to) free.push({ from: next, to: span.to })
  return free
}

/** What is billed of a hire on one bill, and why. */
export interface HireBillPlan {
  /** The days no other bill has; none where only what came back late is set right. */
  spans: DaySpan[]
  charge: HireCharge
  billedCents: number
  /** Below zero only where the hire has ended: what was billed too much. */
  cents: number
  /** Nothing is left to bill after it. */
  isLast: boolean
}

/**
 * The next bill of a hire through a day: what it comes to until then, less what live bills have, so any rhythm adds up.
 * Null where there is nothing to bill, and where more is billed already while some is still out: the next bill takes
 * that.
 */
export function planHireBill(
  run: HireRun,
  live: readonly { cents: number; spans: readonly DaySpan[] }[],
  through: string,
): HireBillPlan | null {
  const end = endOfHire(run)
  const to = end !== null && end < through ? end : through
  if (to < run.startedOn) return null
  const spans = daysWithout(
    { from: run.startedOn, to },
    live.flatMap((bill) => bill.spans),
  )
  const charge = chargeThrough(run, to)
  const billedCents = live.reduce((sum, bill) => sum + bill.cents, 0)
  const due = charge.cents - billedCents
  const isLast = end !== null && end <= through
  if (spans.length === 0 && due === 0) return null
  if (due < 0 && !isLast) return null
  return { spans, charge, billedCents, cents: due, isLast }
}

const hireItem = z.union([
  z.strictObject({ lineGuid: guid, on: day, every: z.enum(hireRhythms).default('28') }),
  z.strictObject({ lineGuid: guid, off: day, units: maybe(quantity) }),
])
export type HireItem = z.infer<typeof hireItem>

const why = z.object({
  parts: z.array(z.object({ units: z.string(), days: z.int(), unitCents: cents, cents })),
  discountCents: cents,
  billedCents: cents,
})
const hireBill = z.object({
  lineGuid: guid,
  name: z.string(),
  from: day,
  to: day,
  days: z.int(),
  units: z.string(),
  cents,
  why,
})
export type HireBill = z.infer<typeof hireBill>

/** A hire as the order's page shows it; amounts before GST is added. */
export const shownHire = z.object({
  lineGuid: guid,
  name: z.string(),
  units: z.string(),
  unitsOut: z.string(),
  on: day,
  /** The last day charged; null while some is out. */
  off: day.nullable(),
  every: z.enum(hireRhythms),
  returns: z.array(z.object({ offOn: day, units: z.string() })),
  /** The last day on a live bill. */
  billedTo: day.nullable(),
  /** Days before that which are on none: the bill that had them was voided. */
  unbilled: z.array(z.object({ from: day, to: day })),
  billedCents: cents,
  /** What a bill through today comes to. */
  dueCents: cents,
  minimumDays: z.int(),
})
export type ShownHire = z.infer<typeof shownHire>

const { pages } = nouns.Orders

const hireCron = cronOps({
  path: '/Cron/Process/Hire',
  can: ['manage', 'Cron:Hire'],
  message: 'Hire processed.',
  summary: 'Drafts the bills of hire whose period has ended, within 15 seconds',
})

/** What is done with what an order hires out, `response` being the order as all its operations answer. */
export const hireOps = <R extends z.ZodType>(response: R) => ({
  hire: post({
    path: '/Orders/Hire/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Hire saved.',
    summary: 'Puts lines of an order on hire, or takes units back: each is charged through its last day',
    body: z.strictObject({ version, items: z.array(hireItem).min(1).max(100) }),
    response,
  }),
  hireBill: post({
    path: '/Orders/HireBill/:guid',
    effect: 'write',
    can: ['create', 'Orders:Invoice:Guid'],
    summary:
      'Drafts an invoice of what is hired through a day and not billed yet, or a note for what was billed too much; ' +
      'with `dryRun` tells what it would bill',
    unaudited: 'a dry run changes nothing; a bill has a line for its order',
    body: z.strictObject({ version, through: day, dryRun: z.boolean().default(false) }),
    response: z.object({
      bills: z.array(hireBill),
      invoice: reference.extend({ totalCents: cents }).nullable(),
      /** The first draft of a note that takes back what was billed too much. */
      note: z.object({ guid, totalCents: cents }).nullable(),
      /** GST included: what notes take back, and what was paid and can only be refunded. */
      creditCents: cents,
      refundCents: cents,
      /** Whether a draft that billed too much is archived for it. */
      replacesDraft: z.boolean(),
    }),
  }),
  processHire: hireCron.run,
  previewHire: hireCron.preview,
  hireJobRuns: hireCron.runs,
})
