import { computeTotals, isPart, type LineInput, type PriceMode } from './core/money.ts'
import { isFeeKey } from './core/source-keys.ts'

interface Shown extends LineInput {
  guid: string
  showsParts?: boolean | null | undefined
  netCents: number
  gstCents: number
}
interface ShownAmount {
  /** Quantity × price, in the prices' own terms; null for a part of a bundle, whose amount has it. */
  grossCents: number | null
  /** What is taken off it by the discount beside it, or off its parts. */
  discountCents: number
}

/**
 * Per line what a reader can check and add up by hand; null for lines that are not shown. The amounts come to the
 * subtotal, and what is taken off lines stands beside it and again in the discount of the totals. A bundle has the
 * amount of its parts, which say their share of its price alone.
 */
export function shownAmounts(
  lines: readonly Shown[],
  priceMode: PriceMode,
  hasAllParts = false,
): (ShownAmount | null)[] {
  const credited = lines.map((line) => ({ ...line, creditNetCents: line.netCents, creditGstCents: line.gstCents }))
  const amounts = computeTotals({ priceMode, roundingRule: 'total_invoice', lines: credited }).lines
  const bundles = new Map(lines.flatMap((line) => (line.kind === 'bundle' ? [[line.guid, line]] : [])))
  const bundleOf = (line: Shown) => (isPart(line) ? bundles.get(line.parentLineGuid ?? '') : undefined)
  return lines.map((line, i): ShownAmount | null => {
    const bundle = bundleOf(line)
    if (bundle) return hasAllParts || bundle.showsParts !== false ? { grossCents: null, discountCents: 0 } : null
    const counted =
      line.kind === 'bundle' ? amounts.filter((_, at) => bundleOf(lines[at] ?? line) === line) : [amounts[i]]
    return {
      grossCents: counted.reduce((sum, amount) => sum + (amount?.grossBeforeDiscountCents ?? 0), 0),
      discountCents: counted.reduce((sum, amount) => sum + (amount?.discountCents ?? 0), 0),
    }
  })
}

/**
 * Of some lines below others the name says how many there are ("8 × Trestle table"), and a number beside it would be
 * read as another: they have none.
 */
export const isNumberedByName = (line: Pick<Shown, 'parentLineGuid' | 'sourceKey'>): boolean =>
  isPart(line) || (typeof line.parentLineGuid === 'string' && isFeeKey(line.sourceKey))

/** The kind of GST of what a line comes to, of a bundle its parts': null where they are of several. */
export function gstCodeOf<L extends Pick<Shown, 'guid' | 'kind' | 'parentLineGuid' | 'sourceKey' | 'gstCode'>>(
  line: L,
  lines: readonly L[],
): L['gstCode'] | null {
  const parts = line.kind === 'bundle' ? lines.filter((one) => isPart(one) && one.parentLineGuid === line.guid) : []
  const codes = new Set((parts.length > 0 ? parts : [line]).map(({ gstCode }) => gstCode))
  return codes.size === 1 ? ([...codes][0] ?? null) : null
}
