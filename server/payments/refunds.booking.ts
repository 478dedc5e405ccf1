import { conflict } from '../../contract/core/errors.ts'
import { accounts } from '../../contract/ledger.ts'
import { defaultEffect, type RefundReason, refundReasonOf } from '../../contract/refunds.ts'
import { nextNumber } from '../businesses/businesses.service.ts'
import type { RefundResult } from '../core/adapters/payments.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { createAdjustmentNote, lockForGivingBack } from '../invoices/invoices.service.ts'
import { postEntry } from '../journal/journal.service.ts'
import { lockPayments } from './allocations.queries.ts'
import { takeNewest } from './freeing.ts'
import { tellQueue } from './payments.booking.ts'
import { dayOf } from './payments.queries.ts'
import {
  allocationsOf,
  givenBack,
  insertRefund,
  type LockedPayment,
  lockPayment,
  lockRefundAttempt,
  type RefundAttempt,
  refundAttemptOf,
  updateRefundAttempt,
} from './refunds.queries.ts'

export type Finding = Pick<RefundResult, 'status' | 'amountCents' | 'providerRefundId' | 'failure'>
type Invoice = NonNullable<Awaited<ReturnType<typeof lockForGivingBack>>>

/** The sentence of an adjustment note for each reason. */
const reasonTexts: Record<RefundReason, string> = {
  duplicate: 'Paid twice',
  cancelled: 'Cancelled',
  quality: 'Quality of the work or goods',
  price_adjustment: 'Price adjusted',
  goodwill: 'Goodwill',
  deposit_return: 'Deposit returned',
  fraud: 'Payment was not authorised by the card holder',
  other: 'Refund',
}

/** The one road by which news about a refund reach the books. Repeats and late news have one effect. */
export async function bookRefund(
  ctx: Ctx,
  attemptGuid: string,
  finding: Finding,
): Promise<'booked' | 'unchanged' | 'mismatched'> {
  const before = await refundAttemptOf(ctx.db, attemptGuid)
  if (!before) return 'mismatched'
  const of = before.invoiceGuid ?? before.reopensGuid
  const invoice = of === null ? undefined : await lockForGivingBack(ctx, of)
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
  await bookSuccess(ctx, attempt, payment, finding, invoice)
  return 'booked'
}

async function bookSuccess(
  ctx: Ctx,
  attempt: RefundAttempt,
  payment: LockedPayment,
  finding: Finding,
  invoice: Invoice | undefined,
) {
  const { amountCents, businessGuid, note, reasonCode } = attempt
  const reason = note || reasonTexts[refundReasonOf(reasonCode)]
  const effect = attempt.effect ?? (invoice ? defaultEffect(reasonCode) : 'money_back')
  // What was only held goes back without a note, and is not owed again.
  const held = invoice?.depositNature === 'security' ? invoice : undefined
  const lowered = effect === 'price_reduced' ? invoice : undefined
  const reopened = effect === 'money_back' && !held ? invoice : undefined
  if (reopened) await backToCredit(ctx, attempt, payment, reopened)
  const of = { invoiceGuid: (lowered ?? held)?.guid ?? null, reopensGuid: reopened?.guid ?? null, effect }
  await updateRefundAttempt(ctx.db, attempt.guid, {
    ...of,
    status: 'succeeded',
    failure: null,
    providerRefundId: finding.providerRefundId,
    nextCheckAt: null,
    settledAt: ctx.now,
  })
  const adjustment = lowered
    ? await createAdjustmentNote(ctx, { invoiceGuid: lowered.guid, amountCents, reason, given: attempt.given })
    : null
  const guid = newGuid()
  const number = await nextNumber(ctx.db, businessGuid, 'refund')
  await insertRefund(ctx.db, {
    ...of,
    guid,
    businessGuid,
    number,
    paymentGuid: payment.guid,
    attemptGuid: attempt.guid,
    adjustmentNoteGuid: adjustment?.guid ?? null,
    amountCents,
    gstCents: adjustment?.gstCents ?? 0,
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
        account: held ? accounts.securityDeposits : lowered ? accounts.receivable : accounts.customerCredit,
        debitCents: amountCents,
        customerGuid: payment.customerGuid,
      },
      { account: attempt.provider ? accounts.cardClearing : accounts.bank, creditCents: amountCents },
    ],
  })
  const after = { number, amountCents, reason }
  ctx.audit({ action: 'refund.made', entity: 'Refunds', guid, after })
  ctx.audit({ action: 'refund.made', entity: 'Payments', guid: payment.guid, after })
  if (invoice) ctx.audit({ action: 'refund.made', entity: 'Invoices', guid: invoice.guid, after })
  await ctx.enqueue(tellQueue, { kind: 'refund', guid })
}

/**
 * The money has gone back, so it pays its invoice no longer: from today on, for until today it did. News that come
 * late, of a refund that was given up, find what the payment still has.
 */
async function backToCredit(ctx: Ctx, attempt: RefundAttempt, payment: LockedPayment, invoice: Invoice) {
  const { amountCents } = attempt
  const [allocations, back] = [await allocationsOf(ctx.db, payment.guid), await givenBack(ctx.db, payment.guid)]
  const paid = allocations.find((one) => one.invoiceGuid === invoice.guid)?.cents ?? 0
  const others = (back.get(invoice.guid) ?? 0) - (attempt.status === 'failed' ? 0 : amountCents)
  const cents = Math.max(Math.min(amountCents, paid - others), 0)
  const on = await dayOf(ctx.db, payment.businessGuid, ctx.now)
  await takeNewest(ctx, payment, invoice, { cents, on })
  const [after] = await lockPayments(ctx.db, [payment.guid])
  if ((after?.creditCents ?? 0) < amountCents)
    throw conflict(`The money of payment ${payment.number} pays other invoices by now. Take it off them first.`)
}
