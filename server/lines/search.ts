import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../core/ctx.ts'
import { planByValues } from '../core/db/connect.ts'
import { exactUpTo } from '../core/db/page.ts'
import { type Terms, termsOf } from './terms.ts'

interface Source {
  /** What each is found by, as its index has it. */
  text: (d: string) => RawBuilder<unknown>
  amount: string
}

const sources = {
  quotes: {
    text: (d) => sql`lower(${sql.ref(`${d}.title`)} || ' ' || coalesce(${sql.ref(`${d}.number`)}, ''))`,
    amount: 'total_cents',
  },
  orders: {
    text: (d) =>
      sql`lower(${sql.ref(`${d}.title`)} || ' ' || ${sql.ref(`${d}.number`)} || ' ' || coalesce(${sql.ref(`${d}.customer_reference`)}, ''))`,
    amount: 'total_cents',
  },
  invoices: {
    text: (d) =>
      sql`lower(${sql.ref(`${d}.title`)} || ' ' || coalesce(${sql.ref(`${d}.number`)}, '') || ' ' || coalesce(${sql.ref(`${d}.reference`)}, ''))`,
    amount: 'total_cents',
  },
  payments: {
    text: (d) => sql`lower(${sql.ref(`${d}.number`)} || ' ' || coalesce(${sql.ref(`${d}.reference`)}, ''))`,
    amount: 'amount_cents',
  },
} as const satisfies Record<string, Source>

type Conditions = readonly RawBuilder<boolean>[] | undefined
export interface Found<Q> {
  found: Q
  anyOf?: Conditions
  within?: Conditions
  /** How many there are, when that is known; more than 10,000 count as 10,001. */
  total?: number
}

const either = (conditions: readonly RawBuilder<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` or `)})`

/** Values of a column, as conditions of which no row meets two. */
export const oneOf = (column: string, wanted: string | undefined): RawBuilder<boolean>[] | undefined =>
  wanted ? [...new Set(wanted.split(','))].map((value) => sql<boolean>`${sql.ref(column)} = ${value}`) : undefined

/** A span of days, both ends in it. */
export const inSpan = (column: string, from: string | undefined, to: string | undefined): RawBuilder<boolean>[] => [
  ...(from ? [sql<boolean>`${sql.ref(column)} >= ${from}::date`] : []),
  ...(to ? [sql<boolean>`${sql.ref(column)} <= ${to}::date`] : []),
]

/** The rows of a list by its filters and by a search, as a page takes them. */
export async function narrowed<D, T extends keyof D, O>(
  db: Db,
  found: SelectQueryBuilder<D, T, O>,
  table: keyof typeof sources,
  alias: string,
  by: { search?: string | undefined; hidesAmounts?: boolean; anyOf?: Conditions; within?: Conditions },
): Promise<Found<SelectQueryBuilder<D, T, O>>> {
  if (!by.search) return { found, anyOf: by.anyOf, within: by.within }
  const terms = termsOf(by.search)
  // Who may not see amounts finds nothing by them.
  return searched(db, found, table, alias, by.hidesAmounts ? { ...terms, spans: [] } : terms, [
    ...(by.within ?? []),
    ...(by.anyOf ? [either(by.anyOf)] : []),
  ])
}

const has = (column: RawBuilder<unknown>, { patterns }: Terms) => sql<boolean>`${column} like any(${patterns}::text[])`
const digits = (column: string) => sql`regexp_replace(coalesce(${sql.ref(column)}, ''), '\\D', '', 'g')`
/** The ways a person is found, as their indexes have them. */
const ofPerson = (alias: string, terms: Terms) => [
  has(sql.ref(`${alias}.search_text`), terms),
  ...(terms.phone ? [sql<boolean>`${digits(`${alias}.phone`)} like ${terms.phone}`] : []),
]

/** Customers of whom a text is known: by name, address, phone or ABN, their own or that of one of their contacts. */
function customersWith(terms: Terms): RawBuilder<unknown> {
  const customers = ofPerson('m', terms).map(
    (condition) =>
      sql`(select guid from (select m.guid from customers m where ${condition} offset 0) f limit ${exactUpTo + 1})`,
  )
  const contacts = ofPerson('p', terms).map(
    (condition) =>
      sql`(select guid from (select p.customer_guid as guid from contacts p where ${condition} and p.archived_at is null offset 0) f limit ${exactUpTo + 1})`,
  )
  return sql.join([...customers, ...contacts], sql` union `)
}

/** The same asked of one document; a scalar sub-select, which is looked up for the rows of a page and never for all. */
function isOfCustomer(alias: string, terms: Terms): RawBuilder<boolean> {
  const customer = sql.ref(`${alias}.customer_guid`)
  return sql<boolean>`((select ${either(ofPerson('m', terms))} from customers m where m.guid = ${customer})
    or coalesce((select bool_or${either(ofPerson('p', terms))} from contacts p where p.customer_guid = ${customer} and p.archived_at is null), false))`
}

/**
 * The rows of a filtered query that a search finds as the palette does: by number and words, by customer, by amount. They are
 * looked up by indexes first. Where very many match, the list is read in its own order until the page is full: quicker than
 * finding and sorting them all.
 */
async function searched<D, T extends keyof D, O>(
  db: Db,
  found: SelectQueryBuilder<D, T, O>,
  table: keyof typeof sources,
  alias: string,
  terms: Terms,
  filters: readonly RawBuilder<boolean>[],
): Promise<Found<SelectQueryBuilder<D, T, O>>> {
  const query = filters.reduce((all, one) => all.where(one), found)
  const { text, amount } = sources[table]
  const guid = sql.ref(`${alias}.guid`)
  const conditions = [
    has(text(alias), terms),
    ...terms.spans.map(
      ({ from, to }) => sql<boolean>`${sql.ref(`${alias}.${amount}`)} between ${from}::bigint and ${to}::bigint`,
    ),
  ]
  // Found by their indexes, as all of them would be: planned for some, they would be looked for by reading everything.
  const rowsOf = (condition: RawBuilder<boolean>) =>
    sql`select f.guid from (${query
      .clearSelect()
      .where(condition)
      .select(guid.as('guid') as never)} offset 0) f limit ${exactUpTo + 1}`
  // Customer by customer, so that it costs what is found and not what is there.
  const ofCustomers = sql`(select d.guid from (select distinct f.guid from (${customersWith(terms)}) f limit ${exactUpTo + 1}) m cross join lateral (${rowsOf(sql<boolean>`${sql.ref(`${alias}.customer_guid`)} = m.guid`)}) d limit ${exactUpTo + 1})`
  const matches = sql`(select f.guid from (${sql.join([...conditions.map((condition) => sql`(${rowsOf(condition)})`), ofCustomers], sql` union `)}) f limit ${exactUpTo + 1})`
  // Up to as many as are counted they are handed on by name: looking them up costs more than sending them twice.
  const { rows } = await sql<{
    n: number
    guids: string[] | null
  }>`select ${sql.raw(planByValues)} count(*)::int as n, case when count(*) <= ${exactUpTo} then array_agg(f.guid) end as guids from ${matches} f`.execute(
    db,
  )
  const { n = 0, guids = null } = rows[0] ?? {}
  if (n <= exactUpTo) return { found, within: [sql<boolean>`${guid} = any(${guids ?? []}::uuid[])`], total: n }
  return { found, within: [...filters, either([...conditions, isOfCustomer(alias, terms)])], total: exactUpTo + 1 }
}
