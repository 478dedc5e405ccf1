import type { OptionAnswer } from '../../contract/booking-options.ts'
import type { FieldError } from '../../contract/core/errors.ts'
import { isPart, isText, type RoundingRule, withGst } from '../../contract/core/money.ts'
import {
  priceDocument,
  type Discount,
  type GstCode,
  type Line,
  type LineKind,
  type LineInput,
  type units,
} from '../../contract/lines.ts'
import type { whySteps } from '../../contract/pricing.ts'
import type { productListItem } from '../../contract/products.ts'
import type { z } from 'zod'
import { rangeOfProduct, savedRange, sentRange, type ProductRange, type TypedRange } from './quantity-range.ts'
import { savedBelow, stateOf, withBelow, type Below } from './lines-below.ts'
import { savedAnswers, savedAsking, takenAsking, type Asking } from './questions-state.ts'
import { hasAgreedDiscount } from './asks-again.ts'

export type Unit = (typeof units)[number]
export type EditableKind = LineInput['kind']

/** A line while it is edited: `key` stays when lines move, `guid` is that of a saved line. */
export interface EditorLine {
  key: string
  guid?: string
  kind: EditableKind
  productGuid: string | null
  name: string
  description: string
  quantity: string
  unit: Unit
  unitPriceCents: number
  discount: Discount | null
  gstCode: GstCode
  isOptional: boolean
  alternativeGroup: string | null
  isSelected: boolean
  hireFrom: string | null
  hireTo: string | null
  /** Between which quantities its customer may choose; null where the quantity is fixed. */
  range: TypedRange | null
  /** Entered by hand; a product's own price follows its quantity and days. */
  isPriceManual: boolean
  /** Where its revenue is counted; left to the product until somebody says so. */
  revenueStreamGuid?: string | null | undefined
  /** Its price is being asked for: until it is there, saving leaves it to the server. */
  awaits?: boolean
  /** Whether its price stays, and the discount agreed with another customer is to come. */
  awaitsDiscount?: boolean
  /** How the price came about. */
  why?: readonly {
    step: (typeof whySteps)[number]
    label: string
    cents: number
    from?: string | undefined
    insteadOfCents?: number | undefined
  }[]
  /** What lies below it: the parts of a bundle, fees, products that come along. */
  below?: Below | undefined
  /** What its product asks, and what was answered; undefined before anybody was asked. */
  asking?: Asking | undefined
  answers?: readonly OptionAnswer[] | undefined
  /** Whether its questions are open. */
  isAsked?: boolean
  /** The description that came with the product: another product takes it away again, words of one's own it leaves. */
  brought?: string
  /** The discount agreed with the customer, as it came: another customer's takes its place, one's own it leaves. */
  agreed?: Discount | null
  /** What is wrong with it, by field, as the last save was told. */
  problems?: LineProblems
}

type LineProblems = Readonly<Partial<Record<string, string>>>

let made = 0
const newKey = () => `line-${++made}`

export const newLine = (kind: EditableKind = 'item', gstCode: GstCode = 'GST'): EditorLine => ({
  key: newKey(),
  kind,
  productGuid: null,
  name: '',
  description: '',
  quantity: '1',
  unit: 'each',
  unitPriceCents: 0,
  hireFrom: null,
  hireTo: null,
  range: null,
  isPriceManual: true,
  discount: null,
  gstCode,
  isOptional: false,
  alternativeGroup: null,
  isSelected: true,
})

/** Saved lines as they are edited; deposit credits and lines below others are the server's own and stay out. */
export const editorLines = (lines: readonly Line[]): EditorLine[] =>
  lines
    .filter((line) => line.kind !== 'deposit_credit' && line.parentLineGuid === null)
    .map((line) => ({
      below: savedBelow(line, lines),
      asking: savedAsking(line),
      answers: savedAnswers(line),
      key: newKey(),
      guid: line.guid,
      kind: line.kind as EditableKind,
      productGuid: line.productGuid,
      name: line.name,
      description: line.description ?? '',
      quantity: line.quantity,
      unit: line.unit,
      unitPriceCents: line.unitPriceCents,
      hireFrom: line.hireFrom,
      hireTo: line.hireTo,
      range: savedRange(line),
      isPriceManual: line.isPriceManual,
      revenueStreamGuid: line.revenueStreamGuid,
      discount: line.discount,
      gstCode: line.gstCode,
      isOptional: line.isOptional,
      alternativeGroup: line.alternativeGroup,
      isSelected: line.isSelected,
    }))

export const isPriced = (line: Pick<EditorLine, 'kind'>) => !isText(line)
/** A line nothing was typed into: it is left out when saving. */
export const isBlank = (line: EditorLine) =>
  line.name.trim() === '' && line.description.trim() === '' && line.unitPriceCents === 0

/** What is sent: the same order, blank lines left out; what the catalogue is asked for is left to it. */
export const sentLines = (lines: readonly EditorLine[]): LineInput[] =>
  lines
    .filter((line) => !isBlank(line))
    .map((editorLine) => {
      const { key: _key, brought: _brought, agreed: _agreed, below: _below, guid, description, ...rest } = editorLine
      const {
        isPriceManual: _manual,
        awaits,
        awaitsDiscount,
        why: _why,
        problems: _problems,
        unitPriceCents,
        ...entered
      } = rest
      const { asking: _asking, isAsked: _asked, answers, revenueStreamGuid, discount, range, ...line } = entered
      return {
        ...line,
        ...sentRange(range),
        ...((awaits || awaitsDiscount) && hasAgreedDiscount(editorLine) ? {} : { discount }),
        ...(revenueStreamGuid === undefined ? {} : { revenueStreamGuid }),
        ...(answers && line.productGuid ? { answers: [...answers] } : {}),
        ...(awaits ? {} : { unitPriceCents }),
        ...(guid ? { guid } : {}),
        description: description.trim() || null,
        quantity: line.quantity || '0',
      }
    })

/** Whether the last day of its hire comes before the first. */
export const isOutOfOrder = ({ hireFrom, hireTo }: Pick<EditorLine, 'hireFrom' | 'hireTo'>): boolean =>
  hireFrom !== null && hireTo !== null && hireTo < hireFrom

const days = ['hireFrom', 'hireTo']
const range = ['range']
/** A problem goes when one of these changes; of all others, when their own field does. */
const mendedBy: Readonly<Partial<Record<string, readonly string[]>>> = {
  hireFrom: days,
  hireTo: days,
  quantity: ['quantity', 'range'],
  quantityMin: range,
  quantityMax: range,
  quantityStep: range,
  productGuid: ['name', 'productGuid'],
  unitPriceCents: ['unitPriceCents', 'isPriceManual', 'productGuid', 'quantity', ...days],
}

/** The line after a change: what was wrong with a field that changed is no longer said. */
export function changed(line: EditorLine, change: Partial<EditorLine>): EditorLine {
  const next = { ...line, ...change }
  if (!line.problems) return next
  const left = Object.entries(line.problems).filter(([field]) =>
    (mendedBy[field] ?? [field.startsWith('answers.') ? 'answers' : field]).every((other) => !(other in change)),
  )
  return { ...next, problems: Object.fromEntries(left) }
}

/** The field of a line that a path leads to; of an answer with the code of its question. */
function fieldIn(path: string): string {
  const [, , field = 'name', code] = path.split('.')
  return field === 'answers' && code ? `answers.${code}` : field
}

/** Errors of a save on their lines, which were sent without the blank ones; without errors, lines that have none. */
export function withProblems(lines: readonly EditorLine[], errors: readonly FieldError[]): EditorLine[] {
  let sent = 0
  return lines.map(({ problems: _old, ...line }) => {
    const start = isBlank(line) ? null : `lines.${sent++}`
    const own = errors.flatMap(({ path, message }) =>
      start && (path === start || path.startsWith(`${start}.`)) ? [[fieldIn(path), message]] : [],
    )
    return own.length > 0 ? { ...line, problems: Object.fromEntries(own) as LineProblems } : line
  })
}
export const hasProblems = (lines: readonly EditorLine[]): boolean =>
  lines.some(({ problems }) => problems !== undefined && Object.keys(problems).length > 0)

/** What the catalogue answered for a line, as far as the editor takes it over. */
export interface FromCatalogue {
  unitPriceCents: number
  discount: Discount | null
  /** What the catalogue prices one of; null for lines of no product. */
  unit: Unit | null
  /** What the server makes of its kind: bundles and discounts are what the product is. */
  kind?: LineKind
  below?: Omit<Below, 'of'>
  why: NonNullable<EditorLine['why']>
  options?: Asking['options']
  durationMin?: number
}
/** Whether its price is the one of its days, and not one entered by hand. */
const isByDays = (why: EditorLine['why'] = []): boolean =>
  why.some(({ step }) => step === 'hire') && why.every(({ step }) => step !== 'manual')

/** What an answer of the catalogue changes on a line; null when nothing. */
export function takenFrom(line: EditorLine, found: FromCatalogue): Partial<EditorLine> | null {
  const { why } = found
  const discount = hasAgreedDiscount(line) ? { discount: found.discount, agreed: found.discount } : {}
  if (!line.awaits) {
    const change = {
      ...(line.awaitsDiscount ? { ...discount, awaitsDiscount: false } : {}),
      ...(JSON.stringify(line.why ?? []) === JSON.stringify(why) ? {} : { why }),
      ...belowOf(line, found),
      ...askingOf(line, found),
    }
    return Object.keys(change).length > 0 ? change : null
  }
  // Once days price it one of it is no week any more, and the other way round; else a unit chosen by hand stays.
  const unit = found.unit && isByDays(line.why) !== isByDays(why) ? { unit: found.unit } : {}
  const price = { unitPriceCents: found.unitPriceCents }
  return {
    ...unit,
    ...discount,
    ...price,
    ...belowOf({ ...line, ...price }, found),
    ...askingOf(line, found),
    awaits: false,
    why,
  }
}

const askingOf = (line: EditorLine, { options, durationMin = 0 }: FromCatalogue) =>
  options ? takenAsking(line, { options, durationMin }) : {}

/** What lies below a line that is another now; what is saved of one that is as it was stays, as saving leaves it. */
function belowOf(line: EditorLine, { below }: FromCatalogue): Pick<EditorLine, 'below'> {
  const of = stateOf(line)
  const isAsItWas = () =>
    line.guid !== undefined || JSON.stringify(line.below?.children) === JSON.stringify(below?.children)
  if (!below || (line.below?.of === of && isAsItWas())) return {}
  if (below.children.length === 0 && !line.below) return {}
  return { below: { ...below, of } }
}

const kindOfProduct = {
  service: 'item',
  goods: 'item',
  hire: 'hire',
  labour: 'labour',
  fee: 'fee',
  bundle: 'bundle',
  discount: 'discount',
} as const

/**
 * What a product puts on a line. Catalogue prices are without GST; a document with GST in
 * its prices gets eleven tenths.
 */
export function ofProduct(
  line: EditorLine,
  product: Pick<
    z.infer<typeof productListItem>,
    'guid' | 'name' | 'kind' | 'description' | 'unit' | 'gstCode' | 'priceCents'
  > &
    ProductRange,
  priceMode: 'exclusive' | 'inclusive',
  isRegistered: boolean,
  offersRange = false,
): Partial<EditorLine> {
  const gstCode = isRegistered ? product.gstCode : 'NOT_REGISTERED'
  const isGross = priceMode === 'inclusive' && gstCode === 'GST'
  const own = line.description === line.brought ? '' : line.description
  const brought = product.description ?? ''
  return {
    kind: kindOfProduct[product.kind],
    productGuid: product.guid,
    name: product.name,
    description: own || brought,
    brought,
    unit: product.unit,
    gstCode,
    isPriceManual: false,
    revenueStreamGuid: undefined,
    awaits: true,
    why: [],
    below: undefined,
    asking: undefined,
    answers: undefined,
    unitPriceCents: isGross ? withGst(product.priceCents, gstCode) : product.priceCents,
    ...(offersRange ? rangeOfProduct(line.quantity, product) : {}),
  }
}

export interface Terms {
  priceMode: 'exclusive' | 'inclusive'
  roundingRule: RoundingRule
  discount: Discount | null
}

interface LineAmount {
  grossCents: number
  discountCents: number
  isCounted: boolean
  /** What each line below it comes to, before discounts. */
  below: number[]
}

/**
 * What a line adds to the subtotal, in the prices' own terms, and what its own discount takes off; null while
 * something is no number or too large.
 */
export function amountOf(line: EditorLine): LineAmount | null {
  const amounts = priced([line], { priceMode: 'exclusive', roundingRule: 'total_invoice', discount: null })?.lines
  const [own, ...below] = amounts ?? []
  if (!own) return null
  // The amounts of a bundle are its parts'; what else lies below a line stands for itself.
  const counted = line.kind === 'bundle' ? [own, ...below.filter((_, i) => isPartOf(line, i))] : [own]
  return {
    grossCents: counted.reduce((sum, amount) => sum + amount.grossBeforeDiscountCents, 0),
    discountCents: counted.reduce((sum, amount) => sum + amount.discountCents, 0),
    isCounted: own.isCounted,
    below: below.map((amount) => amount.grossBeforeDiscountCents),
  }
}

const isPartOf = ({ key, below }: EditorLine, index: number) =>
  isPart({ parentLineGuid: key, sourceKey: below?.children[index]?.sourceKey })

/** Every amount while typing, of lines and of those below them; null while something is no number or too large. */
export function priced(lines: readonly EditorLine[], terms: Terms) {
  try {
    const all = lines.flatMap(withBelow)
    return { ...priceDocument({ ...terms, lines: all }), all }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Of every group of alternatives one counts: the first, where none was chosen. */
export function withDefaults(lines: readonly EditorLine[]): readonly EditorLine[] {
  const decided = new Set(
    lines.flatMap((line) => (line.alternativeGroup && line.isSelected ? [line.alternativeGroup] : [])),
  )
  const isOpen = (line: EditorLine) => line.alternativeGroup !== null && !decided.has(line.alternativeGroup)
  if (!lines.some(isOpen)) return lines
  return lines.map((line) => {
    if (!isOpen(line)) return line
    decided.add(line.alternativeGroup ?? '')
    return { ...line, isSelected: true }
  })
}
/** What the lines that are sent come to, in cents; terms that are not sent stay as they are saved. */
export function totalOf(
  sent: {
    lines?: readonly LineInput[] | undefined
    priceMode?: Terms['priceMode'] | undefined
    roundingRule?: Terms['roundingRule'] | undefined
    discount?: Discount | null | undefined
  },
  saved: Terms,
): number {
  const { lines = [], priceMode = saved.priceMode, roundingRule = saved.roundingRule, discount = saved.discount } = sent
  // What is sent of a bundle comes without its parts; what is saved has them.
  const parents = new Set(lines.map((line) => (line as Partial<Line>).parentLineGuid))
  const priced = lines.map((line) => ({
    ...line,
    kind: line.kind === 'bundle' && !parents.has(line.guid) ? ('item' as const) : line.kind,
    unitPriceCents: line.unitPriceCents ?? 0,
  }))
  return priceDocument({ priceMode, roundingRule, discount, lines: priced }).totals.totalCents
}
