import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../core/ctx.ts'
import { planByValues } from '../core/db/connect.ts'
import { exactUpTo } from '../core/db/page.ts'
import { holdsText } from '../core/records.ts'

/** What each kind of document is found by, as its index has it. */
const texts = {
  quotes: (d: string) => sql`lower(${sql.ref(`${d}.title`)} || ' ' || coalesce(${sql.ref(`${d}.number`)}, ''))`,
  orders: (d: string) => sql`lower(${sql.ref(`${d}.title`)} || ' ' || ${sql.ref(`${d}.number`)} || ' ' || coalesce(${sql.ref(`${d}.customer_reference`)}, ''))`,
  invoices: (d: string) => sql`lower(${sql.ref(`${d}.title`)} || ' ' || coalesce(${sql.ref(`${d}.number`)}, '') || ' ' || coalesce(${sql.ref(`${d}.reference`)}, ''))`,
} as const

/** As many as are handed on by name. */
const few = 1000

export interface Searched<Q> {
  query: Q
  /** How many there are; more than 10,000 count as 10,001. */
  total: number
}

/**
 * The documents of a filtered query that a search finds by title, number or customer. They are looked up by two indexes first.
 * Where very many match, the list is read in its own order until the page is full: quicker than finding and sorting them all.
 */
export async function searched<D, T extends keyof D, O>(db: Db, query: SelectQueryBuilder<D, T, O>, table: keyof typeof texts, alias: string, search: string): Promise<Searched<SelectQueryBuilder<D, T, O>>> {
  const guid = sql.ref(`${alias}.guid`)
  const byText = holdsText(texts[table](alias), search)
  const isOfOne = sql<boolean>`${sql.ref(`${alias}.customer_guid`)} = m.guid`
  const rowsOf = (condition: RawBuilder<boolean>) => query.clearSelect().where(condition).select(guid.as('guid') as never).limit(exactUpTo + 1)
  // Customer by customer, so that it costs what is found and not what is there.
  const ofCustomers = sql`(select d.guid from (select m.guid from customers m where ${holdsText(sql.ref('m.search_text'), search)} limit ${exactUpTo + 1}) m cross join lateral (${rowsOf(isOfOne)}) d limit ${exactUpTo + 1})`
  const found = sql`((${rowsOf(byText)}) union ${ofCustomers})`
  const { rows } = await sql<{ n: number; guids: string[] | null }>`select ${sql.raw(planByValues)} count(*)::int as n, case when count(*) <= ${few}::int then array_agg(f.guid) end as guids from ${found} f`.execute(db)
  const { n = 0, guids = null } = rows[0] ?? {}
  if (n <= few) return { query: query.where(sql<boolean>`${guid} = any(${guids ?? []}::uuid[])`), total: n }
  if (n <= exactUpTo) return { query: query.where(sql<boolean>`${guid} = any(array(select f.guid from ${found} f))`), total: n }
  const ofCustomer = sql`exists (select 1 from customers m where m.guid = ${sql.ref(`${alias}.customer_guid`)} and ${holdsText(sql.ref('m.search_text'), search)})`
  return { query: query.where(sql<boolean>`(${byText} or ${ofCustomer})`), total: exactUpTo + 1 }
}
