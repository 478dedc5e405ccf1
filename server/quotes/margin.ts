import { marginOf } from '../../contract/pricing.ts'
import type { Ctx } from '../core/ctx.ts'
import { may } from '../core/http/permission.ts'

/** Margins tell of costs. */
export const maySeeMargins = (ctx: Ctx): boolean => may(ctx.actor, 'read', 'Products:Costs')

interface WithCosts {
  rows: readonly { netCents: number; costCents: number | null; quantity: string }[]
  /** Of each row, whether it counts. */
  amounts: readonly { isCounted: boolean }[]
}

/** The columns of a quote that follow from the costs of its lines. */
export function marginColumns({ rows, amounts }: WithCosts) {
  const margin = marginOf(rows.map((row, i) => ({ ...row, isCounted: amounts[i]?.isCounted ?? false })))
  return { marginCents: margin?.cents ?? null, marginBp: margin?.bp ?? null }
}
