import { type RawBuilder, sql } from 'kysely'
import { localDay } from '../../contract/core/dates.ts'
import { AppError } from '../../contract/core/errors.ts'
import type { Pool } from '../../contract/noun.ts'
import type { BusinessRow } from './business.ts'
import type { Ctx } from './ctx.ts'

/*
 * Lists, tiles, the board and a search are of the call's business, of another one that is named, or of all that a
 * person works in together. Rights are no matter of it: rows are kept back as everywhere.
 */

type Reached = Pick<BusinessRow, 'guid' | 'entityGuid' | 'legalName' | 'timeZone' | Pool> & {
  name: string
  /** The day it is there. */
  today: string
}
/** The businesses something is told of, by name. */
export type Reach = readonly [Reached, ...Reached[]]

export const notHere = 'You do not work in this business.'

const reached = (ctx: Ctx, row: Omit<Reached, 'name' | 'today'> & Pick<BusinessRow, 'tradingName'>): Reached => ({
  ...row,
  name: row.tradingName ?? row.legalName,
  today: localDay(ctx.now.toISOString(), row.timeZone),
})

/** What `business` asks for: nothing is the call's own, `all` is every one in use that the person works in. */
export async function reachOf(ctx: Ctx, { business: asked }: { business?: string | undefined } = {}): Promise<Reach> {
  const own = ctx.business
  if (asked === undefined || asked === own.guid) return [reached(ctx, own)]
  const within = ctx.actor.kind === 'user' ? ctx.actor.worksIn : null
  let found = ctx.db
    .selectFrom('businesses')
    .select(['guid', 'entityGuid', 'legalName', 'tradingName', 'timeZone', 'customersOf', 'catalogueOf'])
    .where('archivedAt', 'is', null)
  if (asked !== 'all') found = found.where('guid', '=', asked)
  if (within) found = found.where(sql<boolean>`guid = any(${within.guid}::uuid[])`)
  const rows = await found
    .orderBy(sql`coalesce(trading_name, legal_name)`)
    .orderBy('guid')
    .execute()
  const [first, ...others] = rows.map((row) => reached(ctx, row))
  if (!first) throw new AppError('FORBIDDEN', notHere, { fields: [{ path: 'business', message: notHere }] })
  return [first, ...others]
}

/** The legal entities of these businesses, each with all of its businesses that the caller works in. */
export async function entitiesOf(ctx: Ctx, reach: Reach): Promise<{ name: string; guids: string[] }[]> {
  const all = await reachOf(ctx, { business: 'all' })
  const own = Map.groupBy([...reach, ...all], ({ entityGuid }) => entityGuid)
  return guidsOf(reach, 'entityGuid').map((entity) => {
    const businesses = own.get(entity) ?? []
    return { name: businesses[0]?.legalName ?? '', guids: [...new Set(businesses.map(({ guid }) => guid))] }
  })
}

export const guidsOf = (reach: Reach, of: 'guid' | 'entityGuid' | Pool = 'guid'): string[] => [
  ...new Set(reach.map((one) => one[of])),
]

/** Rows of these businesses, or of the lists they work with. */
export function isIn(reach: Reach, column: string, of: 'guid' | Pool = 'guid'): RawBuilder<boolean> {
  const guids = guidsOf(reach, of)
  return guids.length === 1
    ? sql<boolean>`${sql.ref(column)} = ${guids[0]}::uuid`
    : sql<boolean>`${sql.ref(column)} = any(${guids}::uuid[])`
}

/** The same business by business, as a page takes them: each is read by its own index. */
export const listsIn = (reach: Reach, column: string, of: 'guid' | Pool = 'guid'): RawBuilder<boolean>[] =>
  guidsOf(reach, of).map((guid) => sql<boolean>`${sql.ref(column)} = ${guid}::uuid`)

/** What is of each business, where they differ; one value where they do not. */
function each(reach: Reach, column: string, value: (one: Reached) => string): RawBuilder<string> {
  const [first] = reach
  if (reach.every((one) => value(one) === value(first))) return sql<string>`${value(first)}`
  const cases = reach.map((one) => sql`when ${one.guid}::uuid then ${value(one)}`)
  return sql<string>`(case ${sql.ref(column)} ${sql.join(cases, sql` `)} end)`
}

/** The day it is where a row is. */
export const dayIn = (reach: Reach, column: string) => each(reach, column, ({ today }) => today)
export const zoneIn = (reach: Reach, column: string) => each(reach, column, ({ timeZone }) => timeZone)

/** The first instant of a day, or of so many days after it. */
export const dayStart = (day: string, timeZone: RawBuilder<string>, plus = 0): RawBuilder<string> =>
  sql<string>`(${day}::date + ${plus}::int)::timestamp at time zone ${timeZone}`

/** The day it is for a row that was read. */
export const dayOfRow = (reach: Reach, businessGuid: string): string =>
  (reach.find(({ guid }) => guid === businessGuid) ?? reach[0]).today

/** The names of those who work with a list. */
export const namesIn = (reach: Reach, guid: string, of: 'guid' | Pool = 'guid'): string =>
  reach
    .filter((one) => one[of] === guid)
    .map(({ name }) => name)
    .join(', ')
