import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { RowConditions, RowRule } from '../../../contract/core/ability.ts'
import { stale } from '../../../contract/core/errors.ts'
import type { Op } from '../../../contract/core/op.ts'
import type { Pool } from '../../../contract/noun.ts'
import type { Ctx } from '../ctx.ts'

/** Where a noun keeps what row conditions speak of: columns, or for `own` and `assigned` an expression. */
export interface RowColumns {
  business?: string
  /** What the business column names, where that is a list that businesses share. */
  pool?: Pool
  owner?: string | RawBuilder<boolean>
  /** Of orders the column of the lead, and besides it those the person works along on. */
  assigned?: RawBuilder<boolean> | { lead: string; along: RawBuilder<boolean> }
  status?: string
  amount?: string
}

/**
 * Keeps the rows that the actor's rules let through. Every read of a noun starts with it;
 * outside it a record is not there.
 */
export function applyRows<D, T extends keyof D, O>(
  ctx: Pick<Ctx, 'actor' | 'rows'>,
  query: SelectQueryBuilder<D, T, O>,
  columns: RowColumns,
): SelectQueryBuilder<D, T, O> {
  return ctx.rows === 'all' ? query : query.where(rowCondition(ctx, columns))
}

/** The same as a condition, for statements written by hand. */
export function rowCondition({ actor, rows }: Pick<Ctx, 'actor' | 'rows'>, columns: RowColumns): RawBuilder<boolean> {
  if (rows === 'all') return sql<boolean>`true`
  const user = actor.kind === 'user' ? actor.userGuid : null
  const passes = rows.map(({ named, ways, within }) => {
    const open = ways.map((way) => verdict(way, columns, user, false))
    const isOpen = open.length === 0 ? sql`false` : sql.join(open, sql` or `)
    const isOurs =
      within && columns.business
        ? sql` and ${sql.ref(columns.business)} = any(${within[columns.pool ?? 'guid']}::uuid[])`
        : sql``
    return sql`(${verdict(named, columns, user, true)} and (${isOpen})${isOurs})`
  })
  return passes.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(passes, sql` or `)})`
}

const maxIndexed = 4

/** What the first rule that holds says of a row. Only where allows and denies alternate is it asked rule by rule. */
function verdict(
  rules: readonly RowRule[],
  columns: RowColumns,
  user: string | null,
  otherwise: boolean,
): RawBuilder<unknown> {
  const conditions = rules.map(({ allows, when }) => ({
    allows,
    holds: holds(when, columns, user, allows ? 'allow' : 'deny'),
  }))
  const allows = conditions.filter((rule) => rule.allows)
  const denies = conditions.filter((rule) => !rule.allows)
  const none = denies.map((rule) => sql`not (${rule.holds})`)
  if (allows.length === 0) return otherwise ? sql`(${sql.join([sql`true`, ...none], sql` and `)})` : sql`false`
  const any = sql`(${sql.join(
    allows.map((rule) => rule.holds),
    sql` or `,
  )})`
  const isDeniedFirst = conditions.findLastIndex((rule) => !rule.allows) < conditions.findIndex((rule) => rule.allows)
  if (!otherwise && isDeniedFirst) return sql`(${sql.join([any, ...none], sql` and `)})`
  const steps = conditions.map((rule) =>
    rule.allows ? sql`when ${rule.holds} then true` : sql`when (${rule.holds}) is not false then false`,
  )
  const first = sql`case ${sql.join(steps, sql` `)} else ${otherwise ? sql`true` : sql`false`} end`
  // Whatever is allowed meets one of the allows: an index finds by a few of them, and by many it does not.
  return otherwise || allows.length > maxIndexed ? first : sql`(${any} and ${first})`
}

/**
 * True for rows that meet the conditions; null where that is not known. Neither a grant nor the negation of a deny lets
 * a row through on null, so what is unknown always counts against the caller.
 */
function holds(
  conditions: RowConditions,
  columns: RowColumns,
  user: string | null,
  effect: 'allow' | 'deny',
): RawBuilder<unknown> {
  const unknown = sql`null::boolean`
  const parts: RawBuilder<unknown>[] = []
  if (conditions.business !== undefined) {
    const businesses = [conditions.business].flat()
    parts.push(columns.business ? sql`${sql.ref(columns.business)} = any(${businesses}::uuid[])` : unknown)
  }
  if (conditions.scope === 'own') parts.push(mine(columns.owner, user, effect))
  if (conditions.scope === 'assigned') parts.push(worked(columns.assigned, user, effect))
  if (conditions.statusIn)
    parts.push(columns.status ? sql`${sql.ref(columns.status)} = any(${conditions.statusIn}::text[])` : unknown)
  if (conditions.amountBelowCents !== undefined)
    parts.push(columns.amount ? sql`${sql.ref(columns.amount)} < ${conditions.amountBelowCents}` : unknown)
  return parts.length === 0 ? sql`true` : sql`(${sql.join(parts, sql` and `)})`
}

/**
 * A record without an owner is nobody's, so a deny of one's own does not meet it. An allow asks by
 * equality, which an index answers.
 */
function mine(
  column: string | RawBuilder<boolean> | undefined,
  user: string | null,
  effect: 'allow' | 'deny',
): RawBuilder<unknown> {
  if (column === undefined || user === null) return sql`null::boolean`
  if (typeof column !== 'string') return column
  return effect === 'allow'
    ? sql`${sql.ref(column)} = ${user}::uuid`
    : sql`${sql.ref(column)} is not distinct from ${user}::uuid`
}

/** Led by the person, or worked on along with others. */
function worked(columns: RowColumns['assigned'], user: string | null, effect: 'allow' | 'deny'): RawBuilder<unknown> {
  if (columns === undefined || !('lead' in columns)) return mine(columns, user, effect)
  const { lead, along } = columns
  return user === null ? mine(lead, user, effect) : sql`(${mine(lead, user, effect)} or ${along})`
}

/** The optimistic lock: refuses a change made on what is no longer the record, and tells what it is now. */
export async function checkVersion(
  current: { version: number },
  version: number,
  { response }: Pick<Op, 'response'>,
  shown: () => unknown,
): Promise<void> {
  if (current.version !== version) throw stale(response, await shown())
}
