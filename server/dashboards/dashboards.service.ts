import { addDays, addMonths, weekOf } from '../../contract/core/dates.ts'
import type { dashboardsApi } from '../../contract/dashboards.ts'
import type { Returned } from '../../contract/core/op.ts'
import { fillInstalments } from '../../contract/instalments.ts'
import { type Ageing, bucketOf } from '../../contract/statements.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { dayOfRow, entitiesOf, guidsOf, namesIn, reachOf } from '../core/reach.ts'
import { activity } from './activity.ts'
import {
  decisionsSince,
  expiring,
  gstByBusiness,
  issuedByDay,
  messageCounts,
  owedInParts,
  owingByAge,
  quotesByStatus,
  receivedByDay,
  refundedByDay,
  scheduledWork,
  toInvoice,
  upcoming,
} from './dashboards.queries.ts'
import { type Board, type Bucket, buckets, type DaySum } from './kept.queries.ts'

type Dashboard = Returned<(typeof dashboardsApi)['ecommerce']>

const monthsShown = 12
const decisionDays = 90
/** The longest a quote can be valid. */
const longestValidity = 365
const soonDays = 7

export const dashboards: Handlers<typeof dashboardsApi> = {
  ecommerce: async (ctx, input) => {
    const reach = await reachOf(ctx, input)
    const board: Board = { reach, guids: guidsOf(reach), today: dayOfRow(reach, ctx.business.guid) }
    const week = weekOf(board.today)
    // One after the other: a board must not take the connections of those who work.
    return {
      today: board.today,
      ...(await moneyOf(ctx, board)),
      quotes: await quotesOf(ctx, board),
      work: await workOf(ctx, board, week),
      messages: await messageCounts(ctx, board, week.from),
      activity: await activity(ctx, reach),
      at: ctx.now.toISOString(),
    }
  },
}

async function moneyOf(
  ctx: Ctx,
  board: Board,
): Promise<Pick<Dashboard, 'money' | 'gstByEntity' | 'ageing' | 'months'>> {
  const firstOfMonth = `${board.today.slice(0, 8)}01`
  const from = addMonths(firstOfMonth, 1 - monthsShown)
  const issuedDays = await issuedByDay(ctx, board, from)
  const issued = byMonth(issuedDays)
  const collected = byMonth(await receivedByDay(ctx, board, from), await refundedByDay(ctx, board, from))
  const quarter = quarterStart(board.today)
  const gst = await gstOf(ctx, board, quarter)
  const months = Array.from({ length: monthsShown }, (_, i) => addMonths(from, i).slice(0, 7))
  const ageing = await ageingOf(ctx, board)
  const [now = '', before = ''] = [months.at(-1), months.at(-2)]
  const owing = ageing.reduce((sum, { cents }) => sum + cents, 0)
  return {
    money: {
      issuedCents: issued.get(now) ?? 0,
      issuedBeforeCents: issued.get(before) ?? 0,
      collectedCents: collected.get(now) ?? 0,
      collectedBeforeCents: collected.get(before) ?? 0,
      outstandingCents: owing,
      overdueCents: owing - (ageing.find(({ bucket }) => bucket === 'current')?.cents ?? 0),
      gstToSetAsideCents: gst.reduce((sum, one) => sum + one.cents, 0),
    },
    gstByEntity: gst,
    ageing,
    months: months.map((month) => ({
      month,
      issuedCents: issued.get(month) ?? 0,
      collectedCents: collected.get(month) ?? 0,
    })),
  }
}

/** The GST to set aside since a day: each legal entity's with all of its businesses that the caller works in. */
async function gstOf(ctx: Ctx, board: Board, from: string): Promise<Dashboard['gstByEntity']> {
  const entities = await entitiesOf(ctx, board.reach)
  const sums = await gstByBusiness(ctx, { ...board, guids: entities.flatMap(({ guids }) => guids) }, from)
  return entities.map(({ name, guids }) => ({
    name,
    cents: sums.reduce((sum, { businessGuid, gstCents }) => (guids.includes(businessGuid) ? sum + gstCents : sum), 0),
  }))
}

/** Sums by month, less others. */
function byMonth(plus: readonly DaySum[], minus: readonly DaySum[] = []): Map<string, number> {
  const sums = new Map<string, number>()
  const add = ({ day }: DaySum, cents: number) => sums.set(day.slice(0, 7), (sums.get(day.slice(0, 7)) ?? 0) + cents)
  for (const sum of plus) add(sum, sum.cents)
  for (const sum of minus) add(sum, -sum.cents)
  return sums
}

const bucketIn: Record<keyof Ageing, Bucket> = {
  currentCents: 'current',
  d30Cents: 'd1_30',
  d60Cents: 'd31_60',
  d90Cents: 'd61_90',
  olderCents: 'd90_plus',
}

/**
 * What is owing by age, as aged receivables have it: an invoice counts once, by its oldest part, and each part owes by
 * its own day.
 */
async function ageingOf(ctx: Ctx, board: Board): Promise<Dashboard['ageing']> {
  const rows = new Map((await owingByAge(ctx, board)).map((row) => [row.bucket, row]))
  const moved = new Map<Bucket, number>()
  const move = (dueOn: string | null, today: string, cents: number) => {
    const bucket = bucketIn[bucketOf(dueOn, today)]
    moved.set(bucket, (moved.get(bucket) ?? 0) + cents)
  }
  for (const { today, dueOn, balanceCents, settledCents, plan } of await owedInParts(ctx, board)) {
    move(dueOn, today, -balanceCents)
    for (const part of fillInstalments(plan, settledCents)) move(part.dueOn, today, part.cents - part.paidCents)
  }
  return buckets.map((bucket) => {
    const { count, cents } = rows.get(bucket) ?? { count: 0, cents: 0 }
    return { bucket, count, cents: cents + (moved.get(bucket) ?? 0) }
  })
}

/** The first day of the calendar quarter, which is the BAS quarter. */
export function quarterStart(day: string): string {
  const month = Number(day.slice(5, 7))
  return `${day.slice(0, 5)}${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`
}

async function quotesOf(ctx: Ctx, board: Board): Promise<Dashboard['quotes']> {
  const since = addDays(board.today, -decisionDays)
  const { accepted, declined } = await decisionsSince(ctx, board, since, addDays(since, -longestValidity))
  const decided = accepted + declined
  return {
    byStatus: await quotesByStatus(ctx, board),
    acceptanceRateBp: decided === 0 ? null : Math.round((accepted * 10_000) / decided),
    expiringSoon: await expiring(ctx, board, addDays(board.today, soonDays)),
  }
}

async function workOf(ctx: Ctx, board: Board, week: { from: string; to: string }): Promise<Dashboard['work']> {
  return {
    ...(await scheduledWork(ctx, board, week)),
    toInvoice: await toInvoice(ctx, board),
    upcoming: (await upcoming(ctx, board)).map((order) => ({
      ...order,
      businessName: namesIn(board.reach, order.businessGuid),
    })),
  }
}
