import { computeTotals } from '../../contract/core/money.ts'
import type { Line } from '../../contract/lines.ts'

/**
 * Per line the amount a reader can check by hand: quantity × price less the line's own discount, in the prices' own terms
 * (cents). The discount on everything stands once, among the totals.
 */
export function shownAmounts(lines: readonly Omit<Line, 'productGuid'>[], priceMode: 'exclusive' | 'inclusive'): number[] {
  const credited = lines.map((line) => ({ ...line, creditNetCents: line.netCents, creditGstCents: line.gstCents }))
  return computeTotals({ priceMode, roundingRule: 'total_invoice', lines: credited }).lines.map((amount) => amount.grossBeforeDiscountCents - amount.discountCents)
}
