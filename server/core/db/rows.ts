import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { RowConditions } from '../../../contract/core/ability.ts'
import { stale } from '../../../contract/core/errors.ts'
import type { Ctx } from '../ctx.ts'

/** Where a noun keeps what row conditions speak of: columns, or for `own` and `assigned` an expression. */
export interface RowColumns {
  business?: string
  owner?: string | RawBuilder<boolean>
  assigned?: string | RawBuilder<boolean>
  status?: string
  amount?: string
}

/** Keeps the rows that the actor's rules let through. Every read of a noun starts with it; outside it a record is not there. */
export function applyRows<D, T extends keyof D, O>(ctx: Pick<Ctx, 'actor' | 'rows'>, query: SelectQueryBuilder<D, T, O>, columns: RowColumns): SelectQueryBuilder<D, T, O> {
  return ctx.rows === 'all' ? query : query.where(rowCondition(ctx, columns))
}

/** The same as a condition, for statements written by hand. */
export function rowCondition({ actor, rows }: Pick<Ctx, 'actor' | 'rows'>, columns: RowColumns): RawBuilder<boolean> {
  if (rows === 'all') return sql<boolean>`true`
  const user = actor.kind === 'user' ? actor.userGuid : null
  const branches = rows.map(({ when, unless }) => sql`(${sql.join([holds(when, columns, user, 'allow'), ...unless.map((u) => sql`not (${holds(u, columns, user, 'deny')}) `)], sql` and `)})`)
  return branches.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(branches, sql` or `)})`
}

/**
 * True for rows that meet the conditions; null where that is not known. Neither a grant nor the negation of a deny lets a
 * row through on null, so what is unknown always counts against the caller.
 */
function holds(conditions: RowConditions, columns: RowColumns, user: string | null, effect: 'allow' | 'deny'): RawBuilder<unknown> {
  const unknown = sql`null::boolean`
  const parts: RawBuilder<unknown>[] = []
  if (conditions.business !== undefined) {
    const businesses = [conditions.business].flat()
    parts.push(columns.business ? sql`${sql.ref(columns.business)} = any(${businesses}::uuid[])` : unknown)
  }
  if (conditions.scope === 'own') parts.push(mine(columns.owner, user, effect))
  if (conditions.scope === 'assigned') parts.push(mine(columns.assigned, user, effect))
  if (conditions.statusIn) parts.push(columns.status ? sql`${sql.ref(columns.status)} = any(${conditions.statusIn}::text[])` : unknown)
  if (conditions.amountBelowCents !== undefined) parts.push(columns.amount ? sql`${sql.ref(columns.amount)} < ${conditions.amountBelowCents}` : unknown)
  return parts.length === 0 ? sql`true` : sql`(${sql.join(parts, sql` and `)})`
}

/** A record without an owner is nobody's, so a deny of one's own does not meet it. An allow asks by equality, which an index answers. */
function mine(column: string | RawBuilder<boolean> | undefined, user: string | null, effect: 'allow' | 'deny'): RawBuilder<unknown> {
  if (column === undefined || user === null) return sql`null::boolean`
  if (typeof column !== 'string') return column
  return effect === 'allow' ? sql`${sql.ref(column)} = ${user}::uuid` : sql`${sql.ref(column)} is not distinct from ${user}::uuid`
}

/** The optimistic lock: refuses a change made on what is no longer the record, and hands the present one along. */
export function checkVersion<R extends { version: number }>(current: R, version: number, shown: unknown = current): void {
  if (current.version !== version) throw stale(shown)
}
