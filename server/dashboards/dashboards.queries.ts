import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { nounsWith, rightsOf } from '../../contract/nouns.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { readable } from '../core/http/permission.ts'
import { areAll } from '../core/figures.ts'
import { dayIn, dayStart, zoneIn } from '../core/reach.ts'
import { displayStatusOf } from '../documents/statuses.service.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'
import { whoDid } from '../timeline/timeline.service.ts'
import * as kept from './kept.queries.ts'
import type { Board } from './kept.queries.ts'

const cents = (expression: RawBuilder<unknown>) => sql<number>`coalesce(sum(${expression}), 0)::bigint`
const count = sql<number>`count(*)::int`

/** The rows of a noun that its reader may list: the board adds up nothing that could not be read one by one. */
function readRows(ctx: Ctx, noun: string): Pick<Ctx, 'actor' | 'rows'> {
  const { actor } = ctx
  if (actor.kind === 'system') return ctx
  const access = readable(actor, noun, 'All')
  return { actor, rows: access === 'none' ? [] : access }
}

/** Whether the caller's sums are those of all rows, which are kept. */
const isWhole = (ctx: Ctx, { guids }: Board, noun: string) => areAll(guids, ctx, readRows(ctx, noun))

/**
 * The rows of a noun that the caller's rules let into the sums: those of the board, and those of
 * the noun it has its rights of.
 */
const rowsIn = <D, T extends keyof D, O>(
  ctx: Ctx,
  noun: 'Invoices' | 'Quotes' | 'Orders' | 'Payments' | 'Refunds' | 'Messages',
  alias: string,
  all: SelectQueryBuilder<D, T, O>,
) => {
  const columns = rowColumns(ctx, noun, alias)
  return applyRows(readRows(ctx, rightsOf(noun)), applyRows(ctx, all, columns), columns)
}
const visible = {
  invoices: (ctx: Ctx) => rowsIn(ctx, 'Invoices', 'i', ctx.db.selectFrom('invoices as i')),
  quotes: (ctx: Ctx) => rowsIn(ctx, 'Quotes', 'q', ctx.db.selectFrom('quotes as q')),
  orders: (ctx: Ctx) => rowsIn(ctx, 'Orders', 'o', ctx.db.selectFrom('orders as o')),
  payments: (ctx: Ctx) => rowsIn(ctx, 'Payments', 'p', ctx.db.selectFrom('payments as p')),
  refunds: (ctx: Ctx) => rowsIn(ctx, 'Refunds', 'r', ctx.db.selectFrom('refunds as r')),
  messages: (ctx: Ctx) => rowsIn(ctx, 'Messages', 'm', ctx.db.selectFrom('messages as m')),
}

/** An adjustment note takes back what its invoice added. */
const signed = (column: string) =>
  sql`case when i.kind = 'adjustment_note' then -${sql.ref(column)} else ${sql.ref(column)} end`
const issued = (ctx: Ctx, board: Board) =>
  visible
    .invoices(ctx)
    .where('i.businessGuid', 'in', [...board.guids])
    .where('i.status', '=', 'issued')
    .where('i.archivedAt', 'is', null)
/** The first instant of a day where a row is. */
const begin = (board: Board, day: string, of: string) => dayStart(day, zoneIn(board.reach, `${of}.businessGuid`))

/**
 * What was issued on each day, with the GST in it; adjustment notes take back. Days are few, so
 * they are added up by the caller.
 */
export const issuedByDay = (ctx: Ctx, board: Board, from: string): Promise<(kept.DaySum & { gstCents: number })[]> =>
  isWhole(ctx, board, 'Invoices') ? kept.byDay(ctx.db, board, 'issued', from) : addIssued(ctx, board, from)

const addIssued = (ctx: Ctx, board: Board, from: string) =>
  issued(ctx, board)
    .where('i.issueOn', '>=', from)
    .select([
      sql<string>`i.issue_on`.as('day'),
      cents(signed('i.totalCents')).as('cents'),
      cents(signed('i.gstCents')).as('gstCents'),
    ])
    .groupBy('i.issueOn')
    .execute()

/**
 * GST to set aside since a day, as the ledger has it; a legal entity's is that of its businesses. Of whoever may not
 * see all invoices it is the GST in those he sees.
 */
export const gstByBusiness = (ctx: Ctx, board: Board, from: string) =>
  isWhole(ctx, board, 'Invoices') ? kept.gstByBusiness(ctx.db, board, from) : addGst(ctx, board, from)

const addGst = (ctx: Ctx, board: Board, from: string) =>
  issued(ctx, board)
    .where('i.issueOn', '>=', from)
    .select(['i.businessGuid', cents(signed('i.gstCents')).as('gstCents')])
    .groupBy('i.businessGuid')
    .execute()

export const receivedByDay = (ctx: Ctx, board: Board, from: string): Promise<kept.DaySum[]> =>
  isWhole(ctx, board, 'Payments') ? kept.byDay(ctx.db, board, 'received', from) : addReceived(ctx, board, from)

const addReceived = (ctx: Ctx, board: Board, from: string) =>
  visible
    .payments(ctx)
    .where('p.businessGuid', 'in', [...board.guids])
    .where('p.receivedOn', '>=', from)
    .select(['p.receivedOn as day', cents(sql`p.amount_cents`).as('cents')])
    .groupBy('p.receivedOn')
    .execute()

export const refundedByDay = (ctx: Ctx, board: Board, from: string): Promise<kept.DaySum[]> =>
  isWhole(ctx, board, 'Payments') ? kept.byDay(ctx.db, board, 'refunded', from) : addRefunded(ctx, board, from)

const addRefunded = (ctx: Ctx, board: Board, from: string) =>
  visible
    .refunds(ctx)
    .where('r.businessGuid', 'in', [...board.guids])
    .where('r.createdAt', '>=', begin(board, from, 'r'))
    .select([
      sql<string>`(r.created_at at time zone ${zoneIn(board.reach, 'r.businessGuid')})::date`.as('day'),
      cents(sql`r.amount_cents`).as('cents'),
    ])
    .groupBy(sql`1`)
    .execute()

/** What is owing, by how many days it is past due. */
export const owingByAge = (ctx: Ctx, board: Board): Promise<kept.Age[]> =>
  isWhole(ctx, board, 'Invoices') ? kept.owingByAge(ctx.db, board) : addOwing(ctx, board)

const addOwing = (ctx: Ctx, board: Board): Promise<kept.Age[]> =>
  issued(ctx, board)
    .where('i.balanceCents', '>', 0)
    .select([
      kept.bucketOf(sql`i.due_on`, dayIn(board.reach, 'i.businessGuid')).as('bucket'),
      count.as('count'),
      cents(sql`i.balance_cents`).as('cents'),
    ])
    .groupBy(sql`1`)
    .execute()

/** What waits for money in parts: what it owes stands by one day, its parts by theirs. */
export interface PlannedInvoice {
  today: string
  dueOn: string | null
  balanceCents: number
  settledCents: number
  plan: { label: string; dueOn: string; cents: number }[]
}

export const owedInParts = (ctx: Ctx, board: Board): Promise<PlannedInvoice[]> =>
  issued(ctx, board)
    .where('i.balanceCents', '>', 0)
    .where('i.guid', 'in', ctx.db.selectFrom('invoiceInstalments').select('invoiceGuid'))
    .select([
      sql<string>`${dayIn(board.reach, 'i.businessGuid')}::date`.as('today'),
      'i.dueOn',
      'i.balanceCents',
      sql<number>`(i.total_cents - i.balance_cents)::bigint`.as('settledCents'),
      sql<PlannedInvoice['plan']>`(select json_agg(json_build_object('label', t.label, 'dueOn', t.due_on, 'cents',
        t.cents) order by t.position) from invoice_instalments t where t.invoice_guid = i.guid
        and t.plan = (select max(x.plan) from invoice_instalments x where x.invoice_guid = i.guid))`.as('plan'),
    ])
    .execute()

const openQuotes = (ctx: Ctx, board: Board) =>
  visible
    .quotes(ctx)
    .where('q.businessGuid', 'in', [...board.guids])
    .where('q.archivedAt', 'is', null)

export const quotesByStatus = (ctx: Ctx, board: Board) =>
  isWhole(ctx, board, 'Quotes') ? kept.quotesByStatus(ctx.db, board) : countQuotes(ctx, board)

const countQuotes = (ctx: Ctx, board: Board) =>
  openQuotes(ctx, board)
    .select([
      sql<string>`${displayStatusOf('Quotes', 'q', dayIn(board.reach, 'q.businessGuid'))}`.as('status'),
      count.as('count'),
      cents(sql`q.total_cents`).as('totalCents'),
    ])
    .groupBy(sql`1`)
    .execute()

export const decisionsSince = (
  ctx: Ctx,
  board: Board,
  day: string,
  sentSince: string,
): Promise<{ accepted: number; declined: number }> =>
  isWhole(ctx, board, 'Quotes') ? kept.decisionsSince(ctx.db, board, day) : countDecisions(ctx, board, day, sentSince)

/** Decisions since a day. A quote can be decided for a year after it was sent, so older ones need no look. */
async function countDecisions(ctx: Ctx, board: Board, day: string, sentSince: string) {
  const since = begin(board, day, 'q')
  const decided = sql`coalesce(q.acceptance ->> 'at', q.decline ->> 'at')::timestamptz >= ${since}`
  return openQuotes(ctx, board)
    .where('q.sentAt', '>=', begin(board, sentSince, 'q'))
    .where('q.status', 'in', ['accepted', 'converted', 'declined'])
    .select([
      sql<number>`count(*) filter (where q.status <> 'declined' and ${decided})::int`.as('accepted'),
      sql<number>`count(*) filter (where q.status = 'declined' and ${decided})::int`.as('declined'),
    ])
    .executeTakeFirstOrThrow()
}

export const expiring = (ctx: Ctx, board: Board, until: string) =>
  isWhole(ctx, board, 'Quotes') ? kept.expiring(ctx.db, board, until) : addExpiring(ctx, board, until)

const addExpiring = (ctx: Ctx, board: Board, until: string) =>
  openQuotes(ctx, board)
    .where('q.status', 'in', ['sent', 'changes_requested'])
    .where('q.validUntil', '>=', board.today)
    .where('q.validUntil', '<=', until)
    .select([count.as('count'), cents(sql`q.total_cents`).as('cents')])
    .executeTakeFirstOrThrow()

const work = (ctx: Ctx, board: Board) =>
  visible
    .orders(ctx)
    .where('o.businessGuid', 'in', [...board.guids])
    .where('o.archivedAt', 'is', null)

export const scheduledWork = (ctx: Ctx, board: Board, week: kept.Week) =>
  isWhole(ctx, board, 'Orders') ? kept.scheduledWork(ctx.db, board, week) : countWork(ctx, board, week)

const countWork = (ctx: Ctx, board: Board, week: kept.Week) =>
  work(ctx, board)
    .where('o.status', 'in', kept.openWork)
    .select([
      sql<number>`count(*) filter (where o.scheduled_on = ${board.today}::date)::int`.as('today'),
      sql<number>`count(*) filter (where o.scheduled_on between ${week.from}::date and ${week.to}::date)::int`.as(
        'thisWeek',
      ),
      sql<number>`count(*) filter (where o.scheduled_on is null)::int`.as('unscheduled'),
    ])
    .executeTakeFirstOrThrow()

/** Finished work that is not invoiced, or not all of it. */
export const toInvoice = (ctx: Ctx, board: Board) =>
  isWhole(ctx, board, 'Orders') ? kept.toInvoice(ctx.db, board) : addToInvoice(ctx, board)

const addToInvoice = (ctx: Ctx, board: Board) =>
  work(ctx, board)
    .where('o.status', 'in', ['completed', 'closed'])
    .where('o.invoiceStatus', 'in', ['to_invoice', 'partially_invoiced'])
    .select([count.as('count'), cents(sql`greatest(o.total_cents - o.invoiced_cents, 0)`).as('cents')])
    .executeTakeFirstOrThrow()

export const upcoming = (ctx: Ctx, board: Board) =>
  work(ctx, board)
    .innerJoin('parties as c', 'c.memberGuid', 'o.customerGuid')
    .where('o.status', 'in', kept.openWork)
    .where('o.scheduledOn', '>=', board.today)
    .select([
      'o.guid',
      'o.businessGuid',
      'o.number',
      'o.title',
      'c.displayName as customerName',
      sql<string>`o.scheduled_on`.as('scheduledOn'),
      'o.status',
    ])
    .orderBy('o.scheduledOn')
    .orderBy('o.guid')
    .limit(6)
    .execute()

/** Failed ones that were sent again are settled. */
export async function messageCounts(ctx: Ctx, board: Board, weekFrom: string) {
  const mine = () => visible.messages(ctx).where('m.businessGuid', 'in', [...board.guids])
  const waiting = await mine()
    .where('m.status', 'in', ['queued', 'scheduled', 'sending', 'deferred'])
    .select(count.as('n'))
    .executeTakeFirstOrThrow()
  const failed = await mine()
    .where('m.status', 'in', ['failed', 'bounced'])
    .where(sql<boolean>`not exists (select from messages again where again.resend_of_guid = m.guid)`)
    .select(count.as('n'))
    .executeTakeFirstOrThrow()
  const sent = isWhole(ctx, board, 'Messages')
    ? await kept.sentSince(ctx.db, board, weekFrom)
    : await mine()
        .where('m.sentAt', '>=', begin(board, weekFrom, 'm'))
        .select(count.as('n'))
        .executeTakeFirstOrThrow()
  return { waiting: waiting.n, failed: failed.n, sentThisWeek: sent.n }
}

/** The newest lines of the audit log about these nouns. */
export const newestLines = (ctx: Ctx, entities: readonly string[], limit: number) =>
  ctx.db
    .selectFrom('auditLog as l')
    .leftJoin('users as u', (join) => join.on('u.guid', '=', whoDid))
    .where('l.entity', 'in', entities)
    .select([
      'l.id',
      'l.at',
      'l.action',
      'l.actorKind',
      'l.actorName',
      'u.name as userName',
      'l.after',
      'l.reason',
      'l.entity',
      'l.entityGuid',
    ])
    .orderBy('l.id', 'desc')
    .limit(limit)
    .execute()

export const activityNouns = nounsWith('isActivity')
