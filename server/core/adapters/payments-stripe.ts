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
  type ProviderEventType,
  type RefundResult,
} from './payments.ts'

const apiVersion = '2024-06-20'
const defaultApiUrl = 'https://api.stripe.com'
const scriptUrl = 'https://js.stripe.com/v3/'
const pageSize = 100
/** How far back an attempt is looked for, and how many pages of it. */
const lookBackSeconds = 24 * 3600
const maxLookBackPages = 5

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
const intentShape = z.object({
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
const refundShape = z.object({
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
const listShape = z.object({ data: z.array(z.unknown()), has_more: z.boolean() })
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

function readAs<T extends z.ZodType>(shape: T, body: unknown): z.output<T> {
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

function toCharge(body: unknown): ChargeResult {
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

function toRefund(body: unknown): RefundResult {
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
function refusalOf({ status, body }: ProviderAnswer): { code: string; message: string; intent: unknown } {
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

/** What the browser's Stripe script hands over: a payment method, a confirmation token or a card token. */
function methodOf(token: string): Record<string, string> {
  if (token.startsWith('ctoken_')) return { confirmation_token: token }
  if (token.startsWith('tok_'))
    return { 'payment_method_data[type]': 'card', 'payment_method_data[card][token]': token }
  return { payment_method: token }
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

function toEvent(raw: unknown): ProviderEvent {
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

export interface StripeSettings {
  secretKey: string
  publishableKey: string
  /** One signing secret, or two with a comma while they are being changed. */
  webhookSecret: string
  apiUrl?: string | undefined
  now?: () => Date
  timeoutMs?: number
}

/** The calls of Stripe's HTTP API that we need: a handful of forms, each with the secret key and a pinned version. */
function stripeApi(settings: StripeSettings) {
  const guarded = makeBreaker()
  const base = settings.apiUrl ?? defaultApiUrl
  const headers = { authorization: `Bearer ${settings.secretKey}`, 'stripe-version': apiVersion }
  const get = (path: string, query: Record<string, string> = {}) =>
    guarded(() =>
      askProvider(`${base}${path}?${new URLSearchParams(query)}`, { method: 'GET', headers }, settings.timeoutMs),
    )
  const post = (path: string, form: Record<string, string>, key?: string) => {
    const all = {
      ...headers,
      'content-type': 'application/x-www-form-urlencoded',
      ...(key ? { 'idempotency-key': key } : {}),
    }
    return guarded(() =>
      askProvider(
        base + path,
        { method: 'POST', headers: all, body: new URLSearchParams(form).toString() },
        settings.timeoutMs,
      ),
    )
  }
  return { get, post }
}

const expandCharge = { 'expand[]': 'latest_charge.balance_transaction' }
const expandCharges = { 'expand[]': 'data.latest_charge.balance_transaction' }

function refuse(answer: ProviderAnswer): never {
  const { code, message } = refusalOf(answer)
  throw new AppError('CONFLICT', message, { cause: new Error(`Stripe answered ${answer.status} ${code}`) })
}

/** Walks a list of Stripe, newest first; stops when `isEnough` says so. */
async function walk(
  api: ReturnType<typeof stripeApi>,
  path: string,
  query: Record<string, string>,
  maxPages: number,
  isEnough: (items: unknown[]) => boolean,
): Promise<unknown[]> {
  const found: unknown[] = []
  let after: Record<string, string> = {}
  for (let page = 0; page < maxPages; page++) {
    const answer = await api.get(path, { limit: String(pageSize), ...query, ...after })
    if (answer.status !== 200) return refuse(answer)
    const list = readAs(listShape, answer.body)
    found.push(...list.data)
    if (!list.has_more || list.data.length === 0 || isEnough(list.data)) break
    after = { starting_after: readAs(z.object({ id: z.string() }), list.data.at(-1)).id }
  }
  return found
}

/**
 * Stripe, by its HTTP API. Its official library is left out: we use seven calls of it, and need our own time limit, circuit
 * breaker and, above all, no retries behind our back, because every attempt is written down before it is made.
 */
export function stripePayments(settings: StripeSettings): PaymentProvider {
  const api = stripeApi(settings)
  const now = settings.now ?? (() => new Date())
  const secrets = settings.webhookSecret
    .split(',')
    .map((s) => s.trim())
    .filter(Boolean)
  const intentPath = (id: string) => `/v1/payment_intents/${encodeURIComponent(id)}`
  const lookBack = () => ({ 'created[gte]': String(Math.floor(now().getTime() / 1000) - lookBackSeconds) })

  const charge: PaymentProvider['charge'] = async ({ amountCents, token, reference, idempotencyKey, returnUrl }) => {
    const form = {
      amount: String(amountCents),
      currency: 'aud',
      confirm: 'true',
      'payment_method_types[]': 'card',
      ...methodOf(token),
      return_url: returnUrl,
      description: reference,
      'metadata[attempt]': idempotencyKey,
      ...expandCharge,
    }
    const answer = await api.post('/v1/payment_intents', form, idempotencyKey)
    if (answer.status === 200) return toCharge(answer.body)
    const { code, message, intent } = refusalOf(answer)
    const made = intentShape.safeParse(intent).success ? toCharge(intent) : null
    const base = made ?? {
      providerPaymentId: null,
      amountCents,
      refundedCents: 0,
      currency: 'AUD',
      reference,
      idempotencyKey,
      createdAt: now().toISOString(),
    }
    return { ...base, status: 'failed', failure: { code, message } }
  }

  const getCharge: PaymentProvider['getCharge'] = async (id) => {
    const answer = await api.get(intentPath(id), expandCharge)
    if (answer.status === 404) return null
    return answer.status === 200 ? toCharge(answer.body) : refuse(answer)
  }

  const confirm: PaymentProvider['confirm'] = async (id) => {
    const answer = await api.get(intentPath(id), expandCharge)
    if (answer.status !== 200) return refuse(answer)
    if (readAs(intentShape, answer.body).status !== 'requires_confirmation') return toCharge(answer.body)
    const confirmed = await api.post(`${intentPath(id)}/confirm`, expandCharge, `confirm-${id}`)
    if (confirmed.status === 200) return toCharge(confirmed.body)
    const { code, message } = refusalOf(confirmed)
    return { ...toCharge(answer.body), status: 'failed', failure: { code, message } }
  }

  const findCharge: PaymentProvider['findCharge'] = async (key) => {
    const query = `metadata['attempt']:'${key.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    const answer = await api.get('/v1/payment_intents/search', { query, ...expandCharges })
    const [found] = answer.status === 200 ? readAs(listShape, answer.body).data : []
    if (found !== undefined) return toCharge(found)
    // The search lags behind by up to a minute; lists do not.
    const isIt = (item: unknown) => intentShape.safeParse(item).data?.metadata?.attempt === key
    const recent = await walk(
      api,
      '/v1/payment_intents',
      { ...lookBack(), ...expandCharges },
      maxLookBackPages,
      (items) => items.some(isIt),
    )
    const match = recent.find(isIt)
    return match === undefined ? null : toCharge(match)
  }

  const refund: PaymentProvider['refund'] = async ({ providerPaymentId, amountCents, idempotencyKey }) => {
    const answer = await api.post(
      '/v1/refunds',
      { payment_intent: providerPaymentId, amount: String(amountCents), 'metadata[attempt]': idempotencyKey },
      idempotencyKey,
    )
    if (answer.status === 200) return toRefund(answer.body)
    const { code, message } = refusalOf(answer)
    return {
      providerRefundId: null,
      providerPaymentId,
      status: 'failed',
      amountCents,
      idempotencyKey,
      failure: { code, message },
    }
  }

  const findRefund: PaymentProvider['findRefund'] = async (key, providerPaymentId) => {
    const isIt = (item: unknown) => refundShape.safeParse(item).data?.metadata?.attempt === key
    const found = await walk(
      api,
      '/v1/refunds',
      providerPaymentId ? { payment_intent: providerPaymentId } : lookBack(),
      maxLookBackPages,
      (items) => items.some(isIt),
    )
    const match = found.find(isIt)
    return match === undefined ? null : toRefund(match)
  }

  return {
    name: 'stripe',
    clientConfig: () => ({ provider: 'stripe', clientToken: settings.publishableKey, scriptUrl, currency: 'AUD' }),
    charge,
    confirm,
    getCharge,
    findCharge,
    refund,
    findRefund,
    verifyWebhook: (rawBody, headers) =>
      toEvent(verifySignature(rawBody, headers['stripe-signature'], secrets, now().getTime())),
    listCharges: async (from) => {
      const items = await walk(
        api,
        '/v1/payment_intents',
        { 'created[gte]': String(Math.floor(Date.parse(from) / 1000)), ...expandCharges },
        Number.POSITIVE_INFINITY,
        () => false,
      )
      return items.map(toCharge).reverse()
    },
  }
}
