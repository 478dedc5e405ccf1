import { isText } from '../../contract/core/money.ts'
import type { Discount } from '../../contract/lines.ts'
import type { DocumentTotals, Terms } from '../documents/lines.service.ts'
import { toUnits } from '../documents/quantities.service.ts'
import type { DraftLine } from './credits.ts'
import { type Billed, close, draftLine, type Ordered, type OrderedLine, price } from './split.ts'

export interface Settled {
  /** The lines of the order as far as they are billed, and one for what rounding would lose or add. */
  lines: DraftLine[]
  discount: Discount | null
  totals: DocumentTotals
}

/**
 * What is left of an order that ends early: each line as far as it is invoiced, discounts as far as they were given, to
 * the cent what its invoices billed before deposits were credited.
 */
export function settled(order: Ordered, billed: Billed): Settled {
  const terms: Omit<Terms, 'discount'> = { priceMode: order.priceMode, roundingRule: order.roundingRule }
  const given = order.discount?.type === 'fixed' ? fixedOf(billed.discountCents) : order.discount
  const { lines, discount } = close(terms, order.lines.map(asBilled), given, billed.workCents)
  const { lines: amounts, totals } = price(terms, lines, discount)
  const { subtotalCents, discountCents, gstCents, totalCents } = totals
  return {
    lines: lines.map((line, i) => ({
      ...line,
      netCents: amounts[i]?.netCents ?? 0,
      gstCents: amounts[i]?.gstCents ?? 0,
      totalCents: amounts[i]?.totalCents ?? 0,
    })),
    discount,
    totals: { subtotalCents, discountCents, gstCents, totalCents },
  }
}

const fixedOf = (cents: number): Discount | null => (cents > 0 ? { type: 'fixed', value: cents } : null)

const asBilled = (line: OrderedLine): DraftLine => ({
  ...draftLine(line, isText(line) ? toUnits(line.quantity) : toUnits(line.quantityInvoiced)),
  guid: line.guid,
  discount: line.discount?.type === 'fixed' ? fixedOf(line.discountBilledCents) : line.discount,
})
