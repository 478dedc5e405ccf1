import { sql } from 'kysely'
import { forbidden } from '../../contract/core/errors.ts'
import { lowMarginBp, type marginGrades } from '../../contract/lines.ts'
import { marginOf } from '../../contract/pricing.ts'
import type { Ctx } from '../core/ctx.ts'
import { may } from '../core/http/permission.ts'

/** Margins tell of costs. */
export const maySeeMargins = (ctx: Ctx): boolean => may(ctx.actor, 'read', 'Products:Costs')

/** Order and choice of a list tell of what they are made by: both ask for the right to see it. */
export function checkMarginsAsked(ctx: Ctx, { sort, margin }: { sort?: string | undefined; margin?: unknown }) {
  if ((margin || sort?.includes('marginBp')) && !maySeeMargins(ctx))
    throw forbidden('You don’t have access to costs, so you can’t sort or filter by margin.')
}

/** Quotes whose margin says this word. */
export const withMargin = (grade: (typeof marginGrades)[number]) =>
  grade === 'loss'
    ? sql<boolean>`q.margin_cents < 0`
    : sql<boolean>`(q.margin_cents >= 0 and q.margin_bp < ${lowMarginBp})`

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
