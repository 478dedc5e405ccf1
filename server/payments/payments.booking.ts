import { accounts } from '../../contract/ledger.ts'
import { mayBePaid } from '../../contract/invoice-transitions.ts'
import type { ChargeResult } from '../core/adapters/payments.ts'
import type { Ctx } from '../core/ctx.ts'
import type { CardDetails } from '../core/db/schema-money.ts'
import { newGuid } from '../core/guid.ts'
import { notify } from '../core/notices.ts'
import { userOf } from '../core/records.ts'
import { recoverForMoney } from '../invoices/invoice-books.service.ts'
import { firstUnlockedDay } from '../journal/locks.service.ts'
import { type Account, type Entry, postEntry } from '../journal/journal.service.ts'
import {
  type Attempt,
  attemptOf,
  dayOf,
  insertAllocations,
  insertPayment,
  lockAttempt,
  lockInvoices,
  type LockedInvoice,
  type PartPaid,
  partsOf,
  updateAttempt,
} from './payments.queries.ts'

/** What a look at the provider brought: the payment as it stands there, or the certainty that there is none. */
export type Finding = Pick<
  ChargeResult,
  'status' | 'amountCents' | 'currency' | 'providerPaymentId' | 'idempotencyKey' | 'actionUrl' | 'failure' | 'card'
>

/**
 * Writes the customer a receipt or a word about his refund. A job, so that nobody waits for a
 * letter while numbers are locked.
 */
export const tellQueue = 'payments.tell'

export type Booking = 'booked' | 'unchanged' | 'mismatched'

/**
 * The one road by which news about a card payment reach the books, whoever brings them: the browser's answer, the
 * webhook, the job that settles. Repeats, late news and news in any order have one effect.
 */
export async function bookAttempt(ctx: Ctx, attemptGuid: string, finding: Finding): Promise<Booking> {
  const before = await attemptOf(ctx.db, attemptGuid)
  if (!before) return 'mismatched'
  const parts = await partsOf(ctx.db, before)
  const invoices = await lockInvoices(
    ctx.db,
    parts.map((part) => part.invoiceGuid),
  )
  const attempt = await lockAttempt(ctx.db, attemptGuid)
  if (invoices.length !== parts.length || !isOurs(attempt, finding)) return mismatch(ctx, attempt, finding)
  // A capture that comes after we gave up is money all the same.
  if (attempt.status === 'succeeded' || (attempt.status === 'failed' && finding.status !== 'succeeded'))
    return 'unchanged'
  if (finding.status === 'succeeded') await bookSuccess(ctx, attempt, finding, { parts, invoices })
  else if (finding.status === 'failed') await bookFailure(ctx, attempt, finding, parts)
  else return noteProgress(ctx, attempt, finding)
  return 'booked'
}

const isOurs = (attempt: Attempt, finding: Finding) =>
  finding.status === 'failed' ||
  (finding.amountCents === attempt.amountCents &&
    finding.currency.toUpperCase() === 'AUD' &&
    (finding.idempotencyKey === null || finding.idempotencyKey === attempt.providerKey) &&
    (attempt.providerPaymentId === null ||
      finding.providerPaymentId === null ||
      attempt.providerPaymentId === finding.providerPaymentId))

function mismatch(ctx: Ctx, attempt: Attempt, finding: Finding): Booking {
  ctx.log.error(
    { attempt: attempt.guid, expected: attempt.amountCents, amount: finding.amountCents, currency: finding.currency },
    'the provider tells of another payment than ours; nothing was booked',
  )
  return 'mismatched'
}

async function noteProgress(ctx: Ctx, attempt: Attempt, finding: Finding): Promise<Booking> {
  if (
    finding.status === attempt.status &&
    (finding.providerPaymentId === null || finding.providerPaymentId === attempt.providerPaymentId)
  )
    return 'unchanged'
  await updateAttempt(ctx.db, attempt.guid, {
    status: finding.status,
    actionUrl: finding.status === 'requires_action' ? (finding.actionUrl ?? attempt.actionUrl) : null,
    ...(finding.providerPaymentId && { providerPaymentId: finding.providerPaymentId }),
    ...(finding.card && { card: finding.card }),
  })
  return 'booked'
}

async function bookFailure(ctx: Ctx, attempt: Attempt, finding: Finding, parts: readonly PartPaid[]) {
  const failure = finding.failure ?? { code: 'declined', message: 'The payment was declined.' }
  await updateAttempt(ctx.db, attempt.guid, {
    status: 'failed',
    failure,
    actionUrl: null,
    nextCheckAt: null,
    settledAt: ctx.now,
    ...(finding.providerPaymentId && { providerPaymentId: finding.providerPaymentId }),
    ...(finding.card && { card: finding.card }),
  })
  for (const { invoiceGuid, cents } of parts)
    ctx.audit({
      action: 'payment.failed',
      entity: 'Invoices',
      guid: invoiceGuid,
      after: { amountCents: cents, reason: failure.message },
    })
  const [first] = parts
  if (!first) return
  await notify(ctx, {
    kind: 'payment.failed',
    noun: 'Invoices',
    recordGuid: first.invoiceGuid,
    event: `payment.failed:${attempt.guid}`,
    values: { amountCents: attempt.amountCents, reason: failure.message },
  })
}

interface Due {
  parts: readonly PartPaid[]
  /** Locked, in guid order. */
  invoices: readonly LockedInvoice[]
}

async function bookSuccess(ctx: Ctx, attempt: Attempt, finding: Finding, due: Due) {
  const [first] = due.invoices
  if (!first) return
  const card = finding.card ?? attempt.card
  const method = card?.wallet ?? 'card'
  await updateAttempt(ctx.db, attempt.guid, {
    status: 'succeeded',
    failure: null,
    actionUrl: null,
    nextCheckAt: null,
    settledAt: ctx.now,
    method,
    ...(finding.providerPaymentId && { providerPaymentId: finding.providerPaymentId }),
    ...(card && { card }),
  })
  await bookMoney(ctx, {
    businessGuid: attempt.businessGuid,
    customerGuid: first.customerGuid,
    method,
    amountCents: attempt.amountCents,
    receivedOn: await dayOf(ctx.db, attempt.businessGuid, ctx.now),
    account: accounts.cardClearing,
    card,
    charge: {
      attemptGuid: attempt.guid,
      provider: attempt.provider,
      providerPaymentId: finding.providerPaymentId ?? attempt.providerPaymentId,
    },
    allocations: fillParts(due, attempt.amountCents),
  })
}

/** Each part as far as the money reaches and its invoice still takes it; what is over is the customer's credit. */
export function fillParts({ parts, invoices }: Due, amountCents: number): NewAllocation[] {
  let leftCents = amountCents
  return invoices.flatMap((invoice) => {
    const asked = parts.find((part) => part.invoiceGuid === invoice.guid)?.cents ?? 0
    const most = mayBePaid(invoice) ? invoice.balanceCents + invoice.writtenOffCents : 0
    const cents = Math.max(Math.min(asked, most, leftCents), 0)
    leftCents -= cents
    return cents > 0 ? [allocationOf(invoice, cents)] : []
  })
}

/** How much of an amount is for what was written off of an invoice. */
const recoverCents = (invoice: Pick<LockedInvoice, 'balanceCents' | 'writtenOffCents'>, cents: number): number =>
  Math.max(Math.min(cents - invoice.balanceCents, invoice.writtenOffCents), 0)

/** An amount for an invoice that is locked. */
export const allocationOf = (invoice: LockedInvoice, cents: number): NewAllocation => ({
  invoiceGuid: invoice.guid,
  cents,
  recoverCents: recoverCents(invoice, cents),
  issueOn: invoice.issueOn,
})

export interface NewAllocation {
  invoiceGuid: string
  cents: number
  /** How much of it is for what was written off. */
  recoverCents: number
  issueOn: string | null
}

/** The later of two days. */
export const later = (a: string, b: string | null): string => (b !== null && b > a ? b : a)

export interface Money {
  businessGuid: string
  customerGuid: string
  /** The order that what pays no invoice is a prepayment of. */
  orderGuid?: string | null
  method: string
  amountCents: number
  receivedOn: string
  /** Where the money lies now. */
  account: Account
  reference?: string | null
  note?: string | null
  card?: CardDetails | null
  /** The security deposit that it comes from: nobody has paid anything now. */
  depositGuid?: string
  /** The journal has it already, with the invoice it pays. */
  isPosted?: true
  charge?: { attemptGuid: string | null; provider: string; providerPaymentId: string | null }
  /** In guid order of their invoices, which are locked. */
  allocations: NewAllocation[]
}

/**
 * Writes money that has come in: payment, allocations, journal, receipt. What is not
 * allocated is the customer's credit.
 */
export async function bookMoney(ctx: Ctx, money: Money): Promise<{ guid: string; number: string }> {
  const { account, allocations, charge, isPosted = false, ...row } = money
  const { customerGuid } = money
  const guid = newGuid()
  const by = { createdAt: ctx.now, createdBy: userOf(ctx) }
  const number = await insertPayment(ctx.db, { ...row, ...charge, guid, ...by })
  // Money keeps the day it came; books that are closed by then take it on the first day after.
  const on = await firstUnlockedDay(ctx, money.businessGuid, money.receivedOn)
  // Nothing pays an invoice before it is issued: money that came earlier is credit until then.
  const atOnce = allocations.filter(({ issueOn }) => later(on, issueOn) === on)
  const laterOn = allocations.filter((one) => !atOnce.includes(one))
  await addAllocations(ctx, guid, atOnce, on)
  const allocatedCents = atOnce.reduce((sum, a) => sum + a.cents, 0)
  const entry: Entry = {
    businessGuid: money.businessGuid,
    source: 'payment',
    sourceGuid: guid,
    postedOn: on,
    narrative: money.depositGuid ? `Deposit applied, ${number}` : `Payment ${number}`,
    lines: [
      { account, debitCents: money.amountCents, ...(money.depositGuid ? { customerGuid } : {}) },
      { account: accounts.receivable, creditCents: allocatedCents, customerGuid },
      { account: accounts.customerCredit, creditCents: money.amountCents - allocatedCents, customerGuid },
    ],
  }
  if (!isPosted) await postEntry(ctx, entry)
  const { businessGuid } = money
  for (const one of laterOn)
    await addPosted(ctx, { guid, number, businessGuid, customerGuid }, one, later(on, one.issueOn))
  ctx.audit({
    action: 'payment.received',
    entity: 'Payments',
    guid,
    after: { number, amountCents: money.amountCents, method: money.method },
  })
  for (const a of allocations)
    ctx.audit({
      action: 'payment.received',
      entity: 'Invoices',
      guid: a.invoiceGuid,
      after: { number, amountCents: a.cents, method: money.method },
    })
  if (!money.depositGuid) await ctx.enqueue(tellQueue, { kind: 'payment', guid })
  return { guid, number }
}

/** Writes allocations of a payment that count from a day; returns their guids. What was written off is recovered. */
async function addAllocations(
  ctx: Ctx,
  paymentGuid: string,
  allocations: readonly NewAllocation[],
  on: string,
): Promise<string[]> {
  for (const { invoiceGuid, recoverCents } of allocations)
    if (recoverCents > 0) await recoverForMoney(ctx, { invoiceGuid, cents: recoverCents, on, paymentGuid })
  const by = { createdAt: ctx.now, createdBy: userOf(ctx) }
  const rows = allocations.map(({ invoiceGuid, cents }) => ({
    guid: newGuid(),
    paymentGuid,
    invoiceGuid,
    cents,
    effectiveOn: on,
    ...by,
  }))
  if (rows.length > 0) await insertAllocations(ctx.db, rows)
  return rows.map((row) => row.guid)
}

/** A payment as its credit is moved. */
export interface Credit {
  guid: string
  number: string
  businessGuid: string
  customerGuid: string
}

/** Lets credit of a payment pay an invoice from a day on, with an entry of its own. Invoice and payment are locked. */
export async function addPosted(ctx: Ctx, payment: Credit, allocation: NewAllocation, on: string): Promise<void> {
  const [guid] = await addAllocations(ctx, payment.guid, [allocation], on)
  if (guid) await postCredit(ctx, payment, { guid, cents: allocation.cents, on, source: 'allocation' })
}

/** Credit that pays an invoice, or with an amount below zero pays it no longer. */
export const postCredit = (
  ctx: Ctx,
  { number, businessGuid, customerGuid }: Credit,
  move: { guid: string; cents: number; on: string; source: 'allocation' | 'unallocation' },
): Promise<void> =>
  postEntry(ctx, {
    businessGuid,
    source: move.source,
    sourceGuid: move.guid,
    postedOn: move.on,
    narrative:
      move.source === 'allocation' ? `Credit of payment ${number} applied` : `Payment ${number} taken off an invoice`,
    lines: [
      { account: accounts.customerCredit, debitCents: move.cents, customerGuid },
      { account: accounts.receivable, creditCents: move.cents, customerGuid },
    ],
  })
