import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ok } from '../../test/support/factories.ts'
import { cards, type InvoiceFacts, type Paying, startPaying, times } from '../../test/support/paying.ts'
import { signWebhook } from '../sandbox/webhooks.ts'
import { settleOpen } from './payments.jobs.ts'

let p: Paying
beforeAll(async () => void (p = await startPaying()))
beforeEach(() => void (p.clock.aheadMs = 0))
afterAll(() => p.stop())

interface Notice {
  text: string
  headers: Record<string, string>
}
const signed = (text: string, secret = p.webhookSecret, at = Math.floor(Date.now() / 1000)): Notice => ({
  text,
  headers: { 'brolga-signature': signWebhook(secret, text, at) },
})
const notice = (type: string, chargeId: string, id = `evt_${randomUUID()}`, refundId?: string): Notice =>
  signed(
    JSON.stringify({
      id,
      type,
      createdAt: new Date().toISOString(),
      data: { charge: { id: chargeId, amountCents: 1 }, ...(refundId ? { refund: { id: refundId } } : {}) },
    }),
  )
const deliver = ({ text, headers }: Notice) => p.deliver(text, headers)
const outcomes = (id: string) =>
  p.rows<{ outcome: string; reason: string | null }>(
    `select o.outcome, o.reason
      from webhook_outcomes o join webhook_events e on e.guid = o.event_guid where e.event_id = $1`,
    [id],
  )

/** A payment that the provider has taken and nobody has heard of. */
async function captured(amountCents = 4_400): Promise<{ invoice: InvoiceFacts; attempt: string; chargeId: string }> {
  const invoice = await p.invoice(amountCents)
  const attempt = await p.attempt(invoice.guid, amountCents)
  const charge = await p.provider.charge({
    amountCents,
    token: await p.token(cards.good),
    reference: invoice.number,
    idempotencyKey: attempt,
    returnUrl: 'http://127.0.0.1',
  })
  return { invoice, attempt, chargeId: charge.providerPaymentId ?? '' }
}
const bookings = (attempt: string) => p.rows(`select p.guid from payments p where p.attempt_guid = $1`, [attempt])

describe('a notice of the provider', () => {
  test('is kept and answered at once, and books the payment', async () => {
    const { invoice, attempt, chargeId } = await captured()
    const answer = await deliver(notice('charge.succeeded', chargeId))
    expect([answer.statusCode, answer.json().serviceData]).toEqual([200, { received: true }])
    expect(await p.standing(invoice.guid)).toMatchObject({ balanceCents: 4_400 })
    await p.workOff()
    expect(await p.standing(invoice.guid)).toMatchObject({ paymentStatus: 'paid', balanceCents: 0 })
    expect(await bookings(attempt)).toHaveLength(1)
  })

  test('that comes a hundred times, all at once, has one effect', async () => {
    const { invoice, attempt, chargeId } = await captured()
    const same = notice('charge.succeeded', chargeId)
    const answers = await times(100, () => deliver(same))
    expect(answers.map((a) => a.statusCode)).toEqual(Array<number>(100).fill(200))
    const again = await times(20, () => deliver(notice('charge.succeeded', chargeId)))
    expect(again.every((a) => a.statusCode === 200)).toBe(true)
    await Promise.all([p.workOff(), p.workOff()])
    expect(await bookings(attempt)).toHaveLength(1)
    expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 4_400, balanceCents: 0 })
    await p.tellAll()
    const receipts = await p.rows(
      `select guid from messages
        where template = 'receipt' and owner_guid in (select guid from payments where attempt_guid = $1)`,
      [attempt],
    )
    expect(receipts).toHaveLength(1)
  })

  test('may race with the browser’s answer: fifty times, one booking each', async () => {
    for (let round = 0; round < 5; round++) {
      const made = await times(10, () => captured())
      await Promise.all(made.map(({ chargeId }) => deliver(notice('charge.succeeded', chargeId))))
      const [answers] = await Promise.all([
        Promise.all(made.map(({ invoice, attempt }) => p.settle(invoice.link, attempt))),
        p.workOff(),
      ])
      for (const answer of answers)
        expect(answer).toMatchObject({
          status: 200,
          data: { payment: { status: 'succeeded' }, invoice: { balanceCents: 0 } },
        })
      for (const { attempt } of made) expect(await bookings(attempt)).toHaveLength(1)
    }
  }, 60_000)

  test('may come in any order: the last one first, the first one last', async () => {
    const { invoice, attempt, chargeId } = await captured(10_000)
    ok(await p.settle(invoice.link, attempt))
    const [payment] = await p.rows<{ guid: string }>(`select guid from payments where attempt_guid = $1`, [attempt])
    ok(await p.refund({ paymentGuid: payment?.guid, amountCents: 2_000 }), 201)
    ok(await p.refund({ paymentGuid: payment?.guid, amountCents: 8_000 }), 201)
    const types = [
      'refund.succeeded',
      'charge.requires_action',
      'refund.succeeded',
      'charge.succeeded',
      'charge.failed',
    ]
    const before = await p.standing(invoice.guid)
    for (const type of types) expect((await deliver(notice(type, chargeId))).statusCode).toBe(200)
    await p.workOff()
    expect(await p.standing(invoice.guid)).toEqual(before)
    expect(before).toMatchObject({
      paymentStatus: 'refunded',
      paidCents: 10_000,
      refundedCents: 10_000,
      balanceCents: 0,
    })
  })

  test('that tells of a failure books it, and the customer may pay again', async () => {
    const invoice = await p.invoice(4_400)
    const { payment } = ok(await p.pay(invoice.link, 4_400, cards.secure), 201)
    await fetch(payment.actionUrl ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"isApproved":false}',
    })
    const [charge] = await p.charges(invoice.number)
    await deliver(notice('charge.failed', charge?.providerPaymentId ?? ''))
    await p.workOff()
    expect(ok(await p.pay(invoice.link, 4_400), 201).payment.status).toBe('succeeded')
  })

  test('that comes after we gave the payment up books the money, as credit where nothing is owed', async () => {
    const invoice = await p.invoice(5_500)
    const attempt = await p.attempt(invoice.guid, 5_500)
    p.clock.aheadMs = 6 * 60_000
    await settleOpen(p.system())
    p.clock.aheadMs = 0
    expect(await p.rows(`select status from payment_attempts where guid = $1`, [attempt])).toEqual([
      { status: 'failed' },
    ])
    ok(await p.pay(invoice.link, 5_500), 201)
    const late = await p.provider.charge({
      amountCents: 5_500,
      token: await p.token(cards.good),
      reference: invoice.number,
      idempotencyKey: attempt,
      returnUrl: 'http://127.0.0.1',
    })
    await deliver(notice('charge.succeeded', late.providerPaymentId ?? ''))
    await p.workOff()
    const [payment] = await p.rows<{ guid: string }>(`select guid from payments where attempt_guid = $1`, [attempt])
    expect(await p.payment(payment?.guid ?? '')).toMatchObject({
      amountCents: 5_500,
      unallocatedCents: 5_500,
      allocations: [],
    })
    expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 5_500, balanceCents: 0 })
    const back = ok(await p.refund({ paymentGuid: payment?.guid, amountCents: 5_500, reasonCode: 'duplicate' }), 201)
    expect(back).toMatchObject({
      refund: { status: 'succeeded' },
      adjustmentNote: null,
      payment: { unallocatedCents: 0, status: 'refunded' },
    })
  })
})

describe('what does not fit is put aside for a person', () => {
  test.each([
    ['a payment the provider does not know', async () => 'ch_unknown', 'the provider does not know the payment'],
    [
      'a payment that is none of ours',
      async () =>
        (
          await p.provider.charge({
            amountCents: 700,
            token: await p.token(cards.good),
            reference: 'elsewhere',
            idempotencyKey: randomUUID(),
            returnUrl: 'http://127.0.0.1',
          })
        ).providerPaymentId ?? '',
      'the payment is none of ours',
    ],
    [
      'a payment of another amount than ours',
      async () => {
        const invoice = await p.invoice(4_400)
        const attempt = await p.attempt(invoice.guid, 4_400)
        return (
          (
            await p.provider.charge({
              amountCents: 1,
              token: await p.token(cards.good),
              reference: invoice.number,
              idempotencyKey: attempt,
              returnUrl: 'http://127.0.0.1',
            })
          ).providerPaymentId ?? ''
        )
      },
      'amount, currency or payment differ from ours',
    ],
    [
      'a refund that was made at the provider',
      async () => {
        const { chargeId } = await captured()
        await p.provider.refund({ providerPaymentId: chargeId, amountCents: 100, idempotencyKey: randomUUID() })
        return chargeId
      },
      'more was refunded at the provider than here',
    ],
  ])('%s', async (_, chargeOf, reason) => {
    const id = `evt_${randomUUID()}`
    await deliver(notice('charge.succeeded', await chargeOf(), id))
    await p.workOff()
    expect(await outcomes(id)).toEqual([{ outcome: 'quarantined', reason }])
  })

  test('a kind of notice we have no use for is noted and left', async () => {
    const id = `evt_${randomUUID()}`
    await deliver(notice('payout.paid', 'ch_1', id))
    await p.workOff()
    expect(await outcomes(id)).toMatchObject([{ outcome: 'ignored' }])
  })
})

describe('only genuine notices are kept', () => {
  test('tampered, old, unsigned and foreign ones are refused and leave nothing', async () => {
    const { chargeId } = await captured()
    const genuine = notice('charge.succeeded', chargeId, 'evt_tampered')
    const now = Math.floor(Date.now() / 1000)
    const bad: [string, Notice][] = [
      ['a byte changed', { ...genuine, text: genuine.text.replace('"amountCents":1', '"amountCents":2') }],
      [
        'keys in another order',
        {
          ...genuine,
          text: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(genuine.text) as object).toReversed())),
        },
      ],
      ['a blank more', { ...genuine, text: `${genuine.text} ` }],
      ['too old', signed(genuine.text, p.webhookSecret, now - 301)],
      ['from the future', signed(genuine.text, p.webhookSecret, now + 400)],
      ['another secret', signed(genuine.text, 'z'.repeat(64))],
      ['no signature', { ...genuine, headers: {} }],
      ['an empty signature', { ...genuine, headers: { 'brolga-signature': '' } }],
      [
        'a signature without a time',
        {
          ...genuine,
          headers: { 'brolga-signature': genuine.headers['brolga-signature']?.replace(/t=\d+,/, '') ?? '' },
        },
      ],
      [
        'the time changed',
        {
          ...genuine,
          headers: { 'brolga-signature': genuine.headers['brolga-signature']?.replace(/t=\d+/, `t=${now - 1}`) ?? '' },
        },
      ],
      [
        'the signature cut short',
        { ...genuine, headers: { 'brolga-signature': genuine.headers['brolga-signature']?.slice(0, -2) ?? '' } },
      ],
    ]
    for (const [what, given] of bad) expect([what, (await deliver(given)).statusCode]).toEqual([what, 401])
    expect(await p.rows(`select 1 from webhook_events where event_id = 'evt_tampered'`)).toEqual([])
    expect((await deliver(genuine)).statusCode).toBe(200)
  })

  test('another provider is not known here, and nonsense is no notice', async () => {
    const genuine = notice('charge.succeeded', 'ch_1')
    expect((await p.deliver(genuine.text, genuine.headers, 'stripe')).statusCode).toBe(404)
    expect((await deliver(signed('{"a":1}'))).statusCode).toBe(400)
    expect((await deliver(signed('not json'))).statusCode).toBe(400)
    // No database keeps a NUL: sending it again would change nothing.
    const { text } = notice('charge.succeeded', 'ch_1')
    expect((await deliver(signed(text.replace('ch_1', 'ch_1\\u0000')))).statusCode).toBe(400)
    expect((await deliver(signed(text.replace(/"id":"[^"]+"/, '"id":"evt\\u0000"')))).statusCode).toBe(400)
  })

  test('what cannot be kept is answered with 503, so that it is sent again', async () => {
    const { chargeId } = await captured()
    await p.rows(`alter table webhook_events rename to webhook_events_away`)
    const same = notice('charge.succeeded', chargeId)
    const refused = await deliver(same)
    await p.rows(`alter table webhook_events_away rename to webhook_events`)
    expect([refused.statusCode, refused.json().error]).toEqual([503, 'UNAVAILABLE'])
    expect((await deliver(same)).statusCode).toBe(200)
  })
})

test('the sandbox delivers by itself, twice and out of order, and everything is booked once', async () => {
  const address = await p.app.fastify.listen({ port: 0, host: '127.0.0.1' })
  p.sandbox.setWebhookUrl(`${address}/api/v2/Payments/Webhooks/sandbox`)
  await p.tell('webhooks', { mode: 'duplicate' })
  const made = await times(5, () => captured())
  await p.tell('webhooks', { mode: 'shuffle' })
  made.push(...(await times(5, () => captured())))
  await p.tell('flush')
  await expect.poll(() => p.sandbox.undelivered()).toBe(0)
  await p.workOff()
  for (const { invoice, attempt } of made) {
    expect(await bookings(attempt)).toHaveLength(1)
    expect(await p.standing(invoice.guid)).toMatchObject({ paymentStatus: 'paid', balanceCents: 0 })
  }
})

test('after all of it the books agree in every cent', async () => {
  expect(await p.problems()).toEqual([])
})
