import { type RawBuilder, sql } from 'kysely'
import type { SearchHit } from '../../contract/search.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { rowCondition } from '../core/db/rows.ts'
import { rowColumns } from '../row-scope/row-scope.ts'
import type { Source } from './sources.ts'
import type { Terms } from '../lines/terms.ts'

/** One more than is shown tells whether there are more. */
const read = 7
/** The newest records that are looked through before any index is asked; for somebody under conditions more, because they are his own. */
const window = { all: 1000, some: 5000 }
/** The records with a text that are weighed; of one that more have, which was common once, any of them will do. */
const candidates = 2000
/** Customers whose documents are looked at when a name was typed. */
const customersRead = 20
const scores = { number: 100, amount: 90, begins: 80, contains: 60, amountBegins: 50, customer: 30 } as const

export interface Given {
  terms: Terms
  business: string
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

const inText = (text: RawBuilder<unknown>, { patterns }: Terms) => sql<boolean>`${text} like any(${patterns}::text[])`
const score = (text: RawBuilder<unknown>, { prefix }: Terms) =>
  sql`case when ${text} like ${prefix} then ${scores.begins} else ${scores.contains} end`

interface Windowed extends Found {
  /** How many of the window have the text. */
  common: number
  /** How large the window was. */
  looked: number
}

/**
 * What is found in one kind. First the newest records are looked through: a text that many of them have is common, and then
 * the newest are the answer. A text that few have is rare, and an index finds it quickly among all. Either way the work is
 * bounded, whatever is typed.
 */
export async function findByTerms(ctx: Ctx, source: Source, rows: Ctx['rows'], given: Given): Promise<Found[]> {
  const { terms, business } = given
  const visible = rowCondition({ actor: ctx.actor, rows }, rowColumns(ctx, source.rows.noun, source.rows.alias))
  const where = sql`from ${source.from} where ${sql.ref(`${source.business}.business_guid`)} = ${business}::uuid and ${source.isLive} and ${visible}`
  const size = rows === 'all' ? window.all : window.some
  const { rows: newest } =
    await sql<Windowed>`with w as materialized (select ${source.guid} as guid, ${source.text} as text, ${source.newest} as newest ${where} order by ${source.newest} desc limit ${size})
    select guid, ${score(sql`text`, terms)}::int as score, newest, (count(*) over ())::int as common, (select count(*)::int from w) as looked from w where ${inText(sql`text`, terms)} order by score desc, newest desc limit ${read}`.execute(
      ctx.db,
    )
  const branches = other(source, where, given)
  const isEnough = newest[0] !== undefined && (newest[0].common >= source.commonFrom || newest[0].looked < size)
  if (!isEnough)
    branches.push(sql`(select guid, ${score(sql`text`, terms)}::int as score, newest from (select ${source.guid} as guid, ${source.text} as text, ${source.newest} as newest ${where} and ${inText(source.text, terms)} limit ${candidates}) as m
      order by score desc, newest desc limit ${read})`)
  if (branches.length === 0) return newest
  const { rows: more } = await sql<Found>`${sql.join(branches, sql` union all `)}`.execute(ctx.db)
  return [...newest, ...more]
}

/** The other ways a record is found: by its number, its amount, its phone, its customer. Each is a few rows of an index. */
function other(source: Source, where: RawBuilder<unknown>, { terms, prefixes }: Given): RawBuilder<unknown>[] {
  const hit = (points: number) =>
    sql`select ${source.guid} as guid, ${points}::int as score, ${source.newest} as newest ${where}`
  const newest = sql`order by ${source.newest} desc limit ${read}`
  const found: RawBuilder<unknown>[] = []
  if (source.isNumbered) {
    const numbers = [...new Set(['', ...prefixes].map((prefix) => `${prefix}${terms.text.toUpperCase()}`))]
    found.push(
      sql`(${hit(scores.number)} and ${sql.ref(`${source.business}.number`)} = any(${numbers}::text[]) ${newest})`,
    )
  }
  if (source.phone && terms.phone)
    found.push(sql`(${hit(scores.contains)} and ${source.phone} like ${terms.phone} ${newest})`)
  if (source.customer && terms.text.length >= 3) {
    const customers = sql`array(select m.guid from customers m where m.search_text like any(${terms.patterns}::text[]) limit ${customersRead})`
    found.push(sql`(${hit(scores.customer)} and ${source.customer} = any(${customers}) ${newest})`)
  }
  if (source.hasAmount && terms.spans.length > 0) found.push(byAmount(source, where, terms))
  return found
}

/** The nearest spans first: whole dollars before what begins with them. */
function byAmount(source: Source, where: RawBuilder<unknown>, { spans }: Terms): RawBuilder<unknown> {
  const points = spans.map(({ from, to }, i) => (i === 0 && to - from < 100 ? scores.amount : scores.amountBegins - i))
  return sql`(select f.guid, s.points as score, f.newest from unnest(${spans.map((s) => s.from)}::bigint[], ${spans.map((s) => s.to)}::bigint[], ${points}::int[]) with ordinality s(low, high, points, n)
    cross join lateral (select ${source.guid} as guid, ${source.newest} as newest ${where} and ${source.amount} between s.low and s.high order by ${source.amount} limit ${read}) f order by s.n limit ${read})`
}

/** The hits as they are shown, in the order they were found. */
export async function show(db: Db, source: Source, found: readonly Found[], today: string): Promise<SearchHit[]> {
  const { rows } = await sql<
    Omit<SearchHit, 'kind' | 'score'>
  >`select ${source.guid} as guid, ${source.openGuid} as open_guid, ${source.label} as label, ${source.detail} as detail, ${source.status(today)} as status, ${source.amountShown ?? source.amount} as amount_cents
    from ${source.from} where ${source.guid} = any(${found.map((hit) => hit.guid)}::uuid[])`.execute(db)
  const byGuid = new Map(rows.map((row) => [row.guid, row]))
  return found.flatMap(({ guid, score: points }) => {
    const row = byGuid.get(guid)
    return row ? [{ ...row, kind: source.kind, score: points }] : []
  })
}
