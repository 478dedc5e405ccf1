import { sql } from 'kysely'
import { AppError, conflict, forbidden, notFound } from '../../contract/core/errors.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import type { paymentsApi } from '../../contract/payments.ts'
import { refundReasonOf, type RefundEffect } from '../../contract/refunds.ts'
import {
  asksSomebody,
  daysToDecide,
  type RefundRequest,
  type refundRequestsApi,
  type RequestDecision,
} from '../../contract/refund-requests.ts'
import type { Ctx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { guidOfRequest } from '../core/http/idempotency.ts'
import { notify } from '../core/notices.ts'
import { isIn, namesIn, reachOf } from '../core/reach.ts'
import { userOf } from '../core/records.ts'
import { openPayee, sealPayee, showPayee } from './payees.ts'
import { mustSeePayment, showPayment } from './payments.read.ts'
import {
  decideRequest,
  givenInADay,
  insertRequest,
  limitOf,
  lockLimit,
  lockRequest,
  requestColumns,
  requestOf,
  type RequestRow,
  shownStatus,
  visibleRequests,
} from './refund-requests.queries.ts'
import type { LockedPayment } from './refunds.queries.ts'

type Api = typeof refundRequestsApi
type Wish = Input<(typeof paymentsApi)['refund']>
const dayMs = 86_400_000

/** Whether somebody else must approve it. The payment is locked. */
export async function mustAsk(ctx: Ctx, payment: LockedPayment, amountCents: number): Promise<boolean> {
  const userGuid = userOf(ctx)
  if (userGuid === null) return false
  const { familyGuid, refundLimitCents } = await limitOf(ctx.db, payment.guid)
  await lockLimit(ctx.db, userGuid, familyGuid)
  const given = await givenInADay(ctx.db, { userGuid, familyGuid, now: ctx.now })
  return asksSomebody(given, amountCents, refundLimitCents)
}

/** What the caller may give back to a payment's customer now without asking; null where nobody has to be asked. */
export async function freeToRefund(ctx: Ctx, paymentGuid: string): Promise<number | null> {
  const userGuid = userOf(ctx)
  if (userGuid === null) return null
  const { familyGuid, refundLimitCents } = await limitOf(ctx.db, paymentGuid)
  return Math.max(refundLimitCents - (await givenInADay(ctx.db, { userGuid, familyGuid, now: ctx.now })), 0)
}

/** The request that this very call has made before, if the process that took it died. */
export const requestMade = (ctx: Ctx) => requestOf(ctx.db, guidOfRequest(ctx, 'refund-request', 0))

/** Keeps what is asked for, and tells those who may approve it. */
export async function askFor(
  ctx: Ctx,
  payment: LockedPayment,
  wish: Wish & { effect: RefundEffect },
  invoiceGuid: string | null,
): Promise<string> {
  const guid = guidOfRequest(ctx, 'refund-request', 0)
  const requestedBy = userOf(ctx)
  if (requestedBy === null) throw forbidden()
  await insertRequest(ctx.db, {
    guid,
    businessGuid: payment.businessGuid,
    paymentGuid: payment.guid,
    invoiceGuid,
    amountCents: wish.amountCents,
    reasonCode: wish.reasonCode,
    note: wish.note || null,
    lines: wish.lines ?? null,
    method: wish.method ?? null,
    effect: wish.effect,
    payee: sealPayee(ctx, wish.payee, guid),
    requestedBy,
    createdAt: ctx.now,
  })
  tell(ctx, 'awaits_approval', payment.guid, { amountCents: wish.amountCents, note: wish.note || null })
  await notify(ctx, {
    kind: 'refund.awaits_approval',
    noun: 'Payments',
    recordGuid: payment.guid,
    event: `refund.awaits_approval:${guid}`,
    values: { amountCents: wish.amountCents, note: wish.note || null },
    right: ['create', 'Invoices:Refund:Approve'],
  })
  return guid
}

type Told = 'awaits_approval' | 'approved' | 'declined' | 'request_cancelled' | 'request_expired'
const tell = (ctx: Ctx, what: Told, paymentGuid: string, after: Record<string, unknown>) =>
  ctx.audit({ action: `refund.${what}`, entity: 'Payments', guid: paymentGuid, after })

/** What was asked for, as the call that asked it. */
export const wishOf = (ctx: Ctx, row: RequestRow): Wish => ({
  paymentGuid: row.paymentGuid,
  ...(row.invoiceGuid ? { invoiceGuid: row.invoiceGuid } : {}),
  amountCents: row.amountCents,
  reasonCode: refundReasonOf(row.reasonCode),
  note: row.note,
  ...(row.effect && row.invoiceGuid ? { effect: row.effect } : {}),
  ...payeeOf(ctx, row),
  ...(row.lines ? { lines: row.lines } : {}),
  ...(row.method ? { method: row.method as NonNullable<Wish['method']> } : {}),
})

function payeeOf(ctx: Ctx, { payee: sealed, guid }: RequestRow): Pick<Wish, 'payee'> {
  const payee = openPayee(ctx, sealed, guid)
  if (sealed !== null && !payee) throw conflict('The bank account of this refund can’t be read any more. Ask again.')
  return payee ? { payee } : {}
}

/** The request of a payment that the caller sees. */
export async function seenRequest(ctx: Ctx, guid: string): Promise<RequestRow> {
  const row = await requestOf(ctx.db, guid)
  if (!row) throw notFound()
  await mustSeePayment(ctx, row.paymentGuid)
  return row
}

const decided: Record<Exclude<RequestDecision, 'requested'>, string> = {
  approved: 'This refund is already approved.',
  declined: 'This refund is already declined.',
  cancelled: 'This request was cancelled.',
  expired: 'This request has expired. Ask again.',
}

async function lockOpen(ctx: Ctx, guid: string): Promise<RequestRow> {
  const row = await lockRequest(ctx.db, guid)
  if (!row) throw notFound()
  if (row.status !== 'requested') throw conflict(decided[row.status])
  if (isExpired(row, ctx.now)) throw conflict(decided.expired)
  return row
}

const isExpired = (row: Pick<RequestRow, 'createdAt'>, now: Date) =>
  new Date(row.createdAt).getTime() < now.getTime() - daysToDecide * dayMs

/** Who asked for it decides nothing. */
function mustBeAnother(ctx: Ctx, row: RequestRow): string {
  const decidedBy = userOf(ctx)
  if (decidedBy === null || decidedBy === row.requestedBy)
    throw new AppError('FORBIDDEN', 'Somebody else must approve this.')
  return decidedBy
}

/** Approves within the transaction that reserves the money; the payment is locked. */
export async function approveLocked(ctx: Ctx, guid: string): Promise<void> {
  const row = await lockOpen(ctx, guid)
  const decidedBy = mustBeAnother(ctx, row)
  await decideRequest(ctx.db, guid, { status: 'approved', decidedBy, decidedAt: ctx.now, decisionNote: null })
  tell(ctx, 'approved', row.paymentGuid, { amountCents: row.amountCents })
  await tellAsker(ctx, row, 'refund.approved', null)
}

const tellAsker = (ctx: Ctx, row: RequestRow, kind: 'refund.approved' | 'refund.declined', reason: string | null) =>
  notify(ctx, {
    kind,
    noun: 'Payments',
    recordGuid: row.paymentGuid,
    event: `${kind}:${row.guid}`,
    values: { amountCents: row.amountCents, reason },
    to: row.requestedBy,
  })

export async function declineRequest(ctx: Ctx, input: Input<Api['decline']>): Promise<Output<Api['decline']>> {
  await seenRequest(ctx, input.guid)
  const row = await lockOpen(ctx, input.guid)
  const decidedBy = mustBeAnother(ctx, row)
  const reason = input.reason || null
  await decideRequest(ctx.db, row.guid, {
    status: 'declined',
    decidedBy,
    decidedAt: ctx.now,
    decisionNote: reason,
  })
  tell(ctx, 'declined', row.paymentGuid, { amountCents: row.amountCents, reason })
  await tellAsker(ctx, row, 'refund.declined', reason)
  return { request: await showRequest(ctx, row.guid) }
}

export async function cancelRequest(ctx: Ctx, input: Input<Api['cancel']>): Promise<Output<Api['cancel']>> {
  await seenRequest(ctx, input.guid)
  const row = await lockOpen(ctx, input.guid)
  if (row.requestedBy !== userOf(ctx)) throw new AppError('FORBIDDEN', 'Only the person who asked can cancel this.')
  await close(ctx, row, 'cancelled')
  return { request: await showRequest(ctx, row.guid) }
}

async function close(ctx: Ctx, row: RequestRow, status: 'cancelled' | 'expired') {
  await decideRequest(ctx.db, row.guid, { status, decidedBy: null, decidedAt: ctx.now, decisionNote: null })
  tell(ctx, `request_${status}`, row.paymentGuid, { amountCents: row.amountCents })
}

/** Requests that nobody decided on in time; gives how many. */
export async function expireSome(ctx: Ctx, limit: number): Promise<number> {
  const due = await ctx.db
    .selectFrom('refundRequests')
    .selectAll()
    .where('status', '=', 'requested')
    .where('createdAt', '<', new Date(ctx.now.getTime() - daysToDecide * dayMs).toISOString())
    .orderBy('createdAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  for (const row of due) await close(ctx, row, 'expired')
  return due.length
}

type Found = Awaited<ReturnType<ReturnType<typeof requestColumns>['executeTakeFirstOrThrow']>>
function shown(ctx: Ctx, row: Found, businessName: string): RefundRequest {
  const { requestedByGuid, requestedBy, paymentGuid, paymentNumber, invoiceGuid, invoiceNumber, ...more } = row
  const { sealedPayee, ...rest } = more
  return {
    ...rest,
    businessName,
    requestedBy: requestedBy ?? '',
    reasonCode: refundReasonOf(row.reasonCode),
    payee: showPayee(ctx, sealedPayee, row.guid),
    isOwn: requestedByGuid === userOf(ctx),
    payment: { guid: paymentGuid, label: paymentNumber },
    invoice: invoiceGuid ? { guid: invoiceGuid, label: invoiceNumber ?? '' } : null,
  }
}

async function showRequest(ctx: Ctx, guid: string): Promise<RefundRequest> {
  const row = await requestColumns(ctx).where('r.guid', '=', guid).executeTakeFirstOrThrow()
  return shown(ctx, row, row.businessName)
}

export async function listRequests(ctx: Ctx, input: Input<Api['list']>): Promise<Output<Api['list']>> {
  const reach = await reachOf(ctx, input)
  const { items, page } = await pageOf({
    query: requestColumns(ctx),
    found: visibleRequests(ctx).where(isIn(reach, 'r.businessGuid')),
    within: input.status ? [sql<boolean>`${shownStatus} = any(${input.status.split(',')}::text[])`] : [],
    sorts: { createdAt: 'r.createdAt', amountCents: 'r.amountCents' },
    guid: 'r.guid',
    input,
    defaultSort: '-createdAt',
  })
  return {
    items: items.map((row) => shown(ctx, row, namesIn(reach, row.businessGuid))),
    page,
  }
}

/** What whoever asked gets as an answer: nothing is given back yet. */
export async function requestAnswer(ctx: Ctx, guid: string): Promise<Output<(typeof paymentsApi)['refund']>> {
  const row = await requestOf(ctx.db, guid)
  if (!row) throw notFound()
  const { paymentGuid, amountCents, note, createdAt } = row
  return {
    refund: {
      guid,
      number: null,
      status: 'requested',
      paymentGuid,
      amountCents,
      gstCents: 0,
      reasonCode: refundReasonOf(row.reasonCode),
      effect: row.effect,
      note,
      createdAt,
    },
    adjustmentNote: null,
    payment: await showPayment(ctx, paymentGuid),
  }
}
