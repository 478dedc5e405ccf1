import { z } from 'zod'
import { cents, day, guid, maybe } from './core/common.ts'
import { post } from './core/op.ts'
import { offeredOption, optionAnswers } from './booking-options.ts'
import {
  discount,
  gstCodes,
  lineInput,
  lineKinds,
  margin,
  priceMode,
  quoteTotals,
  roundingRule,
  units,
} from './lines.ts'
import { catalogueLineKinds, whySteps } from './pricing.ts'

const amounts = {
  netCents: cents,
  gstCents: cents,
  totalCents: cents,
  discountCents: cents,
  isCounted: z.boolean(),
}
/** A line as it is typed: days of hire may be given as one, and whether its price was entered by hand. */
const askedLine = lineInput.extend({
  hire: maybe(z.strictObject({ from: day, to: day })),
  /** Left out, a price that differs from the catalogue’s is one that was entered. */
  isPriceManual: z.boolean().optional(),
})
const problem = z.object({ path: z.string(), message: z.string() })
/** A line below another: a part of a bundle, at its share of the bundle's price, or what an answer adds. */
const child = z.object({
  ...amounts,
  /** What made it: the same one is known again by it when it is priced anew. */
  sourceKey: z.string(),
  kind: z.enum(catalogueLineKinds),
  productGuid: guid.nullable(),
  name: z.string(),
  quantity: z.string(),
  unit: z.enum(units),
  unitPriceCents: cents,
  gstCode: z.enum(gstCodes),
  discount: discount.nullable(),
  costCents: cents.nullable(),
})
const pricedLine = z.object({
  /** A bundle's own amounts are nothing: its children carry them. */
  ...amounts,
  kind: z.enum(lineKinds),
  gstCode: z.enum(gstCodes),
  /** Of a bundle, whether its customer sees its parts. */
  showsParts: z.boolean().nullable(),
  unitPriceCents: cents,
  isPriceManual: z.boolean(),
  /** What the catalogue prices one of: `each` where days of hire price it; null for a line of no product. */
  catalogueUnit: z.enum(units).nullable(),
  /** The customer's discount, for a line that has none of its own. */
  discount: discount.nullable(),
  children: z.array(child),
  durationMin: z.int(),
  /** The questions of the product, in order; `visible` names those that are asked now. */
  options: z.array(offeredOption),
  visible: z.array(z.string()),
  answers: optionAnswers,
  /** What one costs us; null to those who may not see costs. */
  costCents: cents.nullable(),
  /** How the price came about. */
  why: z.array(
    z.object({
      step: z.enum(whySteps),
      label: z.string(),
      cents,
      /** Of a price list: the quantity its price begins at, and what the catalogue asks. */
      from: z.string().optional(),
      insteadOfCents: cents.optional(),
    }),
  ),
  problems: z.array(problem),
})

export const calculatorsApi = {
  totals: post({
    path: '/Calculators/CalculateTotals',
    effect: 'read',
    can: ['read', 'Calculators:CalculateTotals'],
    summary: 'Prices lines without saving anything: every line amount, discount, GST and total, and why',
    body: z.strictObject({
      priceMode,
      roundingRule: roundingRule.default('total_invoice'),
      discount: maybe(discount),
      /** Whose list and discount count. */
      customerGuid: maybe(guid),
      lines: z.array(askedLine).max(500),
    }),
    response: z.object({
      totals: quoteTotals,
      lines: z.array(pricedLine),
      margin,
    }),
  }),
}
