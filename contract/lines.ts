import { z } from 'zod'
import { offeredOption, optionAnswers, type SaidAnswers, selection, type Wording } from './booking-options.ts'
import {
  amountCents,
  basisPoints,
  cents,
  day,
  guid,
  longText,
  maybe,
  positiveCents,
  quantity,
  text,
} from './core/common.ts'
import {
  computeTotals,
  type LineInput as PricedLine,
  type LineTotals,
  type RoundingRule,
  roundingRules,
} from './core/money.ts'

export const lineKinds = [
  'item',
  'labour',
  'hire',
  'section',
  'text',
  'bundle',
  'discount',
  'fee',
  'deposit_credit',
] as const
export type LineKind = (typeof lineKinds)[number]
/** Kinds a person may enter; a deposit credit is made by the server alone, and so is every line below another. */
const editableLineKinds = ['item', 'labour', 'hire', 'section', 'text', 'bundle', 'discount', 'fee'] as const
export const gstCodes = ['GST', 'FREE', 'EXPORT', 'INPUT_TAXED', 'NOT_REGISTERED'] as const
export type GstCode = (typeof gstCodes)[number]
export const units = ['each', 'hour', 'day', 'week', 'month', 'm', 'm2', 'km', 'panel_week'] as const

const priceModes = ['exclusive', 'inclusive'] as const
export const priceMode = z.enum(priceModes)
export const roundingRule = z.enum(roundingRules)

/** `percent` in basis points, `fixed` in cents in the document's price mode. */
export const discount = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('percent'), value: basisPoints }),
  z.strictObject({ type: z.literal('fixed'), value: amountCents }),
])
export type Discount = z.infer<typeof discount>
export const depositRule = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('percent'), value: z.int().min(1).max(10_000) }),
  z.strictObject({ type: z.literal('fixed'), value: positiveCents }),
])
export type DepositRule = z.infer<typeof depositRule>

/** A line as a person sends it. `guid` keeps an existing line; prices are in the document's price mode. */
export const lineInput = z.strictObject({
  guid: guid.optional(),
  kind: z.enum(editableLineKinds).default('item'),
  productGuid: maybe(guid),
  name: text(200),
  description: maybe(longText(2000)),
  quantity: quantity.default('1'),
  /** Between which quantities its customer may choose, in steps counted from the least; all three or none. */
  quantityMin: maybe(quantity),
  quantityMax: maybe(quantity),
  quantityStep: maybe(quantity),
  unit: z.enum(units).default('each'),
  /** Left out with a product it is the catalogue’s; without one it is nothing. */
  unitPriceCents: cents.optional(),
  /** First and last day of the hire, both charged. */
  hireFrom: maybe(day),
  hireTo: maybe(day),
  /**
   * To the questions of the product. Left out, a line keeps those it has, and a new one takes what is selected by
   * default.
   */
  answers: optionAnswers.optional(),
  discount: maybe(discount),
  /** Where its revenue is counted. Left out, a line keeps what it has, and a new one takes its product’s. */
  revenueStreamGuid: maybe(guid),
  gstCode: z.enum(gstCodes).default('GST'),
  isOptional: z.boolean().default(false),
  alternativeGroup: maybe(text(40)),
  /** Whether an option or an alternative is chosen already. */
  isSelected: z.boolean().optional(),
})
export type LineInput = z.infer<typeof lineInput>
export const linesInput = z.array(lineInput).max(500)

/** A line as it is stored and shown. */
export const line = z.object({
  guid,
  position: z.int(),
  kind: z.enum(lineKinds),
  /** The line it lies below: a part of a bundle, a fee or a product that came with an answer. */
  parentLineGuid: guid.nullable(),
  /** What made it (`core/source-keys.ts`), such as `part:0:…`; null for lines that somebody entered. */
  sourceKey: z.string().nullable(),
  /** Of a bundle, whether its customer sees its parts; null for all other lines. */
  showsParts: z.boolean().nullable(),
  productGuid: guid.nullable(),
  name: z.string(),
  description: z.string().nullable(),
  quantity: z.string(),
  /** Between which quantities its customer may choose, in steps counted from the least; null where he may not. */
  quantityMin: z.string().nullable(),
  quantityMax: z.string().nullable(),
  quantityStep: z.string().nullable(),
  unit: z.enum(units),
  unitPriceCents: cents,
  /** Entered by hand, and not the catalogue’s price. */
  isPriceManual: z.boolean(),
  /** Where its revenue is counted: nothing that a customer is told. */
  revenueStreamGuid: guid.nullable(),
  hireFrom: day.nullable(),
  hireTo: day.nullable(),
  answers: optionAnswers,
  /** The questions as they were put when the line was priced. */
  options: z.array(offeredOption),
  /** The answers with what they were called and added. */
  selections: z.array(selection),
  discount: discount.nullable(),
  gstCode: z.enum(gstCodes),
  isOptional: z.boolean(),
  alternativeGroup: z.string().nullable(),
  isSelected: z.boolean(),
  netCents: cents,
  gstCents: cents,
  totalCents: cents,
})
/** A line as letters show it: its customer has the answers in words, staff have them as they are kept. */
export type ShownLine = Omit<
  Line,
  'productGuid' | 'isPriceManual' | 'revenueStreamGuid' | 'answers' | 'options' | 'selections'
> &
  Partial<Pick<Line, 'options' | 'selections' | 'revenueStreamGuid'>> & {
    said?: SaidAnswers | undefined
    /** What a fee is called in each language. */
    wording?: Wording | undefined
  }
export type Line = z.infer<typeof line>

/** `2.5000` from the database as `2.5`. */
export const trimQuantity = (quantity: string): string =>
  quantity.includes('.') ? quantity.replace(/\.?0+$/, '') : quantity

export const totals = z.object({
  subtotalCents: cents,
  discountCents: cents,
  gstCents: cents,
  totalCents: cents,
})
/** `optionalTotalCents`: what the options that are not chosen would add, GST included. */
export const quoteTotals = totals.extend({ optionalTotalCents: cents })

/** The right to see what things cost us, and so what is left. */
export const maySeeCosts = ['read', 'Products:Costs'] as const

/** In basis points of the net: a margin below it is low, and below 0 a loss. */
export const lowMarginBp = 1500
export const marginGrades = ['low', 'loss'] as const

/** What is left after costs, also of the net in basis points; null without costs, and to those who may not see them. */
export const margin = z.object({ cents, bp: z.int().nullable() }).nullable()
export type QuoteTotals = z.infer<typeof quoteTotals>

/** What prices a document: the part of it that the totals depend on. */
export interface Priced {
  priceMode: (typeof priceModes)[number]
  roundingRule: RoundingRule
  discount?: Discount | null | undefined
  lines: readonly PricedLine[]
}

/**
 * Every amount of a document from what was entered: the same for the editor, CalculateTotals, saving, PDF and mail.
 * `subtotalCents` and `discountCents` are without GST, so subtotal - discount + GST = total in both price modes.
 */
export function priceDocument(doc: Priced): {
  lines: LineTotals[]
  totals: z.infer<typeof quoteTotals>
  documentDiscountCents: number
} {
  const given = { priceMode: doc.priceMode, roundingRule: doc.roundingRule }
  const after = computeTotals({ ...given, documentDiscount: doc.discount, lines: doc.lines })
  const subtotalCents =
    after.discountCents === 0
      ? after.subtotalCents
      : computeTotals({ ...given, lines: doc.lines.map(withoutDiscount) }).subtotalCents
  return {
    lines: after.lines,
    totals: {
      subtotalCents,
      discountCents: subtotalCents - after.subtotalCents,
      gstCents: after.gstCents,
      totalCents: after.totalCents,
      optionalTotalCents: after.optionalTotalCents,
    },
    documentDiscountCents: after.documentDiscountCents,
  }
}

const withoutDiscount = (l: PricedLine): PricedLine =>
  l.kind === 'discount' ? { ...l, unitPriceCents: 0 } : { ...l, discount: null }
