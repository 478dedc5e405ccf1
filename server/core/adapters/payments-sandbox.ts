import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../../contract/core/errors.ts'
import {
  askProvider,
  makeBreaker,
  providerMisconfigured,
  ProviderUncertain,
  verifySignature,
  type CardSummary,
  type ChargeResult,
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderEvent,
  type RefundResult,
} from './payments.ts'

/** The keys of the sandbox, derived from the secret both sides share anyway. */
export function sandboxKeys(webhookSecret: string): { publicKey: string; secretKey: string } {
  const derive = (purpose: string) =>
    createHmac('sha256', webhookSecret).update(`payment sandbox ${purpose}`).digest('base64url')
  return { publicKey: `pk_sandbox_${derive('public').slice(0, 24)}`, secretKey: `sk_sandbox_${derive('secret')}` }
}

const failure = z.object({ code: z.string(), message: z.string() })
const chargeShape = z.object({
  id: z.string(),
  status: z.enum(['succeeded', 'requires_action', 'failed', 'processing']),
  amountCents: z.int(),
  refundedCents: z.int(),
  currency: z.string(),
  reference: z.string().nullable(),
  idempotencyKey: z.string(),
  createdAt: z.string(),
  actionUrl: z.string().nullable(),
  failure: failure.nullable(),
  card: z.object({
    brand: z.string(),
    last4: z.string(),
    expMonth: z.int(),
    expYear: z.int(),
    wallet: z.enum(['apple_pay', 'google_pay']).optional(),
  }),
  feeCents: z.int(),
})
const refundShape = z.object({
  id: z.string(),
  chargeId: z.string(),
  status: z.enum(['succeeded', 'pending', 'failed']),
  amountCents: z.int(),
  idempotencyKey: z.string(),
})
const errorShape = z.object({ error: z.string(), message: z.string() })
const pageOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), next: z.string().nullable() })
const eventShape = z.object({
  id: z.string(),
  type: z.string(),
  createdAt: z.string(),
  data: z.object({
    charge: z.object({ id: z.string(), disputeReason: z.string().nullish() }),
    refund: z.object({ id: z.string() }).optional(),
  }),
})
const eventTypes = [
  'charge.succeeded',
  'charge.failed',
  'charge.requires_action',
  'charge.disputed',
  'charge.dispute_closed',
  'refund.succeeded',
  'refund.failed',
] as const

function readAs<T extends z.ZodType>(shape: T, body: unknown): z.output<T> {
  const parsed = shape.safeParse(body)
  if (!parsed.success)
    throw new ProviderUncertain('The payment sandbox answered something unexpected.', { cause: parsed.error })
  return parsed.data
}

function toCharge(body: unknown): ChargeResult {
  const c = readAs(chargeShape, body)
  const { wallet, ...card } = c.card
  const summary: CardSummary = wallet ? { ...card, wallet } : card
  return {
    providerPaymentId: c.id,
    status: c.status,
    amountCents: c.amountCents,
    refundedCents: c.refundedCents,
    currency: c.currency,
    reference: c.reference,
    idempotencyKey: c.idempotencyKey,
    createdAt: c.createdAt,
    card: summary,
    feeCents: c.feeCents,
    ...(c.status === 'requires_action' && c.actionUrl ? { actionUrl: c.actionUrl } : {}),
    ...(c.failure ? { failure: c.failure } : {}),
  }
}

function toRefund(body: unknown): RefundResult {
  const r = readAs(refundShape, body)
  return {
    providerRefundId: r.id,
    providerPaymentId: r.chargeId,
    status: r.status,
    amountCents: r.amountCents,
    idempotencyKey: r.idempotencyKey,
  }
}

function refusalOf({ status, body }: ProviderAnswer): { code: string; message: string } {
  if (status === 401 || status === 403) throw providerMisconfigured(status)
  const { error, message } = readAs(errorShape, body)
  return { code: error, message }
}

export interface SandboxSettings {
  url: string
  /** The address browsers use, when it is another one. */
  publicUrl?: string
  webhookSecret: string
  /** Accepted as well while secrets are being changed. */
  previousWebhookSecret?: string
  now?: () => Date
  timeoutMs?: number
}

/** Our own payment sandbox, spoken to like any provider. */
export function sandboxPayments(settings: SandboxSettings): PaymentProvider {
  const { publicKey, secretKey } = sandboxKeys(settings.webhookSecret)
  const now = settings.now ?? (() => new Date())
  const guarded = makeBreaker()
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
  const get = (path: string) =>
    guarded(() => askProvider(settings.url + path, { method: 'GET', headers }, settings.timeoutMs))
  const post = (path: string, body: unknown, key?: string) =>
    guarded(() =>
      askProvider(
        settings.url + path,
        { method: 'POST', headers: key ? { ...headers, 'idempotency-key': key } : headers, body: JSON.stringify(body) },
        settings.timeoutMs,
      ),
    )
  const chargePath = (id: string) => `/v1/charges/${encodeURIComponent(id)}`

  const charge: PaymentProvider['charge'] = async ({ amountCents, token, reference, idempotencyKey }) => {
    const answer = await post(
      '/v1/charges',
      { amountCents, currency: 'AUD', token, reference, metadata: { attempt: idempotencyKey } },
      idempotencyKey,
    )
    if (answer.status < 300 || answer.status === 402) return toCharge(answer.body)
    const refusal = refusalOf(answer)
    return {
      providerPaymentId: null,
      status: 'failed',
      amountCents,
      refundedCents: 0,
      currency: 'AUD',
      reference,
      idempotencyKey,
      createdAt: now().toISOString(),
      failure: refusal,
    }
  }

  const getCharge: PaymentProvider['getCharge'] = async (id) => {
    const answer = await get(chargePath(id))
    if (answer.status === 404) return null
    return answer.status === 200 ? toCharge(answer.body) : unexpected(answer)
  }

  const refund: PaymentProvider['refund'] = async ({ providerPaymentId, amountCents, idempotencyKey }) => {
    const answer = await post('/v1/refunds', { chargeId: providerPaymentId, amountCents }, idempotencyKey)
    if (answer.status < 300) return toRefund(answer.body)
    return {
      providerRefundId: null,
      providerPaymentId,
      status: 'failed',
      amountCents,
      idempotencyKey,
      failure: refusalOf(answer),
    }
  }

  const listCharges: PaymentProvider['listCharges'] = async (from) => {
    const found: ChargeResult[] = []
    for (let after: string | null = null, isMore = true; isMore;) {
      const answer = await get(
        `/v1/charges?from=${encodeURIComponent(from)}${after ? `&after=${encodeURIComponent(after)}` : ''}`,
      )
      if (answer.status !== 200) return unexpected(answer)
      const page = readAs(pageOf(z.unknown()), answer.body)
      found.push(...page.items.map(toCharge))
      after = page.next
      isMore = after !== null
    }
    return found
  }

  const byKey = async <T>(path: string, key: string, to: (item: unknown) => T): Promise<T | null> => {
    const answer = await get(`${path}?idempotencyKey=${encodeURIComponent(key)}`)
    if (answer.status !== 200) return unexpected(answer)
    const [item] = readAs(pageOf(z.unknown()), answer.body).items
    return item === undefined ? null : to(item)
  }

  return {
    name: 'sandbox',
    clientConfig: () => ({
      provider: 'sandbox',
      clientToken: publicKey,
      scriptUrl: `${settings.publicUrl ?? settings.url}/v1/sandbox.js`,
      currency: 'AUD',
    }),
    charge,
    confirm: async (id) => {
      const answer = await post(`${chargePath(id)}/confirm`, {})
      return answer.status === 200 ? toCharge(answer.body) : unexpected(answer)
    },
    getCharge,
    findCharge: (key) => byKey('/v1/charges', key, toCharge),
    refund,
    findRefund: (key) => byKey('/v1/refunds', key, toRefund),
    verifyWebhook: (rawBody, given) => {
      const secrets = [
        settings.webhookSecret,
        ...(settings.previousWebhookSecret ? [settings.previousWebhookSecret] : []),
      ]
      return toEvent(verifySignature(rawBody, given['brolga-signature'], secrets, now().getTime()))
    },
    listCharges,
  }
}

function unexpected(answer: ProviderAnswer): never {
  const { code, message } = refusalOf(answer)
  throw new AppError('CONFLICT', message, { cause: new Error(`The payment sandbox answered ${answer.status} ${code}`) })
}

function toEvent(raw: unknown): ProviderEvent {
  const parsed = eventShape.safeParse(raw)
  if (!parsed.success) throw new AppError('MALFORMED', 'The webhook isn’t recognised.')
  const { id, type, createdAt, data } = parsed.data
  return {
    id,
    type: eventTypes.find((t) => t === type) ?? 'other',
    providerPaymentId: data.charge.id,
    providerRefundId: data.refund?.id ?? null,
    disputeReason: data.charge.disputeReason ?? null,
    occurredAt: createdAt,
    raw,
  }
}
