import { sql } from 'kysely'
import type { NumberedKind } from '../../contract/businesses.ts'
import { nouns, numberedBy } from '../../contract/nouns.ts'
import type { Db } from '../core/ctx.ts'

export const findFirst = (db: Db) =>
  db
    .selectFrom('businesses')
    .selectAll()
    .where('archivedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('guid')
    .limit(1)
    .executeTakeFirst()

export const lockBusiness = (db: Db, guid: string) =>
  db.selectFrom('businesses').selectAll().where('guid', '=', guid).forUpdate().executeTakeFirstOrThrow()

export const findCounters = (db: Db, businessGuid: string) =>
  db
    .selectFrom('numberCounters')
    .select(['kind', 'prefix', 'padding', 'next', 'first'])
    .where('businessGuid', '=', businessGuid)
    .execute()

export const lockCounters = (db: Db, businessGuid: string) =>
  db
    .selectFrom('numberCounters')
    .select(['kind', 'prefix', 'padding', 'next', 'first'])
    .where('businessGuid', '=', businessGuid)
    .orderBy('kind')
    .forUpdate()
    .execute()

export const takeNumber = async (db: Db, businessGuid: string, kind: NumberedKind) => {
  const { rows } = await sql<{
    number: string | null
  }>`select next_number(${businessGuid}::uuid, ${kind}) as number`.execute(db)
  return rows[0]?.number ?? null
}

/** The table whose rows wear the numbers of a counter. */
function tableOf(kind: NumberedKind): string {
  const noun = numberedBy(kind)
  if (!noun) throw new Error(`nothing is numbered by ${kind}`)
  return nouns[noun].table
}

/** How many documents of the kind wear a number that would be given again: the prefix, and a figure from `next` on. */
export const countNumbersFrom = async (
  db: Db,
  businessGuid: string,
  kind: NumberedKind,
  prefix: string,
  next: number,
) => {
  const { rows } = await sql<{ isTaken: boolean }>`select exists (
    select 1 from ${sql.table(tableOf(kind))} where business_guid = ${businessGuid}::uuid
      and starts_with(number, ${prefix})
      and substring(number from ${prefix.length + 1}::int) ~ '^[0-9]{1,9}$' and substring(number
      from ${prefix.length + 1}::int)::int >= ${next}::int
  ) as is_taken`.execute(db)
  return rows[0]?.isTaken === true
}
