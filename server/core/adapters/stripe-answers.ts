import { z } from 'zod'
import { AppError } from '../../../contract/core/errors.ts'
import {
  providerMisconfigured,
  ProviderUncertain,
  type CardSummary,
  type ChargeResult,
  type ProviderAnswer,
  type ProviderEvent,
  type ProviderEventType,
  type RefundResult,
} from './payments.ts'

/* What Stripe answers, in the words of the product. */

const cardShape = z.object({
  brand: z.string(),
  last4: z.string(),
  exp_month: z.int(),
  exp_year: z.int(),
  wallet: z.object({ type: z.string() }).nullish(),
})
const chargeShape = z.object({
  amount_refunded: z.int().nullish(),
  payment_method_details: z.object({ card: cardShape.nullish() }).nullish(),
  balance_transaction: z.union([z.string(), z.object({ fee: z.int() })]).nullish(),
})
export const intentShape = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.int(),
  currency: z.string(),
  created: z.int(),
  description: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  next_action: z.object({ redirect_to_url: z.object({ url: z.string() }).nullish() }).nullish(),
  last_payment_error: z
    .object({ code: z.string().nullish(), decline_code: z.string().nullish(), message: z.string().nullish() })
    .nullish(),
  latest_charge: z.union([z.string(), chargeShape]).nullish(),
})
type Intent = z.output<typeof intentShape>
export const refundShape = z.object({
  id: z.string(),
  status: z.string().nullish(),
  amount: z.int(),
  payment_intent: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  failure_reason: z.string().nullish(),
})
const errorShape = z.object({
  error: z.object({
    type: z.string().nullish(),
    code: z.string().nullish(),
    decline_code: z.string().nullish(),
    message: z.string().nullish(),
    payment_intent: z.unknown().optional(),
  }),
})
export const listShape = z.object({ data: z.array(z.unknown()), has_more: z.boolean() })
const eventShape = z.object({
  id: z.string(),
  type: z.string(),
  created: z.int(),
  data: z.object({
    object: z.object({
      id: z.string(),
      object: z.string().optional(),
      payment_intent: z.string().nullish(),
      status: z.string().nullish(),
      reason: z.string().max(100).nullish(),
    }),
  }),
})

export function readAs<T extends z.ZodType>(shape: T, body: unknown): z.output<T> {
  const parsed = shape.safeParse(body)
  if (!parsed.success) throw new ProviderUncertain('Stripe answered something unexpected.', { cause: parsed.error })
  return parsed.data
}

const isoOf = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString()

function statusOf(intent: Intent): ChargeResult['status'] {
  if (intent.status === 'succeeded' || intent.status === 'requires_action' || intent.status === 'processing')
    return intent.status
  return intent.status === 'requires_confirmation' || intent.status === 'requires_capture' ? 'processing' : 'failed'
}

function cardOf(charge: z.output<typeof chargeShape> | null): CardSummary | undefined {
  const card = charge?.payment_method_details?.card
  if (!card) return undefined
  const summary = { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year }
  const wallet = card.wallet?.type
  return wallet === 'apple_pay' || wallet === 'google_pay' ? { ...summary, wallet } : summary
}

export function toCharge(body: unknown): ChargeResult {
  const intent = readAs(intentShape, body)
  const charge = typeof intent.latest_charge === 'object' && intent.latest_charge !== null ? intent.latest_charge : null
  const fee = typeof charge?.balance_transaction === 'object' ? charge.balance_transaction?.fee : undefined
  const status = statusOf(intent)
  const problem = intent.last_payment_error
  const card = cardOf(charge)
  const actionUrl = intent.next_action?.redirect_to_url?.url
  return {
    providerPaymentId: intent.id,
    status,
    amountCents: intent.amount,
    refundedCents: charge?.amount_refunded ?? 0,
    currency: intent.currency.toUpperCase(),
    reference: intent.description ?? null,
    idempotencyKey: intent.metadata?.attempt ?? null,
    createdAt: isoOf(intent.created),
    ...(status === 'requires_action' && actionUrl ? { actionUrl } : {}),
    ...(status === 'failed'
      ? {
          failure: {
            code: problem?.decline_code ?? problem?.code ?? 'failed',
            message: problem?.message ?? 'The payment was declined.',
          },
        }
      : {}),
    ...(card ? { card } : {}),
    ...(fee === undefined ? {} : { feeCents: fee }),
  }
}

export function toRefund(body: unknown): RefundResult {
  const r = readAs(refundShape, body)
  const status =
    r.status === 'succeeded' ? 'succeeded' : r.status === 'failed' || r.status === 'canceled' ? 'failed' : 'pending'
  return {
    providerRefundId: r.id,
    providerPaymentId: r.payment_intent ?? null,
    status,
    amountCents: r.amount,
    idempotencyKey: r.metadata?.attempt ?? null,
    ...(status === 'failed'
      ? { failure: { code: r.failure_reason ?? 'failed', message: 'The refund didn’t go through.' } }
      : {}),
  }
}

/** What a 4xx means. Only answers that are sure to have done nothing come back. */
export function refusalOf({ status, body }: ProviderAnswer): { code: string; message: string; intent: unknown } {
  if (status === 401 || status === 403) throw providerMisconfigured(status)
  const { error } = readAs(errorShape, body)
  // The same key is being worked on by another request of ours.
  if (status === 409) throw new ProviderUncertain(error.message ?? 'Stripe is still working on this payment.')
  if (error.type === 'idempotency_error') throw new AppError('IDEMPOTENCY_MISMATCH')
  return {
    code: error.decline_code ?? error.code ?? error.type ?? 'failed',
    message: error.message ?? 'The payment was declined.',
    intent: error.payment_intent,
  }
}

const eventTypes: Record<string, ProviderEventType> = {
  'payment_intent.succeeded': 'charge.succeeded',
  'payment_intent.payment_failed': 'charge.failed',
  'payment_intent.canceled': 'charge.failed',
  'payment_intent.requires_action': 'charge.requires_action',
  'charge.dispute.created': 'charge.disputed',
  'charge.refunded': 'refund.succeeded',
  'refund.failed': 'refund.failed',
}

/** A dispute that is over in favour of the business; a lost one stays with the payment. */
const isWon = (type: string, status: string | null | undefined) =>
  type === 'charge.dispute.closed' && (status === 'won' || status === 'warning_closed')

export function toEvent(raw: unknown): ProviderEvent {
  const parsed = eventShape.safeParse(raw)
  if (!parsed.success) throw new AppError('MALFORMED', 'The webhook isn’t recognised.')
  const { id, type, created, data } = parsed.data
  const isRefund = data.object.object === 'refund' || type.startsWith('refund.')
  const refundType: ProviderEventType =
    data.object.status === 'succeeded'
      ? 'refund.succeeded'
      : data.object.status === 'failed'
        ? 'refund.failed'
        : 'other'
  return {
    id,
    type:
      eventTypes[type] ?? (isWon(type, data.object.status) ? 'charge.dispute_closed' : isRefund ? refundType : 'other'),
    providerPaymentId: type.startsWith('payment_intent.') ? data.object.id : (data.object.payment_intent ?? null),
    providerRefundId: isRefund ? data.object.id : null,
    disputeReason: type.startsWith('charge.dispute.') ? (data.object.reason ?? null) : null,
    occurredAt: isoOf(created),
    raw,
  }
}
