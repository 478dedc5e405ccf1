import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testCards, type CardBehaviour } from '../../contract/payments-test-cards.ts'
import { passesLuhn } from './cards.ts'
import { startSandbox, type Sandbox } from './sandbox.ts'

const secret = 'a secret of the tests, long enough for all'
const shop = 'http://shop.example:4000'
let dataDir: string
let sandbox: Sandbox
const start = (more: Partial<Parameters<typeof startSandbox>[0]> = {}) =>
  startSandbox({ dataDir, webhookSecret: secret, publicOrigins: [shop], settleAfterMs: 50, ...more })

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  sandbox = await start()
})
afterEach(async () => {
  await sandbox.close()
  rmSync(dataDir, { recursive: true })
})

type Json = Record<string, unknown>
async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) {
  const response = await fetch(sandbox.url + path, {
    method,
    headers: {
      authorization: `Bearer ${sandbox.secretKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Json & {
      id: string
      status: string
      items: Json[]
      token: string
      actionUrl: string
    },
  }
}
const numberOf = (behaviour: CardBehaviour) => testCards.find((c) => c.behaviour === behaviour)?.number ?? ''
const cardOf = (number: string) => ({
  number,
  expMonth: 12,
  expYear: new Date().getFullYear() + 3,
  cvc: number.startsWith('3') ? '1234' : '123',
})
const tokenFor = async (number: string) => (await call('POST', '/v1/tokens', cardOf(number))).body.token
const charge = (token: string, key: string, amountCents = 11_000) =>
  call(
    'POST',
    '/v1/charges',
    { amountCents, currency: 'AUD', token, reference: 'INV-1', metadata: { attempt: key } },
    { 'idempotency-key': key },
  )
const chargeWith = async (behaviour: CardBehaviour, key = 'k1') => charge(await tokenFor(numberOf(behaviour)), key)

describe('tokens', () => {
  test('every test card is a possible card number', () => {
    expect(testCards.every((c) => passesLuhn(c.number))).toBe(true)
    expect(new Set(testCards.map((c) => c.number)).size).toBe(testCards.length)
  })

  test('a card becomes a token that any page may ask for, and its number is written nowhere', async () => {
    const { status, body, headers } = await call(
      'POST',
      '/v1/tokens',
      { number: '4242 4242 4242 4242', expMonth: 12, expYear: 30, cvc: '123', name: 'Ann' },
      { authorization: '', origin: 'http://elsewhere.example' },
    )
    expect(status).toBe(201)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toEqual({
      token: expect.stringMatching(/^tok_/),
      card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 },
    })
    expect(body.token.length).toBeLessThan(60)
    await charge(body.token, 'k1')
    expect(readFileSync(join(dataDir, 'payments.jsonl'), 'utf8')).not.toContain('42424242')
  })

  test.each([
    [{ number: '4242424242424241', expMonth: 12, expYear: 2040, cvc: '123' }, 'incorrect_number', 'number'],
    [{ number: '4111111111111111', expMonth: 12, expYear: 2040, cvc: '123' }, 'not_a_test_card', 'number'],
    [{ number: '42', expMonth: 12, expYear: 2040, cvc: '123' }, 'incorrect_number', 'number'],
    [{ number: { $gt: '' }, expMonth: 12, expYear: 2040, cvc: '123' }, 'incorrect_number', 'number'],
    [{ number: '4242424242424242', expMonth: 13, expYear: 2040, cvc: '123' }, 'invalid_expiry_month', 'expMonth'],
    [{ number: '4242424242424242', expMonth: 1, expYear: 2020, cvc: '123' }, 'expired_card', 'expMonth'],
    [{ number: '4242424242424242', expMonth: 1, expYear: 9999, cvc: '123' }, 'invalid_expiry_year', 'expYear'],
    [{ number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '12' }, 'incorrect_cvc', 'cvc'],
    [{ number: '378282246310005', expMonth: 12, expYear: 2040, cvc: '123' }, 'incorrect_cvc', 'cvc'],
    [{ wallet: 'cash' }, 'unknown_wallet', 'wallet'],
  ])('%j is refused with its field', async (body, error, field) => {
    const answer = await call('POST', '/v1/tokens', body)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ error, field, message: expect.stringMatching(/\.$/) })
  })

  test('wallets give tokens too', async () => {
    const { body } = await call('POST', '/v1/tokens', { wallet: 'apple_pay' })
    expect(body.card).toMatchObject({ brand: 'visa', wallet: 'apple_pay' })
    expect((await charge(body.token, 'k1')).body).toMatchObject({ status: 'succeeded', card: { wallet: 'apple_pay' } })
  })

  test('a token that was tampered with is not known', async () => {
    const token = await tokenFor(numberOf('card_declined'))
    const forged = token.replace(/^tok_../, 'tok_AA')
    expect((await charge(forged, 'k1')).body).toMatchObject({ error: 'invalid_token' })
  })
})

describe('charges', () => {
  test('a charge is captured, keeps its fee and can be found by its id, its key and its day', async () => {
    const { status, body } = await chargeWith('succeeds')
    expect(status).toBe(201)
    expect(body).toMatchObject({
      status: 'succeeded',
      amountCents: 11_000,
      currency: 'AUD',
      reference: 'INV-1',
      refundedCents: 0,
      feeCents: 223,
      failure: null,
    })
    expect((await call('GET', `/v1/charges/${body.id}`)).body).toEqual(body)
    expect((await call('GET', '/v1/charges?idempotencyKey=k1')).body.items).toEqual([body])
    expect((await call('GET', '/v1/charges?idempotencyKey=k2')).body.items).toEqual([])
    expect(
      (await call('GET', `/v1/charges?from=${encodeURIComponent(new Date(Date.now() - 60_000).toISOString())}`)).body
        .items,
    ).toEqual([body])
    expect((await call('GET', `/v1/charges?from=2099-01-01T00:00:00Z`)).body.items).toEqual([])
  })

  test('long lists come in pages', async () => {
    const token = await tokenFor(numberOf('succeeds'))
    await Promise.all([1, 2, 3].map((n) => charge(token, `k${n}`)))
    const firstPage = (await call('GET', '/v1/charges?limit=2')).body
    const secondPage = (await call('GET', `/v1/charges?limit=2&after=${String(firstPage.next)}`)).body
    expect([firstPage.items.length, secondPage.items.length, secondPage.next]).toEqual([2, 1, null])
  })

  test('a key gives one answer and one charge, twenty times at once; another request under it is refused', async () => {
    const token = await tokenFor(numberOf('succeeds'))
    const answers = await Promise.all(Array.from({ length: 20 }, () => charge(token, 'same')))
    expect(new Set(answers.map((a) => a.body.id)).size).toBe(1)
    expect((await call('GET', '/v1/charges')).body.items).toHaveLength(1)
    expect(await charge(token, 'same', 500)).toMatchObject({ status: 409, body: { error: 'idempotency_mismatch' } })
  })

  test.each(['card_declined', 'insufficient_funds', 'expired_card', 'incorrect_cvc'] as const)(
    'a card with %s fails with that code',
    async (behaviour) => {
      const { status, body } = await chargeWith(behaviour)
      expect(status).toBe(402)
      expect(body).toMatchObject({
        status: 'failed',
        failure: { code: behaviour, message: expect.stringMatching(/\.$/) },
        feeCents: 0,
      })
      expect((await chargeWith(behaviour, 'k2')).body.status).toBe('failed')
    },
  )

  test.each([
    'captures_and_fails',
    'captures_and_hangs_up',
    'captures_and_answers_nothing',
    'captures_and_never_answers',
  ] as const)('a card that %s leaves a charge that its key finds', async (behaviour) => {
    const token = await tokenFor(numberOf(behaviour))
    const body = { amountCents: 100, currency: 'AUD', token }
    const outcome = await call(
      'POST',
      '/v1/charges',
      body,
      { 'idempotency-key': 'lost' },
      AbortSignal.timeout(400),
    ).catch(() => null)
    expect(outcome?.status ?? 500).toBe(500)
    expect((await call('GET', '/v1/charges?idempotencyKey=lost')).body.items).toMatchObject([
      { status: 'succeeded', amountCents: 100 },
    ])
    expect((await call('POST', '/v1/charges', body, { 'idempotency-key': 'lost' })).body.status).toBe('succeeded')
    expect((await call('GET', '/v1/charges')).body.items).toHaveLength(1)
  })

  test('a payment that settles later is processing first, and settles after a restart as well', async () => {
    const { body } = await chargeWith('settles_later')
    expect(body.status).toBe('processing')
    await sandbox.close()
    sandbox = await start()
    await expect.poll(async () => (await call('GET', `/v1/charges/${body.id}`)).body.status).toBe('succeeded')
  })

  test.each([
    [{ amountCents: 0 }, 'invalid_amount'],
    [{ amountCents: 1.5 }, 'invalid_amount'],
    [{ amountCents: '100' }, 'invalid_amount'],
    [{ amountCents: 1e15 }, 'invalid_amount'],
    [{ currency: 'USD' }, 'invalid_currency'],
    [{ reference: 5 }, 'invalid_reference'],
    [{ metadata: [1] }, 'invalid_metadata'],
    [{ token: 'tok_x' }, 'invalid_token'],
  ])('%j is refused', async (wrong, error) => {
    const token = await tokenFor(numberOf('succeeds'))
    expect(
      await call(
        'POST',
        '/v1/charges',
        { amountCents: 100, currency: 'AUD', token, ...wrong },
        { 'idempotency-key': 'k' },
      ),
    ).toMatchObject({ status: 422, body: { error } })
  })

  test('a charge needs a key and the secret key', async () => {
    const token = await tokenFor(numberOf('succeeds'))
    expect((await call('POST', '/v1/charges', { amountCents: 100, currency: 'AUD', token })).status).toBe(400)
    for (const authorization of ['', 'Bearer', 'Bearer x', `Bearer ${sandbox.publicKey}`])
      expect((await call('GET', '/v1/charges', undefined, { authorization })).status).toBe(401)
  })
})

describe('3-D Secure', () => {
  test('approval takes the payment, once; a second answer changes nothing', async () => {
    const { status, body } = await chargeWith('requires_action')
    expect([status, body.status]).toEqual([201, 'requires_action'])
    expect((await call('POST', `/v1/charges/${body.id}/confirm`, {})).body.status).toBe('requires_action')
    const path = new URL(body.actionUrl).pathname
    expect((await call('POST', path, { isApproved: true }, { authorization: '' })).body).toEqual({
      id: body.id,
      status: 'succeeded',
    })
    expect((await call('POST', path, { isApproved: false })).body.status).toBe('succeeded')
    expect((await call('POST', `/v1/charges/${body.id}/confirm`, {})).body.status).toBe('succeeded')
  })

  test('refusal fails the payment', async () => {
    const { body } = await chargeWith('requires_action')
    await call('POST', new URL(body.actionUrl).pathname, { isApproved: false })
    expect((await call('GET', `/v1/charges/${body.id}`)).body).toMatchObject({
      status: 'failed',
      failure: { code: 'authentication_failed' },
    })
  })

  test('who knows the charge does not know its page', async () => {
    const { body } = await chargeWith('requires_action')
    expect((await call('POST', `/v1/3ds/${body.id}`, { isApproved: true })).status).toBe(404)
    expect((await call('POST', `/v1/3ds/${body.id}.guess`, { isApproved: true })).status).toBe(404)
  })
})

describe('refunds', () => {
  const refund = (chargeId: string, amountCents: unknown, key: string) =>
    call('POST', '/v1/refunds', { chargeId, amountCents }, { 'idempotency-key': key })

  test('parts are refunded up to the whole and not a cent beyond, however many ask at once', async () => {
    const { body } = await chargeWith('succeeds')
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => refund(body.id, 6600, `r${i}`)))
    expect(answers.filter((a) => a.status === 201)).toHaveLength(1)
    expect(answers.filter((a) => a.status === 409)).toHaveLength(49)
    expect((await refund(body.id, 4401, 'rest')).body.error).toBe('refund_exceeds_charge')
    expect((await refund(body.id, 4400, 'rest')).status).toBe(201)
    expect((await call('GET', `/v1/charges/${body.id}`)).body.refundedCents).toBe(11_000)
  })

  test('the same key refunds once and is found', async () => {
    const { body } = await chargeWith('succeeds')
    const [a, b] = await Promise.all([refund(body.id, 100, 'r'), refund(body.id, 100, 'r')])
    expect(a.body).toEqual(b.body)
    expect((await refund(body.id, 200, 'r')).status).toBe(409)
    expect((await call('GET', '/v1/refunds?idempotencyKey=r')).body.items).toEqual([a.body])
    expect((await call('GET', `/v1/charges/${body.id}`)).body.refundedCents).toBe(100)
  })

  test('only payments that succeeded are refunded', async () => {
    const { body } = await chargeWith('card_declined')
    expect((await refund(body.id, 100, 'r')).body.error).toBe('not_refundable')
    expect((await refund('ch_none', 100, 'r2')).status).toBe(404)
    expect((await refund(body.id, -5, 'r3')).status).toBe(422)
  })
})

describe('webhooks', () => {
  interface Delivery {
    headers: IncomingHttpHeaders
    text: string
    event: { id: string; type: string; data: { charge: { id: string } } }
  }
  async function receiver(answers: () => number) {
    const got: Delivery[] = []
    const server = createServer((req, res) => {
      let text = ''
      req.on('data', (chunk) => (text += chunk))
      req.on('end', () => {
        got.push({ headers: req.headers, text, event: JSON.parse(text) })
        res.writeHead(answers()).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    sandbox.setWebhookUrl(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`)
    return { got, types: () => got.map((g) => g.event.type), close: () => server.close() }
  }
  const setMode = (mode: string, delayMs?: number) => call('POST', '/v1/test/webhooks', { mode, delayMs })

  test('events are signed over the bytes sent', async () => {
    const { got, close } = await receiver(() => 200)
    await chargeWith('succeeds')
    await expect.poll(() => got).toHaveLength(1)
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(got[0]?.headers['brolga-signature'])) ?? []
    expect(signature).toBe(createHmac('sha256', secret).update(`${time}.${got[0]?.text}`).digest('hex'))
    await expect.poll(() => sandbox.undelivered()).toBe(0)
    close()
  })

  test('an event is tried again until it is taken', async () => {
    let count = 0
    const { got, close } = await receiver(() => (++count < 3 ? 503 : 204))
    await chargeWith('card_declined')
    await expect.poll(() => sandbox.undelivered()).toBe(0)
    expect(new Set(got.map((g) => g.event.id)).size).toBe(1)
    expect(got.map((g) => g.event.type)).toEqual(['charge.failed', 'charge.failed', 'charge.failed'])
    close()
  })

  test('events nobody took are delivered after a restart', async () => {
    await chargeWith('succeeds')
    await sandbox.close()
    sandbox = await start()
    expect(sandbox.undelivered()).toBe(1)
    const { types, close } = await receiver(() => 200)
    await expect.poll(() => types()).toEqual(['charge.succeeded'])
    close()
  })

  test('tests can hold, repeat, delay and shuffle events', async () => {
    const { got, types, close } = await receiver(() => 200)
    await setMode('hold')
    await chargeWith('requires_action', 'k1')
    expect(got).toHaveLength(0)
    expect((await call('POST', '/v1/test/flush', {})).body).toEqual({ delivered: 1 })
    expect(types()).toEqual(['charge.requires_action'])
    await setMode('duplicate')
    await chargeWith('succeeds', 'k2')
    await expect.poll(() => types().filter((t) => t === 'charge.succeeded')).toHaveLength(3)
    await setMode('late', 150)
    await chargeWith('card_declined', 'k3')
    expect(types()).not.toContain('charge.failed')
    await expect.poll(() => types()).toContain('charge.failed')
    await setMode('shuffle')
    const { body } = await chargeWith('succeeds', 'k4')
    await call('POST', '/v1/test/disputes', { chargeId: body.id })
    await expect.poll(() => types()).toContain('charge.disputed')
    expect((await setMode('sideways')).status).toBe(422)
    close()
  })
})

describe('bad requests', () => {
  test.each([
    ['POST', '/v1/tokens', '{', 400],
    ['POST', '/v1/tokens', '[]', 400],
    ['POST', '/v1/tokens', 'null', 400],
    ['POST', '/v1/tokens', `{"x":"${'x'.repeat(70_000)}"}`, 413],
    ['GET', '/v1/nothing', undefined, 404],
    ['DELETE', '/v1/charges', undefined, 405],
    ['GET', '/v1/charges?from=yesterday', undefined, 400],
    ['GET', '/v1/charges?limit=1e9', undefined, 400],
    ['GET', '/v1/charges/ch_none', undefined, 404],
    ['GET', '/v1/3ds/..%2f', undefined, 404],
    ['POST', '/v1/3ds/ch_x.y', '{"isApproved":"yes"}', 422],
  ])('%s %s gets a sentence, never a stack', async (method, path, body, status) => {
    const answer = await call(method, path, body)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({
      error: expect.any(String),
      message: expect.stringMatching(/^[A-Z].*\.$/),
      field: expect.toSatisfy((f) => f === null || typeof f === 'string'),
    })
  })

  test('another content type is refused', async () => {
    expect((await call('POST', '/v1/tokens', 'a=b', { 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('the switches for tests are not for web pages', async () => {
    expect((await call('POST', '/v1/test/latency', { ms: 5 }, { origin: shop })).status).toBe(403)
    expect((await call('POST', '/v1/test/latency', { ms: -5 })).status).toBe(422)
  })

  test('the provider can be told to fail and to be slow', async () => {
    await call('POST', '/v1/test/latency', { ms: 60, isFailing: true })
    const started = performance.now()
    expect((await call('GET', '/v1/charges')).status).toBe(500)
    expect(performance.now() - started).toBeGreaterThan(50)
    await call('POST', '/v1/test/latency', {})
    expect((await call('GET', '/v1/charges')).status).toBe(200)
  })
})

describe('pages', () => {
  const page = async (path: string) => {
    const response = await fetch(sandbox.url + path)
    return {
      status: response.status,
      policy: response.headers.get('content-security-policy') ?? '',
      text: await response.text(),
    }
  }

  test('the card frame may be shown by the shop alone, without inline code or styles', async () => {
    const { status, policy, text } = await page(
      `/v1/frame?parent=${encodeURIComponent(shop)}&frame=f1&theme=dark&locale=ar`,
    )
    expect(status).toBe(200)
    expect(policy).toContain(`frame-ancestors ${shop}`)
    expect(policy).toContain("default-src 'none'")
    expect(text).toContain('<html lang="ar" dir="rtl" data-theme="dark">')
    expect(text).not.toMatch(/<style|style=|<script>/)
    expect(text).toContain(`data-parent="${shop}"`)
  })

  test('a stranger gets no frame, and nothing of the address becomes code', async () => {
    expect((await page('/v1/frame?parent=http%3A%2F%2Fevil.example')).status).toBe(403)
    expect((await page('/v1/frame?parent=javascript%3Aalert(1)')).status).toBe(403)
    expect((await page('/v1/3ds/x?return_url=http%3A%2F%2Fevil.example')).status).toBe(403)
    const { text } = await page(
      `/v1/wallet?wallet=apple_pay&parent=${encodeURIComponent(shop)}` +
        '&frame=%22%3E%3Cscript%3E&amount=%3Cimg%20src%3Dx%3E',
    )
    expect(text).not.toContain('<img')
    expect(text).not.toContain('"><script>')
  })

  test('the scripts, styles and fonts are there', async () => {
    for (const name of [
      'sandbox.js',
      'talk.js',
      'card.js',
      'action.js',
      'wallet.js',
      'page.css',
      'font-400.woff2',
      'font-600.woff2',
    ])
      expect((await fetch(`${sandbox.url}/v1/${name}`)).status).toBe(200)
  })

  test('localhost and its address are the same shop', async () => {
    sandbox.setPublicOrigins(['http://127.0.0.1:4000'])
    expect((await page('/v1/frame?parent=http%3A%2F%2Flocalhost%3A4000')).status).toBe(200)
  })
})
