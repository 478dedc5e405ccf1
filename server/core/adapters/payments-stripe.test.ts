import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../../contract/core/errors.ts'
import { stripePayments } from './payments-stripe.ts'
import { ProviderUncertain, type PaymentProvider } from './payments.ts'

/** A Stripe on loopback: the few calls we use, with the shapes of its API reference. */
type Json = Record<string, unknown>
interface Asked {
  method: string
  path: string
  form: URLSearchParams
  headers: IncomingHttpHeaders
}
let server: Server
let asked: Asked[] = []
let intents: Json[] = []
let refunds: Json[] = []
let isSearchBehind = false
let answers = new Map<string, { status: number; body: Json }>()
let stripe: PaymentProvider
let url = ''

const cardError = (code: string, declineCode: string, intent: Json) => ({
  error: {
    type: 'card_error',
    code,
    decline_code: declineCode,
    message: 'Your card was declined.',
    payment_intent: intent,
  },
})

function makeIntent(form: URLSearchParams): { status: number; body: Json } {
  const method = form.get('payment_method') ?? ''
  const intent: Json = {
    id: `pi_${intents.length + 1}`,
    object: 'payment_intent',
    amount: Number(form.get('amount')),
    currency: form.get('currency'),
    created: Math.floor(Date.now() / 1000),
    description: form.get('description'),
    metadata: { attempt: form.get('metadata[attempt]') },
    status: 'succeeded',
    next_action: null,
    last_payment_error: null,
    latest_charge: {
      id: 'ch_1',
      amount_refunded: 0,
      payment_method_details: {
        card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040, wallet: { type: 'apple_pay' } },
      },
      balance_transaction: { fee: 223 },
    },
  }
  intents.unshift(intent)
  if (method === 'pm_declined') {
    Object.assign(intent, {
      status: 'requires_payment_method',
      latest_charge: 'ch_2',
      last_payment_error: {
        code: 'card_declined',
        decline_code: 'insufficient_funds',
        message: 'Your card has insufficient funds.',
      },
    })
    return { status: 402, body: cardError('card_declined', 'insufficient_funds', intent) }
  }
  if (method === 'pm_3ds')
    Object.assign(intent, {
      status: 'requires_action',
      latest_charge: null,
      next_action: {
        type: 'redirect_to_url',
        redirect_to_url: { url: 'https://hooks.stripe.example/3ds', return_url: form.get('return_url') },
      },
    })
  if (method === 'pm_unknown')
    return {
      status: 400,
      body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such PaymentMethod.' } },
    }
  return { status: 200, body: intent }
}

function makeRefund(form: URLSearchParams): { status: number; body: Json } {
  if (Number(form.get('amount')) > 11_000)
    return {
      status: 400,
      body: {
        error: {
          type: 'invalid_request_error',
          code: 'amount_too_large',
          message: 'Refund amount is greater than charge amount.',
        },
      },
    }
  const refund: Json = {
    id: `re_${refunds.length + 1}`,
    object: 'refund',
    amount: Number(form.get('amount')),
    status: 'succeeded',
    payment_intent: form.get('payment_intent'),
    metadata: { attempt: form.get('metadata[attempt]') },
  }
  refunds.unshift(refund)
  return { status: 200, body: refund }
}

function list(items: Json[], form: URLSearchParams) {
  const start = items.findIndex((i) => i.id === form.get('starting_after')) + 1
  const end = start + Math.min(2, Number(form.get('limit')))
  return { status: 200, body: { object: 'list', data: items.slice(start, end), has_more: end < items.length } }
}

function respond({ method, path, form, headers }: Asked): { status: number; body: Json } {
  if (headers.authorization !== 'Bearer sk_test')
    return { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } } }
  const key = String(headers['idempotency-key'] ?? '')
  const before = answers.get(key)
  if (before) return before
  let answer: { status: number; body: Json } = {
    status: 404,
    body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such thing.' } },
  }
  const one = intents.find((i) => path.startsWith(`/v1/payment_intents/${String(i.id)}`))
  if (method === 'POST' && path === '/v1/payment_intents') answer = makeIntent(form)
  else if (method === 'POST' && path === '/v1/refunds') answer = makeRefund(form)
  else if (method === 'POST' && path.endsWith('/confirm') && one)
    answer = { status: 200, body: Object.assign(one, { status: 'succeeded' }) }
  else if (path === '/v1/payment_intents/search')
    answer = {
      status: 200,
      body: {
        data: isSearchBehind
          ? []
          : intents.filter(
              (i) => form.get('query') === `metadata['attempt']:'${String((i.metadata as Json).attempt)}'`,
            ),
        has_more: false,
      },
    }
  else if (path === '/v1/payment_intents') answer = list(intents, form)
  else if (path === '/v1/refunds') answer = list(refunds, form)
  else if (one) answer = { status: 200, body: one }
  if (key) answers.set(key, answer)
  return answer
}

beforeAll(async () => {
  server = createServer((req, res) => {
    let text = ''
    req.on('data', (chunk) => (text += chunk))
    req.on('end', () => {
      const address = new URL(req.url ?? '/', 'http://stripe')
      const call: Asked = {
        method: req.method ?? '',
        path: address.pathname,
        form: new URLSearchParams(text || address.search),
        headers: req.headers,
      }
      asked.push(call)
      if (call.form.get('description') === 'hang up') return void req.socket.destroy()
      if (call.form.get('description') === 'broken') return void res.writeHead(500).end('<html>')
      if (call.form.get('description') === 'in use')
        return void res.writeHead(409, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            error: {
              type: 'idempotency_error',
              code: 'idempotency_key_in_use',
              message: 'Another request is in progress.',
            },
          }),
        )
      const { status, body } = respond(call)
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
  intents = []
  refunds = []
  answers = new Map()
  isSearchBehind = false
  stripe = stripePayments({
    secretKey: 'sk_test',
    publishableKey: 'pk_test',
    webhookSecret: 'whsec_new, whsec_old',
    apiUrl: url,
  })
})

const charge = (token: string, idempotencyKey = 'a1', reference = 'INV-1') =>
  stripe.charge({ amountCents: 11_000, token, reference, idempotencyKey, returnUrl: 'https://shop.example/back' })

describe('payments through Stripe', () => {
  test('a payment intent is made and confirmed in one call, with the key of the attempt', async () => {
    expect(await charge('pm_card')).toEqual({
      providerPaymentId: 'pi_1',
      status: 'succeeded',
      amountCents: 11_000,
      refundedCents: 0,
      currency: 'AUD',
      reference: 'INV-1',
      idempotencyKey: 'a1',
      createdAt: expect.stringMatching(/Z$/),
      card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040, wallet: 'apple_pay' },
      feeCents: 223,
    })
    const [call] = asked
    expect(call?.headers).toMatchObject({
      'idempotency-key': 'a1',
      'content-type': 'application/x-www-form-urlencoded',
      'stripe-version': expect.any(String),
    })
    expect(Object.fromEntries(call?.form ?? [])).toMatchObject({
      amount: '11000',
      currency: 'aud',
      confirm: 'true',
      payment_method: 'pm_card',
      return_url: 'https://shop.example/back',
      'metadata[attempt]': 'a1',
    })
  })

  test('the same key makes one payment', async () => {
    const [a, b] = [await charge('pm_card'), await charge('pm_card')]
    expect(a).toEqual(b)
    expect(intents).toHaveLength(1)
  })

  test('tokens of every kind of Stripe script are passed on as what they are', async () => {
    await charge('tok_visa', 'a1')
    await charge('ctoken_1', 'a2')
    expect(asked[0]?.form.get('payment_method_data[card][token]')).toBe('tok_visa')
    expect(asked[1]?.form.get('confirmation_token')).toBe('ctoken_1')
  })

  test('a decline is a result with the reason of the bank', async () => {
    expect(await charge('pm_declined')).toMatchObject({
      providerPaymentId: 'pi_1',
      status: 'failed',
      failure: { code: 'insufficient_funds', message: 'Your card was declined.' },
    })
    expect(await charge('pm_unknown', 'a2')).toMatchObject({
      providerPaymentId: null,
      status: 'failed',
      failure: { code: 'resource_missing' },
    })
  })

  test('3-D Secure sends the payer to his bank and asks afterwards', async () => {
    expect(await charge('pm_3ds')).toMatchObject({
      status: 'requires_action',
      actionUrl: 'https://hooks.stripe.example/3ds',
    })
    Object.assign(intents[0] ?? {}, { status: 'requires_confirmation' })
    expect((await stripe.confirm('pi_1')).status).toBe('succeeded')
    Object.assign(intents[0] ?? {}, { status: 'requires_payment_method' })
    expect((await stripe.getCharge('pi_1'))?.status).toBe('failed')
    expect(await stripe.getCharge('pi_none')).toBeNull()
  })

  test.each(['hang up', 'broken', 'in use'])(
    'when Stripe answers with "%s" the outcome is unknown',
    async (reference) => {
      await expect(charge('pm_card', 'a1', reference)).rejects.toThrow(ProviderUncertain)
    },
  )

  test('an attempt is found by search, and by the list while the search lags behind', async () => {
    for (const key of ['a1', 'a2', "o'clock", 'a4', 'a5']) await charge('pm_card', key)
    expect((await stripe.findCharge('a2'))?.providerPaymentId).toBe('pi_2')
    isSearchBehind = true
    expect((await stripe.findCharge('a1'))?.providerPaymentId).toBe('pi_1')
    expect(await stripe.findCharge('never')).toBeNull()
    expect((await stripe.listCharges('2026-01-01T00:00:00Z')).map((c) => c.providerPaymentId)).toEqual([
      'pi_1',
      'pi_2',
      'pi_3',
      'pi_4',
      'pi_5',
    ])
  })

  test('refunds carry their key, are found by it, and fail when they are too large', async () => {
    const refund = await stripe.refund({ providerPaymentId: 'pi_1', amountCents: 500, idempotencyKey: 'r1' })
    expect(refund).toEqual({
      providerRefundId: 're_1',
      providerPaymentId: 'pi_1',
      status: 'succeeded',
      amountCents: 500,
      idempotencyKey: 'r1',
    })
    expect(await stripe.findRefund('r1', 'pi_1')).toEqual(refund)
    expect(await stripe.findRefund('r2')).toBeNull()
    expect(await stripe.refund({ providerPaymentId: 'pi_1', amountCents: 99_999, idempotencyKey: 'r3' })).toMatchObject(
      { status: 'failed', failure: { code: 'amount_too_large' } },
    )
  })

  test('a wrong secret key is a matter of setting up', async () => {
    const wrong = stripePayments({ secretKey: 'sk_wrong', publishableKey: 'pk', webhookSecret: 'whsec', apiUrl: url })
    await expect(wrong.getCharge('pi_1')).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})

describe('webhooks of Stripe', () => {
  const event = (type: string, object: Json) =>
    Buffer.from(JSON.stringify({ id: 'evt_1', object: 'event', type, created: 1_780_000_000, data: { object } }))
  const verify = (body: Buffer, secret = 'whsec_new') => {
    const time = Math.floor(Date.now() / 1000)
    const hmac = createHmac('sha256', secret).update(`${time}.${body.toString()}`).digest('hex')
    return stripe.verifyWebhook(body, { 'stripe-signature': `t=${time},v1=${hmac},v0=x` })
  }

  test.each([
    ['payment_intent.succeeded', { id: 'pi_1', object: 'payment_intent' }, 'charge.succeeded', 'pi_1', null],
    ['payment_intent.payment_failed', { id: 'pi_1', object: 'payment_intent' }, 'charge.failed', 'pi_1', null],
    [
      'payment_intent.requires_action',
      { id: 'pi_1', object: 'payment_intent' },
      'charge.requires_action',
      'pi_1',
      null,
    ],
    [
      'charge.dispute.created',
      { id: 'dp_1', object: 'dispute', payment_intent: 'pi_1', reason: 'fraudulent' },
      'charge.disputed',
      'pi_1',
      null,
    ],
    [
      'charge.dispute.closed',
      { id: 'dp_1', object: 'dispute', payment_intent: 'pi_1', status: 'won' },
      'charge.dispute_closed',
      'pi_1',
      null,
    ],
    [
      'charge.dispute.closed',
      { id: 'dp_1', object: 'dispute', payment_intent: 'pi_1', status: 'lost' },
      'other',
      'pi_1',
      null,
    ],
    ['charge.refunded', { id: 'ch_1', object: 'charge', payment_intent: 'pi_1' }, 'refund.succeeded', 'pi_1', null],
    [
      'refund.updated',
      { id: 're_1', object: 'refund', payment_intent: 'pi_1', status: 'succeeded' },
      'refund.succeeded',
      'pi_1',
      're_1',
    ],
    [
      'refund.failed',
      { id: 're_1', object: 'refund', payment_intent: 'pi_1', status: 'failed' },
      'refund.failed',
      'pi_1',
      're_1',
    ],
    ['customer.created', { id: 'cus_1', object: 'customer' }, 'other', null, null],
  ])('%s is understood', (type, object, expected, providerPaymentId, providerRefundId) => {
    expect(verify(event(type, object))).toMatchObject({
      id: 'evt_1',
      type: expected,
      providerPaymentId,
      providerRefundId,
      disputeReason: expected === 'charge.disputed' ? 'fraudulent' : null,
    })
  })

  test('both secrets hold while they change, and no third', () => {
    const body = event('payment_intent.succeeded', { id: 'pi_1' })
    expect(verify(body, 'whsec_old').id).toBe('evt_1')
    expect(() => verify(body, 'whsec_other')).toThrow(AppError)
  })
})
