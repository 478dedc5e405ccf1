import { z } from 'zod'
import { cents, guid, maybe } from './core/common.ts'
import { post } from './core/op.ts'
import { discount, gstCodes, linesInput, priceMode, quoteTotals, roundingRule, units } from './lines.ts'
import { catalogueLineKinds, whySteps } from './pricing.ts'

const amounts = {
  netCents: cents,
  gstCents: cents,
  totalCents: cents,
  discountCents: cents,
  isCounted: z.boolean(),
}
const problem = z.object({ path: z.string(), message: z.string() })
/** A line below another: a part of a bundle, at its share of the bundle's price. */
const child = z.object({
  kind: z.enum(catalogueLineKinds),
  productGuid: guid.nullable(),
  name: z.string(),
  quantity: z.string(),
  unit: z.enum(units),
  unitPriceCents: cents,
  gstCode: z.enum(gstCodes),
})
const pricedLine = z.object({
  ...amounts,
  unitPriceCents: cents,
  isPriceManual: z.boolean(),
  /** What the catalogue prices one of: `each` where days of hire price it; null for a line of no product. */
  catalogueUnit: z.enum(units).nullable(),
  /** The customer's discount, for a line that has none of its own. */
  discount: discount.nullable(),
  children: z.array(child),
  durationMin: z.int(),
  /** What one costs us; null to those who may not see costs. */
  costCents: cents.nullable(),
  /** How the price came about. */
  why: z.array(z.object({ step: z.enum(whySteps), label: z.string(), cents })),
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
      lines: linesInput,
    }),
    response: z.object({
      totals: quoteTotals,
      lines: z.array(pricedLine),
      /** Null without costs, and to those who may not see them. */
      margin: z.object({ cents, bp: z.int().nullable() }).nullable(),
    }),
  }),
}
