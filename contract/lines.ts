import { z } from 'zod'
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

const lineKinds = ['item', 'labour', 'hire', 'section', 'text', 'discount', 'fee', 'deposit_credit'] as const
export type LineKind = (typeof lineKinds)[number]
/** Kinds a person may enter; a deposit credit is made by the server alone. */
const editableLineKinds = ['item', 'labour', 'hire', 'section', 'text', 'fee'] as const
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
  unit: z.enum(units).default('each'),
  /** Left out with a product it is the catalogue’s; without one it is nothing. */
  unitPriceCents: cents.optional(),
  /** First and last day of the hire, both charged. */
  hireFrom: maybe(day),
  hireTo: maybe(day),
  discount: maybe(discount),
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
  productGuid: guid.nullable(),
  name: z.string(),
  description: z.string().nullable(),
  quantity: z.string(),
  unit: z.enum(units),
  unitPriceCents: cents,
  /** Entered by hand, and not the catalogue’s price. */
  isPriceManual: z.boolean(),
  hireFrom: day.nullable(),
  hireTo: day.nullable(),
  discount: discount.nullable(),
  gstCode: z.enum(gstCodes),
  isOptional: z.boolean(),
  alternativeGroup: z.string().nullable(),
  isSelected: z.boolean(),
  netCents: cents,
  gstCents: cents,
  totalCents: cents,
})
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
