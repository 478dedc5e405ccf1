import { isPart, type RoundingRule } from '../../contract/core/money.ts'
import { publicKey } from '../../contract/core/source-keys.ts'
import type { Discount, Line } from '../../contract/lines.ts'

/** Of a bundle whose parts are its customer's to see, or of lines that are no parts, nothing is kept back. */
const isHidden = <L extends Line>(line: L, bundles: ReadonlyMap<string, L>) =>
  isPart(line) && bundles.get(line.parentLineGuid ?? '')?.showsParts === false

const sum = (lines: readonly Line[], amount: (line: Line) => number) =>
  lines.reduce((cents, line) => cents + amount(line), 0)

/** Discounts of parts, which stand on them only where an invoice moved them there: all as cents. */
const joined = (lines: readonly Line[]): Discount | null => {
  const value = sum(lines, ({ discount }) => discount?.value ?? 0)
  return value > 0 ? { type: 'fixed', value } : null
}

/**
 * Lines as their customer may see them. A bundle that does not show its parts comes with what they come to, in one part
 * without a name of its own; where one would round otherwise than they do, each is there without name and days. Only
 * quotes are priced anew where they are shown, and so by their own rule of rounding.
 */
export function publicLines<L extends Line>(lines: readonly L[], roundingRule: RoundingRule = 'total_invoice'): L[] {
  const bundles = new Map(lines.flatMap((line) => (line.kind === 'bundle' ? [[line.guid, line]] : [])))
  const hidden = Map.groupBy(
    lines.filter((line) => isHidden(line, bundles)),
    (line) => line.parentLineGuid,
  )
  return lines.flatMap((line): L[] => {
    const shown = { ...line, sourceKey: publicKey(line.sourceKey) }
    if (!isHidden(line, bundles)) return [shown]
    const { name = '', quantity = '1' } = bundles.get(line.parentLineGuid ?? '') ?? {}
    const parts = hidden.get(line.parentLineGuid) ?? []
    const nameless = { ...shown, name, quantity, description: null, hireFrom: null, hireTo: null }
    const isOne = roundingRule === 'total_invoice' && new Set(parts.map(({ gstCode }) => gstCode)).size === 1
    if (!isOne) return [nameless]
    if (line !== parts[0]) return []
    return [
      {
        ...nameless,
        unitPriceCents: sum(parts, (part) => part.unitPriceCents),
        discount: joined(parts),
        netCents: sum(parts, (part) => part.netCents),
        gstCents: sum(parts, (part) => part.gstCents),
        totalCents: sum(parts, (part) => part.totalCents),
      },
    ]
  })
}
