import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ok } from '../../test/support/factories.ts'
import { tellPeople } from '../../test/support/account-emails.ts'
import {
  cards,
  type PaidAnswer,
  type Paying,
  shortPatienceMs,
  startPaying,
  tally,
  times,
} from '../../test/support/paying.ts'
import { keyed } from '../../test/support/start.ts'
import { findDrift } from './payments.drift.ts'
import { settleOpen } from './payments.jobs.ts'

let p: Paying
beforeAll(async () => void (p = await startPaying({}, shortPatienceMs)))
beforeEach(() => void (p.clock.aheadMs = 0))
afterAll(() => p.stop())

const approve = (actionUrl: string | null, isApproved: boolean) =>
  fetch(actionUrl ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ isApproved }),
  })

describe('a customer pays by card', () => {
  test('and the invoice is paid, with a receipt, a journal entry and lines in both audit trails', async () => {
    const invoice = await p.invoice(11_000)
    const { payment, invoice: after } = ok(await p.pay(invoice.link, 11_000), 201)
    expect(payment).toMatchObject({ status: 'succeeded', amountCents: 11_000, actionUrl: null, failure: null })
    expect(payment.receiptNumber).toMatch(/^R-\d{4}$/)
    expect(after).toEqual({ paymentStatus: 'paid', balanceCents: 0 })
    const [booked] = await p.rows<{ guid: string }>('select guid from payments where attempt_guid = $1', [payment.guid])
    expect(await p.payment(booked?.guid ?? '')).toMatchObject({
      number: payment.receiptNumber,
      method: 'card',
      status: 'succeeded',
      unallocatedCents: 0,
      allocations: [{ invoiceGuid: invoice.guid, invoiceNumber: invoice.number, cents: 11_000 }],
    })
    const lines = await p.rows(
      `select l.account, l.debit_cents::int as debit, l.credit_cents::int as credit from journal_entries e
        join journal_lines l on l.entry_guid = e.guid where e.source_guid = $1 order by l.position`,
      [booked?.guid],
    )
    expect(lines).toEqual([
      { account: '1010', debit: 11_000, credit: 0 },
      { account: '1100', debit: 0, credit: 11_000 },
    ])
    const audit = await p.rows<{ entity: string }>(
      `select entity from audit_log where action = 'payment.received' and entity_guid in ($1, $2) order by entity`,
      [booked?.guid, invoice.guid],
    )
    expect(audit.map((a) => a.entity)).toEqual(['Invoices', 'Payments'])
    await p.tellAll()
    expect(
      await p.rows(`select template, owner_number as number, body_text as body from messages where owner_guid = $1`, [
        booked?.guid,
      ]),
    ).toEqual([
      {
        template: 'receipt',
        number: payment.receiptNumber,
        // Of a deposit there is more to come than its own invoice.
        body: expect.stringContaining('Nothing more is owing on this invoice. Thank you.'),
      },
    ])
    await tellPeople(p.app)
    const [news] = await p.rows<{ details: unknown }>(
      `select details from notifications where record_guid = $1 limit 1`,
      [booked?.guid],
    )
    expect(news?.details).toMatchObject({
      number: invoice.number,
      customerName: 'Hartmann Builders',
      amountCents: 11_000,
    })
  })

  test('in parts, and never more than what is owing', async () => {
    const invoice = await p.invoice(10_000)
    expect(ok(await p.pay(invoice.link, 4_000), 201).invoice).toEqual({
      paymentStatus: 'partially_paid',
      balanceCents: 6_000,
    })
    const tooMuch = await p.pay(invoice.link, 6_001)
    expect(tooMuch).toMatchObject({
      status: 409,
      error: 'BALANCE_EXCEEDED',
      message: 'Enter $60.00 or less, the balance owing.',
      errors: [{ path: 'amountCents' }],
    })
    expect(ok(await p.pay(invoice.link, 6_000), 201).invoice.balanceCents).toBe(0)
    expect(await p.pay(invoice.link, 1)).toMatchObject({ status: 409, message: 'This invoice is already paid.' })
  })

  test.each([
    [cards.declined, 'The card was declined.'],
    [cards.noFunds, 'The card has insufficient funds.'],
  ])('and is told why the bank refuses card %s; he may try another one at once', async (card, sentence) => {
    const invoice = await p.invoice(5_000)
    expect(await p.pay(invoice.link, 5_000, card)).toMatchObject({
      status: 402,
      error: 'PAYMENT_DECLINED',
      message: sentence,
      errors: [{ path: 'paymentMethodToken', message: sentence }],
    })
    expect(await p.standing(invoice.guid)).toMatchObject({ paymentStatus: 'unpaid', balanceCents: 5_000 })
    expect(ok(await p.pay(invoice.link, 5_000), 201).payment.status).toBe('succeeded')
  })

  test('and a token that is none is a declined payment', async () => {
    const invoice = await p.invoice(5_000)
    const answer = await p.app.call(
      p.actors.guest,
      'POST',
      `/Service/Invoices/Pay/${invoice.link}`,
      { documentSha256: invoice.documentSha256, paymentMethodToken: 'tok_of_somebody', amountCents: 5_000 },
      keyed(),
    )
    expect(answer).toMatchObject({ status: 402, error: 'PAYMENT_DECLINED' })
    const keyless = await p.app.call(p.actors.guest, 'POST', `/Service/Invoices/Pay/${invoice.link}`, {
      paymentMethodToken: 'tok_of_somebody',
      amountCents: 5_000,
    })
    expect([keyless.status, keyless.error]).toEqual([400, 'IDEMPOTENCY_REQUIRED'])
  })

  test('after he has proved himself to his bank', async () => {
    const invoice = await p.invoice(7_700)
    const { payment } = ok(await p.pay(invoice.link, 7_700, cards.secure), 201)
    expect(payment).toMatchObject({
      status: 'requires_action',
      actionUrl: expect.stringContaining('/3ds/'),
      receiptNumber: null,
    })
    const page = ok(
      await p.app.call<{ invoice: { openAttempt: unknown; balanceCents: number } }>(
        p.actors.guest,
        'GET',
        `/Service/Invoices/${invoice.link}`,
      ),
    ).invoice
    expect(page.openAttempt).toEqual({
      guid: payment.guid,
      status: 'requires_action',
      amountCents: 7_700,
      actionUrl: payment.actionUrl,
    })
    expect(ok(await p.settle(invoice.link, payment.guid)).payment.status).toBe('requires_action')
    await approve(payment.actionUrl, true)
    const settled = ok(await p.settle(invoice.link, payment.guid))
    expect(settled).toMatchObject({ payment: { status: 'succeeded', actionUrl: null }, invoice: { balanceCents: 0 } })
    expect(ok(await p.settle(invoice.link, payment.guid))).toEqual(settled)
  })

  test('and refuses at his bank: nothing is taken, and he may try again', async () => {
    const invoice = await p.invoice(7_700)
    const { payment } = ok(await p.pay(invoice.link, 7_700, cards.secure), 201)
    expect(await p.pay(invoice.link, 7_700)).toMatchObject({
      status: 409,
      error: 'BALANCE_EXCEEDED',
      message: 'A payment for this invoice is already processing.',
    })
    await approve(payment.actionUrl, false)
    expect(ok(await p.settle(invoice.link, payment.guid)).payment).toMatchObject({
      status: 'failed',
      failure: { code: 'authentication_failed' },
    })
    expect(ok(await p.pay(invoice.link, 7_700), 201).payment.status).toBe('succeeded')
  })

  test('and leaves the page of his bank: the invoice is free again after a quarter of an hour', async () => {
    const invoice = await p.invoice(7_700)
    ok(await p.pay(invoice.link, 7_700, cards.secure), 201)
    p.clock.aheadMs = 16 * 60_000
    await settleOpen(p.system())
    p.clock.aheadMs = 0
    expect(ok(await p.pay(invoice.link, 7_700), 201).payment.status).toBe('succeeded')
  })

  test('with a wallet', async () => {
    const invoice = await p.invoice(2_000)
    const made = await fetch(`${p.sandbox.url}/v1/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ wallet: 'apple_pay' }),
    })
    const { token } = (await made.json()) as { token: string }
    const answer = ok(
      await p.app.call<PaidAnswer>(
        p.actors.guest,
        'POST',
        `/Service/Invoices/Pay/${invoice.link}`,
        { documentSha256: invoice.documentSha256, paymentMethodToken: token, amountCents: 2_000 },
        keyed(),
      ),
      201,
    )
    const [booked] = await p.rows(`select method from payments where attempt_guid = $1`, [answer.payment.guid])
    expect(booked).toEqual({ method: 'apple_pay' })
  })

  test('only by the link of an invoice that is issued', async () => {
    const invoice = await p.invoice(3_000)
    expect(await p.pay(randomUUID(), 3_000)).toMatchObject({ status: 404 })
    expect(await p.pay(invoice.guid, 3_000)).toMatchObject({ status: 404 })
    ok(
      await p.app.call(p.actors.office, 'POST', `/Invoices/Void/${invoice.guid}`, {
        version: invoice.version,
        reason: 'made twice',
      }),
    )
    expect(await p.pay(invoice.link, 3_000)).toMatchObject({
      status: 409,
      error: 'INVALID_TRANSITION',
      message: 'This invoice was voided and can’t be paid.',
    })
  })

  test('and sees another customer’s payment as little as its invoice', async () => {
    const [mine, other] = [await p.invoice(3_000), await p.invoice(3_000)]
    const { payment } = ok(await p.pay(other.link, 3_000), 201)
    expect(await p.settle(mine.link, payment.guid)).toMatchObject({ status: 404 })
  })

  test('by keys that are public only, and no card number ever reaches us', async () => {
    const invoice = await p.invoice(3_000)
    const config = ok(
      await p.app.call<Record<string, string>>(p.actors.guest, 'GET', `/Service/Payments/Token/${invoice.link}`),
    )
    expect(config).toEqual({
      provider: 'sandbox',
      clientToken: p.sandbox.publicKey,
      scriptUrl: `${p.sandbox.url}/v1/sandbox.js`,
      currency: 'AUD',
    })
    expect(JSON.stringify(config)).not.toContain(p.sandbox.secretKey)
    ok(await p.pay(invoice.link, 3_000), 201)
    for (const table of [
      'payment_attempts',
      'payments',
      'audit_log',
      'idempotency_keys',
      'webhook_events',
      'messages',
    ]) {
      const [found] = await p.rows<{ count: number }>(
        `select count(*)::int as count from ${table} t where t::text ~ '4242424242424242|sk_sandbox'`,
      )
      expect([table, found?.count]).toEqual([table, 0])
    }
  })
})

describe('when the outcome is not known', () => {
  test.each([
    ['the provider takes the money and never answers', cards.neverAnswers],
    ['the provider takes the money and fails', cards.fails],
    ['the connection breaks after the money was taken', cards.hangsUp],
    ['the answer is empty', cards.answersNothing],
  ])('%s: the payment is processing, cannot be made twice, and is settled by its key', async (_, card) => {
    const invoice = await p.invoice(6_600)
    const { payment, invoice: after } = ok(await p.pay(invoice.link, 6_600, card), 201)
    expect(payment).toMatchObject({ status: 'processing', failure: null, receiptNumber: null })
    expect(after).toEqual({ paymentStatus: 'unpaid', balanceCents: 6_600 })
    expect(await p.pay(invoice.link, 6_600)).toMatchObject({
      status: 409,
      message: 'A payment for this invoice is already processing.',
    })
    p.clock.aheadMs = 30_000
    await Promise.all([settleOpen(p.system()), settleOpen(p.system())])
    expect(await p.standing(invoice.guid)).toMatchObject({ paymentStatus: 'paid', balanceCents: 0 })
    expect(await p.charges(invoice.number)).toHaveLength(1)
  })

  test('the customer who asks sees it settled without waiting for the job', async () => {
    const invoice = await p.invoice(6_600)
    const { payment } = ok(await p.pay(invoice.link, 6_600, cards.neverAnswers), 201)
    expect(ok(await p.settle(invoice.link, payment.guid))).toMatchObject({
      payment: { status: 'succeeded' },
      invoice: { balanceCents: 0 },
    })
  })

  test('a bank that takes its time is waited for', async () => {
    const invoice = await p.invoice(6_600)
    const { payment } = ok(await p.pay(invoice.link, 6_600, cards.settlesLater), 201)
    expect(payment.status).toBe('processing')
    await expect.poll(async () => ok(await p.settle(invoice.link, payment.guid)).payment.status).toBe('succeeded')
  })

  test('a payment that never reached the provider is given up after five minutes, and not before', async () => {
    const invoice = await p.invoice(6_600)
    await p.tell('latency', { isFailing: true })
    const { payment } = ok(await p.pay(invoice.link, 6_600), 201)
    expect(payment.status).toBe('processing')
    await p.tell('latency', { isFailing: false })
    p.clock.aheadMs = 60_000
    await settleOpen(p.system())
    expect(ok(await p.settle(invoice.link, payment.guid)).payment.status).toBe('processing')
    p.clock.aheadMs = 6 * 60_000
    await settleOpen(p.system())
    expect(ok(await p.settle(invoice.link, payment.guid)).payment).toMatchObject({
      status: 'failed',
      failure: { code: 'not_received' },
    })
    expect(ok(await p.pay(invoice.link, 6_600), 201).payment.status).toBe('succeeded')
    expect(await p.charges(invoice.number)).toHaveLength(1)
  })

  test('our own process dies after the money was taken: the next one books it', async () => {
    const invoice = await p.invoice(6_600)
    const attempt = await p.attempt(invoice.guid, 6_600)
    await p.provider.charge({
      amountCents: 6_600,
      token: await p.token(cards.good),
      reference: invoice.number,
      idempotencyKey: attempt,
      returnUrl: 'http://127.0.0.1',
    })
    await settleOpen(p.system())
    expect(await p.standing(invoice.guid)).toMatchObject({ paymentStatus: 'paid', balanceCents: 0 })
  })

  test('money that is found at the provider in another amount is not booked', async () => {
    const invoice = await p.invoice(6_600)
    const attempt = await p.attempt(invoice.guid, 6_600)
    await p.provider.charge({
      amountCents: 100,
      token: await p.token(cards.good),
      reference: invoice.number,
      idempotencyKey: attempt,
      returnUrl: 'http://127.0.0.1',
    })
    await settleOpen(p.system())
    expect(await p.standing(invoice.guid)).toMatchObject({ paymentStatus: 'unpaid', balanceCents: 6_600 })
  })
})

describe('many at once', () => {
  test('fifty full payments of one invoice make one', async () => {
    const invoice = await p.invoice(9_900)
    expect(tally(await times(50, () => p.pay(invoice.link, 9_900)))).toEqual({ '201': 1, '409 BALANCE_EXCEEDED': 49 })
    expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 9_900, balanceCents: 0 })
    expect(await p.charges(invoice.number)).toHaveLength(1)
  })

  test('the same request twenty times is one payment and one answer', async () => {
    const invoice = await p.invoice(9_900)
    const key = randomUUID()
    const body = {
      documentSha256: invoice.documentSha256,
      paymentMethodToken: await p.token(cards.good),
      amountCents: 5_000,
    }
    const answers = await times(20, () =>
      p.app.call<PaidAnswer>(p.actors.guest, 'POST', `/Service/Invoices/Pay/${invoice.link}`, body, {
        'idempotency-key': key,
      }),
    )
    expect(tally(answers)).toEqual({ '201': 20 })
    expect(new Set(answers.map((a) => a.data.payment.guid)).size).toBe(1)
    expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 5_000 })
    const other = await p.app.call(
      p.actors.guest,
      'POST',
      `/Service/Invoices/Pay/${invoice.link}`,
      { ...body, amountCents: 100 },
      { 'idempotency-key': key },
    )
    expect(other).toMatchObject({ status: 422, error: 'IDEMPOTENCY_MISMATCH' })
  })

  test('a request sent again after the process that took it died at whatever point is one payment', async () => {
    const invoice = await p.invoice(9_900)
    const key = randomUUID()
    const body = {
      documentSha256: invoice.documentSha256,
      paymentMethodToken: await p.token(cards.good),
      amountCents: 3_000,
    }
    const pay = () =>
      p.app.call<PaidAnswer>(p.actors.guest, 'POST', `/Service/Invoices/Pay/${invoice.link}`, body, {
        'idempotency-key': key,
      })
    const first = ok(await pay(), 201).payment
    // Died with everything done but the answer kept.
    await p.forsake(key)
    expect(ok(await pay(), 201).payment.guid).toBe(first.guid)
    expect(await p.standing(invoice.guid)).toMatchObject({ paidCents: 3_000, balanceCents: 6_900 })
    expect(await p.charges(invoice.number)).toHaveLength(1)
  })

  test('a request sent again after the process died before it heard from the provider is one payment', async () => {
    const invoice = await p.invoice(9_900)
    const key = randomUUID()
    const body = {
      documentSha256: invoice.documentSha256,
      paymentMethodToken: await p.token(cards.neverAnswers),
      amountCents: 3_000,
    }
    const pay = () =>
      p.app.call<PaidAnswer>(p.actors.guest, 'POST', `/Service/Invoices/Pay/${invoice.link}`, body, {
        'idempotency-key': key,
      })
    const first = ok(await pay(), 201).payment
    expect(first.status).toBe('processing')
    await p.forsake(key)
    expect(ok(await pay(), 201).payment.guid).toBe(first.guid)
    expect(await p.charges(invoice.number)).toHaveLength(1)
    expect(ok(await p.settle(invoice.link, first.guid)).invoice).toMatchObject({ balanceCents: 6_900 })
  })

  test('a declined payment is declined again for the same key, without asking the bank twice', async () => {
    const invoice = await p.invoice(4_400)
    const key = randomUUID()
    const body = {
      documentSha256: invoice.documentSha256,
      paymentMethodToken: await p.token(cards.declined),
      amountCents: 4_400,
    }
    const pay = () =>
      p.app.call(p.actors.guest, 'POST', `/Service/Invoices/Pay/${invoice.link}`, body, { 'idempotency-key': key })
    expect([(await pay()).status, (await pay()).status]).toEqual([402, 402])
    expect(await p.charges(invoice.number)).toHaveLength(1)
  })
})

test('the provider’s list and our books are compared, and every difference is told', async () => {
  const invoice = await p.invoice(8_000)
  const { payment } = ok(await p.pay(invoice.link, 5_000), 201)
  ok(await p.pay(invoice.link, 3_000), 201)
  const [charge] = await p.rows<{ id: string }>(
    `select provider_payment_id as id from payments where attempt_guid = $1`,
    [payment.guid],
  )
  const ids = ['ch_unknown', charge?.id]
  // Payments of other tests are still being settled meanwhile.
  const drifts = async () => {
    p.clock.aheadMs = 3_600_000
    return (await findDrift(p.system(), new Date(Date.now() - 3_600_000)))
      .filter((d) => ids.includes(d.providerPaymentId))
      .map((d) => d.kind)
      .toSorted()
  }
  expect(await drifts()).toEqual([])
  // What no road of the product allows: only the owner of the tables can, with the triggers off.
  await p.rows(`set session_replication_role = replica`)
  try {
    await p.rows(`update payments set amount_cents = amount_cents + 1 where attempt_guid = $1`, [payment.guid])
    expect(await drifts()).toEqual(['amount_differs'])
    await p.rows(`update payments set provider_payment_id = 'ch_unknown' where attempt_guid = $1`, [payment.guid])
    expect(await drifts()).toEqual(['not_at_provider', 'not_booked'])
  } finally {
    await p.rows(`update payments set provider_payment_id = $2, amount_cents = 5000 where attempt_guid = $1`, [
      payment.guid,
      charge?.id,
    ])
    await p.rows(`set session_replication_role = default`)
  }
})

test('after all of it the books agree in every cent', async () => {
  expect(await p.problems()).toEqual([])
})
