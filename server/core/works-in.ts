import { type RawBuilder, sql } from 'kysely'
import type { Pool } from '../../contract/noun.ts'
import type { Ctx } from './ctx.ts'

/**
 * Where the person `u` works, as SQL: the businesses with the pools these work with. Null where it is every business.
 */
export const worksInText = `case when u.business_guids <> '{}' then (select json_build_object('guid', u.business_guids,
 'customersOf', json_agg(distinct w.customers_of), 'catalogueOf', json_agg(distinct w.catalogue_of))
 from businesses w where w.guid = any(u.business_guids)) end`

/** Whether somebody works in a business: those of whom none is named work in all. */
export const worksAt = (businessGuid: string) =>
  sql<boolean>`(users.business_guids = '{}' or ${businessGuid}::uuid = any(users.business_guids))`

/**
 * The business whose dealings with a record of a pool are told: the one of the call. Of a pool it does not work with
 * the pool's own, where the caller works there.
 */
export function dealing({ actor, business }: Pick<Ctx, 'actor' | 'business'>, column: string, pool: Pool) {
  const own = sql.ref(column)
  const within = actor.kind === 'user' ? actor.worksIn : null
  const other: RawBuilder<unknown> = within
    ? sql`when ${own} = any(${within.guid}::uuid[]) then ${own}`
    : sql`else ${own}`
  return sql`(case when ${own} = ${business[pool]}::uuid then ${business.guid}::uuid ${other} end)`
}
