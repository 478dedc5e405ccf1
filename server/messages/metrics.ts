import { sql } from 'kysely'
import { addDays, endOfMonth, weekOf } from '../../contract/core/dates.ts'
import type { Input } from '../../contract/core/op.ts'
import {
  lostStatuses,
  type MessageCount,
  messageCounts,
  type MessageFigures,
  type MessageMetrics,
  type messageMetricsApi,
  waitingStatuses,
} from '../../contract/message-metrics.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { isIn, type Reach, reachOf } from '../core/reach.ts'
import { countedDay, countedWithin } from './counted.ts'
import { foundMessages } from './messages.queries.ts'

type Api = typeof messageMetricsApi

interface Days {
  from: string
  to: string
}

const daysOf = ({ from, to }: Days): Days[] =>
  from > to ? [] : [{ from, to: from }, ...daysOf({ from: addDays(from, 1), to })]

/** The weeks of a month, of the first and the last one only what is in it. */
function weeksOf({ from, to }: Days): Days[] {
  if (from > to) return []
  const sunday = weekOf(from).to
  const until = sunday < to ? sunday : to
  return [{ from, to: until }, ...weeksOf({ from: addDays(until, 1), to })]
}

/** What a list shows unless tests are asked for: nothing of them is counted. */
const countable = (ctx: Ctx, reach: Reach) =>
  foundMessages(ctx).where(isIn(reach, 'm.businessGuid')).where('m.isTest', '=', false)

/** How many of each kind there are on each day. */
async function countByDay(ctx: Ctx, reach: Reach, { from, to }: Days) {
  const [first, ...others] = messageCounts.map((counted) => {
    const day = countedDay(reach, counted)
    return countedWithin(reach, { counted, 'countedOn.gte': from, 'countedOn.lte': to })
      .reduce((query, one) => query.where(one), countable(ctx, reach))
      .select([sql<MessageCount>`${counted}::text`.as('counted'), day.as('day'), sql<number>`count(*)::int`.as('n')])
      .groupBy(sql`2`)
  })
  if (!first) return []
  return others.reduce((query, one) => query.unionAll(one), first).execute()
}

const none = (): MessageFigures => ({ sent: 0, failed: 0, bounced: 0, received: 0, opened: 0 })

async function metricsOf(ctx: Ctx, reach: Reach, whole: Days, spans: readonly Days[]): Promise<MessageMetrics> {
  const rows = await countByDay(ctx, reach, whole)
  const sum = ({ from, to }: Days) => {
    const figures = none()
    for (const { counted, day, n } of rows) if (day >= from && day <= to) figures[counted] += n
    return figures
  }
  return { buckets: spans.map((span) => ({ ...span, ...sum(span) })), totals: sum(whole) }
}

async function weekly(ctx: Ctx, input: Input<Api['weekly']>) {
  const reach = await reachOf(ctx, input)
  const week = weekOf(input.on ?? reach[0].today)
  return metricsOf(ctx, reach, week, daysOf(week))
}

async function monthly(ctx: Ctx, input: Input<Api['monthly']>) {
  const reach = await reachOf(ctx, input)
  const on = input.on ?? reach[0].today
  const from = `${on.slice(0, 8)}01`
  const month = { from, to: endOfMonth(from) }
  return metricsOf(ctx, reach, month, weeksOf(month))
}

async function standing(ctx: Ctx, input: Input<Api['standing']>) {
  const reach = await reachOf(ctx, input)
  const week = weekOf(reach[0].today)
  const count = async (...conditions: Parameters<typeof sql.join>[0][number][]) => {
    const { n } = await countable(ctx, reach)
      .where(sql<boolean>`(${sql.join(conditions, sql` and `)})`)
      .select(sql<number>`count(*)::int`.as('n'))
      .executeTakeFirstOrThrow()
    return n
  }
  return {
    waiting: await count(sql`m.status = any(${[...waitingStatuses]}::text[])`),
    sentThisWeek: await count(
      ...countedWithin(reach, { counted: 'sent', 'countedOn.gte': week.from, 'countedOn.lte': week.to }),
    ),
    failed: await count(sql`m.status = any(${[...lostStatuses]}::text[])`),
    unmatched: await count(sql`m.filing = 'unmatched'`),
    week,
  }
}

export const messageMetrics: Handlers<Api> = { weekly, monthly, standing }
