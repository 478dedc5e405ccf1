import { type RawBuilder, sql, type Selectable } from 'kysely'
import type { z } from 'zod'
import type { Ask } from '../../contract/negotiation.ts'
import type { Quote, quotesApi } from '../../contract/quotes.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { inFamily } from '../core/family.ts'
import { applyRows } from '../core/db/rows.ts'
import { dayIn, dayStart, guidsOf, isIn, type Reach } from '../core/reach.ts'
import { archivedIf } from '../core/records.ts'
import { addedTotals, areAll, figureCount, figuresOf, keptTotals } from '../core/figures.ts'
import type { Quotes } from '../core/db/schema-business.ts'
import { displayStatusOf, keptStatusOf } from '../documents/statuses.service.ts'
import { customerName, jobTypeName, jobTypeOf, partiesOf } from '../documents/parties.service.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'
import { tagsOf } from '../tags/tags.service.ts'
import { linesJson, type LineRow } from '../documents/lines.service.ts'
import { linkOf } from '../service-links/service-links.service.ts'
import { maySeeMargins, withMargin } from './margin.ts'

export type QuoteRow = Omit<Selectable<Quotes>, 'snapshot' | 'baseStatus' | 'searchText' | 'answeredAt'>

/** Everything but the snapshot, which is large and read by documents alone, and what follows from the rest. */
const columns = [
  ...([
    'q.guid',
    'q.version',
    'q.createdAt',
    'q.createdBy',
    'q.updatedAt',
    'q.updatedBy',
    'q.archivedAt',
    'q.businessGuid',
    'q.customerGuid',
    'q.contactGuid',
    'q.siteGuid',
    'q.ownerGuid',
  ] as const),
  ...([
    'q.number',
    'q.revision',
    'q.rootGuid',
    'q.previousRevisionGuid',
    'q.title',
    'q.jobTypeGuid',
    'q.status',
    'q.priceMode',
    'q.roundingRule',
    'q.discount',
    'q.validUntil',
    'q.depositRule',
    'q.schedule',
    'q.intro',
    'q.terms',
    'q.internalNotes',
  ] as const),
  ...([
    'q.subtotalCents',
    'q.discountCents',
    'q.gstCents',
    'q.totalCents',
    'q.optionalTotalCents',
    'q.marginCents',
    'q.marginBp',
    'q.snapshotSha256',
    'q.sentAt',
    'q.firstViewedAt',
    'q.lastViewedAt',
    'q.viewCount',
  ] as const),
  ...(['q.acceptance', 'q.decline', 'q.competitor', 'q.changeRequest', 'q.cancelReason'] as const),
] as const

/** The quotes the caller may know of. Whoever does the order's work is assigned to its quote, too. */
export const visibleQuotes = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('quotes as q'), rowColumns(ctx, 'Quotes', 'q'))

type QuoteItem = z.output<typeof quotesApi.list.response>['items'][number]
export type QuoteFilters = z.output<typeof quotesApi.list.query>

/** The quotes of a list by what indexes begin with, beside their business. */
export function foundQuotes(ctx: Ctx, { archived }: QuoteFilters) {
  return visibleQuotes(ctx).where(archivedIf('q', archived))
}

/** By what else they are narrowed. */
export function quotesWithin(
  { customerGuid, requests, margin, 'createdOn.gte': from, 'createdOn.lte': to }: QuoteFilters,
  timeZone: RawBuilder<string>,
): RawBuilder<boolean>[] {
  return [
    ...(customerGuid ? [inFamily('q', customerGuid)] : []),
    ...(requests ? [hasOpenAsks] : []),
    ...(margin ? [withMargin(margin)] : []),
    ...(from ? [sql<boolean>`q.created_at >= ${dayStart(from, timeZone)}`] : []),
    ...(to ? [sql<boolean>`q.created_at < ${dayStart(to, timeZone, 1)}`] : []),
  ]
}

/** What a list shows of each. */
export const listedQuotes = (ctx: Ctx, today: RawBuilder<string>) =>
  ctx.db
    .selectFrom('quotes as q')
    .select([
      'q.guid',
      'q.businessGuid',
      'q.version',
      'q.number',
      'q.revision',
      'q.title',
      displayStatusOf('Quotes', 'q', today).as('displayStatus'),
      'q.customerGuid',
      customerName('q'),
      jobTypeName('q'),
      'q.validUntil',
      'q.totalCents',
      maySeeMargins(ctx) ? sql<number | null>`q.margin_bp`.as('marginBp') : sql<null>`null::bigint`.as('marginBp'),
      openAsks.as('openAsks'),
      ownerName.as('ownerName'),
      lostReason.as('lostReason'),
      'q.sentAt',
      'q.createdAt',
      'q.archivedAt',
      tagsOf('Quotes', 'q').as('tags'),
    ])

/** Count and amount per display status, the same rows as a list by that status. */
export const countByStatus = (ctx: Ctx, reach: Reach) =>
  areAll(guidsOf(reach), ctx) ? keptByStatus(ctx.db, reach) : addedByStatus(ctx, reach)

/** Only what waits for an answer has a day. */
const keptByStatus = (db: Db, reach: Reach) =>
  figuresOf(db, guidsOf(reach), 'quotes')
    .select([keptStatusOf('Quotes', dayIn(reach, 'businessGuid')).as('status'), ...keptTotals])
    .groupBy(sql`1`)
    .having(figureCount, '<>', 0)
    .execute()

const addedByStatus = (ctx: Ctx, reach: Reach) =>
  foundQuotes(ctx, {})
    .where(isIn(reach, 'q.businessGuid'))
    .select([
      sql<string>`${displayStatusOf('Quotes', 'q', dayIn(reach, 'q.businessGuid'))}`.as('status'),
      ...addedTotals(sql.ref('q.totalCents')),
    ])
    .groupBy(sql`1`)
    .execute()

const orderJson = sql<{
  guid: string
  label: string
} | null>`(select json_build_object('guid', o.guid, 'label', o.number) from orders o where o.quote_guid = q.guid)`
const seriesJson = sql<{
  guid: string
  label: string
} | null>`(select json_build_object('guid', s.guid, 'label', s.title)
  from series_cycles c join quote_series s on s.guid = c.series_guid where c.quote_guid = q.guid)`
const requestJson = sql<{
  guid: string
  label: string
} | null>`(select json_build_object('guid', r.guid, 'label', r.reference)
  from requests r where r.quote_guid = q.root_guid)`
const messagesJson = sql<
  Quote['related']['messages']
>`(select coalesce(json_agg(json_build_object('guid', m.guid, 'label', m.subject, 'status', m.status)
  order by m.created_at desc), '[]'::json)
  from (select * from messages where owner_type = 'quote' and owner_guid = q.guid order by created_at desc limit 20) m)`
const invoicesJson = (today: RawBuilder<string>) => sql<
  Quote['related']['invoices']
>`(select coalesce(json_agg(json_build_object('guid', i.guid, 'label', coalesce(i.number, i.title), 'displayStatus',
  ${displayStatusOf('Invoices', 'i', today)}, 'totalCents', i.total_cents) order by i.created_at), '[]'::json)
  from invoices i where (i.quote_guid = q.guid or i.order_guid = (select o.guid from orders o
  where o.quote_guid = q.guid)) and i.archived_at is null)`
const revisionsJson = (today: RawBuilder<string>) => sql<
  Quote['related']['revisions']
>`(select coalesce(json_agg(json_build_object('guid', r.guid, 'label', concat(r.number, ' R' || nullif(r.revision, 0)),
  'displayStatus', ${displayStatusOf('Quotes', 'r', today)}, 'totalCents', r.total_cents)
  order by r.revision), '[]'::json)
  from quotes r where r.business_guid = q.business_guid and r.number = q.number and r.guid <> q.guid
  and (r.archived_at is null or r.guid = q.previous_revision_guid))`
/** What customers asked of a quote and of the revisions before it, the oldest first. */
export const asksOf = (quote: string) => sql<Ask[]>`(select coalesce(json_agg(json_build_object('guid', a.guid,
  'revision', r.revision, 'lineGuid', a.line_guid, 'originLineGuid', coalesce(l.origin_line_guid, l.guid),
  'lineName', l.name, 'kind', a.kind, 'text', a.body, 'quantity', trim_scale(a.quantity)::text,
  'effectCents', a.effect_cents, 'at', a.asked_at, 'answer', case when w.ask_guid is not null then
    json_build_object('outcome', w.outcome, 'text', w.body, 'quantity', trim_scale(w.quantity)::text,
    'unitPriceCents', w.unit_price_cents, 'by', (select coalesce(nullif(u.name, ''), u.auth_id) from users u
      where u.guid = w.answered_by), 'at', w.answered_at) end)
      order by a.asked_at, l.position nulls first, a.guid), '[]'::json)
  from quotes r join quote_asks a on a.quote_guid = r.guid left join quote_lines l on l.guid = a.line_guid
  left join quote_answers w on w.ask_guid = a.guid
  where r.root_guid = ${sql.ref(`${quote}.rootGuid`)} and r.revision <= ${sql.ref(`${quote}.revision`)})`
/** Who looks after it. */
const ownerName = sql<string | null>`(select coalesce(nullif(u.name, ''), u.auth_id) from users u
  where u.guid = q.owner_guid)`
const lostReason = sql<QuoteItem['lostReason']>`q.decline ->> 'reasonCode'`
/** How many of them nobody has answered, of this revision; while somebody waits for an answer. */
const openAsks = sql<number>`(select count(*)::int from quote_asks a where a.quote_guid = q.guid
  and q.status in ('sent', 'changes_requested')
  and not exists (select from quote_answers w where w.ask_guid = a.guid))`
/** The same as a condition, which begins with those that nobody has answered. */
const hasOpenAsks = sql<boolean>`q.status in ('sent', 'changes_requested') and q.guid in (select a.quote_guid
  from quote_asks a where not exists (select from quote_answers w where w.ask_guid = a.guid))`
const nextRevision = sql<
  string | null
>`(select n.guid from quotes n where n.previous_revision_guid = q.guid and n.status <> 'cancelled'
  and n.archived_at is null)`

/** The day it is where the quote's business is, whatever business the call is for. */
const ownDay = (now: Date) => sql<string>`(${now}::timestamptz at time zone
  (select b.time_zone from businesses b where b.guid = q.business_guid))`

/** One quote with all that its preview shows, in one statement. */
export function findQuote(ctx: Ctx, guid: string) {
  const today = ownDay(ctx.now)
  return visibleQuotes(ctx)
    .select(columns)
    .select([
      displayStatusOf('Quotes', 'q', today).as('displayStatus'),
      ...partiesOf('q'),
      linesJson('quote_lines', 'q.guid').as('lines'),
      linkOf('quote', 'q.guid').as('serviceGuid'),
      nextRevision.as('nextRevisionGuid'),
      tagsOf('Quotes', 'q').as('tags'),
      jobTypeOf('q'),
      asksOf('q').as('asks'),
      orderJson.as('order'),
      requestJson.as('request'),
      seriesJson.as('series'),
      invoicesJson(today).as('invoices'),
      messagesJson.as('messages'),
      revisionsJson(today).as('revisions'),
    ])
    .where('q.guid', '=', guid)
    .executeTakeFirst()
}
export type FoundQuote = NonNullable<Awaited<ReturnType<typeof findQuote>>>

/** Locks a quote. It comes before its order and its invoices wherever more than one is locked. */
export const rowForUpdate = (db: Db, guid: string): Promise<QuoteRow | undefined> =>
  db.selectFrom('quotes as q').select(columns).where('q.guid', '=', guid).forUpdate('q').executeTakeFirst()

/** The same for those who may not know of every quote. */
export const visibleRowForUpdate = (ctx: Ctx, guid: string): Promise<QuoteRow | undefined> =>
  visibleQuotes(ctx).select(columns).where('q.guid', '=', guid).forUpdate('q').executeTakeFirst()

export const findLines = (db: Db, quoteGuid: string) =>
  db.selectFrom('quoteLines').selectAll().where('quoteGuid', '=', quoteGuid).orderBy('position').execute()

export const findNextRevision = (db: Db, guid: string) =>
  db
    .selectFrom('quotes')
    .select('guid')
    .where('previousRevisionGuid', '=', guid)
    .where('status', '<>', 'cancelled')
    .where('archivedAt', 'is', null)
    .executeTakeFirst()

/** Puts these lines in the place of those a draft has; one that stays is still of the line it came from. */
export async function replaceLines(
  db: Db,
  quoteGuid: string,
  rows: readonly (LineRow & { originLineGuid?: string | null })[],
) {
  const before = await db
    .deleteFrom('quoteLines')
    .where('quoteGuid', '=', quoteGuid)
    .returning(['guid', 'originLineGuid'])
    .execute()
  const origins = new Map(before.map((line) => [line.guid, line.originLineGuid]))
  const originOf = (row: (typeof rows)[number]) => row.originLineGuid ?? origins.get(row.guid) ?? null
  if (rows.length > 0)
    await db
      .insertInto('quoteLines')
      .values(rows.map((row) => ({ ...row, quoteGuid, originLineGuid: originOf(row) })))
      .execute()
}

export interface LineChoice {
  guid: string
  isSelected: boolean
  netCents: number
  gstCents: number
  totalCents: number
}

/** Writes what was chosen and what it comes to, for all lines at once. */
export const saveChoices = (db: Db, quoteGuid: string, lines: readonly LineChoice[]) =>
  sql`update quote_lines l set is_selected = v.is_selected, net_cents = v.net_cents, gst_cents = v.gst_cents,
    total_cents = v.total_cents
    from unnest(${lines.map((l) => l.guid)}::uuid[], ${lines.map((l) => l.isSelected)}::boolean[],
    ${lines.map((l) => l.netCents)}::bigint[], ${lines.map((l) => l.gstCents)}::bigint[],
    ${lines.map((l) => l.totalCents)}::bigint[])
      as v(guid, is_selected, net_cents, gst_cents, total_cents)
    where l.guid = v.guid and l.quote_guid = ${quoteGuid}::uuid`.execute(db)

export const findMessageGuids = (db: Db, quoteGuid: string) =>
  db
    .selectFrom('messages')
    .select('guid')
    .where('ownerType', '=', 'quote')
    .where('ownerGuid', '=', quoteGuid)
    .orderBy('createdAt', 'desc')
    .limit(50)
    .execute()
