import { z } from 'zod'
import { AppError } from '../../../contract/core/errors.ts'
import { type ProviderAnswer, askProvider, makeBreaker, verifySignature, type PaymentProvider } from './payments.ts'
import {
  intentShape,
  listShape,
  readAs,
  refundShape,
  refusalOf,
  toCharge,
  toEvent,
  toRefund,
} from './stripe-answers.ts'

const apiVersion = '2024-06-20'
const defaultApiUrl = 'https://api.stripe.com'
const scriptUrl = 'https://js.stripe.com/v3/'
const pageSize = 100
/** How far back an attempt is looked for, and how many pages of it. */
const lookBackSeconds = 24 * 3600
const maxLookBackPages = 5

/** What the browser's Stripe script hands over: a payment method, a confirmation token or a card token. */
function methodOf(token: string): Record<string, string> {
  if (token.startsWith('ctoken_')) return { confirmation_token: token }
  if (token.startsWith('tok_'))
    return { 'payment_method_data[type]': 'card', 'payment_method_data[card][token]': token }
  return { payment_method: token }
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
 * Stripe, by its HTTP API. Its official library is left out: we use seven calls of it, and need our own time limit,
 * circuit breaker and, above all, no retries behind our back, because every attempt is written down before it is made.
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
