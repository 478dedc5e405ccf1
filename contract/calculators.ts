import { z } from 'zod'
import { cents, maybe } from './core/common.ts'
import { post } from './core/op.ts'
import { discount, linesInput, priceMode, quoteTotals, roundingRule } from './lines.ts'

export const calculatorsApi = {
  totals: post({
    path: '/Calculators/CalculateTotals',
    effect: 'read',
    can: ['read', 'Calculators:CalculateTotals'],
    summary: 'Prices lines without saving anything: every line amount, discount, GST and total',
    body: z.strictObject({
      priceMode,
      roundingRule: roundingRule.default('total_invoice'),
      discount: maybe(discount),
      lines: linesInput,
    }),
    response: z.object({
      totals: quoteTotals,
      lines: z.array(
        z.object({ netCents: cents, gstCents: cents, totalCents: cents, discountCents: cents, isCounted: z.boolean() }),
      ),
    }),
  }),
}
