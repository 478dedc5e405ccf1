import { sql } from 'kysely'
import type { z } from 'zod'
import type { Series, seriesApi } from '../../contract/series.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { inFamily } from '../core/family.ts'
import { holdsText, searchText } from '../core/records.ts'
import { customerName, jobTypeOf, partiesOf } from '../documents/parties.service.ts'
import { inSpan } from '../documents/list-search.service.ts'
import { displayStatusOf } from '../documents/statuses.service.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

export const visibleSeries = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('quoteSeries as e'), rowColumns(ctx, 'Series', 'e'))

type Filters = z.output<typeof seriesApi.list.query>

/** By what a list is narrowed, beside its status. */
export const seriesWithin = (input: Filters) => [
  ...(input.customerGuid ? [inFamily('e', input.customerGuid)] : []),
  ...(input['dueOn.gte'] || input['dueOn.lte'] ? [sql<boolean>`e.status in ('draft', 'active')`] : []),
  ...inSpan('e.dueOn', input['dueOn.gte'], input['dueOn.lte']),
  ...(input.search
    ? [
        sql<boolean>`(${holdsText(searchText('e'), input.search.toLowerCase())} or exists (select from parties c
          where c.member_guid = e.customer_guid and position(lower(${input.search}) in lower(c.display_name)) > 0))`,
      ]
    : []),
]

/** What a list shows of each. A series that rests or has ended has no next day. */
export const listedSeries = (ctx: Ctx) =>
  ctx.db
    .selectFrom('quoteSeries as e')
    .select(['e.guid', 'e.businessGuid', 'e.version', 'e.title', 'e.customerGuid', 'e.status', 'e.mode'])
    .select(['e.totalCents', 'e.createdAt', customerName('e')])
    .select([
      sql<Series['every']>`json_build_object('n', e.every_n, 'unit', e.every_unit)`.as('every'),
      sql<string | null>`case when e.status in ('draft', 'active') then e.next_on::text end`.as('nextOn'),
      sql<string | null>`case when e.status in ('draft', 'active') then e.due_on::text end`.as('dueOn'),
    ])

/** The day it is where the series' business is. */
const ownDay = (now: Date) => sql<string>`(${now}::timestamptz at time zone
  (select b.time_zone from businesses b where b.guid = e.business_guid))::date`

const cyclesJson = (now: Date) => sql<
  Series['cycles']
>`(select coalesce(json_agg(json_build_object('n', c.n, 'on', c.cycle_on, 'madeAt', c.made_at, 'reason', c.reason,
  'quote', case when q.guid is not null then json_build_object('guid', q.guid, 'label', coalesce(q.number, q.title),
  'displayStatus', ${displayStatusOf('Quotes', 'q', ownDay(now))}, 'totalCents', q.total_cents) end)
  order by c.n desc), '[]'::json)
  from (select * from series_cycles where series_guid = e.guid order by n desc limit 50) c
  left join quotes q on q.guid = c.quote_guid)`
const risesJson = sql<
  Series['rises']
>`(select coalesce(json_agg(json_build_object('guid', r.guid, 'riseGuid', r.rise_guid, 'fromOn', r.from_on, 'bp', r.bp,
  'stepCents', r.step_cents, 'excludedGuids', r.excluded_guids, 'beforeCents', r.before_cents, 'afterCents',
  r.after_cents, 'createdAt', r.created_at, 'undoneAt', r.undone_at,
  'isUsed', r.undone_at is null and coalesce(e.made_on >= r.from_on, false))
  order by r.from_on desc, r.created_at desc), '[]'::json) from series_rises r where r.series_guid = e.guid)`
const loggedJson = sql<readonly number[]>`array(select c.n from series_cycles c
  where c.series_guid = e.guid and c.n >= e.next_n)`

/** One series with all that its page shows, in one statement. */
export const findSeries = (ctx: Ctx, guid: string) =>
  visibleSeries(ctx)
    .selectAll('e')
    .select([
      ...partiesOf('e'),
      jobTypeOf('e'),
      cyclesJson(ctx.now).as('cycles'),
      sql<number>`(select count(*)::int from series_cycles c where c.series_guid = e.guid)`.as('cycleCount'),
      risesJson.as('rises'),
      loggedJson.as('logged'),
    ])
    .where('e.guid', '=', guid)
    .executeTakeFirst()
export type FoundSeries = NonNullable<Awaited<ReturnType<typeof findSeries>>>

/** Locks a series. Where there are several they are locked in the order of their guids. */
export const rowForUpdate = (db: Db, guid: string) =>
  db.selectFrom('quoteSeries as e').selectAll('e').where('e.guid', '=', guid).forUpdate('e').executeTakeFirst()

/** The same for those who may not know of every series. */
export const visibleRowForUpdate = (ctx: Ctx, guid: string) =>
  visibleSeries(ctx).selectAll('e').where('e.guid', '=', guid).forUpdate('e').executeTakeFirst()

/** The cycles from the first open one on that something is written of. */
export const findLogged = async (db: Db, { guid, nextN }: { guid: string; nextN: number }): Promise<Set<number>> => {
  const rows = await db
    .selectFrom('seriesCycles')
    .select('n')
    .where('seriesGuid', '=', guid)
    .where('n', '>=', nextN)
    .execute()
  return new Set(rows.map(({ n }) => n))
}

/** Rises that were not undone and hold for a day but not for the last one a quote was made of, in their order. */
export function findRises(db: Db, { guid, madeOn }: { guid: string; madeOn: string | null }, until: string) {
  const rises = db
    .selectFrom('seriesRises')
    .selectAll()
    .where('seriesGuid', '=', guid)
    .where('undoneAt', 'is', null)
    .where('fromOn', '<=', until)
    .orderBy('fromOn')
  return (madeOn === null ? rises : rises.where('fromOn', '>', madeOn)).execute()
}

/** The lines of a quote as its rows hold them. */
export const findQuoteLines = (db: Db, quoteGuid: string) =>
  db.selectFrom('quoteLines').selectAll().where('quoteGuid', '=', quoteGuid).orderBy('position').execute()

export const findQuote = (db: Db, guid: string) =>
  db
    .selectFrom('quotes')
    .select(['guid', 'version', 'number', 'title', 'subtotalCents', 'discountCents', 'gstCents', 'totalCents'])
    .select('optionalTotalCents')
    .where('guid', '=', guid)
    .executeTakeFirstOrThrow()

export interface DueMark {
  dueOn: string
  guid: string
}
/** Series that are due where their business is, and those that would be if they did not rest; in one order. */
export async function findDue(db: Db, now: Date, after: DueMark | null, limit: number) {
  const { rows } = await sql<
    DueRow & { today: string; customerName: string }
  >`select e.guid, e.business_guid, e.title, e.status, e.every_n, e.every_unit, e.anchor_on, e.anchor_n,
    e.lead_days, e.ends, e.next_n, e.catch_up, e.due_on, ${loggedJson} as logged,
    (${now}::timestamptz at time zone b.time_zone)::date::text as today,
    (select c.display_name from parties c where c.member_guid = e.customer_guid) as customer_name
    from quote_series e join businesses b on b.guid = e.business_guid
    where e.status in ('active', 'paused') and e.due_on is not null
    and e.due_on <= (${now}::timestamptz at time zone b.time_zone)::date
    ${after ? sql`and (e.due_on, e.guid) > (${after.dueOn}::date, ${after.guid}::uuid)` : sql``}
    order by e.due_on, e.guid limit ${limit + 1}`.execute(db)
  return { rows: rows.slice(0, limit), isPartial: rows.length > limit }
}
interface DueRow {
  guid: string
  businessGuid: string
  title: string
  status: Series['status']
  everyN: number
  everyUnit: Series['every']['unit']
  anchorOn: string
  anchorN: number
  leadDays: number
  ends: Series['ends']
  nextN: number
  catchUp: number
  dueOn: string
  logged: readonly number[]
}
