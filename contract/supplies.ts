import { isText, isWork, type LineKind } from './core/money.ts'

/**
 * How the GST of an order counts on the accrual basis: all of it with its first invoice or payment, or with each
 * invoice. (GST Act s 29-5(1), Div 156; to be confirmed by a registered agent.)
 */
export const supplyBases = ['single', 'progressive'] as const
export type SupplyBasis = (typeof supplyBases)[number]

interface Supplied {
  kind: LineKind
  parentLineGuid?: string | null | undefined
}

/** What an order is unless somebody decides: progressive where all that is priced is hire, or it is paid in stages. */
export function usualSupply(lines: readonly Supplied[], stages: number): SupplyBasis {
  const priced = lines.filter((line) => !line.parentLineGuid && !isText(line) && isWork(line))
  const isHire = priced.length > 0 && priced.every(({ kind }) => kind === 'hire')
  return isHire || stages > 1 ? 'progressive' : 'single'
}
