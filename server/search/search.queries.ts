import { type RawBuilder, sql } from 'kysely'
import { nouns } from '../../contract/nouns.ts'
import type { SearchHit } from '../../contract/search.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { rowCondition } from '../core/db/rows.ts'
import { membersAre } from '../core/family.ts'
import { dayIn, isIn, listsIn, namesIn, type Reach, zoneIn } from '../core/reach.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'
import { alias, of, type Source } from './sources.ts'
import type { Terms } from '../documents/search-terms.service.ts'

/** One more than is shown tells whether there are more. */
const read = 7
/**
 * The newest records that are looked through before any index is asked; for somebody under conditions
 * more, because they are his own.
 */
const window = { all: 1000, some: 5000 }
/** The records with a text that are weighed; of one that more have, which was common once, any of them will do. */
const candidates = 2000
/** Customers whose documents are looked at when a name was typed. */
const customersRead = 20
const shortestName = 3
const scores = { number: 100, amount: 90, begins: 80, contains: 60, amountBegins: 50, customer: 30 } as const

export interface Given {
  terms: Terms
  /** Where it is looked for. */
  reach: Reach
  /** Some customers with the text in their name or address: their documents are found, too. */
  customers: readonly string[]
  /** What numbers of documents begin with. */
  prefixes: readonly string[]
}

export interface Found {
  guid: string
  score: number
  newest: string
}

export async function numberPrefixes(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('numberCounters').select('prefix').distinct().execute()
  return rows.map((row) => row.prefix)
}

/**
 * Some customers with a text: among the newest if it is common, else by the index, which is told to look for all of
 * them, because whoever looks for a few reads the table until they are met.
 */
export async function someCustomers(db: Db, reach: Reach, terms: Terms): Promise<string[]> {
  if (terms.text.length < shortestName) return []
  const has = (customer: string) => inText(sql.ref(`${customer}.searchText`), terms)
  const { rows } = await sql<{ guid: string }>`with w as materialized (${sql.join(
    listsIn(reach, 'm.businessGuid', 'customersOf').map(
      (isOurs) => sql`(select m.guid, m.search_text from customers m
      where ${isOurs} and m.archived_at is null and m.merged_into is null
      order by m.created_at desc limit ${window.all})`,
    ),
    sql` union all `,
  )}),
    near as materialized (select guid from w where ${has('w')} limit ${customersRead})
    select guid from near union (select guid from (select m.family_guid as guid from customers m
      where ${has('m')} and (select count(*) from near) < ${customersRead} offset 0) f limit ${customersRead})`.execute(
    db,
  )
  return rows.map((row) => row.guid)
}

const fromOf = ({ table }: Source) => sql`${sql.table(table)} ${sql.ref(alias)}`
const guid = of('guid')

/** Those that the caller may list; a part of a record by what holds for the record. */
function visible(ctx: Ctx, { rows: { noun, by } }: Source, rows: Ctx['rows']): RawBuilder<unknown> {
  if (!by || rows === 'all') return rowCondition({ actor: ctx.actor, rows }, rowColumns(ctx, noun, alias))
  const condition = rowCondition({ actor: ctx.actor, rows }, rowColumns(ctx, noun, 'whole'))
  return sql`${of(by)} in (select whole.guid from ${sql.table(nouns[noun].table)} whole where ${condition})`
}

const inText = (text: RawBuilder<unknown>, { patterns }: Terms) => sql<boolean>`${text} like any(${patterns}::text[])`
/** The ways a text is found in a record itself, each by an index of its own. */
const waysOf = ({ phone }: Source, text: RawBuilder<unknown>, digits: RawBuilder<unknown>, terms: Terms) => [
  inText(text, terms),
  ...(phone && terms.phone ? [sql<boolean>`${digits} like ${terms.phone}`] : []),
]
const score = (text: RawBuilder<unknown>, { prefix }: Terms) =>
  sql`case when ${text} like ${prefix} then ${scores.begins} else ${scores.contains} end`

interface Windowed extends Found {
  /** How many of the window have the text. */
  common: number
  /** How large the window was. */
  looked: number
}

/**
 * What is found in one kind. First the newest records are looked through: a text that many of them have is common, and
 * then the newest are the answer. A text that few have is rare, and an index finds it quickly among all. Either way the
 * work is bounded, whatever is typed.
 */
export async function findByTerms(ctx: Ctx, source: Source, rows: Ctx['rows'], given: Given): Promise<Found[]> {
  const { terms, reach } = given
  const from = (isOurs: RawBuilder<boolean>) =>
    sql`from ${fromOf(source)} where ${isOurs} and ${source.isLive} and ${visible(ctx, source, rows)}`
  const column = `${alias}.${source.business}`
  const where = from(source.business ? isIn(reach, column, source.pool) : sql<boolean>`true`)
  // The newest of each business are read by its own index, and then the newest of those.
  const each = source.business ? listsIn(reach, column, source.pool).map(from) : [where]
  const size = rows === 'all' ? window.all : window.some
  const columns = sql`${guid} as guid, ${source.text} as text, ${source.newest} as newest`
  const phone = source.phone ?? sql`null::text`
  const { rows: newest } = await sql<Windowed>`with w as materialized (select * from (${sql.join(
    each.map((one) => sql`(select ${columns}, ${phone} as phone ${one} order by ${source.newest} desc limit ${size})`),
    sql` union all `,
  )}) n order by newest desc limit ${size})
    select guid, ${score(sql`text`, terms)}::int as score, newest, (count(*) over ())::int as common,
      (select count(*)::int from w) as looked from w
    where ${sql.join(waysOf(source, sql`text`, sql`phone`, terms), sql` or `)}
    order by score desc, newest desc limit ${read}`.execute(ctx.db)
  const branches = other(source, where, given)
  const isEnough = newest[0] !== undefined && (newest[0].common >= source.commonFrom || newest[0].looked < size)
  // Found as all of them would be: planned for some, they would be looked for by reading the table in order.
  if (!isEnough)
    for (const way of waysOf(source, source.text, phone, terms))
      branches.push(sql`(select guid, ${score(sql`text`, terms)}::int as score, newest
        from (select * from (select ${columns} ${where} and ${way} offset 0) as a limit ${candidates}) as m
        order by score desc, newest desc limit ${read})`)
  if (branches.length === 0) return newest
  const { rows: more } = await sql<Found>`${sql.join(branches, sql` union all `)}`.execute(ctx.db)
  return [...newest, ...more]
}

/** The other ways a record is found: by its number, its amount, its customer. Each is a few rows of an index. */
function other(
  source: Source,
  where: RawBuilder<unknown>,
  { terms, prefixes, customers }: Given,
): RawBuilder<unknown>[] {
  const hit = (points: number) =>
    sql`select ${guid} as guid, ${points}::int as score, ${source.newest} as newest ${where}`
  const newest = sql`order by ${source.newest} desc limit ${read}`
  const found: RawBuilder<unknown>[] = []
  if (source.isNumbered) {
    const numbers = [...new Set(['', ...prefixes].map((prefix) => `${prefix}${terms.text.toUpperCase()}`))]
    found.push(sql`(${hit(scores.number)} and ${of('number')} = any(${numbers}::text[]) ${newest})`)
  }
  if (source.customer && customers.length > 0)
    found.push(sql`(select f.* from unnest(${customers}::uuid[]) m(guid)
      cross join lateral (${hit(scores.customer)} and ${membersAre(source.customer, sql`m.guid`)} ${newest}) f
      order by f.newest desc limit ${read})`)
  if (source.amount && terms.spans.length > 0) found.push(byAmount(source, source.amount, where, terms))
  return found
}

/** The nearest spans first: whole dollars before what begins with them. */
function byAmount(
  source: Source,
  amount: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  { spans }: Terms,
): RawBuilder<unknown> {
  const points = spans.map(({ from, to }, i) => (i === 0 && to - from < 100 ? scores.amount : scores.amountBegins - i))
  return sql`(select f.guid, s.points as score, f.newest
    from unnest(${spans.map((s) => s.from)}::bigint[], ${spans.map((s) => s.to)}::bigint[], ${points}::int[])
    with ordinality s(low, high, points, n)
    cross join lateral (select ${guid} as guid, ${source.newest} as newest ${where}
    and ${amount} between s.low and s.high order by ${amount} limit ${read}) f order by s.n
    limit ${read})`
}

/** The hits as they are shown, in the order they were found. */
export async function show(db: Db, source: Source, found: readonly Found[], reach: Reach): Promise<SearchHit[]> {
  const column = `${alias}.${source.business}`
  const at = { today: dayIn(reach, column), timeZone: zoneIn(reach, column) }
  const businessGuid = source.business ? of(source.business) : sql`null::uuid`
  const { rows } = await sql<
    Omit<SearchHit, 'kind' | 'score' | 'businessName'> & { businessGuid: string | null }
  >`select ${guid} as guid, ${source.openGuid} as open_guid, ${source.label} as label,
    ${source.detail} as detail,
      ${source.day(at.timeZone)}::text as day, ${source.status(at.today)} as status,
      ${source.amountShown} as amount_cents, ${businessGuid} as business_guid
    from ${fromOf(source)} where ${guid} = any(${found.map((hit) => hit.guid)}::uuid[])`.execute(db)
  const byGuid = new Map(rows.map((row) => [row.guid, row]))
  return found.flatMap(({ guid, score: points }) => {
    const row = byGuid.get(guid)
    if (!row) return []
    const { businessGuid: business, ...hit } = row
    const businessName = business === null ? null : namesIn(reach, business, source.pool)
    return [{ ...hit, businessName, kind: source.kind, score: points }]
  })
}
