import { type RawBuilder, sql } from 'kysely'
import { ofNone, type OutcomeGroup } from '../../contract/outcome.ts'
import { waitingQuoteStatuses, type quotesApi } from '../../contract/quotes.ts'
import type { z } from 'zod'
import type { Ctx } from '../core/ctx.ts'
import { keeperOf } from '../core/family.ts'
import { dayIn, dayStart, isIn, type Reach, zoneIn } from '../core/reach.ts'
import { archivedIf } from '../core/records.ts'
import { visibleQuotes, type QuoteFilters } from './quotes.queries.ts'

/*
 * What became of quotes: of each its newest sent revision counts. The report and the list narrowed by the same words
 * ask by the same conditions, so that they show the same rows.
 */

const isNewestSent = sql<boolean>`(q.sent_at is not null and not exists (select from quotes n
  where n.root_guid = q.root_guid and n.revision > q.revision and n.sent_at is not null))`
const isWon = sql<boolean>`(q.base_status in ('accepted', 'converted'))`
const waiting = sql.join(waitingQuoteStatuses.map((status) => sql.lit(status)))
const ranOut = (today: RawBuilder<string>) =>
  sql<boolean>`(q.base_status in (${waiting}) and q.valid_until < ${today}::date)`
const isLost = (today: RawBuilder<string>) => sql<boolean>`(q.base_status = 'declined' or ${ranOut(today)})`
const reason = sql<string>`case when q.base_status = 'declined' then q.decline ->> 'reasonCode' else 'expired' end`

interface Days {
  from?: string | undefined
  to?: string | undefined
}

/** Those answered on these days. One that ran out is so from the day after its last. Each half has an index. */
function answeredOn({ from, to }: Days, zone: RawBuilder<string>, today: RawBuilder<string>): RawBuilder<boolean> {
  const answered = [
    sql<boolean>`q.answered_at is not null`,
    ...(from ? [sql<boolean>`q.answered_at >= ${dayStart(from, zone)}`] : []),
    ...(to ? [sql<boolean>`q.answered_at < ${dayStart(to, zone, 1)}`] : []),
  ]
  const late = [
    ranOut(today),
    ...(from ? [sql<boolean>`q.valid_until >= ${from}::date - 1`] : []),
    ...(to ? [sql<boolean>`q.valid_until < ${to}::date`] : []),
  ]
  return sql<boolean>`((${sql.join(answered, sql` and `)}) or (${sql.join(late, sql` and `)}))`
}

const isCounted = sql`(not l.is_optional and coalesce(l.alternative_group, '') = '' or l.is_selected)
  and l.kind not in ('section', 'text', 'bundle')`

/** Whether a column names this one; `none` are those that name none. */
const names = (column: string, wanted: string | undefined): RawBuilder<boolean>[] => {
  if (wanted === undefined) return []
  const ref = sql.ref(column)
  return [wanted === ofNone ? sql<boolean>`${ref} is null` : sql<boolean>`${ref} = ${wanted}::uuid`]
}

/** Declined for one of these reasons; one of them may be that nobody answered in time. */
function lostBecause(reasons: string | undefined, today: RawBuilder<string>): RawBuilder<boolean>[] {
  if (reasons === undefined) return []
  const wanted = reasons.split(',')
  const declined = sql<boolean>`q.decline ->> 'reasonCode' = any(${wanted}::text[])`
  return [wanted.includes('expired') ? sql<boolean>`(${declined} or ${ranOut(today)})` : declined]
}

/** The quotes of a list by what became of them, and by whose they are. */
export function quotesByOutcome(input: QuoteFilters, reach: Reach): RawBuilder<boolean>[] {
  const [zone, today] = [zoneIn(reach, 'q.businessGuid'), dayIn(reach, 'q.businessGuid')]
  const days = { from: input['answeredOn.gte'], to: input['answeredOn.lte'] }
  const hasDays = days.from !== undefined || days.to !== undefined
  const { outcome, streamGuid } = input
  const lines = names('l.revenueStreamGuid', streamGuid)
  return [
    ...(hasDays || outcome ? [isNewestSent] : []),
    ...(hasDays ? [answeredOn(days, zone, today)] : []),
    ...(outcome ? [outcome === 'won' ? isWon : isLost(today)] : []),
    ...lostBecause(input.lostReason, today),
    ...names('q.ownerGuid', input.ownerGuid),
    ...names('q.jobTypeGuid', input.jobTypeGuid),
    ...lines.map(
      (are) => sql<boolean>`exists (select from quote_lines l where l.quote_guid = q.guid and ${isCounted} and ${are})`,
    ),
  ]
}

type Asked = z.output<typeof quotesApi.outcome.query>

/** What a quote is added up by, and the name of that. */
const groups = (zone: RawBuilder<string>): Record<OutcomeGroup, { key: RawBuilder<string>; label: string | null }> => ({
  owner: {
    key: sql`q.owner_guid::text`,
    label: `select coalesce(nullif(u.name, ''), u.auth_id) from users u where u.guid`,
  },
  customer: {
    key: sql`${keeperOf(sql.ref('q.customerGuid'))}::text`,
    label: `select c.display_name from customers c where c.guid`,
  },
  stream: { key: sql`s.stream::text`, label: `select r.name from revenue_streams r where r.guid` },
  jobType: { key: sql`q.job_type_guid::text`, label: `select j.name from job_types j where j.guid` },
  reason: { key: sql`case when not ${isWon} then ${reason} end`, label: null },
  month: {
    key: sql`to_char(coalesce((q.answered_at at time zone ${zone})::date, q.valid_until + 1), 'YYYY-MM')`,
    label: null,
  },
})

/** So many rows are shown: those with the most quotes. */
export const maxOutcomeRows = 500

/** Won and lost by what is asked for, the whole first, in one statement. */
export async function findOutcome(ctx: Ctx, reach: Reach, { from, to, by }: Asked) {
  const [zone, today] = [zoneIn(reach, 'q.businessGuid'), dayIn(reach, 'q.businessGuid')]
  const { key, label } = groups(zone)[by]
  const perStream = sql<{ stream: string | null; cents: number }>`(select l.revenue_stream_guid as stream,
    sum(l.total_cents)::bigint as cents from quote_lines l where l.quote_guid = q.guid and ${isCounted} group by 1)`
  const ofQuotes = visibleQuotes(ctx)
    .where(archivedIf('q', undefined))
    .where(isIn(reach, 'q.businessGuid'))
    .where(answeredOn({ from, to }, zone, today))
    .where(isNewestSent)
  const answered =
    by === 'stream'
      ? ofQuotes
          .innerJoinLateral(perStream.as('s'), (join) => join.onTrue())
          .select(['q.guid', key.as('key'), isWon.as('isWon'), 's.cents'])
      : ofQuotes.select(['q.guid', key.as('key'), isWon.as('isWon'), 'q.totalCents as cents'])
  const name = label === null ? sql`null::text` : sql`(${sql.raw(label)} = a.key::uuid)`
  const { rows } = await sql<{
    isTotal: boolean
    key: string | null
    label: string | null
    won: number
    lost: number
    wonCents: number
    lostCents: number
    rateBp: number | null
  }>`with answered as materialized (${answered}), added as (
    select grouping(key) = 1 as is_total, key,
      count(distinct guid) filter (where is_won)::int as won,
      count(distinct guid) filter (where not is_won)::int as lost,
      coalesce(sum(cents) filter (where is_won), 0)::bigint as won_cents,
      coalesce(sum(cents) filter (where not is_won), 0)::bigint as lost_cents
    from answered group by grouping sets ((key), ()))
    select a.*, ${name} as label, round(10000.0 * won / nullif(won + lost, 0))::int as rate_bp
    from added a order by is_total desc, ${by === 'month' ? sql`key` : sql`won + lost desc, lost desc, key`}
    limit ${maxOutcomeRows + 3}`.execute(ctx.db)
  return rows
}
