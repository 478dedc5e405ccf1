import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../../../contract/core/errors.ts'
import { testCards, type CardBehaviour } from '../../../contract/payments-test-cards.ts'
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.ts'
import { paymentProvider } from './payments-choose.ts'
import { sandboxPayments } from './payments-sandbox.ts'
import { makeBreaker, ProviderUncertain, type PaymentProvider } from './payments.ts'

const webhookSecret = 'a secret of the tests, long enough for all'
let sandbox: Sandbox
let dataDir: string
let payments: PaymentProvider
let keys = 0
const newKey = () => `attempt-${++keys}`

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  sandbox = await startSandbox({ dataDir, webhookSecret })
  payments = sandboxPayments({ url: sandbox.url, webhookSecret, timeoutMs: 400 })
})
afterAll(async () => {
  await sandbox.close()
  rmSync(dataDir, { recursive: true })
})

async function post(path: string, body: unknown): Promise<{ token: string }> {
  const response = await fetch(sandbox.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { token: string }
}
async function tokenFor(behaviour: CardBehaviour) {
  const number = testCards.find((c) => c.behaviour === behaviour)?.number
  return (await post('/v1/tokens', { number, expMonth: 12, expYear: new Date().getFullYear() + 3, cvc: '123' })).token
}
const chargeWith = async (behaviour: CardBehaviour, idempotencyKey = newKey(), amountCents = 11_000) =>
  payments.charge({
    amountCents,
    token: await tokenFor(behaviour),
    reference: 'INV-1',
    idempotencyKey,
    returnUrl: 'http://shop.example/back',
  })

describe('payments through the sandbox', () => {
  test('the browser learns the public key and the script, never the secret', () => {
    expect(payments.clientConfig()).toEqual({
      provider: 'sandbox',
      clientToken: sandbox.publicKey,
      scriptUrl: `${sandbox.url}/v1/sandbox.js`,
      currency: 'AUD',
    })
    expect(JSON.stringify(payments.clientConfig())).not.toContain('sk_')
  })

  test('a card is charged once for a key, and the charge is found by it', async () => {
    const key = newKey()
    const [first, second] = await Promise.all([chargeWith('succeeds', key), payments.findCharge('none')])
    expect(first).toMatchObject({
      status: 'succeeded',
      amountCents: 11_000,
      currency: 'AUD',
      reference: 'INV-1',
      idempotencyKey: key,
      refundedCents: 0,
      feeCents: 223,
      card: { brand: 'visa', last4: '4242' },
    })
    expect(second).toBeNull()
    expect(await payments.findCharge(key)).toEqual(first)
    expect(await payments.getCharge(first.providerPaymentId ?? '')).toEqual(first)
    expect(await payments.getCharge('ch_none')).toBeNull()
    expect(await payments.listCharges(new Date(Date.now() - 60_000).toISOString())).toContainEqual(first)
  })

  test.each(['card_declined', 'insufficient_funds', 'expired_card', 'incorrect_cvc'] as const)(
    '%s is a result, not an error',
    async (behaviour) => {
      expect(await chargeWith(behaviour)).toMatchObject({ status: 'failed', failure: { code: behaviour } })
    },
  )

  test('a token that is not one fails without a payment', async () => {
    expect(
      await payments.charge({
        amountCents: 100,
        token: 'nonsense',
        reference: 'x',
        idempotencyKey: newKey(),
        returnUrl: '',
      }),
    ).toMatchObject({ status: 'failed', providerPaymentId: null, failure: { code: 'invalid_token' } })
  })

  test('another request under the same key is no second charge', async () => {
    const key = newKey()
    await chargeWith('succeeds', key)
    expect(await chargeWith('succeeds', key, 5)).toMatchObject({
      status: 'failed',
      failure: { code: 'idempotency_mismatch' },
    })
  })

  test('3-D Secure: the payer approves on the provider’s page and the payment is confirmed', async () => {
    const asked = await chargeWith('requires_action')
    expect(asked).toMatchObject({ status: 'requires_action', actionUrl: expect.stringContaining('/v1/3ds/') })
    expect((await payments.confirm(asked.providerPaymentId ?? '')).status).toBe('requires_action')
    await post(new URL(asked.actionUrl ?? '').pathname, { isApproved: true })
    expect(await payments.confirm(asked.providerPaymentId ?? '')).toMatchObject({ status: 'succeeded' })
  })

  test.each([
    'captures_and_never_answers',
    'captures_and_fails',
    'captures_and_hangs_up',
    'captures_and_answers_nothing',
  ] as const)('a card that %s leaves the outcome unknown until its key is looked up', async (behaviour) => {
    const key = newKey()
    await expect(chargeWith(behaviour, key)).rejects.toThrow(ProviderUncertain)
    expect(await payments.findCharge(key)).toMatchObject({ status: 'succeeded', idempotencyKey: key })
  })

  test('refunds are found by their key and never exceed the charge', async () => {
    const charge = await chargeWith('succeeds')
    const providerPaymentId = charge.providerPaymentId ?? ''
    const key = newKey()
    const refund = await payments.refund({ providerPaymentId, amountCents: 6000, idempotencyKey: key })
    expect(refund).toMatchObject({ status: 'succeeded', amountCents: 6000, providerPaymentId })
    expect(await payments.refund({ providerPaymentId, amountCents: 6000, idempotencyKey: key })).toEqual(refund)
    expect(await payments.findRefund(key)).toEqual(refund)
    expect(await payments.findRefund('none')).toBeNull()
    expect(await payments.refund({ providerPaymentId, amountCents: 6000, idempotencyKey: newKey() })).toMatchObject({
      status: 'failed',
      failure: { code: 'refund_exceeds_charge' },
    })
    expect((await payments.getCharge(providerPaymentId))?.refundedCents).toBe(6000)
  })

  test('a provider that is not there was never asked', async () => {
    const gone = await startSandbox({ dataDir: join(dataDir, 'gone'), webhookSecret })
    await gone.close()
    const nowhere = sandboxPayments({ url: gone.url, webhookSecret })
    await expect(nowhere.getCharge('ch_x')).rejects.toMatchObject({ isUnsent: true })
  })

  test('wrong keys are a matter of setting up', async () => {
    const stranger = sandboxPayments({ url: sandbox.url, webhookSecret: 'another secret' })
    await expect(
      stranger.charge({ amountCents: 1, token: 'x', reference: 'x', idempotencyKey: 'x', returnUrl: '' }),
    ).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})

describe('webhooks', () => {
  const now = new Date('2026-07-01T00:00:00Z')
  const at = Math.floor(now.getTime() / 1000)
  const receiving = sandboxPayments({
    url: 'http://127.0.0.1:1',
    webhookSecret,
    previousWebhookSecret: 'the secret before',
    now: () => now,
  })
  const body = Buffer.from(
    JSON.stringify({
      id: 'evt_1',
      type: 'charge.succeeded',
      createdAt: '2026-07-01T00:00:00.000Z',
      data: { charge: { id: 'ch_1' } },
    }),
  )
  const sign = (time: number, secret = webhookSecret, bytes = body) =>
    createHmac('sha256', secret).update(`${time}.`).update(bytes).digest('hex')
  const verify = (header: string | undefined, bytes = body) =>
    receiving.verifyWebhook(bytes, { 'brolga-signature': header })

  test('a genuine event is read', () => {
    expect(verify(`t=${at},v1=${sign(at)}`)).toMatchObject({
      id: 'evt_1',
      type: 'charge.succeeded',
      providerPaymentId: 'ch_1',
      providerRefundId: null,
      occurredAt: '2026-07-01T00:00:00.000Z',
    })
  })

  test.each([
    ['the previous secret while secrets change', `t=${at},v1=${sign(at, 'the secret before')}`],
    ['a wrong signature beside the right one', `t=${at},v1=${'0'.repeat(64)},v1=${sign(at)}`],
    ['parts in another order', `v1=${sign(at)},t=${at}`],
    ['299 seconds of age', `t=${at - 299},v1=${sign(at - 299)}`],
  ])('%s is accepted', (_what, header) => {
    expect(verify(header).id).toBe('evt_1')
  })

  test.each([
    ['no signature', undefined],
    ['an empty one', ''],
    ['another secret', `t=${at},v1=${sign(at, 'not ours')}`],
    ['an old recording', `t=${at - 301},v1=${sign(at - 301)}`],
    ['a time from the future', `t=${at + 301},v1=${sign(at + 301)}`],
    ['another time than was signed', `t=${at + 1},v1=${sign(at)}`],
    ['no time', `v1=${sign(at)}`],
    ['a shortened signature', `t=${at},v1=${sign(at).slice(0, 62)}`],
    ['an older scheme', `t=${at},v0=${sign(at)}`],
    ['rubbish', 'x'.repeat(3000)],
  ])('%s is refused', (_what, header) => {
    expect(() => verify(header)).toThrow(AppError)
  })

  test('one changed byte is refused', () => {
    const changed = Buffer.from(body)
    changed[20] = (changed[20] ?? 0) ^ 1
    expect(() => verify(`t=${at},v1=${sign(at)}`, changed)).toThrow('The webhook signature isn’t valid.')
  })

  test('a signed text that is no event is refused as well', () => {
    for (const text of ['hello', '{}', 'null']) {
      const bytes = Buffer.from(text)
      expect(() => verify(`t=${at},v1=${sign(at, webhookSecret, bytes)}`, bytes)).toThrow(AppError)
    }
  })

  test('what the sandbox sends is what we accept', async () => {
    const got = await new Promise<{
      raw: Buffer
      headers: Record<string, string | string[] | undefined>
      server: Server
    }>((resolve) => {
      const server = createServer((req, res) => {
        const chunks: Buffer[] = []
        req.on('data', (chunk: Buffer) => chunks.push(chunk))
        req.on('end', () => {
          res.end()
          resolve({ raw: Buffer.concat(chunks), headers: req.headers, server })
        })
      }).listen(0, '127.0.0.1', () => {
        const address = server.address()
        sandbox.setWebhookUrl(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`)
      })
    })
    expect(payments.verifyWebhook(got.raw, got.headers).providerPaymentId).toMatch(/^ch_/)
    sandbox.setWebhookUrl(null)
    got.server.closeAllConnections()
    got.server.close()
  })
})

describe('the circuit breaker', () => {
  test('after five failures in a row nothing is sent for 30 seconds, then one call tries', async () => {
    let time = 0
    let calls = 0
    let isDown = true
    const guarded = makeBreaker(() => time)
    const ask = () =>
      guarded(async () => {
        calls++
        if (isDown) throw new ProviderUncertain('down')
        return 'up'
      })
    for (let i = 0; i < 5; i++) await expect(ask()).rejects.toThrow(ProviderUncertain)
    await expect(ask()).rejects.toMatchObject({ code: 'OVERLOADED', status: 503 })
    expect(calls).toBe(5)
    time = 30_001
    await expect(ask()).rejects.toThrow(ProviderUncertain)
    await expect(ask()).rejects.toMatchObject({ code: 'OVERLOADED' })
    time = 60_002
    isDown = false
    expect(await Promise.allSettled([ask(), ask()])).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected' }])
    expect(await ask()).toBe('up')
    expect(calls).toBe(8)
  })

  test('declines and refusals do not open it', async () => {
    for (let i = 0; i < 8; i++) expect((await chargeWith('card_declined')).status).toBe('failed')
    expect((await chargeWith('succeeds')).status).toBe('succeeded')
  })
})

describe('choosing a provider', () => {
  test('settings choose; without one, card payments say that they are not set up', async () => {
    expect(
      paymentProvider({ paymentProvider: 'sandbox', paymentSandboxUrl: sandbox.url }, { webhook: webhookSecret }).name,
    ).toBe('sandbox')
    const stripe = { stripeSecretKey: 'sk', stripePublishableKey: 'pk', stripeWebhookSecret: 'whsec' }
    expect(
      paymentProvider({ paymentProvider: 'stripe', paymentSandboxUrl: '', ...stripe }, { webhook: '' }).clientConfig(),
    ).toMatchObject({ clientToken: 'pk' })
    const none = paymentProvider({ paymentProvider: 'none', paymentSandboxUrl: '' }, { webhook: '' })
    expect(() => none.clientConfig()).toThrow('Card payments aren’t available. Please pay by bank transfer.')
    await expect(none.refund({ providerPaymentId: 'x', amountCents: 1, idempotencyKey: 'x' })).rejects.toThrow(AppError)
    expect(() => none.verifyWebhook(Buffer.from('{}'), {})).toThrow(AppError)
  })
})
