import { AppError, invalidTransition, notFound } from '../../contract/core/errors.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import type { Output } from '../../contract/core/op.ts'
import type { serviceApi } from '../../contract/service.ts'
import { mayBePaid } from '../../contract/invoice-transitions.ts'
import { type ChargeResult, ProviderUncertain } from '../core/adapters/payments.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { refuseWhileHeld } from '../core/hold.ts'
import { guidOfRequest } from '../core/http/idempotency.ts'
import { inTime } from './time-limit.ts'
import { bookAttempt, type Finding } from './payments.booking.ts'
import {
  type Attempt,
  attemptOf,
  insertAttempt,
  lockInvoices,
  type LockedInvoice,
  type PartPaid,
  partsOf,
  receiptNumberOf,
  reservedOf,
} from './payments.queries.ts'

/** A request that was sent may still arrive; what the provider does not know after this long never will be. */
const arrivesWithinMs = 5 * 60_000
/** A payer who left the bank's page holds the balance no longer than this. */
const approvedWithinMs = 15 * 60_000
const firstLookMs = 15_000
const nextLookMs = 3000
export const settleQueue = 'payments.settle'

export type Paid = Output<typeof serviceApi.pay>['payment']

export interface CardPayment {
  parts: readonly PartPaid[]
  /** The page of a statement, where several are paid in one go. */
  page?: { guid: string; businessGuid: string }
  /** Stands for the card; made by the provider's script in the payer's browser. */
  token: string
  /** Where the bank's page sends the payer back to. */
  returnUrl: string
  /** Refuses other documents than those the payer saw. */
  sameAs: (ctx: Ctx, invoices: readonly LockedInvoice[]) => Promise<void>
}

/**
 * Pays invoices by card, with one charge. The attempt is committed, and holds its part of their balance, before the
 * provider is asked; if the answer stays away it remains open and is settled later by the same key. So nothing is ever
 * charged twice.
 */
export async function startPayment(ctx: OpenCtx, payment: CardPayment): Promise<Paid> {
  const { payments } = ctx.deps
  if (payments.name === 'none') throw invalidTransition('This business doesn’t take card payments.')
  refuseWhileHeld(await ctx.deps.maintenance.hold(ctx.db))
  const { guid, number, isCharged } = await ctx.tx((tx) => reserve(tx, payment))
  if (isCharged) return answerFor(await settleForPayer(ctx, guid))
  const charging = payments.charge({
    amountCents: sumOf(payment.parts),
    token: payment.token,
    reference: number,
    idempotencyKey: guid,
    returnUrl: payment.returnUrl,
  })
  const result = await outcomeOf(ctx, guid, charging)
  const isBooked = result !== null && (await bookNow(ctx, guid, result))
  if (!isBooked || result.status === 'processing') await lookSoon(ctx, guid)
  return answerFor(await paymentAnswer(ctx, guid))
}

function answerFor(paid: Paid): Paid {
  if (paid.status !== 'failed') return paid
  const message = paid.failure?.message ?? 'The payment was declined.'
  throw new AppError('PAYMENT_DECLINED', message, { fields: [{ path: 'paymentMethodToken', message }] })
}

interface Reserved {
  guid: string
  number: string
  /** The provider has answered already, so there is nothing left but to look how it stands. */
  isCharged: boolean
}

const sumOf = (parts: readonly PartPaid[]) => parts.reduce((sum, { cents }) => sum + cents, 0)

async function reserve(ctx: Ctx, payment: CardPayment): Promise<Reserved> {
  const guids = payment.parts.map((part) => part.invoiceGuid)
  const invoices = await lockInvoices(ctx.db, guids)
  if (invoices.length !== guids.length) throw notFound()
  const { guid, begun } = await attemptFor(ctx)
  if (begun && !(await isSame(ctx, begun, payment))) throw new AppError('IDEMPOTENCY_MISMATCH')
  const number = namesOf(invoices)
  if (begun) return { guid, number, isCharged: begun.status !== 'processing' || begun.providerPaymentId !== null }
  await checkParts(ctx, payment, invoices)
  const { actor, now } = ctx
  const amountCents = sumOf(payment.parts)
  await insertAttempt(ctx.db, payment.parts, {
    guid,
    businessGuid: payment.page?.businessGuid ?? invoices[0]?.businessGuid ?? '',
    statementPageGuid: payment.page?.guid ?? null,
    amountCents,
    provider: ctx.deps.payments.name,
    apiGuid: actor.kind === 'system' ? null : actor.apiGuid,
    createdAt: now,
    nextCheckAt: new Date(now.getTime() + firstLookMs),
  })
  ctx.audit({ action: 'payment.started', entity: 'Payments', guid, after: { amountCents, number } })
  return { guid, number, isCharged: false }
}

/** Refuses what is not owing, or is on its way already; nothing is charged then. */
async function checkParts(ctx: Ctx, { parts, page, sameAs }: CardPayment, invoices: readonly LockedInvoice[]) {
  for (const invoice of invoices) mustTakeCards(invoice)
  await sameAs(ctx, invoices)
  const reserved = await reservedOf(
    ctx.db,
    invoices.map((invoice) => invoice.guid),
  )
  const problems = parts.flatMap(({ invoiceGuid, cents }, i) => {
    const invoice = invoices.find((one) => one.guid === invoiceGuid)
    const problem = invoice && exceeds(invoice, reserved.get(invoiceGuid) ?? 0, cents)
    if (!problem) return []
    return [
      page
        ? { path: `invoices.${i}.cents`, message: `${invoice.number}: ${problem}` }
        : { path: 'amountCents', message: problem },
    ]
  })
  const [first] = problems
  if (first) throw new AppError('BALANCE_EXCEEDED', first.message, { fields: problems })
}

/** Whether a request that was begun before was for the same. */
async function isSame(ctx: Ctx, begun: Attempt, { parts, page }: CardPayment): Promise<boolean> {
  const before = new Map((await partsOf(ctx.db, begun)).map((part) => [part.invoiceGuid, part.cents]))
  return (
    begun.statementPageGuid === (page?.guid ?? null) &&
    before.size === parts.length &&
    parts.every(({ invoiceGuid, cents }) => before.get(invoiceGuid) === cents)
  )
}

/** What the provider's list calls a payment: few numbers, as many of them as there may be. */
function namesOf(invoices: readonly LockedInvoice[]): string {
  const numbers = invoices.map(({ number }) => number ?? '').toSorted()
  return numbers.length <= 5 ? numbers.join(', ') : `${numbers.slice(0, 4).join(', ')} and ${numbers.length - 4} more`
}

/**
 * The attempt that this very request has begun before, if the process that took it died;
 * otherwise the guid of a new one.
 */
async function attemptFor(ctx: Ctx): Promise<{ guid: string; begun: Attempt | null }> {
  for (let tries = 0; ; tries++) {
    const guid = guidOfRequest(ctx, 'payment', tries)
    const begun = await attemptOf(ctx.db, guid)
    if (begun?.status !== 'failed') return { guid, begun: begun ?? null }
  }
}

/** Whoever wants to pay what was written off speaks with somebody first. */
function mustTakeCards(invoice: LockedInvoice) {
  if (invoice.status === 'written_off')
    throw invalidTransition('This invoice is closed. Call us if you would like to pay it.')
  mustTake(invoice)
}

/** Only an issued invoice takes money, and one that was written off. */
export function mustTake(invoice: Pick<LockedInvoice, 'status' | 'kind'>) {
  if (mayBePaid(invoice)) return
  if (invoice.status === 'void') throw invalidTransition('This invoice was voided and can’t be paid.')
  if (invoice.kind === 'adjustment_note') throw invalidTransition('An adjustment note can’t be paid.')
  throw invalidTransition('Issue the invoice before recording a payment.')
}

/** Why an amount is too much for an invoice, or null. */
export function exceeds(
  invoice: Pick<LockedInvoice, 'balanceCents'>,
  reservedCents: number,
  amountCents: number,
): string | null {
  const { balanceCents } = invoice
  if (amountCents + reservedCents <= balanceCents) return null
  if (balanceCents <= 0) return 'This invoice is already paid.'
  if (amountCents > balanceCents) return `Enter $${centsToDecimal(balanceCents)} or less, the balance owing.`
  return 'A payment for this invoice is already processing.'
}

/** The provider's answer; null when it is not known. What certainly was not sent ends the attempt at once. */
async function outcomeOf(ctx: OpenCtx, guid: string, charging: Promise<ChargeResult>): Promise<ChargeResult | null> {
  try {
    return await inTime(charging)
  } catch (error) {
    if (error instanceof ProviderUncertain && !error.isUnsent) {
      ctx.log.warn({ err: error, attempt: guid }, 'the outcome of a card payment is not known yet')
      return null
    }
    await book(ctx, guid, absent('not_sent', 'The payment didn’t reach the provider. You haven’t been charged.'))
    throw error instanceof AppError
      ? error
      : new AppError(
          'OVERLOADED',
          'Card payments aren’t responding right now. You haven’t been charged. Please try again in a minute.',
          { cause: error },
        )
  }
}

/** The minute's batch would find it too, but somebody is waiting before the page. */
const lookSoon = (ctx: OpenCtx, attemptGuid: string) =>
  ctx.tx((tx) =>
    tx.enqueue(settleQueue, { attemptGuid }, { startAfter: new Date(ctx.deps.now().getTime() + nextLookMs) }),
  )

/** False when our own database failed us: the money is taken, so this must not look like a failed payment. */
async function bookNow(ctx: OpenCtx, guid: string, result: ChargeResult): Promise<boolean> {
  try {
    await book(ctx, guid, result)
    return true
  } catch (error) {
    ctx.log.error({ err: error, attempt: guid }, 'a card payment could not be booked yet')
    return false
  }
}

const absent = (code: string, message: string): Finding => ({
  status: 'failed',
  amountCents: 0,
  currency: 'AUD',
  providerPaymentId: null,
  idempotencyKey: null,
  failure: { code, message },
})

const book = (ctx: OpenCtx, guid: string, finding: Finding) => ctx.tx((tx) => bookAttempt(tx, guid, finding))

/**
 * Asks the provider how an open attempt stands and books it. Does nothing for one that is settled; throws
 * `ProviderUncertain` when the provider does not tell.
 */
export async function settleAttempt(ctx: OpenCtx, guid: string): Promise<void> {
  const attempt = await attemptOf(ctx.db, guid)
  if (
    !attempt ||
    attempt.provider !== ctx.deps.payments.name ||
    attempt.status === 'succeeded' ||
    attempt.status === 'failed'
  )
    return
  const found = await look(ctx, attempt)
  const ageMs = ctx.deps.now().getTime() - new Date(attempt.createdAt).getTime()
  if (!found && ageMs > arrivesWithinMs)
    await book(ctx, guid, absent('not_received', 'The payment didn’t reach the provider. You haven’t been charged.'))
  else if (found?.status === 'requires_action' && ageMs > approvedWithinMs)
    await book(ctx, guid, absent('not_approved', 'The payment wasn’t approved in time. You haven’t been charged.'))
  else if (found) await book(ctx, guid, found)
}

/** The same for somebody who waits: where the provider does not tell, the payment is still being processed. */
export async function settleForPayer(ctx: OpenCtx, guid: string): Promise<Paid> {
  try {
    await inTime(settleAttempt(ctx, guid))
  } catch (error) {
    const isUnknown = error instanceof ProviderUncertain || (error instanceof AppError && error.code === 'OVERLOADED')
    if (!isUnknown) throw error
  }
  return paymentAnswer(ctx, guid)
}

const look = (ctx: Ctx, attempt: Attempt): Promise<ChargeResult | null> => {
  const { payments } = ctx.deps
  if (attempt.providerPaymentId === null) return payments.findCharge(attempt.providerKey)
  return attempt.status === 'requires_action'
    ? payments.confirm(attempt.providerPaymentId)
    : payments.getCharge(attempt.providerPaymentId)
}

/** How a payment stands, for the payer. */
async function paymentAnswer(ctx: Ctx, attemptGuid: string): Promise<Paid> {
  const attempt = await attemptOf(ctx.db, attemptGuid)
  if (!attempt) throw notFound()
  const receiptNumber = await receiptNumberOf(ctx.db, attemptGuid)
  const { guid, status, amountCents, actionUrl, failure } = attempt
  return { guid, status, amountCents, actionUrl, failure, receiptNumber }
}
