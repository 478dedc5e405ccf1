import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ok } from '../../test/support/factories.ts'
import { tellPeople } from '../../test/support/account-emails.ts'
import { cards, type Paying, startPaying } from '../../test/support/paying.ts'
import type { Caller } from '../../test/support/start.ts'
import { signWebhook } from '../sandbox/webhooks.ts'

let p: Paying
beforeAll(async () => void (p = await startPaying()))
afterAll(() => p.stop())

interface AsideFacts {
  guid: string
  reason: string
  amountCents: number | null
  expectedCents: number | null
  invoice: { guid: string; label: string } | null
  isOpen: boolean
}
const news = async (type: string, chargeId: string, more: Record<string, string> = {}) => {
  const text = JSON.stringify({
    id: `evt_${randomUUID()}`,
    type,
    createdAt: new Date().toISOString(),
    data: { charge: { id: chargeId, amountCents: 1, ...more } },
  })
  expect(
    (await p.deliver(text, { 'brolga-signature': signWebhook(p.webhookSecret, text, Math.floor(Date.now() / 1000)) }))
      .statusCode,
  ).toBe(200)
  await p.workOff()
}
const list = async (who: Caller = p.actors.accountant) =>
  ok(await p.app.call<{ items: AsideFacts[] }>(who, 'GET', '/Payments/Quarantine')).items
const release = (guid: string, body: object, who: Caller = p.actors.accountant) =>
  p.app.call<{ payment: { guid: string; amountCents: number; unallocatedCents: number; status: string } | null }>(
    who,
    'POST',
    `/Payments/Quarantine/${guid}`,
    body,
    { 'idempotency-key': randomUUID() },
  )

/** A payment of another amount than was asked for, as the provider tells of it. */
async function otherAmount(askedCents: number, takenCents: number) {
  const invoice = await p.invoice(askedCents)
  const attempt = await p.attempt(invoice.guid, askedCents)
  const charge = await p.provider.charge({
    amountCents: takenCents,
    token: await p.token(cards.good),
    reference: invoice.number,
    idempotencyKey: attempt,
    returnUrl: 'http://127.0.0.1',
  })
  const chargeId = charge.providerPaymentId ?? ''
  await news('charge.succeeded', chargeId)
  const aside = (await list()).find((a) => a.invoice?.guid === invoice.guid)
  if (!aside) throw new Error('the charge was not put aside')
  return { invoice, attempt, chargeId, aside }
}

describe('a charge of another amount than was asked for', () => {
  test('is seen with what was taken and what was asked, and booked as it was taken', async () => {
    const { invoice, aside, chargeId } = await otherAmount(10_000, 7_000)
    expect(aside).toMatchObject({
      reason: 'differs',
      amountCents: 7_000,
      expectedCents: 10_000,
      invoice: { label: invoice.number },
      isOpen: true,
    })
    const found = ok(
      await p.app.call<{ items: AsideFacts[] }>(
        p.actors.accountant,
        'GET',
        `/Payments/Quarantine?search=${invoice.number}`,
      ),
    ).items
    expect(found.map((a) => a.guid)).toEqual([aside.guid])
    const { payment } = ok(await release(aside.guid, { action: 'book', note: 'The customer agreed' }))
    expect(payment).toMatchObject({ amountCents: 7_000, unallocatedCents: 0 })
    expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 7_000, balanceCents: 3_000 })
    expect((await release(aside.guid, { action: 'refund' })).status).toBe(404)
    // What is still owing can be paid; later notices of the same payment change nothing and put nothing aside.
    ok(await p.pay(invoice.link, 3_000), 201)
    await news('charge.succeeded', chargeId)
    expect((await list()).some((a) => a.invoice?.guid === invoice.guid)).toBe(false)
    ok(await p.refund({ paymentGuid: payment?.guid, amountCents: 2_000 }), 201)
    const [line] = await p.rows<{ actor: string }>(
      `select actor_name as actor from audit_log where action = 'charge.booked' and entity_guid = $1`,
      [payment?.guid],
    )
    expect(line?.actor).toBeTruthy()
  })

  test('is given back to the card, once, and frees the balance', async () => {
    const { invoice, aside, chargeId } = await otherAmount(4_400, 5_000)
    ok(await release(aside.guid, { action: 'refund' }))
    expect(await p.provider.getCharge(chargeId)).toMatchObject({ refundedCents: 5_000 })
    await news('refund.succeeded', chargeId)
    expect((await list()).some((a) => a.invoice?.guid === invoice.guid)).toBe(false)
    ok(await p.pay(invoice.link, 4_400), 201)
    expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 4_400, balanceCents: 0 })
  })

  test('is dismissed with a reason, or booked on an invoice that somebody names', async () => {
    const { aside } = await otherAmount(1_000, 900)
    expect((await release(aside.guid, { action: 'dismiss' })).errors).toMatchObject([{ path: 'note' }])
    ok(await release(aside.guid, { action: 'dismiss', note: 'Settled at the provider' }))
    expect((await list()).map((a) => a.guid)).not.toContain(aside.guid)
    const charge = await p.provider.charge({
      amountCents: 1_500,
      token: await p.token(cards.good),
      reference: 'elsewhere',
      idempotencyKey: randomUUID(),
      returnUrl: 'http://127.0.0.1',
    })
    await news('charge.succeeded', charge.providerPaymentId ?? '')
    const [foreign] = (await list()).filter((a) => a.reason === 'not_ours')
    expect((await release(foreign?.guid ?? '', { action: 'book' })).errors).toMatchObject([{ path: 'invoiceGuid' }])
    const invoice = await p.invoice(1_000)
    const { payment } = ok(await release(foreign?.guid ?? '', { action: 'book', invoiceGuid: invoice.guid }))
    expect(payment).toMatchObject({ amountCents: 1_500, unallocatedCents: 500 })
  })

  test('is decided by those who may', async () => {
    const { aside } = await otherAmount(1_000, 1_100)
    expect((await list(p.actors.office)).map((a) => a.guid)).toContain(aside.guid)
    expect((await release(aside.guid, { action: 'book' }, p.actors.office)).status).toBe(403)
    expect((await p.app.call(p.actors.sales, 'GET', '/Payments/Quarantine')).status).toBe(403)
  })

  test('is told to those who may decide, once, and on the invoice', async () => {
    const { invoice, chargeId } = await otherAmount(2_000, 2_500)
    await news('charge.succeeded', chargeId)
    await tellPeople(p.app)
    const told = await p.rows<{ role: string; details: unknown }>(
      `select r.name as role, n.details
        from notifications n join users u on u.guid = n.user_guid join roles r on r.guid = u.role_guid
        where n.kind = 'charge.put_aside' and n.details ->> 'number' = $1 order by 1`,
      [invoice.number],
    )
    expect(told.map(({ role }) => role)).toEqual(['Accountant', 'Administrator'])
    expect(told[0]?.details).toEqual({
      amountCents: 2_500,
      number: invoice.number,
      customerName: 'Hartmann Builders',
    })
    const lines = await p.rows(`select from audit_log where action = 'charge.put_aside' and entity_guid = $1`, [
      invoice.guid,
    ])
    expect(lines).toHaveLength(1)
    // Once somebody has decided, it may be told of again when more comes of it.
    const aside = (await list()).find((a) => a.invoice?.guid === invoice.guid)
    ok(await release(aside?.guid ?? '', { action: 'dismiss', note: 'Settled at the provider' }))
    await p.provider.refund({ providerPaymentId: chargeId, amountCents: 500, idempotencyKey: randomUUID() })
    await news('refund.succeeded', chargeId)
    await tellPeople(p.app)
    const again = await p.rows(
      `select from notifications where kind = 'charge.put_aside' and details ->> 'number' = $1`,
      [invoice.number],
    )
    expect(again).toHaveLength(4)
  })
})

test('a disputed payment says so and is not refunded, until the dispute is won', async () => {
  const invoice = await p.invoice(8_000)
  ok(await p.pay(invoice.link, 8_000), 201)
  const [charge] = await p.charges(invoice.number)
  const chargeId = charge?.providerPaymentId ?? ''
  const [booked] = await p.rows<{ guid: string }>(`select guid from payments where provider_payment_id = $1`, [
    chargeId,
  ])
  const paymentGuid = booked?.guid ?? ''
  await p.tell('disputes', { chargeId, reason: 'fraudulent' })
  await news('charge.disputed', chargeId, { disputeReason: 'fraudulent' })
  await news('charge.disputed', chargeId)
  expect(await p.payment(paymentGuid)).toMatchObject({ status: 'disputed', disputedAt: expect.any(String) })
  expect((await p.payments()).find((x) => x.guid === paymentGuid)).toMatchObject({ isDisputed: true })
  await tellPeople(p.app)
  const told = await p.rows<{ role: string; noun: string; details: unknown }>(
    `select r.name as role, n.noun, n.details from notifications n join users u on u.guid = n.user_guid
      join roles r on r.guid = u.role_guid where n.kind = 'payment.disputed' and n.record_guid = $1 order by 1`,
    [paymentGuid],
  )
  // Those who may see payments, each once.
  expect(told.map((t) => t.role)).toEqual(['Accountant', 'Administrator', 'Office', 'Read only'])
  expect(told[0]).toMatchObject({
    noun: 'Payments',
    details: { amountCents: 8_000, number: invoice.number, customerName: 'Hartmann Builders', reason: 'fraudulent' },
  })
  const refused = await p.refund({ paymentGuid, amountCents: 100 })
  expect([refused.status, refused.message]).toEqual([
    409,
    'The card holder disputes this payment, so it cannot be refunded. Answer the dispute at the payment provider.',
  ])
  await news('charge.dispute_closed', chargeId)
  expect(await p.payment(paymentGuid)).toMatchObject({ status: 'succeeded', disputedAt: null })
  ok(await p.refund({ paymentGuid, amountCents: 100 }), 201)
})

test('after all of it the books agree in every cent', async () => {
  expect(await p.problems()).toEqual([])
})
