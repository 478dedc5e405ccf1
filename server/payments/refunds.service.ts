import { AppError, conflict, invalid, notFound } from '../../contract/core/errors.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import { manualMethods, type paymentsApi } from '../../contract/payments.ts'
import { defaultEffect, refundReasonOf } from '../../contract/refunds.ts'
import { ProviderUncertain, type RefundResult } from '../core/adapters/payments.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { readHold, refuseWhileHeld } from '../core/hold.ts'
import { userOf } from '../core/records.ts'
import { heldOf, lockForGivingBack, planNote, standingForRefund } from '../invoices/invoices.service.ts'
import { guidOfRequest } from '../core/http/idempotency.ts'
import { inTime } from './time-limit.ts'
import { sealPayee } from './payees.ts'
import { mustSeePayment, showPayment } from './payments.read.ts'
import { bookRefund, type Finding } from './refunds.booking.ts'
import {
  approveLocked,
  askFor,
  freeToRefund,
  mustAsk,
  requestAnswer,
  requestMade,
  seenRequest,
  wishOf,
} from './refund-requests.ts'
import {
  allocationsOf,
  givenBack,
  insertRefundAttempt,
  type LockedPayment,
  lockPayment,
  type RefundAttempt,
  refundAttemptOf,
  refundOfAttempt,
} from './refunds.queries.ts'

type Api = typeof paymentsApi
type Wish = Input<Api['refund']>

/** What the provider does not know after this long never arrived there. */
const arrivesWithinMs = 5 * 60_000
const firstLookMs = 15_000

/**
 * Gives money back. The attempt is committed, and holds its part of what can be refunded, before the
 * provider is asked; an answer that stays away leaves it processing, to be settled by the same key. Money
 * that came by hand goes back by hand.
 */
export const makeRefund = (ctx: OpenCtx, wish: Wish): Promise<Output<Api['refund']>> => giveBack(ctx, wish, null)

/** Gives back what somebody else has asked for; the money is looked at again. */
export async function approveRefund(ctx: OpenCtx, { guid }: { guid: string }): Promise<Output<Api['refund']>> {
  return giveBack(ctx, wishOf(ctx, await seenRequest(ctx, guid)), guid)
}

async function giveBack(ctx: OpenCtx, wish: Wish, requestGuid: string | null): Promise<Output<Api['refund']>> {
  await mustSeePayment(ctx, wish.paymentGuid)
  const invoiceGuid = requestGuid && !wish.invoiceGuid ? null : await invoiceOf(ctx, wish)
  const { guid, payment, isSettled, isAsked, provider } = await ctx.tx(async (tx) => {
    const reserved = await reserve(tx, wish, invoiceGuid, requestGuid)
    if (!reserved.provider && !reserved.isSettled && !reserved.isAsked)
      await bookRefund(tx, reserved.guid, {
        status: 'succeeded',
        amountCents: wish.amountCents,
        providerRefundId: null,
      })
    return reserved
  })
  if (isAsked) return requestAnswer(ctx, guid)
  if (provider && !isSettled) await askForRefund(ctx, guid, payment, wish.amountCents)
  return refundAnswer(ctx, guid)
}

/** The invoice the money is taken off: the one that was named, or the only one. Null is the customer's credit alone. */
async function invoiceOf(ctx: Ctx, wish: Wish): Promise<string | null> {
  const allocations = await allocationsOf(ctx.db, wish.paymentGuid)
  const named = allocations.find((a) => a.invoiceGuid === wish.invoiceGuid)
  if (wish.invoiceGuid) {
    if (!named) throw invalid('invoiceGuid', 'This payment doesn’t cover this invoice.')
    return named.invoiceGuid
  }
  const [only, second] = allocations
  return only && !second ? only.invoiceGuid : null
}

async function reserve(
  ctx: Ctx,
  wish: Wish,
  wishedInvoice: string | null,
  requestGuid: string | null,
): Promise<Reserved> {
  const invoice = wishedInvoice ? await lockForGivingBack(ctx, wishedInvoice) : undefined
  const payment = await lockPayment(ctx.db, wish.paymentGuid)
  if (!payment) throw notFound()
  const { guid, begun } = await attemptFor(ctx)
  if (begun && (begun.paymentGuid !== wish.paymentGuid || begun.amountCents !== wish.amountCents))
    throw new AppError('IDEMPOTENCY_MISMATCH')
  const { provider } = begun ?? wayOf(payment, wish)
  if (begun) return { guid, payment, provider, isSettled: begun.status === 'succeeded', isAsked: false }
  const made = requestGuid ? undefined : await requestMade(ctx)
  if (made) return { guid: made.guid, payment, provider, isSettled: false, isAsked: true }
  if (requestGuid) await approveLocked(ctx, requestGuid)
  if (payment.isReversed) throw conflict('This payment was reversed, so nothing of it can be refunded.')
  const [allocations, back] = await Promise.all([allocationsOf(ctx.db, payment.guid), givenBack(ctx.db, payment.guid)])
  const unallocated = payment.amountCents - allocations.reduce((sum, a) => sum + a.cents, 0) - (back.get(null) ?? 0)
  // What a customer has paid too much goes back without touching his invoice.
  const isCredit = !wish.invoiceGuid && wish.effect !== 'price_reduced' && unallocated >= wish.amountCents
  if (!isCredit && !wishedInvoice && !requestGuid && allocations.length > 0)
    throw invalid('invoiceGuid', 'Choose an invoice. This payment covers several.')
  const invoiceGuid = isCredit ? null : wishedInvoice
  const allocated = allocations.find((a) => a.invoiceGuid === invoiceGuid)?.cents ?? 0
  const isHeld = invoiceGuid !== null && invoice?.depositNature === 'security'
  const paidFor = invoiceGuid === null ? unallocated : allocated - (back.get(invoiceGuid) ?? 0)
  // Of a security deposit what is still held goes back.
  const refundable = isHeld && invoice ? Math.min(paidFor, await heldOf(ctx.db, invoice.guid)) : paidFor
  if (wish.amountCents > refundable) throw tooMuch(refundable)
  const effect = invoiceGuid === null || isHeld ? 'money_back' : (wish.effect ?? defaultEffect(wish.reasonCode))
  if (wish.effect && wish.effect !== effect)
    throw invalid('effect', 'This money pays no invoice, so there is no price to reduce. Choose money back.')
  const takesNote = effect === 'price_reduced'
  if (wish.lines && !takesNote)
    throw invalid('lines', 'Leave the lines empty. Nothing on the invoice is being refunded.')
  const given = takesNote && invoice ? await planNote(ctx, invoice, wish.amountCents, wish.lines) : null
  if (payment.isDisputed)
    throw conflict(
      'The card holder disputes this payment, so it cannot be refunded. Answer the dispute at the payment provider.',
    )
  if (provider) refuseWhileHeld(await readHold(ctx.db))
  if (provider && provider !== ctx.deps.payments.name)
    throw conflict(`This was paid through ${provider}, which is no longer set up. Refund it there and record it here.`)
  const asked = { guid, payment, provider, isSettled: false, isAsked: true }
  if (!requestGuid && (await mustAsk(ctx, payment, wish.amountCents)))
    return { ...asked, guid: await askFor(ctx, payment, { ...wish, effect }, invoiceGuid) }
  await insertRefundAttempt(ctx.db, {
    guid,
    businessGuid: payment.businessGuid,
    paymentGuid: payment.guid,
    invoiceGuid,
    amountCents: wish.amountCents,
    reasonCode: wish.reasonCode,
    note: wish.note || null,
    nextCheckAt: new Date(ctx.now.getTime() + firstLookMs),
    createdAt: ctx.now,
    createdBy: userOf(ctx),
    given,
    requestGuid,
    effect,
    // What was only held is not owed again.
    reopensGuid: effect === 'money_back' && !isHeld ? invoiceGuid : null,
    payee: sealPayee(ctx, wish.payee, guid),
    ...wayOf(payment, wish),
  })
  ctx.audit({
    action: 'refund.requested',
    entity: 'Payments',
    guid: payment.guid,
    after: { amountCents: wish.amountCents, reason: wish.reasonCode, note: wish.note ?? null },
  })
  return { ...asked, isAsked: false }
}

interface Reserved {
  guid: string
  payment: LockedPayment
  /** Who is asked to give it back; null: it goes back by hand. */
  provider: string | null
  isSettled: boolean
  /** It waits for somebody else. */
  isAsked: boolean
}

/** How the money goes back: cards at the provider, unless somebody pays it to a bank account or in cash. */
function wayOf(payment: LockedPayment, wish: Pick<Wish, 'method' | 'payee'>) {
  const { method = 'original' } = wish
  if (wish.payee && method !== 'bank')
    throw invalid('payee', 'Leave the bank account empty. The money doesn’t go to one.')
  if (method === 'original' && payment.depositGuid)
    throw invalid('method', 'This came out of a deposit. Choose a bank account or cash.')
  if (method === 'original') return { provider: payment.provider, method: payment.provider ? null : payment.method }
  if (method === 'bank') return { provider: null, method: 'bank_transfer' }
  if (payment.provider && method !== 'cash')
    throw invalid('method', 'Refund to the card, to a bank account or in cash.')
  return { provider: null, method: manualMethods.find((known) => known === method) ?? 'other' }
}

/** How an invoice stands that money of a payment is to be given back of. */
export async function readBasis(ctx: Ctx, input: Input<Api['refundBasis']>): Promise<Output<Api['refundBasis']>> {
  await mustSeePayment(ctx, input.guid)
  const freeCents = await freeToRefund(ctx, input.guid)
  if (input.invoiceGuid === undefined) return { basis: null, freeCents }
  const allocations = await allocationsOf(ctx.db, input.guid)
  if (!allocations.some((one) => one.invoiceGuid === input.invoiceGuid)) throw notFound()
  return { basis: await standingForRefund(ctx, input.invoiceGuid), freeCents }
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
  const { status, paymentGuid, amountCents, note, createdAt, effect } = attempt
  const reasonCode = refundReasonOf(attempt.reasonCode)
  return {
    refund: {
      guid: made?.guid ?? attempt.guid,
      number: made?.number ?? null,
      status,
      paymentGuid,
      amountCents,
      gstCents: made?.gstCents ?? 0,
      reasonCode,
      effect,
      note,
      createdAt,
    },
    adjustmentNote: made?.noteGuid ? { guid: made.noteGuid, label: made.noteNumber ?? '' } : null,
    payment,
  }
}
