import { allocate, big, divideRounded, fairly, largestRemainder, quantityScale, quantityUnits, small } from './cents.ts'
import { maxCents } from './common.ts'
import { isPartKey } from './source-keys.ts'

export type PriceMode = 'exclusive' | 'inclusive'
/** The two methods of the GST Act, s 9-90: round the sum of the exact GST once, or round the GST of each supply. */
export const roundingRules = ['total_invoice', 'taxable_supply'] as const
export type RoundingRule = (typeof roundingRules)[number]
export type GstCode = 'GST' | 'FREE' | 'EXPORT' | 'INPUT_TAXED' | 'NOT_REGISTERED'
export type LineKind =
  | 'item'
  | 'labour'
  | 'hire'
  | 'section'
  | 'text'
  | 'bundle'
  | 'discount'
  | 'fee'
  | 'deposit_credit'
/** `value` is basis points of the amount (percent) or cents (fixed). It never takes more than the amount it reduces. */
export type Discount = { type: 'percent'; value: number } | { type: 'fixed'; value: number }
export type DepositRule = { type: 'none' } | { type: 'percent'; value: number } | { type: 'fixed'; value: number }

/** A title or a text between the lines: nothing is sold by it. */
export const isText = (line: { kind: LineKind }) => line.kind === 'section' || line.kind === 'text'
/** A line without money of its own: a title, a text, or a bundle, which shows the price of one that its parts carry. */
export const isHeading = (line: { kind: LineKind }) => isText(line) || line.kind === 'bundle'

/** What is to be done or brought: of money alone are what is taken off and what is credited. */
export const isWork = (line: { kind: LineKind }) => line.kind !== 'discount' && line.kind !== 'deposit_credit'

/** A part of a bundle: the line of the bundle says how much of it there is, and what is taken off. */
export const isPart = (line: { parentLineGuid?: string | null | undefined; sourceKey?: string | null | undefined }) =>
  typeof line.parentLineGuid === 'string' && isPartKey(line.sourceKey)

export interface LineInput {
  /**
   * `discount` lines are subtracted whatever the sign of their price. `deposit_credit` takes its fixed `creditNetCents`
   * and `creditGstCents` (normally negative) and nothing else. `section` and `text` are always zero, and so is a
   * `bundle`: what it comes to, less its discount, is shared among its parts by their prices.
   */
  kind: LineKind
  quantity: string
  unitPriceCents: number
  discount?: Discount | null | undefined
  gstCode: GstCode
  isOptional?: boolean | undefined
  alternativeGroup?: string | null | undefined
  /** Options and alternatives count only when this is true; other lines always count. */
  isSelected?: boolean | undefined
  guid?: string | undefined
  /** The line it lies below, and what made it. */
  parentLineGuid?: string | null | undefined
  sourceKey?: string | null | undefined
  creditNetCents?: number | null | undefined
  creditGstCents?: number | null | undefined
}

export interface DocumentInput {
  priceMode: PriceMode
  roundingRule: RoundingRule
  documentDiscount?: Discount | null | undefined
  lines: readonly LineInput[]
}

export interface LineTotals {
  /** Quantity × unit price as entered (with GST when the document's prices include it). */
  grossBeforeDiscountCents: number
  /** The line's own discount and its share of the document discount, in the same terms. */
  discountCents: number
  netCents: number
  gstCents: number
  totalCents: number
  /** False for options and alternatives that were not chosen: their amounts are what choosing them alone would cost. */
  isCounted: boolean
}

interface CodeTotals {
  netCents: number
  gstCents: number
  totalCents: number
}

/** Always `subtotalCents + gstCents === totalCents`, and the counted lines add up to each of the three. */
export interface DocumentTotals {
  lines: LineTotals[]
  /** Lines after their own discounts, before the document discount, in the document's price mode. */
  linesCents: number
  /** The document discount alone, in the document's price mode. */
  documentDiscountCents: number
  /** Every discount given: on lines, on the document, and by discount lines. */
  discountCents: number
  /** Without GST, after every discount. */
  subtotalCents: number
  gstCents: number
  totalCents: number
  /** What the options not chosen would add, with GST. Alternatives are left out: they replace, they do not add. */
  optionalTotalCents: number
  gstByCode: Partial<Record<GstCode, CodeTotals>>
}

const wholeInBasisPoints = 10_000n

function lineGross(line: LineInput): bigint {
  return isHeading(line) ? 0n : asked(line)
}

/** Quantity × price. */
function asked(line: LineInput): bigint {
  const price = big(line.unitPriceCents)
  const signed = line.kind === 'discount' ? (price < 0n ? price : -price) : price
  const gross = divideRounded(quantityUnits(line.quantity) * signed, quantityScale)
  small(gross)
  return gross
}

/** The discount on an amount, with the amount's own sign and never beyond it. */
function discountOn(amount: bigint, discount: Discount | null | undefined): bigint {
  if (!discount) return 0n
  const value = big(discount.value)
  if (value < 0n) throw new RangeError('A discount cannot be negative')
  if (discount.type === 'percent') {
    if (value > wholeInBasisPoints) throw new RangeError('A discount cannot be more than 100 %')
    return divideRounded(amount * value, wholeInBasisPoints)
  }
  const magnitude = amount < 0n ? -amount : amount
  const taken = value < magnitude ? value : magnitude
  return amount < 0n ? -taken : taken
}

/** Splits cents in proportion to the weights by the largest remainder, so that the parts add up exactly. */
export const allocateProportionally = (cents: number, weights: readonly number[]): number[] =>
  allocate(big(cents), weights.map(big)).map(small)

/** `cents × numerator ÷ denominator` to the cent, half away from zero. */
export const scaleCents = (cents: number, numerator: number, denominator: number): number =>
  small(divideRounded(big(cents) * big(numerator), big(denominator)))

/** A price times a quantity to the cent, as a line without discount has it. */
export const timesQuantity = (cents: number, quantity: string): number =>
  small(divideRounded(quantityUnits(quantity) * big(cents), quantityScale))

/** Two quantities multiplied, as decimal text; beyond four decimals half up. */
export function multiplyQuantities(a: string, b: string): string {
  return unitsText(divideRounded(quantityUnits(a) * quantityUnits(b), quantityScale))
}

/** Two quantities together, as decimal text. */
export const addQuantities = (a: string, b: string): string => unitsText(quantityUnits(a) + quantityUnits(b))

/** What is left of a quantity, as decimal text; never below zero. */
export function subtractQuantities(a: string, b: string): string {
  const left = quantityUnits(a) - quantityUnits(b)
  return unitsText(left > 0n ? left : 0n)
}

function unitsText(units: bigint): string {
  const digits = units.toString().padStart(5, '0')
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, '')
}

/** Below zero when `a` is less than `b`, zero when they are the same. */
export const compareQuantities = (a: string, b: string): number => Number(quantityUnits(a) - quantityUnits(b))

/** GST is a tenth of a price without it and an eleventh of a price with it. */
const gstDivisor = (mode: PriceMode) => (mode === 'exclusive' ? 10n : 11n)

function gstOfLines(amounts: readonly bigint[], mode: PriceMode, rule: RoundingRule): bigint[] {
  const divisor = gstDivisor(mode)
  if (rule === 'taxable_supply') return amounts.map((a) => divideRounded(a, divisor))
  const sum = amounts.reduce((a, b) => a + b, 0n)
  const magnitude = sum < 0n ? -sum : sum
  const parts = largestRemainder(
    divideRounded(magnitude, divisor),
    sum < 0n ? amounts.map((a) => -a) : amounts,
    divisor,
  )
  return sum < 0n ? parts.map((p) => -p) : parts
}

interface Working {
  line: LineInput
  isCounted: boolean
  gross: bigint
  discount: bigint
  /** After discounts, as entered: with GST when the document's prices include it. */
  amount: bigint
  net: bigint
  gst: bigint
}

function start(line: LineInput): Working {
  const isChoice =
    line.isOptional === true ||
    (line.alternativeGroup !== undefined && line.alternativeGroup !== null && line.alternativeGroup !== '')
  const isCounted = !isChoice || line.isSelected === true
  if (line.kind === 'deposit_credit')
    return {
      line,
      isCounted,
      gross: 0n,
      discount: 0n,
      amount: 0n,
      net: big(line.creditNetCents ?? 0),
      gst: big(line.creditGstCents ?? 0),
    }
  const gross = lineGross(line)
  const discount = discountOn(gross, line.discount)
  return { line, isCounted, gross, discount, amount: gross - discount, net: 0n, gst: 0n }
}

/** The parts of a bundle come to its quantity × its price less its discount, to the cent, whatever the quantity. */
function shareBundles(working: readonly Working[]): void {
  const bundles = working.filter((w) => w.line.kind === 'bundle' && w.line.guid !== undefined)
  if (bundles.length === 0) return
  const partsOf = Map.groupBy(
    working.filter((w) => isPart(w.line)),
    (w) => w.line.parentLineGuid,
  )
  for (const { line } of bundles) {
    const parts = partsOf.get(line.guid) ?? []
    if (parts.length === 0) continue
    const gross = fairly(
      asked(line),
      parts.map((part) => big(part.line.unitPriceCents)),
    )
    parts.forEach((part, i) => {
      part.gross = gross[i] ?? 0n
      part.discount = discountOn(part.gross, part.line.discount)
      part.amount = part.gross - part.discount
    })
    takeOff(
      parts,
      discountOn(
        parts.reduce((sum, part) => sum + part.amount, 0n),
        line.discount,
      ),
    )
  }
}

/** Takes a discount off lines in proportion to what they come to. */
function takeOff(lines: readonly Working[], cents: bigint): void {
  if (cents === 0n) return
  const shares = allocate(
    cents,
    lines.map((w) => w.amount),
  )
  lines.forEach((w, i) => {
    w.discount += shares[i] ?? 0n
    w.amount -= shares[i] ?? 0n
  })
}

function spreadDocumentDiscount(counted: Working[], discount: Discount | null | undefined): bigint {
  const base = counted.reduce((sum, w) => sum + w.amount, 0n)
  const cents = discountOn(base, discount)
  takeOff(counted, cents)
  return cents
}

function applyGst(working: Working[], mode: PriceMode, rule: RoundingRule): void {
  const taxable = working.filter((w) => w.line.gstCode === 'GST')
  const gst = gstOfLines(
    taxable.map((w) => w.amount),
    mode,
    rule,
  )
  taxable.forEach((w, i) => (w.gst = gst[i] ?? 0n))
  for (const w of working) w.net = mode === 'exclusive' ? w.amount : w.amount - w.gst
}

function addUp(working: Working[]) {
  const byCode = new Map<GstCode, { net: bigint; gst: bigint }>()
  let net = 0n
  let gst = 0n
  let discount = 0n
  for (const w of working) {
    net += w.net
    gst += w.gst
    discount += w.line.kind === 'discount' ? w.discount - w.gross : w.discount
    if (isHeading(w.line)) continue
    const code = byCode.get(w.line.gstCode) ?? { net: 0n, gst: 0n }
    byCode.set(w.line.gstCode, { net: code.net + w.net, gst: code.gst + w.gst })
  }
  return { net, gst, discount, byCode }
}

const lineTotals = (w: Working, mode: PriceMode): LineTotals => ({
  grossBeforeDiscountCents: small(
    w.line.kind === 'deposit_credit' ? (mode === 'exclusive' ? w.net : w.net + w.gst) : w.gross,
  ),
  discountCents: small(w.discount),
  netCents: small(w.net),
  gstCents: small(w.gst),
  totalCents: small(w.net + w.gst),
  isCounted: w.isCounted,
})

const isOpenOption = (line: LineInput) =>
  line.isOptional === true && line.isSelected !== true && !line.alternativeGroup && line.kind !== 'deposit_credit'

/**
 * What the total would rise by if every option were chosen: they share the discount of the document, and its rounding.
 */
function optionsAdd(doc: DocumentInput, totalCents: number): number {
  if (!doc.lines.some(isOpenOption)) return 0
  const lines = doc.lines.map((line) => (isOpenOption(line) ? { ...line, isSelected: true } : line))
  return computeTotals({ ...doc, lines }).totalCents - totalCents
}

/**
 * The totals of a quote, order, invoice or adjustment note: the only place where they are computed.
 * Every line amount is rounded to the cent, half up (half away from zero below zero); discounts come before GST.
 * Throws a RangeError for amounts beyond `maxCents` and quantities that are no numbers.
 */
export function computeTotals(doc: DocumentInput): DocumentTotals {
  const working = doc.lines.map(start)
  shareBundles(working)
  const counted = working.filter((w) => w.isCounted)
  const priced = counted.filter((w) => w.line.kind !== 'deposit_credit')
  const credits = counted.filter((w) => w.line.kind === 'deposit_credit')
  const beforeDiscount =
    priced.reduce((sum, w) => sum + w.amount, 0n) +
    credits.reduce((sum, w) => sum + w.net + (doc.priceMode === 'exclusive' ? 0n : w.gst), 0n)
  const documentDiscount = spreadDocumentDiscount(priced, doc.documentDiscount)
  applyGst(priced, doc.priceMode, doc.roundingRule)
  for (const w of working)
    if (!w.isCounted && w.line.kind !== 'deposit_credit') applyGst([w], doc.priceMode, doc.roundingRule)
  const sums = addUp(counted)
  const total = sums.net + sums.gst
  return {
    lines: working.map((w) => lineTotals(w, doc.priceMode)),
    linesCents: small(beforeDiscount),
    documentDiscountCents: small(documentDiscount),
    discountCents: small(sums.discount),
    subtotalCents: small(sums.net),
    gstCents: small(sums.gst),
    totalCents: small(total),
    optionalTotalCents: optionsAdd(doc, small(total)),
    gstByCode: Object.fromEntries(
      [...sums.byCode].map(([code, c]) => [
        code,
        { netCents: small(c.net), gstCents: small(c.gst), totalCents: small(c.net + c.gst) },
      ]),
    ),
  }
}

/** The price of one with GST in it, as a line of its own would have it: what a catalogue price comes to. */
export const withGst = (priceCents: number, gstCode: GstCode): number =>
  computeTotals({
    priceMode: 'exclusive',
    roundingRule: 'taxable_supply',
    lines: [{ kind: 'item', quantity: '1', unitPriceCents: priceCents, gstCode }],
  }).totalCents

/** The deposit asked for: at least nothing, at most the total. */
export function depositAmount(rule: DepositRule | null | undefined, totalCents: number): number {
  if (!rule || rule.type === 'none' || totalCents <= 0) return 0
  return small(discountOn(big(totalCents), rule))
}

/** `123450` as `1234.50`: plain, for CSV, XML and form fields. */
export function centsToDecimal(cents: number): string {
  const digits = big(Math.abs(cents)).toString().padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const decimalText = /^([-+]?)\$?(\d{1,13}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{0,2}))?$/

/** Reads `1234.5`, `-1,234.50` or `$10` as cents; null when the text is no amount with at most two decimals. */
export function decimalToCents(text: string): number | null {
  const parts = decimalText.exec(text.trim())
  if (!parts) return null
  const cents = Number((parts[2] ?? '').replaceAll(',', '') + (parts[3] ?? '').padEnd(2, '0'))
  if (cents > maxCents) return null
  return parts[1] === '-' && cents !== 0 ? -cents : cents
}
