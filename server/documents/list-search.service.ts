import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { nouns } from '../../contract/nouns.ts'
import type { Db } from '../core/ctx.ts'
import { planByValues } from '../core/db/connect.ts'
import type { Mark } from '../core/db/page-found.ts'
import { mergedInto } from '../core/family.ts'
import { searchText } from '../core/records.ts'
import { digitsOf, type Terms, termsOf } from './search-terms.service.ts'

/** Nouns whose lists are searched by customer, too, and those that have one by amount. */
type Searched = 'Quotes' | 'Orders' | 'Invoices' | 'Payments' | 'Messages'

type Conditions = readonly RawBuilder<boolean>[] | undefined
/** What a page takes to find its rows. */
export interface Found<Q> {
  found: Q
  lists?: Conditions
  anyOf?: Conditions
  within?: Conditions
  searched?: ((marks: readonly Mark[]) => RawBuilder<unknown>) | null
  walked?: number
  there?: number
}

/** More customers than these are not looked up one by one. */
const maxCustomers = 2500
/** The newest customers tell whether very many have a text: so many are looked at. */
const newestCustomers = 200
/**
 * Very many are half of them; where there are many customers as many as stand for twice those that are looked
 * up, and no fewer than a few.
 */
const veryMany = { most: newestCustomers / 2, least: newestCustomers / 20, all: maxCustomers * 2 }
/**
 * More documents than these are not read customer by customer where some of them may not be those that are asked for.
 */
const maxOfCustomers = 6000
/** How many rows of a list are read in its order where very many match; fewer where each asks for its customer. */
const walkedRows = { customersKnown: 2000, customersAsked: 1700 }

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
  noun: Searched,
  alias: string,
  by: {
    search?: string | undefined
    hidesAmounts?: boolean
    lists: Conditions
    anyOf?: Conditions
    within?: Conditions
  },
): Promise<Found<SelectQueryBuilder<D, T, O>>> {
  const { lists } = by
  if (!by.search) return { found, lists, anyOf: by.anyOf, within: by.within }
  const terms = termsOf(by.search)
  // Who may not see amounts finds nothing by them.
  return { ...(await searched(db, found, noun, alias, by.hidesAmounts ? { ...terms, spans: [] } : terms, by)), lists }
}

const has = (column: RawBuilder<unknown>, { patterns }: Terms) => sql<boolean>`${column} like any(${patterns}::text[])`
/** The ways a person is found, as their indexes have them. */
const ofPerson = (alias: string, terms: Terms) => [
  has(searchText(alias), terms),
  ...(terms.phone ? [sql<boolean>`${digitsOf(`${alias}.phone`)} like ${terms.phone}`] : []),
]

interface Customers {
  /** Null when they are many. */
  guids: string[] | null
  /** About how many rows the list has in all, and a customer of them. */
  there: number
  each: number
}

/**
 * Customers of whom a text is known: by name, address, phone or ABN, their own or that of one of their contacts. A text
 * that very many of the newest have is not looked for by an index, which would give more than are looked up.
 */
async function customersWith(db: Db, noun: Searched, terms: Terms): Promise<Customers> {
  const customers = ofPerson('m', terms)
  const contacts = ofPerson('p', terms)
  const kept = (table: string) => sql`(select nullif(reltuples, -1) from pg_class where oid = ${table}::regclass)`
  const [there, all] = [kept(nouns[noun].table), kept(nouns.Customers.table)]
  const many = sql`greatest(${veryMany.least},
    least(${veryMany.most}, ${veryMany.all * newestCustomers} / nullif(${all}, 0)))`
  const fewOfNewest = (from: RawBuilder<unknown>, guid: string, conditions: readonly RawBuilder<boolean>[]) =>
    sql`(select count(*) filter (where met) from (select ${either(conditions)} as met from ${from}
      order by ${sql.ref(guid)} desc limit ${newestCustomers}) n) < ${many}`
  // Found by their indexes, as all of them would be: planned for some, they would be looked for by reading everything.
  const found = [
    ...customers.map((is) => sql`(select guid from (select m.guid from customers m where ${is} offset 0) f)`),
    // Who was merged is found by the name of whoever is kept, too.
    sql`(${mergedInto(either(ofPerson('kept', terms)))})`,
    ...contacts.map(
      (is) =>
        sql`(select guid from (select p.customer_guid as guid from contacts p where ${is}
          and p.archived_at is null offset 0) f)`,
    ),
  ]
  const areFew = sql`${fewOfNewest(sql`customers m`, 'm.guid', customers)}
    and ${fewOfNewest(sql`contacts p`, 'p.guid', contacts)} or coalesce(${all}, 0) <= ${maxCustomers}`
  const guidsFound = sql`array(select f.guid from (${sql.join(found, sql` union all `)}) f limit ${maxCustomers + 1})`
  const { rows } = await sql<Customers>`select ${sql.raw(planByValues)} coalesce(${there}, 0) as there,
    coalesce(${there} / nullif(${all}, 0), 0) as each,
    case when ${areFew} then ${guidsFound} end as guids`.execute(db)
  const { guids, ...about } = rows[0] ?? { guids: null, there: 0, each: 0 }
  return { ...about, guids: guids === null || guids.length > maxCustomers ? null : [...new Set(guids)] }
}

/** The same asked of one document; a scalar sub-select, which is looked up for the rows of a page and never for all. */
function isOfCustomer(alias: string, terms: Terms): RawBuilder<boolean> {
  const customer = sql.ref(`${alias}.customer_guid`)
  return sql<boolean>`((select ${either(ofPerson('buyer', terms))} from customers buyer where buyer.guid = ${customer})
    or coalesce((select bool_or${either(ofPerson('person', terms))} from contacts person
    where person.customer_guid = ${customer} and person.archived_at is null), false)
    or ${customer} = any(array(${mergedInto(either(ofPerson('kept', terms)))})))`
}

/**
 * The rows of a filtered query that a search finds as the palette does: by number and words, by customer, by amount.
 * Its customers are looked up first, so that a document tells by itself whether it is found.
 */
async function searched<D, T extends keyof D, O>(
  db: Db,
  found: SelectQueryBuilder<D, T, O>,
  noun: Searched,
  alias: string,
  terms: Terms,
  { lists, anyOf, within = [] }: { lists: Conditions; anyOf?: Conditions; within?: Conditions },
): Promise<Found<SelectQueryBuilder<D, T, O>>> {
  const filters = [...within, ...(anyOf ? [either(anyOf)] : []), ...(lists?.length ? [either(lists)] : [])]
  const query = filters.reduce((all, one) => all.where(one), found)
  const { scope } = nouns[noun]
  const spans = 'amount' in scope ? terms.spans.map((span) => ({ ...span, column: `${alias}.${scope.amount}` })) : []
  const customer = sql.ref(`${alias}.customer_guid`)
  const conditions = [
    has(searchText(alias), terms),
    ...spans.map(({ from, to, column }) => sql<boolean>`${sql.ref(column)} between ${from}::bigint and ${to}::bigint`),
  ]
  const { guids: customers, there, each } = await customersWith(db, noun, terms)
  if (customers === null)
    return {
      found,
      anyOf,
      within: [...within, either([...conditions, isOfCustomer(alias, terms)])],
      searched: null,
      walked: walkedRows.customersAsked,
    }
  // Each by its index, and customer by customer, so that it costs what is found and not what is there.
  const rowsBy = (condition: RawBuilder<boolean>, marks: readonly Mark[]) =>
    sql`select * from (${query
      .clearSelect()
      .where(condition)
      .select(marks as never)} offset 0) f`
  const byIndexes = (marks: readonly Mark[]) =>
    sql.join(
      [
        ...conditions.map((condition) => sql`(${rowsBy(condition, marks)})`),
        sql`(select d.* from unnest(${customers}::uuid[]) whose(guid) cross
          join lateral (${rowsBy(sql<boolean>`${customer} = whose.guid`, marks)}) d)`,
      ],
      sql` union all `,
    )
  const areTooMany = within.length + (anyOf?.length ?? 0) > 0 && customers.length * each > maxOfCustomers
  return {
    found,
    anyOf,
    within: [...within, either([...conditions, sql<boolean>`${customer} = any(${customers}::uuid[])`])],
    searched: areTooMany ? null : byIndexes,
    walked: walkedRows.customersKnown,
    there,
  }
}
