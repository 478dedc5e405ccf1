import { AppError, notFound } from '../../contract/core/errors.ts'
import { paymentsApi } from '../../contract/payments.ts'
import type { ChargeResult } from '../core/adapters/payments.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { isDatabaseFailure, toAppError } from '../core/http/errors.ts'
import { newGuid } from '../core/guid.ts'
import { notify } from '../core/notices.ts'
import { noteDispute } from './disputes.ts'
import { paymentOfCharge } from './disputes.queries.ts'
import { bookAttempt } from './payments.booking.ts'
import { type Attempt, attemptOfCharge, paymentOfAttempt } from './payments.queries.ts'
import { refundAttemptsOf } from './refunds.queries.ts'
import { settleRefund } from './refunds.service.ts'
import {
  debtsOfAttempt,
  decisionOn,
  eventOf,
  insertEvent,
  insertOutcome,
  isAsideAlready,
  type StoredEvent,
} from './webhooks.queries.ts'

export const webhookQueue = 'payments.webhook'

/**
 * Verifies a notice of the provider, keeps it and answers; the work is done by a job. What cannot be kept is answered
 * with 503, so that the provider sends it again.
 */
export async function receiveWebhook(ctx: OpenCtx, providerName: string): Promise<{ received: boolean }> {
  const { payments } = ctx.deps
  if (payments.name === 'none' || providerName !== payments.name) throw notFound()
  const { raw } = ctx.request
  if (!raw) throw new AppError('MALFORMED')
  const event = payments.verifyWebhook(Buffer.from(raw.body, 'utf8'), raw.headers)
  const guid = newGuid()
  const row = {
    guid,
    provider: payments.name,
    eventId: event.id,
    type: event.type,
    payload: {
      providerPaymentId: event.providerPaymentId,
      providerRefundId: event.providerRefundId,
      disputeReason: event.disputeReason,
      occurredAt: event.occurredAt,
      raw: event.raw,
    },
    receivedAt: ctx.now,
  }
  try {
    await ctx.tx(async (tx) => {
      if (await insertEvent(tx.db, row)) await tx.enqueue(webhookQueue, { eventGuid: guid })
    })
  } catch (error) {
    // What cannot be stored today cannot be stored tomorrow; sending it again would change nothing.
    if (toAppError(error).status < 500)
      throw new AppError('MALFORMED', 'The notification contains something that can’t be saved.', { cause: error })
    throw new AppError('UNAVAILABLE', 'The notification couldn’t be saved. Please send it again.', { cause: error })
  }
  return { received: true }
}

/** Why a notice was put aside, as people are told of it. */
export const asideSentences = {
  unknown_charge: 'the provider does not know the payment',
  not_ours: 'the payment is none of ours',
  differs: 'amount, currency or payment differ from ours',
  refunded_unbooked: 'refunded at the provider, but never booked here',
  refunded_more: 'more was refunded at the provider than here',
} as const

interface Outcome {
  outcome: 'done' | 'ignored' | 'quarantined'
  reason: string | null
  charge?: ChargeResult
  attemptGuid?: string
}
const done: Outcome = { outcome: 'done', reason: null }
const quarantined = (reason: keyof typeof asideSentences): Outcome => ({
  outcome: 'quarantined',
  reason: asideSentences[reason],
})

/**
 * What a kept notice leads to. It is a hint only: the present state is asked of the provider, so notices may come
 * twice, late, in any order and all at once. What does not fit to our books is put aside for a person.
 */
export async function handleWebhook(ctx: OpenCtx, eventGuid: string): Promise<void> {
  const event = await eventOf(ctx.db, eventGuid)
  if (!event || event.outcome !== null || event.provider !== ctx.deps.payments.name) return
  const { outcome, reason, charge, attemptGuid } = await outcomeOf(ctx, event).catch(refusedByRules)
  if (outcome === 'quarantined')
    ctx.log.error({ event: event.eventId, type: event.type, reason }, 'a notice of the payment provider was put aside')
  const found = charge && {
    status: charge.status,
    amountCents: charge.amountCents,
    refundedCents: charge.refundedCents,
    currency: charge.currency,
    reference: charge.reference,
  }
  const { provider } = event
  const providerPaymentId = paymentIdOf(event.payload)
  await ctx.tx(async (tx) => {
    const isNews =
      outcome === 'quarantined' && !(await isAsideAlready(tx.db, { provider, providerPaymentId, reason: reason ?? '' }))
    await insertOutcome(tx.db, {
      eventGuid,
      outcome,
      reason,
      at: ctx.deps.now(),
      providerPaymentId,
      found: found ?? null,
      attemptGuid: attemptGuid ?? null,
    })
    if (isNews) await tellOfAside(tx, { eventGuid, providerPaymentId, reason, charge, attemptGuid })
  })
}

/** Lets those who may decide on a payment that was put aside know that it waits for them. */
async function tellOfAside(
  ctx: Ctx,
  {
    eventGuid,
    providerPaymentId,
    reason,
    charge,
    attemptGuid,
  }: Pick<Outcome, 'reason' | 'charge' | 'attemptGuid'> & { eventGuid: string; providerPaymentId: string | null },
) {
  const debts = attemptGuid ? await debtsOfAttempt(ctx.db, attemptGuid) : []
  const [debt] = debts
  const amountCents = charge?.amountCents ?? null
  const action = 'charge.put_aside'
  const after = { providerPaymentId, amountCents }
  ctx.audit({ action, entity: 'Payments', guid: eventGuid, after })
  for (const { invoiceGuid } of debts) ctx.audit({ action, entity: 'Invoices', guid: invoiceGuid, after })
  await notify(ctx, {
    kind: action,
    noun: 'Payments',
    recordGuid: eventGuid,
    event: [action, providerPaymentId, reason, charge?.status, charge?.refundedCents].join(':'),
    values: {
      number: debts.map(({ number }) => number).join(', ') || (charge?.reference ?? null),
      customerName: debt?.customerName ?? null,
      amountCents,
    },
    for: { can: paymentsApi.release.can, invoiceGuid: debt?.invoiceGuid ?? null },
  })
}

/** What our own rules refuse will be refused tomorrow, too; everything else is worth another try. */
function refusedByRules(error: unknown): Outcome {
  const isRefusal = error instanceof AppError ? error.status < 500 : isDatabaseFailure(error) && error.code === '23514'
  if (!isRefusal) throw error
  return { outcome: 'quarantined', reason: toAppError(error).message }
}

async function outcomeOf(ctx: OpenCtx, event: StoredEvent): Promise<Outcome> {
  const id = paymentIdOf(event.payload)
  if (event.type === 'other' || !id) return { outcome: 'ignored', reason: 'it is not about a payment' }
  const charge = await ctx.deps.payments.getCharge(id)
  if (!charge) return quarantined('unknown_charge')
  const attempt = await attemptOfCharge(ctx.db, ctx.deps.payments.name, charge)
  const outcome = await bookCharge(ctx, charge, attempt)
  if (outcome.outcome === 'quarantined' && (await isDecided(ctx, id, charge)))
    return { outcome: 'ignored', reason: 'a person has decided on the payment' }
  if (event.type === 'charge.disputed' || event.type === 'charge.dispute_closed') await dispute(ctx, id, event)
  return { ...outcome, charge, ...(attempt && { attemptGuid: attempt.guid }) }
}

/** Whether the payment still stands as somebody left it who has looked into it. */
async function isDecided(ctx: OpenCtx, id: string, charge: ChargeResult): Promise<boolean> {
  const decision = await decisionOn(ctx.db, ctx.deps.payments.name, id)
  if (!decision || decision.action === 'booked') return false
  return decision.action === 'refunded'
    ? charge.refundedCents === charge.amountCents
    : decision.found?.refundedCents === charge.refundedCents && decision.found.status === charge.status
}

async function dispute(ctx: OpenCtx, providerPaymentId: string, { type, payload }: StoredEvent) {
  const payment = await paymentOfCharge(ctx.db, ctx.deps.payments.name, providerPaymentId)
  if (payment)
    await ctx.tx((tx) => noteDispute(tx, payment, type === 'charge.dispute_closed', textIn(payload, 'disputeReason')))
}

function textIn(payload: unknown, name: string): string | null {
  const given: Record<string, unknown> = typeof payload === 'object' && payload !== null ? { ...payload } : {}
  return typeof given[name] === 'string' ? given[name] : null
}
const paymentIdOf = (payload: unknown) => textIn(payload, 'providerPaymentId')

/** Brings our books to where the provider is: the payment first, then its refunds. */
async function bookCharge(ctx: OpenCtx, charge: ChargeResult, attempt: Attempt | undefined): Promise<Outcome> {
  const booked = attempt && (await ctx.tx((tx) => bookAttempt(tx, attempt.guid, charge)))
  if (!attempt || booked === 'mismatched') {
    // Somebody may have booked it as it was taken.
    const released = await paymentOfCharge(ctx.db, ctx.deps.payments.name, charge.providerPaymentId)
    if (released && released.attemptGuid === null) return settleRefunds(ctx, released.guid, charge.refundedCents)
    return quarantined(attempt ? 'differs' : 'not_ours')
  }
  const payment = await paymentOfAttempt(ctx.db, attempt.guid)
  if (!payment) return charge.refundedCents > 0 ? quarantined('refunded_unbooked') : done
  return settleRefunds(ctx, payment.guid, charge.refundedCents)
}

async function settleRefunds(ctx: OpenCtx, paymentGuid: string, refundedCents: number): Promise<Outcome> {
  for (const { guid, status } of await refundAttemptsOf(ctx.db, paymentGuid))
    if (status !== 'succeeded') await settleRefund(ctx, guid, { late: true })
  const after = await refundAttemptsOf(ctx.db, paymentGuid)
  const knownCents = after.filter((a) => a.status !== 'failed').reduce((sum, a) => sum + a.amountCents, 0)
  return refundedCents > knownCents ? quarantined('refunded_more') : done
}
