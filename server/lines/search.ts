import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../core/ctx.ts'
import { likeText } from '../core/records.ts'

/** What each kind of document is found by, as its index has it. */
const texts = {
  quotes: (d: string) => sql`lower(${sql.ref(`${d}.title`)} || ' ' || coalesce(${sql.ref(`${d}.number`)}, ''))`,
  orders: (d: string) => sql`lower(${sql.ref(`${d}.title`)} || ' ' || ${sql.ref(`${d}.number`)} || ' ' || coalesce(${sql.ref(`${d}.customer_reference`)}, ''))`,
  invoices: (d: string) => sql`lower(${sql.ref(`${d}.title`)} || ' ' || coalesce(${sql.ref(`${d}.number`)}, '') || ' ' || coalesce(${sql.ref(`${d}.reference`)}, ''))`,
} as const

const mostFound = 5000
/** Three characters are what the index is made of; fewer it cannot find. */
const shortest = 3

/**
 * Documents by title, number or customer, as a condition on the alias. A few are looked up by two indexes beforehand. Where
 * many match, the list is read in its own order until the page is full: that is quicker than finding and sorting them all.
 */
export async function documentsLike(db: Db, table: keyof typeof texts, alias: string, search: string): Promise<RawBuilder<boolean>> {
  const pattern = likeText(search)
  const text = texts[table]
  if (search.length >= shortest) {
    const { rows } = await sql<{ guid: string }>`(select d.guid from ${sql.table(table)} d where ${text('d')} like ${pattern} limit ${mostFound + 1})
      union (select d.guid from (select guid from customers where search_text like ${pattern} limit ${mostFound + 1}) m join ${sql.table(table)} d on d.customer_guid = m.guid limit ${mostFound + 1})`.execute(db)
    if (rows.length <= mostFound) return sql<boolean>`${sql.ref(`${alias}.guid`)} = any(${rows.map((row) => row.guid)}::uuid[])`
  }
  return sql<boolean>`(${text(alias)} like ${pattern} or exists (select 1 from customers m where m.guid = ${sql.ref(`${alias}.customer_guid`)} and m.search_text like ${pattern}))`
}
