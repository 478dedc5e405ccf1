import { isHeading, timesQuantity } from '../../contract/core/money.ts'
import type { LineKind } from '../../contract/lines.ts'

interface CostedLine {
  kind: LineKind
  quantity: string
  /** Of one unit; null where nobody knows. */
  costCents?: number | null | undefined
}

/**
 * What an order leaves: what was ordered, GST not included, less what its lines cost (each rounded half up), less what
 * was spent on it besides. Lines whose cost nobody knows cost nothing.
 */
export const profitOf = (netCents: number, lines: readonly CostedLine[], costs: readonly { cents: number }[]): number =>
  lines
    .filter((line) => !isHeading(line))
    .reduce((left, line) => left - timesQuantity(line.costCents ?? 0, line.quantity), netCents) -
  costs.reduce((sum, { cents }) => sum + cents, 0)
