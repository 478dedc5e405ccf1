import { share } from '../../contract/code-amounts.ts'
import {
  computeTotals,
  isHeading,
  isText,
  type Discount,
  type LineInput as PricedLine,
} from '../../contract/core/money.ts'
import { conflict, type FieldError, invalid, refuseFields } from '../../contract/core/errors.ts'
import { priceDocument } from '../../contract/lines.ts'
import { newGuid } from '../core/guid.ts'
import {
  cataloguedOf,
  type DocumentTotals,
  type EnteredLine,
  type Terms,
  uncatalogued,
} from '../documents/lines.service.ts'
import { toUnits, unitsText } from '../documents/quantities.service.ts'
import { byCode } from './codes.ts'
import { depositCredits, type DraftLine, type OpenDeposit } from './credits.ts'

/** A line of the order with what is invoiced of it already, on drafts and issued invoices. */
export interface OrderedLine extends EnteredLine {
  quantityInvoiced: string
  /** Of a fixed discount, what earlier invoices took. */
  discountBilledCents: number
}

export interface Ordered extends Terms {
  totalCents: number
  lines: readonly OrderedLine[]
}

/** What stands on the order's other progress and final invoices, deposits not counted. */
export interface Billed {
  /** Before deposits were credited, GST included. */
  workCents: number
  /** Of a fixed document discount. */
  discountCents: number
}

export interface Ask {
  kind: 'progress' | 'final'
  shareBp?: number | undefined
  lines?: readonly { lineGuid: string; quantity: string }[] | undefined
}

export interface Split {
  lines: DraftLine[]
  discount: Discount | null
  totals: DocumentTotals
  depositAppliedCents: number
  /** Quantity taken per order line. */
  taken: Map<string, string>
}

const remaining = (line: OrderedLine) => toUnits(line.quantity) - toUnits(line.quantityInvoiced)

/**
 * The next invoice of an order. Whoever takes the last of it closes the account: discounts get what is
 * left of them, and what rounding would lose or add stands on a line of its own, so that all invoices
 * together are the order to the cent.
 */
export function splitOrder(order: Ordered, billed: Billed, deposits: readonly OpenDeposit[], ask: Ask): Split {
  const taken = take(order.lines, ask)
  const isLast = order.lines.every((line) => isText(line) || remaining(line) === (taken.get(line.guid) ?? 0n))
  const parts = withHeadings(order.lines, taken)
  const shared = discountFor(order, billed, parts, isLast)
  const { lines, discount } = isLast
    ? close(order, parts, shared, order.totalCents - billed.workCents)
    : { lines: parts, discount: shared }
  const work = price(order, lines, discount)
  const before = work.totals.totalCents
  const due = byCode(
    lines.map(({ gstCode }, i) => ({
      gstCode,
      netCents: work.lines[i]?.netCents ?? 0,
      gstCents: work.lines[i]?.gstCents ?? 0,
    })),
  )
  const credits = depositCredits(order.priceMode, deposits, due, isLast)
  const { lines: amounts, totals } = price(order, [...lines, ...credits], discount)
  const all = [...lines, ...credits].map((line, i) => ({
    ...line,
    position: i + 1,
    netCents: amounts[i]?.netCents ?? 0,
    gstCents: amounts[i]?.gstCents ?? 0,
    totalCents: amounts[i]?.totalCents ?? 0,
  }))
  const { subtotalCents, discountCents, gstCents, totalCents } = totals
  return {
    lines: all,
    discount,
    totals: { subtotalCents, discountCents, gstCents, totalCents },
    depositAppliedCents: before - totalCents,
    taken: new Map([...taken].map(([guid, units]) => [guid, unitsText(units)])),
  }
}

function take(lines: readonly OrderedLine[], ask: Ask): Map<string, bigint> {
  const open = lines.filter((line) => !isText(line) && remaining(line) > 0n)
  if (open.length === 0) throw conflict('Everything on this order has already been invoiced.')
  if (!ask.lines && ask.shareBp === undefined) return new Map(open.map((line) => [line.guid, remaining(line)]))
  const leaders = leadersOf(lines)
  const leading = lines.filter((line) => !isText(line) && !leaders.has(line))
  const taken = ask.lines ? takeNamed(leading, ask.lines) : takeShare(leading, ask.shareBp ?? 0)
  return withFollowers(leaders, taken)
}

/** Lines that go with the one above them. One of which none was ordered leaves its own to themselves. */
function leadersOf(lines: readonly OrderedLine[]): Map<OrderedLine, OrderedLine> {
  const byGuid = new Map(lines.map((line) => [line.guid, line]))
  return new Map(
    lines.flatMap((line): [OrderedLine, OrderedLine][] => {
      const leader = line.parentLineGuid === null ? undefined : byGuid.get(line.parentLineGuid)
      return leader && toUnits(leader.quantity) > 0n ? [[line, leader]] : []
    }),
  )
}

/** As much of what lies below a line as of the line, counted from the first invoice on: the last takes what is left. */
function withFollowers(
  leaders: ReadonlyMap<OrderedLine, OrderedLine>,
  taken: ReadonlyMap<string, bigint>,
): Map<string, bigint> {
  const all = new Map(taken)
  for (const [line, leader] of leaders) {
    const units = taken.get(leader.guid) ?? 0n
    if (units === 0n) continue
    const reached = share(toUnits(line.quantity), toUnits(leader.quantityInvoiced) + units, toUnits(leader.quantity))
    const more = reached - toUnits(line.quantityInvoiced)
    const left = remaining(line)
    if (more > 0n) all.set(line.guid, more < left ? more : left)
  }
  return all
}

/** Units by which shares that were rounded before may together exceed the whole. */
const slack = 10n

/** A share of the contract, the same of every line: the third third of it is as much as the first. */
function takeShare(lines: readonly OrderedLine[], shareBp: number): Map<string, bigint> {
  const taken = new Map<string, bigint>()
  for (const line of lines) {
    const wanted = share(toUnits(line.quantity), BigInt(shareBp), 10_000n)
    const left = remaining(line)
    if (wanted > left + slack) throw invalid('shareBp', tooMuch(line, left))
    const units = wanted < left ? wanted : left
    if (units > 0n) taken.set(line.guid, units)
  }
  if (taken.size === 0) throw conflict('This percentage is too small to invoice.')
  return taken
}

function tooMuch(line: OrderedLine, left: bigint): string {
  const leftBp = Number((10_000n * left) / toUnits(line.quantity))
  return `Only ${leftBp / 100}% of the contract is left on “${line.name}”.`
}

function takeNamed(lines: readonly OrderedLine[], named: NonNullable<Ask['lines']>): Map<string, bigint> {
  const taken = new Map<string, bigint>()
  const fields: FieldError[] = []
  named.forEach(({ lineGuid, quantity }, i) => {
    const line = lines.find((l) => l.guid === lineGuid)
    const units = toUnits(quantity)
    if (!line) fields.push({ path: `lines.${i}.lineGuid`, message: 'Choose a priced line on this order.' })
    else if (taken.has(lineGuid)) fields.push({ path: `lines.${i}.lineGuid`, message: 'This is listed twice.' })
    else if (units > remaining(line))
      fields.push({
        path: `lines.${i}.quantity`,
        message: `Enter ${unitsText(remaining(line))} or less. The rest is already invoiced.`,
      })
    else if (units > 0n) taken.set(lineGuid, units)
  })
  if (fields.length === 0 && taken.size === 0) fields.push({ path: 'lines', message: 'Enter a quantity above zero.' })
  refuseFields(fields)
  return taken
}

/** Lines taken, with the section they stand in and its texts. */
function withHeadings(lines: readonly OrderedLine[], taken: ReadonlyMap<string, bigint>): DraftLine[] {
  const sections: OrderedLine[][] = [[]]
  for (const line of lines) {
    if (line.kind === 'section') sections.push([])
    sections.at(-1)?.push(line)
  }
  const shown = sections.filter((section) => section.some((line) => taken.has(line.guid))).flat()
  const drafts = new Map<string, string>()
  return shown.flatMap((line) => {
    const units = taken.get(line.guid)
    if (units === undefined) return isText(line) ? [{ ...draftLine(line, 10_000n), orderLineGuid: null }] : []
    const draft = draftLine(line, units)
    drafts.set(line.guid, draft.guid)
    return [{ ...draft, parentLineGuid: drafts.get(line.parentLineGuid ?? '') ?? null }]
  })
}

/** Position and amounts come with the whole. */
export const unpriced = {
  ...uncatalogued,
  orderLineGuid: null,
  depositInvoiceGuid: null,
  position: 0,
  netCents: 0,
  gstCents: 0,
  totalCents: 0,
}

export const draftLine = (line: OrderedLine, units: bigint): DraftLine => ({
  ...unpriced,
  ...cataloguedOf(line),
  guid: newGuid(),
  orderLineGuid: line.guid,
  kind: line.kind,
  productGuid: line.productGuid,
  name: line.name,
  description: line.description,
  quantity: unitsText(units),
  unit: line.unit,
  unitPriceCents: line.unitPriceCents,
  discount: lineDiscount(line, units),
  gstCode: line.gstCode,
})

/** A fixed discount goes with the quantity; the last part takes what is left of it. */
function lineDiscount(line: OrderedLine, units: bigint): Discount | null {
  if (line.discount?.type !== 'fixed') return line.discount
  const left = Math.max(line.discount.value - line.discountBilledCents, 0)
  if (units === remaining(line)) return { type: 'fixed', value: left }
  return {
    type: 'fixed',
    value: Math.min(Number(share(BigInt(line.discount.value), units, toUnits(line.quantity))), left),
  }
}

function discountFor(order: Ordered, billed: Billed, lines: readonly DraftLine[], isLast: boolean): Discount | null {
  if (order.discount?.type !== 'fixed') return order.discount
  const whole = baseOf(order, order.lines)
  const most = BigInt(Math.min(order.discount.value, Number(whole)))
  const left = most - BigInt(billed.discountCents)
  const value = isLast ? left : share(most, baseOf(order, lines), whole)
  const taken = value < left ? value : left
  return taken > 0n ? { type: 'fixed', value: Number(taken) } : null
}

/** What a document discount is taken from, never below zero. */
function baseOf(order: Ordered, lines: readonly (OrderedLine | DraftLine)[]): bigint {
  const { linesCents } = computeTotals({ priceMode: order.priceMode, roundingRule: order.roundingRule, lines })
  return BigInt(Math.max(linesCents, 0))
}

/** Deposit credits carry their fixed amounts. */
const priced = (line: DraftLine): PricedLine =>
  line.kind === 'deposit_credit' ? { ...line, creditNetCents: line.netCents, creditGstCents: line.gstCents } : line

export const price = (order: Omit<Terms, 'discount'>, lines: readonly DraftLine[], discount: Discount | null) =>
  priceDocument({ priceMode: order.priceMode, roundingRule: order.roundingRule, discount, lines: lines.map(priced) })

/** Cents a search may look to either side when a discount moves with the line that is to make up for it. */
const reach = 5

/**
 * Every invoice rounds its own GST (GST Act s 9-90), so parts may differ from the whole by cents. They are made
 * up for by a line without GST.
 */
export function close(
  order: Omit<Terms, 'discount'>,
  lines: readonly DraftLine[],
  discount: Discount | null,
  wantedCents: number,
): { lines: DraftLine[]; discount: Discount | null } {
  const plain = price(order, lines, discount)
  const missing = wantedCents - plain.totals.totalCents
  if (missing === 0) return { lines: [...lines], discount }
  for (let step = 0; step <= 2 * reach; step++) {
    const cents = missing + (step % 2 === 0 ? step / 2 : -(step + 1) / 2)
    const closed = [...lines, roundingLine(cents)]
    if (cents !== 0 && price(order, closed, discount).totals.totalCents === wantedCents)
      return { lines: closed, discount }
  }
  // A large discount takes most of the added line with it: standing on the lines themselves it no longer does.
  const own = lines.map((line, i): DraftLine =>
    isHeading(line)
      ? { ...line, discount: null }
      : { ...line, discount: { type: 'fixed', value: Math.abs(plain.lines[i]?.discountCents ?? 0) } },
  )
  return { lines: [...own, roundingLine(missing)], discount: null }
}

const roundingLine = (cents: number): DraftLine => ({
  ...unpriced,
  guid: newGuid(),
  kind: 'fee',
  productGuid: null,
  name: 'Rounding',
  description: null,
  quantity: '1',
  unit: 'each',
  unitPriceCents: cents,
  discount: null,
  gstCode: 'FREE',
})
