import { invalidTransition } from '../../contract/core/errors.ts'
import type { depositsApi } from '../../contract/deposits.ts'
import type { paymentsApi } from '../../contract/payments.ts'
import type { refundRequestsApi } from '../../contract/refund-requests.ts'
import { type Ctx, type Handlers, withCtx } from '../core/ctx.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { allocateCredit, applyCredit, reversePayment, takeOff } from './allocations.ts'
import { useDeposit } from './deposit-uses.ts'
import { recordPayment } from './payments.manual.ts'
import { listJournals } from './journals.ts'
import { listPayments, mustSeePayment, showPayment } from './payments.read.ts'
import { listAside, releaseAside } from './quarantine.ts'
import { cancelRequest, declineRequest, listRequests } from './refund-requests.ts'
import { revealPayee } from './payees.ts'
import { approveRefund, makeRefund, readBasis } from './refunds.service.ts'
import { receiveWebhook } from './webhooks.ts'

export { tellQueue } from './payments.booking.ts'
export { type Paid, settleForPayer, startPayment } from './payments.card.ts'
export { type PartPaid, standingOf } from './payments.queries.ts'
export { tell, type Told } from './payments.jobs.ts'
export { expireSome } from './refund-requests.ts'

sayConstraints({
  balance_exceeded: ['BALANCE_EXCEEDED', 'This is more than the balance owing. Enter a smaller amount.'],
  refund_exceeded: ['REFUND_EXCEEDED', 'This is more than can be refunded. Enter a smaller amount.'],
  allocation_exceeded: ['BALANCE_EXCEEDED', 'You’ve allocated more than was received.'],
  allocation_needs_issued: ['INVALID_TRANSITION', 'Issue the invoice before recording a payment.'],
  allocation_one_entity: ['CONFLICT', 'A payment can’t pay invoices of two companies. Record one for each.'],
  refund_second_person: ['FORBIDDEN', 'Somebody else must approve this.'],
  refund_request_decided_once: ['CONFLICT', 'Somebody has already decided on this refund.'],
  refund_attempts_request: ['CONFLICT', 'This refund is already approved.'],
  allocation_mirrors: ['CONFLICT', 'This was changed meanwhile. Look at the payment again.'],
  allocation_reversed_once: ['CONFLICT', 'This is already taken off the invoice.'],
  payment_is_reversed: ['CONFLICT', 'This payment is already reversed.'],
  payment_reversed_once: ['CONFLICT', 'This payment is already reversed.'],
  reversal_of_whole: ['CONFLICT', 'Refunds were made from this payment, so it can’t be reversed.'],
  attempt_paid_once: ['CONFLICT', 'This payment is already recorded.'],
  provider_payment_booked_once: ['CONFLICT', 'This payment is already recorded.'],
  deposit_not_overdrawn: ['CONFLICT', 'Money of this deposit has been applied, forfeited or returned.'],
  payment_of_deposit: ['CONFLICT', 'Only an issued security deposit is held.'],
  security_balance_exceeded: ['BALANCE_EXCEEDED', 'This is more than the balance owing. Enter a smaller amount.'],
  charge_released_once: ['CONFLICT', 'Somebody has already decided on this payment.'],
})

/** What the browser needs to load the provider's script; cards never come near this server. */
export function cardConfig(ctx: Pick<Ctx, 'deps'>) {
  if (ctx.deps.payments.name === 'none') throw invalidTransition('This business doesn’t take card payments.')
  return ctx.deps.payments.clientConfig()
}

export const payments: Handlers<typeof paymentsApi> = {
  list: listPayments,
  get: async (ctx, input) => ({ payment: await showPayment(ctx, input.guid) }),
  create: async (ctx, input) => ({
    payment: await showPayment(withCtx(ctx, { rows: 'all' }), await recordPayment(ctx, input)),
  }),
  refund: makeRefund,
  refundBasis: readBasis,
  showPayee: (ctx, input) => revealPayee(ctx, input, mustSeePayment),
  allocate: allocateCredit,
  unallocate: takeOff,
  reverse: reversePayment,
  applyCredit,
  quarantine: listAside,
  release: releaseAside,
  clientToken: async (ctx) => cardConfig(ctx),
  webhook: (ctx, input) => receiveWebhook(ctx, input.provider),
  journals: listJournals,
}

export const refundRequests: Handlers<typeof refundRequestsApi> = {
  list: listRequests,
  approve: approveRefund,
  decline: declineRequest,
  cancel: cancelRequest,
}

export const depositUses: Pick<Handlers<typeof depositsApi>, 'use'> = { use: useDeposit }
