import { sql } from 'kysely'
import { brandNumbers, type NumberedKind } from '../../contract/businesses.ts'
import { nouns, numberedBy } from '../../contract/nouns.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { userOf } from '../core/records.ts'

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
  // Numbers of money are those of a legal entity with its brands.
  const owner = sql.raw(brandNumbers.includes(kind) ? 'business_guid' : 'entity_guid')
  const { rows } = await sql<{ isTaken: boolean }>`select exists (
    select 1 from ${sql.table(tableOf(kind))} 
      where ${owner} = ${businessGuid}::uuid
      and starts_with(number, ${prefix})
      and substring(number from ${prefix.length + 1}::int) ~ '^[0-9]{1,9}$' and substring(number
      from ${prefix.length + 1}::int)::int >= ${next}::int
  ) as is_taken`.execute(db)
  return rows[0]?.isTaken === true
}

const nameIn = (column: string) =>
  sql<string>`(select coalesce(o.trading_name, o.legal_name) from businesses o where o.guid = ${sql.ref(column)})`

/** Whose brand a business `b` is, and whose lists it works with. */
export const standing = [
  'b.parentGuid',
  'b.customersOf',
  'b.catalogueOf',
  sql<string | null>`(select o.legal_name from businesses o where o.guid = b.parent_guid)`.as('parentName'),
  nameIn('b.customersOf').as('customersOfName'),
  nameIn('b.catalogueOf').as('catalogueOfName'),
] as const

export const findStanding = (db: Db, guid: string) =>
  db.selectFrom('businesses as b').select(standing).where('b.guid', '=', guid).executeTakeFirstOrThrow()

/** The businesses the caller works in, by name. */
export const findOwn = (ctx: Pick<Ctx, 'db' | 'actor'>) =>
  ctx.db
    .selectFrom('businesses as b')
    .innerJoin('users as u', 'u.guid', sql.val(userOf(ctx)) as never)
    .select([
      'b.guid',
      sql<string>`coalesce(b.trading_name, b.legal_name)`.as('name'),
      ...(['b.legalName', 'b.primaryColour', 'b.entityGuid', 'b.customersOf', 'b.catalogueOf'] as const),
    ])
    .where('b.archivedAt', 'is', null)
    .where(sql<boolean>`(u.business_guids = '{}' or b.guid = any(u.business_guids))`)
    .orderBy(sql`coalesce(b.trading_name, b.legal_name)`)
    .orderBy('b.guid')
    .execute()

/** What keeps a business from resting: documents that somebody waits for, its brands, those who share its lists. */
export const findUse = async (db: Db, guid: string) => {
  const { rows } = await sql<{ why: 'documents' | 'brands' | 'pools' | 'last' | null }>`select case
    when exists (select from quotes where business_guid = ${guid}::uuid and archived_at is null
      and status in ('draft', 'sent', 'changes_requested', 'accepted'))
    or exists (select from orders where business_guid = ${guid}::uuid and archived_at is null
      and status not in ('closed', 'cancelled'))
    or exists (select from invoices where business_guid = ${guid}::uuid and archived_at is null
      and (status in ('draft', 'scheduled') or (status = 'issued' and balance_cents > 0))) then 'documents'
    when exists (select from businesses where parent_guid = ${guid}::uuid and archived_at is null) then 'brands'
    when exists (select from businesses where guid <> ${guid}::uuid and archived_at is null
      and ${guid}::uuid in (customers_of, catalogue_of)) then 'pools'
    when not exists (select from businesses where guid <> ${guid}::uuid and archived_at is null) then 'last'
    end as why`.execute(db)
  return rows[0]?.why ?? null
}
