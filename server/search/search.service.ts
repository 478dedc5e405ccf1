import { type RawBuilder, sql } from 'kysely'
import { type searchApi, type SearchHit, searchKinds } from '../../contract/search.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { rowCondition } from '../core/db/rows.ts'
import { factsOf } from '../core/http/permission.ts'
import { accessFor } from '../core/rights.ts'
import { rowColumns } from '../lines/row-columns.ts'
import { type Source, sources } from './sources.ts'
import { type Terms, termsOf } from './terms.ts'

type Api = Handlers<typeof searchApi>

const shown = 6
/** One more than is shown tells whether there are more. */
const read = shown + 1
/** Customers whose documents are looked at when a name was typed. */
const customersRead = 20
const scores = { number: 100, amount: 90, begins: 80, contains: 60, phone: 60, amountBegins: 50, customer: 30 } as const

interface Numbering {
  businesses: string[]
  prefixes: string[]
}

/** The rows of a kind that the caller may list; `null` when he may list none. */
function rowsOf(ctx: Ctx, subject: string): Ctx['rows'] | null {
  if (ctx.actor.kind === 'system') return 'all'
  const access = accessFor(ctx.actor.ability, 'read', subject, factsOf(ctx.actor, true))
  return access === 'none' ? null : access
}

async function numberingOf(ctx: Ctx): Promise<Numbering> {
  const rows = await ctx.db.selectFrom('numberCounters').select(['businessGuid', 'prefix']).distinct().execute()
  return { businesses: [...new Set(rows.map((row) => row.businessGuid))], prefixes: [...new Set(rows.map((row) => row.prefix))] }
}

/** The ways one kind is found, each answered by an index and cut off early. */
function branches(source: Source, visible: RawBuilder<boolean>, terms: Terms, numbering: Numbering): RawBuilder<unknown>[] {
  const hit = (score: number) => sql`select ${sql.ref(`${source.kind === 'contacts' ? 'p' : source.rows.alias}.guid`)} as guid, ${source.openGuid} as open_guid, ${source.label} as label, ${source.detail} as detail, ${source.status} as status, ${source.amount} as amount_cents, ${score}::int as score, ${source.newest} as newest`
  const where = sql`from ${source.from} where ${source.isLive} and ${visible}`
  const newest = sql`order by ${source.newest} desc limit ${read}`
  const found = [sql`(${hit(scores.contains)} ${where} and ${source.text} like any(${terms.patterns}::text[]) ${newest})`, sql`(${hit(scores.begins)} ${where} and ${source.text} like ${terms.prefix} ${newest})`]
  if (source.numbered) {
    const numbers = [...new Set(['', ...numbering.prefixes].map((prefix) => `${prefix}${terms.text.toUpperCase()}`))]
    found.push(sql`(${hit(scores.number)} ${where} and ${sql.ref(`${source.numbered}.business_guid`)} = any(${numbering.businesses}::uuid[]) and ${sql.ref(`${source.numbered}.number`)} = any(${numbers}::text[]) ${newest})`)
  }
  if (source.phone && terms.phone) found.push(sql`(${hit(scores.phone)} ${where} and ${source.phone} like ${terms.phone} ${newest})`)
  if (source.customer && terms.text.length >= 3) {
    const customers = sql`array(select m.guid from customers m where m.search_text like any(${terms.patterns}::text[]) limit ${customersRead})`
    found.push(sql`(${hit(scores.customer)} ${where} and ${source.customer} = any(${customers}) ${newest})`)
  }
  if (source.kind !== 'customers' && source.kind !== 'contacts') {
    for (const [i, { from, to }] of terms.spans.entries())
      found.push(sql`(${hit(i === 0 && (terms.isAmount || to - from < 100) ? scores.amount : scores.amountBegins - i)} ${where} and ${source.amount} between ${from} and ${to} order by ${source.amount}, ${source.newest} limit ${read})`)
  }
  return found
}

interface Row extends Omit<SearchHit, 'kind'> {
  newest: string
}

async function find(ctx: Ctx, source: Source, rows: Ctx['rows'], terms: Terms, numbering: Numbering): Promise<SearchHit[]> {
  const visible = rowCondition({ actor: ctx.actor, rows }, rowColumns(ctx, source.rows.noun, source.rows.alias))
  const { rows: found } = await sql<Row>`select * from (${sql.join(branches(source, visible, terms, numbering), sql` union all `)}) hits order by score desc, newest desc`.execute(ctx.db)
  const best = new Map<string, SearchHit>()
  for (const { newest: _newest, ...row } of found) if (!best.has(row.guid)) best.set(row.guid, { ...row, kind: source.kind })
  return [...best.values()].slice(0, read)
}

const all: Api['all'] = async (ctx, { q, kinds }) => {
  const terms = termsOf(q)
  const wanted = new Set<string>(kinds ? kinds.split(',') : searchKinds)
  const numbering = await numberingOf(ctx)
  const found = await Promise.all(
    sources.flatMap((source) => {
      const rows = wanted.has(source.kind) ? rowsOf(ctx, source.subject) : null
      return rows === null ? [] : [find(ctx, source, rows, terms, numbering)]
    }),
  )
  const groups = found.flatMap((items) => (items[0] ? [{ kind: items[0].kind, items: items.slice(0, shown), hasMore: items.length > shown }] : []))
  return { groups: groups.toSorted((a, b) => (b.items[0]?.score ?? 0) - (a.items[0]?.score ?? 0) || searchKinds.indexOf(a.kind) - searchKinds.indexOf(b.kind)) }
}

export const search: Api = { all }
