import { AppError, conflict, invalid, notFound } from '../../contract/core/errors.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import { accounts } from '../../contract/ledger.ts'
import { type paymentsApi, refundReasons, reopensInvoice } from '../../contract/payments.ts'
import { ProviderUncertain, type RefundResult } from '../core/adapters/payments.ts'
import { nextNumber } from '../businesses/businesses.service.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { readHold, refuseWhileHeld } from '../core/hold.ts'
import { userOf } from '../core/records.ts'
import { createAdjustmentNote, lockForGivingBack, planNote } from '../invoices/invoices.service.ts'
import { postEntry } from '../journal/journal.service.ts'
import { guidOfRequest } from '../core/http/idempotency.ts'
import { inTime } from './time-limit.ts'
import { tellQueue } from './payments.booking.ts'
import { dayOf } from './payments.queries.ts'
import { mustSeePayment, showPayment } from './payments.read.ts'
import { approveLocked, askFor, mustAsk, requestAnswer, requestMade, seenRequest, wishOf } from './refund-requests.ts'
import {
  allocationsOf,
  givenBack,
  insertRefund,
  insertRefundAttempt,
  type LockedPayment,
  lockPayment,
  lockRefundAttempt,
  type RefundAttempt,
  refundAttemptOf,
  refundOfAttempt,
  updateRefundAttempt,
} from './refunds.queries.ts'

type Api = typeof paymentsApi
type Wish = Input<Api['refund']>
type Finding = Pick<RefundResult, 'status' | 'amountCents' | 'providerRefundId' | 'failure'>

/** What the provider does not know after this long never arrived there. */
const arrivesWithinMs = 5 * 60_000
const firstLookMs = 15_000

/** The sentence of an adjustment note for each reason. */
const reasonTexts: Record<(typeof refundReasons)[number], string> = {
  duplicate: 'Paid twice',
  cancelled: 'Cancelled',
  quality: 'Quality of the work or goods',
  price_adjustment: 'Price adjusted',
  goodwill: 'Goodwill',
  deposit_return: 'Deposit returned',
  fraud: 'Payment was not authorised by the card holder',
  other: 'Refund',
}

/**
 * Gives money back. The attempt is committed, and holds its part of what can be refunded, before the
 * provider is asked; an answer that stays away leaves it processing, to be settled by the same key. Money
 * that came by hand goes back by hand.
 */
export const makeRefund = (ctx: OpenCtx, wish: Wish): Promise<Output<Api['refund']>> => giveBack(ctx, wish, null)

/** Gives back what somebody else has asked for; the money is looked at again. */
export async function approveRefund(ctx: OpenCtx, { guid }: { guid: string }): Promise<Output<Api['refund']>> {
  return giveBack(ctx, wishOf(await seenRequest(ctx, guid)), guid)
}

async function giveBack(ctx: OpenCtx, wish: Wish, requestGuid: string | null): Promise<Output<Api['refund']>> {
  await mustSeePayment(ctx, wish.paymentGuid)
  const invoiceGuid = requestGuid && !wish.invoiceGuid ? null : await invoiceOf(ctx, wish)
  const { guid, payment, isSettled, isAsked } = await ctx.tx(async (tx) => {
    const reserved = await reserve(tx, wish, invoiceGuid, requestGuid)
    if (!reserved.payment.provider && !reserved.isSettled && !reserved.isAsked)
      await bookRefund(tx, reserved.guid, {
        status: 'succeeded',
        amountCents: wish.amountCents,
        providerRefundId: null,
      })
    return reserved
  })
  if (isAsked) return requestAnswer(ctx, guid)
  if (payment.provider && !isSettled) await askForRefund(ctx, guid, payment, wish.amountCents)
  return refundAnswer(ctx, guid)
}

/** The invoice the money is taken off: the one that was named, or the only one. Null is the customer's credit. */
async function invoiceOf(ctx: Ctx, wish: Wish): Promise<string | null> {
  const allocations = await allocationsOf(ctx.db, wish.paymentGuid)
  const named = allocations.find((a) => a.invoiceGuid === wish.invoiceGuid)
  if (wish.invoiceGuid) {
    if (!named) throw invalid('invoiceGuid', 'This payment doesn’t cover this invoice.')
    return named.invoiceGuid
  }
  const [only] = allocations
  if (!only) return null
  if (allocations.length > 1) throw invalid('invoiceGuid', 'Choose an invoice. This payment covers several.')
  return only.invoiceGuid
}

async function reserve(
  ctx: Ctx,
  wish: Wish,
  wishedInvoice: string | null,
  requestGuid: string | null,
): Promise<{ guid: string; payment: LockedPayment; isSettled: boolean; isAsked: boolean }> {
  const invoice = wishedInvoice ? await lockForGivingBack(ctx, wishedInvoice) : undefined
  const payment = await lockPayment(ctx.db, wish.paymentGuid)
  if (!payment) throw notFound()
  const { guid, begun } = await attemptFor(ctx)
  if (begun && (begun.paymentGuid !== wish.paymentGuid || begun.amountCents !== wish.amountCents))
    throw new AppError('IDEMPOTENCY_MISMATCH')
  if (begun) return { guid, payment, isSettled: begun.status === 'succeeded', isAsked: false }
  const made = requestGuid ? undefined : await requestMade(ctx)
  if (made) return { guid: made.guid, payment, isSettled: false, isAsked: true }
  if (requestGuid) await approveLocked(ctx, requestGuid)
  if (payment.isReversed) throw conflict('This payment was reversed, so nothing of it can be refunded.')
  const [allocations, back] = await Promise.all([allocationsOf(ctx.db, payment.guid), givenBack(ctx.db, payment.guid)])
  const unallocated = payment.amountCents - allocations.reduce((sum, a) => sum + a.cents, 0) - (back.get(null) ?? 0)
  // What a customer has paid too much goes back without touching his invoice.
  const invoiceGuid = !wish.invoiceGuid && unallocated >= wish.amountCents ? null : wishedInvoice
  const allocated = allocations.find((a) => a.invoiceGuid === invoiceGuid)?.cents ?? 0
  const refundable = invoiceGuid === null ? unallocated : allocated - (back.get(invoiceGuid) ?? 0)
  if (wish.amountCents > refundable) throw tooMuch(refundable)
  if (wish.method && payment.provider) throw invalid('method', 'Refund to the card. Money goes back the way it came.')
  const takesNote = invoiceGuid !== null && !reopensInvoice(wish.reasonCode)
  if (wish.lines && !takesNote)
    throw invalid('lines', 'Leave the lines empty. Nothing on the invoice is being refunded.')
  const given = takesNote && invoice ? await planNote(ctx, invoice, wish.amountCents, wish.lines) : null
  if (payment.isDisputed)
    throw conflict(
      'The card holder disputes this payment, so it cannot be refunded. Answer the dispute at the payment provider.',
    )
  if (payment.provider) refuseWhileHeld(await readHold(ctx.db))
  if (payment.provider && payment.provider !== ctx.deps.payments.name)
    throw conflict(
      `This was paid through ${payment.provider}, which is no longer set up. Refund it there and record it here.`,
    )
  if (!requestGuid && (await mustAsk(ctx, payment, wish.amountCents)))
    return { guid: await askFor(ctx, payment, wish, invoiceGuid), payment, isSettled: false, isAsked: true }
  await insertRefundAttempt(ctx.db, {
    guid,
    businessGuid: payment.businessGuid,
    paymentGuid: payment.guid,
    invoiceGuid,
    amountCents: wish.amountCents,
    reasonCode: wish.reasonCode,
    note: wish.note || null,
    provider: payment.provider,
    nextCheckAt: new Date(ctx.now.getTime() + firstLookMs),
    createdAt: ctx.now,
    createdBy: userOf(ctx),
    given,
    method: payment.provider ? null : (wish.method ?? payment.method),
    requestGuid,
  })
  ctx.audit({
    action: 'refund.requested',
    entity: 'Payments',
    guid: payment.guid,
    after: { amountCents: wish.amountCents, reason: wish.reasonCode, note: wish.note ?? null },
  })
  return { guid, payment, isSettled: false, isAsked: false }
}

/**
 * The attempt that this very request has begun before, if the process that took it died;
 * otherwise the guid of a new one.
 */
async function attemptFor(ctx: Ctx): Promise<{ guid: string; begun: RefundAttempt | null }> {
  for (let tries = 0; ; tries++) {
    const guid = guidOfRequest(ctx, 'refund', tries)
    const begun = await refundAttemptOf(ctx.db, guid)
    if (begun?.status !== 'failed') return { guid, begun: begun ?? null }
  }
}

function tooMuch(refundableCents: number) {
  const message =
    refundableCents > 0
      ? `You can refund up to $${centsToDecimal(refundableCents)}.`
      : 'Everything has already been refunded.'
  return new AppError('REFUND_EXCEEDED', message, { fields: [{ path: 'amountCents', message }] })
}

async function askForRefund(ctx: OpenCtx, guid: string, payment: LockedPayment, amountCents: number) {
  const fail = (failure: { code: string; message: string }) =>
    ctx.tx((tx) => bookRefund(tx, guid, { status: 'failed', amountCents, providerRefundId: null, failure }))
  let result: RefundResult | null
  try {
    result = await inTime(
      ctx.deps.payments.refund({
        providerPaymentId: payment.providerPaymentId ?? '',
        amountCents,
        idempotencyKey: guid,
      }),
    )
  } catch (error) {
    if (error instanceof ProviderUncertain && !error.isUnsent) {
      ctx.log.warn({ err: error, refund: guid }, 'the outcome of a refund is not known yet')
      return
    }
    await fail({ code: 'not_sent', message: 'The refund didn’t reach the provider.' })
    throw error instanceof AppError
      ? error
      : new AppError(
          'OVERLOADED',
          'Card payments aren’t responding right now. Nothing was refunded. Please try again in a minute.',
          { cause: error },
        )
  }
  if (!result) return
  await bookNow(ctx, guid, result)
  if (result.status === 'failed')
    throw conflict(`The refund was refused: ${result.failure?.message ?? 'the provider gave no reason.'}`)
}

/**
 * When our own database fails us the money is on its way back all the same: it stays processing and is booked later.
 */
async function bookNow(ctx: OpenCtx, guid: string, result: RefundResult) {
  try {
    await ctx.tx((tx) => bookRefund(tx, guid, result))
  } catch (error) {
    ctx.log.error({ err: error, refund: guid }, 'a refund could not be booked yet')
  }
}

/** The one road by which news about a refund reach the books. Repeats and late news have one effect. */
async function bookRefund(
  ctx: Ctx,
  attemptGuid: string,
  finding: Finding,
): Promise<'booked' | 'unchanged' | 'mismatched'> {
  const before = await refundAttemptOf(ctx.db, attemptGuid)
  if (!before) return 'mismatched'
  if (before.invoiceGuid) await lockForGivingBack(ctx, before.invoiceGuid)
  const payment = await lockPayment(ctx.db, before.paymentGuid)
  const attempt = await lockRefundAttempt(ctx.db, attemptGuid)
  if (!payment || (finding.status !== 'failed' && finding.amountCents !== attempt.amountCents)) {
    ctx.log.error(
      { refund: attemptGuid, expected: attempt.amountCents, amount: finding.amountCents },
      'the provider tells of another refund than ours; nothing was booked',
    )
    return 'mismatched'
  }
  if (
    attempt.status === 'succeeded' ||
    finding.status === 'pending' ||
    (attempt.status === 'failed' && finding.status === 'failed')
  )
    return 'unchanged'
  if (finding.status === 'failed') {
    const failure = finding.failure ?? { code: 'refused', message: 'The refund was refused.' }
    await updateRefundAttempt(ctx.db, attemptGuid, { status: 'failed', failure, nextCheckAt: null, settledAt: ctx.now })
    ctx.audit({
      action: 'refund.failed',
      entity: 'Payments',
      guid: payment.guid,
      after: { amountCents: attempt.amountCents, reason: failure.message },
    })
    return 'booked'
  }
  await bookSuccess(ctx, attempt, payment, finding)
  return 'booked'
}

async function bookSuccess(ctx: Ctx, attempt: RefundAttempt, payment: LockedPayment, finding: Finding) {
  const { invoiceGuid, amountCents, businessGuid, note, reasonCode } = attempt
  const reason = note || reasonTexts[refundReasons.find((r) => r === reasonCode) ?? 'other']
  await updateRefundAttempt(ctx.db, attempt.guid, {
    status: 'succeeded',
    failure: null,
    providerRefundId: finding.providerRefundId,
    nextCheckAt: null,
    settledAt: ctx.now,
  })
  const adjustment =
    invoiceGuid && !reopensInvoice(reasonCode)
      ? await createAdjustmentNote(ctx, { invoiceGuid, amountCents, reason, given: attempt.given })
      : null
  const guid = newGuid()
  const number = await nextNumber(ctx.db, businessGuid, 'refund')
  const row = {
    guid,
    businessGuid,
    number,
    paymentGuid: payment.guid,
    attemptGuid: attempt.guid,
    invoiceGuid,
    adjustmentNoteGuid: adjustment?.guid ?? null,
    amountCents,
    gstCents: adjustment?.gstCents ?? 0,
  }
  await insertRefund(ctx.db, {
    ...row,
    reasonCode,
    note,
    providerRefundId: finding.providerRefundId,
    createdAt: ctx.now,
    createdBy: attempt.createdBy,
    method: attempt.method,
  })
  await postEntry(ctx, {
    businessGuid,
    source: 'refund',
    sourceGuid: guid,
    postedOn: await dayOf(ctx.db, businessGuid, ctx.now),
    narrative: `Refund ${number} of payment ${payment.number}`,
    lines: [
      {
        account: invoiceGuid ? accounts.receivable : accounts.customerCredit,
        debitCents: amountCents,
        customerGuid: payment.customerGuid,
      },
      { account: payment.provider ? accounts.cardClearing : accounts.bank, creditCents: amountCents },
    ],
  })
  const after = { number, amountCents, reason }
  ctx.audit({ action: 'refund.made', entity: 'Refunds', guid, after })
  ctx.audit({ action: 'refund.made', entity: 'Payments', guid: payment.guid, after })
  if (invoiceGuid) ctx.audit({ action: 'refund.made', entity: 'Invoices', guid: invoiceGuid, after })
  await ctx.enqueue(tellQueue, { kind: 'refund', guid })
}

/** Asks the provider how an open refund stands and books it; with `late` also one that was given up. */
export async function settleRefund(ctx: OpenCtx, guid: string, { late = false } = {}): Promise<void> {
  const attempt = await refundAttemptOf(ctx.db, guid)
  if (!attempt || attempt.provider !== ctx.deps.payments.name) return
  if (attempt.status === 'succeeded' || (attempt.status === 'failed' && !late)) return
  const payment = await ctx.db
    .selectFrom('payments')
    .select('providerPaymentId')
    .where('guid', '=', attempt.paymentGuid)
    .executeTakeFirst()
  const found = await ctx.deps.payments.findRefund(attempt.providerKey, payment?.providerPaymentId ?? undefined)
  const isLost = !found && ctx.deps.now().getTime() - new Date(attempt.createdAt).getTime() > arrivesWithinMs
  const finding: Finding | null =
    found ??
    (isLost
      ? {
          status: 'failed',
          amountCents: attempt.amountCents,
          providerRefundId: null,
          failure: { code: 'not_received', message: 'The refund didn’t reach the provider.' },
        }
      : null)
  if (finding) await ctx.tx((tx) => bookRefund(tx, guid, finding))
}

async function refundAnswer(ctx: Ctx, attemptGuid: string): Promise<Output<Api['refund']>> {
  const attempt = await refundAttemptOf(ctx.db, attemptGuid)
  if (!attempt) throw notFound()
  const [made, payment] = await Promise.all([
    refundOfAttempt(ctx.db, attemptGuid),
    showPayment(ctx, attempt.paymentGuid),
  ])
  const { status, paymentGuid, amountCents, note, createdAt } = attempt
  const reasonCode = refundReasons.find((r) => r === attempt.reasonCode) ?? 'other'
  return {
    refund: {
      guid: made?.guid ?? attempt.guid,
      number: made?.number ?? null,
      status,
      paymentGuid,
      amountCents,
      gstCents: made?.gstCents ?? 0,
      reasonCode,
      note,
      createdAt,
    },
    adjustmentNote: made?.noteGuid ? { guid: made.noteGuid, label: made.noteNumber ?? '' } : null,
    payment,
  }
}
