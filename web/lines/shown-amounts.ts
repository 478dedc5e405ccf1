import { computeTotals } from '../../contract/core/money.ts'
import type { Line } from '../../contract/lines.ts'

interface ShownAmount {
  /** Quantity × price, in the prices' own terms. */
  grossCents: number
  /** What the line's own discount takes off it. */
  discountCents: number
}

/**
 * Per line what a reader can check and add up by hand: the amounts come to the subtotal, and what is taken off lines
 * stands beside it and again in the discount of the totals, as on the PDF.
 */
export function shownAmounts(
  lines: readonly Omit<Line, 'productGuid' | 'isPriceManual'>[],
  priceMode: 'exclusive' | 'inclusive',
): ShownAmount[] {
  const credited = lines.map((line) => ({ ...line, creditNetCents: line.netCents, creditGstCents: line.gstCents }))
  return computeTotals({ priceMode, roundingRule: 'total_invoice', lines: credited }).lines.map((amount) => ({
    grossCents: amount.grossBeforeDiscountCents,
    discountCents: amount.discountCents,
  }))
}
