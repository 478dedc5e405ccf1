import { type RawBuilder, sql } from 'kysely'
import { owingInvoiceStatuses } from '../../contract/invoices.ts'
import { accounts } from '../../contract/ledger.ts'
import { waitingQuoteStatuses } from '../../contract/quotes.ts'
import type { Db } from '../core/ctx.ts'
import { figureCents, figureCount, figuresOf, keptTotals } from '../core/figures.ts'
import { dayIn, type Reach } from '../core/reach.ts'
import { keptStatusOf } from '../documents/statuses.service.ts'

/**
 * The board of whoever may see all rows, from the sums that are kept: what it costs depends on days, not on records.
 */

export interface Board {
  reach: Reach
  /** The businesses of the sums. */
  guids: readonly string[]
  /** The day of the window's business: its months, its week. */
  today: string
}
export interface DaySum {
  day: string
  cents: number
}
export interface Week {
  from: string
  to: string
}

export const byDay = (
  db: Db,
  { guids }: Board,
  measure: 'issued' | 'received' | 'refunded',
  from: string,
): Promise<(DaySum & { gstCents: number })[]> =>
  figuresOf(db, guids, measure)
    .where('day', '>=', from)
    .select(['day', figureCents.as('cents'), sql<number>`sum(gst_cents)::bigint`.as('gstCents')])
    .groupBy('day')
    .execute()

/** What the account of GST collected was credited with: 1A less 1B of the activity statement, on either basis. */
export const gstByBusiness = (db: Db, { guids }: Board, from: string) =>
  figuresOf(db, guids, 'account')
    .where('stream', '=', accounts.gstCollected)
    .where('day', '>=', from)
    .select(['businessGuid', sql<number>`-sum(cents)::bigint`.as('gstCents')])
    .groupBy('businessGuid')
    .execute()

export const buckets = ['current', 'd1_30', 'd31_60', 'd61_90', 'd90_plus'] as const
export type Bucket = (typeof buckets)[number]
export interface Age {
  bucket: Bucket
  count: number
  cents: number
}

/** How long ago something was due; without a day it is not. */
export function bucketOf(dueOn: RawBuilder<unknown>, today: RawBuilder<string>): RawBuilder<Bucket> {
  const before = (days: number) => sql`${dueOn} >= ${today}::date - ${sql.lit(days)}`
  return sql<Bucket>`case when ${dueOn} is null or ${before(0)} then 'current' when ${before(30)} then 'd1_30'
    when ${before(60)} then 'd31_60' when ${before(90)} then 'd61_90' else 'd90_plus' end`
}

export const owingByAge = (db: Db, { guids, reach }: Board): Promise<Age[]> =>
  figuresOf(db, guids, 'invoices')
    .where('stream', 'in', owingInvoiceStatuses)
    .select([
      bucketOf(sql`day`, dayIn(reach, 'businessGuid')).as('bucket'),
      figureCount.as('count'),
      figureCents.as('cents'),
    ])
    .groupBy(sql`1`)
    .execute()

export const quotesByStatus = (db: Db, { guids, reach }: Board) =>
  figuresOf(db, guids, 'quotes')
    .select([keptStatusOf('Quotes', dayIn(reach, 'businessGuid')).as('status'), ...keptTotals])
    .groupBy(sql`1`)
    .having(figureCount, '<>', 0)
    .execute()

export async function decisionsSince(db: Db, { guids }: Board, day: string) {
  const decided = (measure: 'accepted' | 'declined') =>
    figuresOf(db, guids, measure).where('day', '>=', day).select(figureCount.as('n')).executeTakeFirstOrThrow()
  return { accepted: (await decided('accepted')).n, declined: (await decided('declined')).n }
}

export const expiring = (db: Db, { guids, today }: Board, until: string) =>
  figuresOf(db, guids, 'quotes')
    .where('stream', 'in', waitingQuoteStatuses)
    .where('day', '>=', today)
    .where('day', '<=', until)
    .select([figureCount.as('count'), figureCents.as('cents')])
    .executeTakeFirstOrThrow()

export const openWork = ['pending_confirmation', 'confirmed', 'in_progress', 'on_hold'] as const

export const scheduledWork = (db: Db, { guids, today }: Board, week: Week) =>
  figuresOf(db, guids, 'orders')
    .where('stream', 'in', openWork)
    .select([
      sql<number>`coalesce(sum(count) filter (where day = ${today}::date), 0)::int`.as('today'),
      sql<number>`coalesce(sum(count) filter (where day between ${week.from}::date and ${week.to}::date), 0)::int`.as(
        'thisWeek',
      ),
      sql<number>`coalesce(sum(count) filter (where day = 'infinity'), 0)::int`.as('unscheduled'),
    ])
    .executeTakeFirstOrThrow()

export const toInvoice = (db: Db, { guids }: Board) =>
  figuresOf(db, guids, 'to_invoice')
    .select([figureCount.as('count'), figureCents.as('cents')])
    .executeTakeFirstOrThrow()

export const sentSince = (db: Db, { guids }: Board, day: string) =>
  figuresOf(db, guids, 'messages')
    .where('stream', '=', 'sent')
    .where('day', '>=', day)
    .select(figureCount.as('n'))
    .executeTakeFirstOrThrow()
