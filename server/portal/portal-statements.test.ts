import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '../../contract/core/dates.ts'
import type { Invoice } from '../../contract/invoices.ts'
import type { ServiceStatement } from '../../contract/service-statements.ts'
import type { StatementSending } from '../../contract/statements.ts'
import { aGuest } from '../../test/support/actors.ts'
import { aCustomer, ok } from '../../test/support/factories.ts'
import {
  cards,
  type InvoiceFacts,
  type PaidAnswer,
  type Paying,
  shortPatienceMs,
  startPaying,
  tally,
  times,
} from '../../test/support/paying.ts'
import type { Answer, Caller } from '../../test/support/start.ts'
import { findDrift } from '../payments/payments.drift.ts'
import { settleOpen } from '../payments/payments.jobs.ts'

type Paid = Pick<PaidAnswer, 'payment'> & { statement: { owingCents: number } }
type Page = { statement: ServiceStatement }
type Part = { guid?: string | null; cents: number }

let p: Paying
let customer: string
let link: string
let three: InvoiceFacts[]
beforeAll(async () => void (p = await startPaying({}, shortPatienceMs)))
beforeEach(async () => {
  p.clock.aheadMs = 0
  customer = (await aCustomer(p.app, p.actors.office, { displayName: 'Slow Payer', email: 'slow@example.com' })).guid
  three = [await p.invoice(110_000, customer), await p.invoice(77_000, customer), await p.invoice(44_000, customer)]
  link = await linkOf(customer)
})
afterAll(() => p.stop())

const linkOf = async (guid: string) => {
  const { serviceUrl } = ok(
    await p.app.call<{ serviceUrl: string }>(p.actors.office, 'POST', `/Statements/Link/${guid}`, {}),
  )
  return serviceUrl.split('/').at(-1) ?? ''
}
const pay = async (
  invoices: Part[] | undefined,
  { card = cards.good as string, key = randomUUID(), at = link, who = p.actors.guest as Caller, token = '' } = {},
): Promise<Answer<Paid>> =>
  p.app.call<Paid>(
    who,
    'POST',
    `/Service/Statements/Pay/${at}`,
    { ...(invoices ? { invoices } : {}), paymentMethodToken: token || (await p.token(card)) },
    { 'idempotency-key': key },
  )
const settle = (paymentGuid: string) =>
  p.app.call<Paid>(p.actors.guest, 'POST', `/Service/Statements/Settle/${link}`, { paymentGuid })
const page = async (at = link) =>
  ok(await p.app.call<Page>(p.actors.guest, 'GET', `/Service/Statements/${at}`)).statement
const whole = () => three.map(({ link: guid, totalCents: cents }) => ({ guid, cents }))
const balances = async () => (await Promise.all(three.map((one) => p.standing(one.guid)))).map((s) => s.balanceCents)
const paymentsOf = (guid = customer) =>
  p.rows<{ guid: string; number: string; cents: number }>(
    'select guid, number, amount_cents::int as cents from payments where customer_guid = $1 order by created_at',
    [guid],
  )
const approve = (actionUrl: string | null, isApproved: boolean) =>
  fetch(actionUrl ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ isApproved }),
  })

test('the page says how much of an invoice is overdue, and since when', async () => {
  const [planned] = three
  const path = `/Invoices/${planned?.guid}`
  const { invoice } = ok(await p.app.call<{ invoice: Invoice }>(p.actors.office, 'GET', path))
  const days = [0, 30].map((count) => addDays(invoice.issueOn ?? '', count))
  const instalments = [40_000, 70_000].map((cents, i) => ({ label: `Part ${i + 1}`, dueOn: days[i], cents }))
  const at = `/Invoices/Instalments/${planned?.guid}`
  ok(await p.app.call(p.actors.office, 'POST', at, { version: invoice.version, instalments }))
  ok(await p.byHand({ amountCents: 15_000, allocations: [{ invoiceGuid: planned?.guid, cents: 15_000 }] }), 201)
  for (const [daysOn, cents] of [
    [0, 0],
    [2, 25_000],
    [31, 95_000],
  ] as const) {
    p.clock.aheadMs = daysOn * 86_400_000
    const { statement } = ok(await p.app.call<Page>(await aGuest(p.app), 'GET', `/Service/Statements/${link}`))
    const shown = statement.invoices.find(({ number }) => number === invoice.number)
    expect(shown).toMatchObject({ dueOn: days[0], overdueCents: cents, balanceCents: 95_000 })
  }
})

test('money for an order is told as its prepayment, and is no credit to use', async () => {
  const body = { customerGuid: customer, title: 'Hoarding', lines: [{ name: 'Hoarding', unitPriceCents: 100_000 }] }
  const { order } = ok(
    await p.app.call<{ order: { guid: string; number: string } }>(p.actors.office, 'POST', '/Orders', body),
    201,
  )
  const facts = { customerGuid: customer, receivedOn: await p.today(), allocations: [] }
  ok(await p.byHand({ ...facts, orderGuid: order.guid, amountCents: 60_000 }), 201)
  ok(await p.byHand({ ...facts, amountCents: 5_000 }), 201)
  expect(await page()).toMatchObject({ creditCents: 5_000, prepaid: [{ number: order.number, cents: 60_000 }] })
})

describe('a customer pays several invoices in one go', () => {
  test('with one charge, one payment and one receipt', async () => {
    expect(await page()).toMatchObject({
      customer: { name: 'Slow Payer' },
      invoices: three.map(({ link: serviceGuid, number, totalCents: balanceCents }) => ({
        serviceGuid,
        number,
        balanceCents,
      })),
      owingCents: 231_000,
      receipts: [],
      openAttempt: null,
      canPayByCard: true,
    })
    const { payment, statement } = ok(await pay(whole()), 201)
    expect(payment).toMatchObject({ status: 'succeeded', amountCents: 231_000, failure: null })
    expect(statement).toEqual({ owingCents: 0 })
    expect(await balances()).toEqual([0, 0, 0])
    const [booked, ...others] = await paymentsOf()
    expect(others).toEqual([])
    expect(booked).toMatchObject({ number: payment.receiptNumber, cents: 231_000 })
    const { allocations, unallocatedCents } = await p.payment(booked?.guid ?? '')
    expect([unallocatedCents, allocations.map(({ invoiceNumber, cents }) => [invoiceNumber, cents])]).toEqual([
      0,
      three.map(({ number, totalCents }) => [number, totalCents]),
    ])
    const charges = await p.provider.listCharges('2020-01-01T00:00:00Z')
    expect(charges.filter(({ reference }) => reference?.includes(three[0]?.number ?? ''))).toMatchObject([
      { amountCents: 231_000, status: 'succeeded' },
    ])
    expect(await page()).toMatchObject({
      invoices: [],
      owingCents: 0,
      canPayByCard: false,
      receipts: [
        {
          number: payment.receiptNumber,
          method: 'card',
          cents: 231_000,
          card: { brand: 'visa', last4: '4242' },
          invoices: three.map(({ number, totalCents: cents }) => ({ number, cents })),
        },
      ],
    })
    await p.tellAll()
    const [receipt] = await p.rows<{ template: string; body: string; recipients: string[] }>(
      `select template, body_text as body, recipients from messages where owner_guid = $1`,
      [booked?.guid],
    )
    expect(receipt).toMatchObject({ template: 'statement_receipt', recipients: ['slow@example.com'] })
    expect(receipt?.body).toContain(`/service/s/${link}`)
    for (const { number } of three) expect(receipt?.body).toContain(number)
    expect(await p.problems()).toEqual([])
    expect(await findDrift(p.system(), new Date(Date.now() - 86_400_000), 0)).toEqual([])
  })

  test('or parts of some of them, and the rest stays owing', async () => {
    const [a, b] = three
    ok(
      await pay([
        { guid: a?.link ?? '', cents: 1 },
        { guid: b?.link ?? '', cents: 40_000 },
      ]),
      201,
    )
    expect(await balances()).toEqual([109_999, 37_000, 44_000])
    expect((await page()).owingCents).toBe(190_999)
    expect(await p.problems()).toEqual([])
  })

  test('fifty calls of one go, sent at once, pay once; and so do fifty that are not the same', async () => {
    const [token, key] = [await p.token(cards.good), randomUUID()]
    const same = await times(50, () => pay(whole(), { token, key }))
    expect(same.some(({ status }) => status === 201)).toBe(true)
    expect(same.every(({ status }) => [201, 409, 429].includes(status))).toBe(true)
    expect((await paymentsOf()).map(({ cents }) => cents)).toEqual([231_000])
    const other = (await aCustomer(p.app, p.actors.office, { displayName: 'In a hurry' })).guid
    three = [await p.invoice(5500, other), await p.invoice(3300, other)]
    link = await linkOf(other)
    const tokens = await times(50, () => p.token(cards.good))
    const hurried = await times(50, (i) => pay(whole(), { token: tokens[i] ?? '' }))
    expect(tally(hurried)).toMatchObject({ 201: 1 })
    expect((await paymentsOf(other)).map(({ cents }) => cents)).toEqual([8800])
    expect(await p.problems()).toEqual([])
  }, 60_000)

  test('after a bank asked, or refused, and nothing is charged twice', async () => {
    const refused = ok(await pay(whole(), { card: cards.secure }), 201).payment
    expect(refused).toMatchObject({ status: 'requires_action', amountCents: 231_000 })
    expect((await page()).openAttempt).toMatchObject({ guid: refused.guid, amountCents: 231_000 })
    // The single page tells of its own part, and takes no second payment.
    const [first] = three
    const alone = ok(
      await p.app.call<{ invoice: { openAttempt: { amountCents: number; actionUrl: string | null } } }>(
        p.actors.guest,
        'GET',
        `/Service/Invoices/${first?.link}`,
      ),
    ).invoice.openAttempt
    expect(alone).toMatchObject({ amountCents: 110_000, actionUrl: null })
    expect(ok(await p.settle(first?.link ?? '', refused.guid)).payment.amountCents).toBe(110_000)
    expect((await p.pay(first?.link ?? '', 1)).status).toBe(409)
    expect(await pay(whole())).toMatchObject({ status: 409, error: 'BALANCE_EXCEEDED' })
    await approve(refused.actionUrl, false)
    expect(ok(await settle(refused.guid)).payment.status).toBe('failed')
    expect(await balances()).toEqual([110_000, 77_000, 44_000])
    const asked = ok(await pay(whole(), { card: cards.secure }), 201).payment
    await approve(asked.actionUrl, true)
    expect(ok(await settle(asked.guid))).toMatchObject({
      payment: { status: 'succeeded' },
      statement: { owingCents: 0 },
    })
    expect(await paymentsOf()).toHaveLength(1)
    expect(await p.problems()).toEqual([])
  })

  test('or finds that the card is declined, with nothing charged', async () => {
    const answer = await pay(whole(), { card: cards.declined })
    expect(answer).toMatchObject({ status: 402, error: 'PAYMENT_DECLINED' })
    expect(await balances()).toEqual([110_000, 77_000, 44_000])
    const audits = await p.rows(`select 1 from audit_log where action = 'payment.failed' and entity_guid = any($1)`, [
      three.map(({ guid }) => guid),
    ])
    expect(audits).toHaveLength(3)
    ok(await pay(whole()), 201)
  })

  test('where the provider is silent, and the webhook or the job brings the news first', async () => {
    const { payment } = ok(await pay(whole(), { card: cards.neverAnswers }), 201)
    expect(payment.status).toBe('processing')
    await p.tell('webhooks', { mode: 'normal' })
    p.clock.aheadMs = 60_000
    await settleOpen(p.system())
    await p.workOff()
    expect(ok(await settle(payment.guid)).payment).toMatchObject({ status: 'succeeded' })
    expect(await balances()).toEqual([0, 0, 0])
    expect(await paymentsOf()).toHaveLength(1)
    expect(await p.problems()).toEqual([])
  })
})

describe('nothing is charged', () => {
  const sums = async () => [(await paymentsOf()).length, await balances()]
  const untouched = [0, [110_000, 77_000, 44_000]]

  test('for nothing, for what names no invoice, and for no amount', async () => {
    for (const nothing of [undefined, []])
      expect(await pay(nothing)).toMatchObject({ status: 422, message: 'No invoices were selected' })
    for (const guid of [undefined, null, '', '  '])
      expect(await pay([{ guid, cents: 100 }])).toMatchObject({ status: 422, message: 'No invoice GUID was found' })
    for (const cents of [0, -1, 1.5, 1e15])
      expect((await pay([{ guid: three[0]?.link ?? '', cents }])).status).toBe(422)
    expect(await sums()).toEqual(untouched)
  })

  test('for more than is owing, and for what was paid meanwhile', async () => {
    const [a, b] = three
    expect(
      await pay([
        { guid: a?.link ?? '', cents: 110_001 },
        { guid: b?.link ?? '', cents: 100 },
      ]),
    ).toMatchObject({
      status: 409,
      error: 'BALANCE_EXCEEDED',
      message: `${a?.number}: Enter $1100.00 or less, the balance owing.`,
      errors: [{ path: 'invoices.0.cents' }],
    })
    expect(await sums()).toEqual(untouched)
    ok(await p.pay(b?.link ?? '', 77_000), 201)
    expect(await pay(whole())).toMatchObject({ status: 409, message: `${b?.number}: This invoice is already paid.` })
    expect(await balances()).toEqual([110_000, 0, 44_000])
    expect(await p.problems()).toEqual([])
  })

  test('for somebody else’s invoice, one that is listed twice, a draft, or one of no page', async () => {
    const [a] = three
    const foreign = await p.invoice(5500)
    const draft = await p.app.call<{ invoice: { guid: string } }>(p.actors.office, 'POST', '/Invoices', {
      customerGuid: customer,
      title: 'Draft',
      lines: [{ name: 'Draft', unitPriceCents: 100 }],
    })
    const wrong = [foreign.link, foreign.guid, a?.guid ?? '', ok(draft, 201).invoice.guid, randomUUID(), 'x', link]
    for (const guid of wrong)
      expect(await pay([{ guid, cents: 100 }])).toMatchObject({ status: 422, message: 'We can’t find that invoice.' })
    const twice = { guid: a?.link ?? '', cents: 100 }
    expect(await pay([twice, twice])).toMatchObject({ status: 422, message: 'This is listed twice.' })
    expect(await sums()).toEqual(untouched)
    expect((await p.standing(foreign.guid)).balanceCents).toBe(5500)
  })

  test('for one that was written off', async () => {
    const [a] = three
    const given = { version: a?.version, reasonCode: 'bad_debt' }
    ok(await p.app.call(p.actors.accountant, 'POST', `/Invoices/WriteOff/${a?.guid}`, given))
    expect(await pay(whole())).toMatchObject({
      status: 409,
      message: 'This invoice is closed. Call us if you would like to pay it.',
    })
    expect((await page()).invoices.map(({ number }) => number)).toEqual(three.slice(1).map(({ number }) => number))
  })

  test('by a link of another kind, that was withdrawn, or that was never given', async () => {
    for (const at of [three[0]?.link ?? '', randomUUID(), 'x'])
      expect([404, 400, 422]).toContain((await pay(whole(), { at })).status)
    const { status } = await p.app.call(p.actors.guest, 'GET', `/Service/Invoices/${link}`)
    expect(status).toBe(404)
    await p.rows(`update service_links set revoked_at = now() where guid = $1`, [link])
    expect((await pay(whole())).status).toBe(404)
    expect(await sums()).toEqual(untouched)
  })

  test('where our own database fails in a way that nobody foresaw', async () => {
    await p.rows('alter table payment_attempt_parts rename to gone_parts')
    const answer = await pay(whole())
    await p.rows('alter table gone_parts rename to payment_attempt_parts')
    expect(answer).toMatchObject({ status: 500, message: 'An error occured' })
    expect(await sums()).toEqual(untouched)
  })
})

describe('a statement is sent', () => {
  const send = (who: Caller, customerGuids: string[], more: Record<string, unknown> = {}) =>
    p.app.call<{ results: StatementSending[] }>(who, 'POST', '/Statements/Send', {
      customerGuids,
      kind: 'open',
      ...more,
    })

  test('to each customer, or says why not', async () => {
    const silent = (await aCustomer(p.app, p.actors.office, { displayName: 'No email', email: null })).guid
    await p.invoice(1100, silent)
    const even = (await aCustomer(p.app, p.actors.office, { displayName: 'Even', email: 'even@example.com' })).guid
    const guids = [customer, silent, even, randomUUID()]
    const { results } = ok(await send(p.actors.accountant, guids))
    expect(results.map(({ customerName, status, to, message }) => [customerName, status, to, message])).toEqual([
      ['Slow Payer', 'sent', ['slow@example.com'], null],
      ['No email', 'refused', [], 'This customer has no email address. Add one to the customer.'],
      ['Even', 'refused', [], 'Nothing is owing.'],
      ['', 'refused', [], 'We can’t find that record.'],
    ])
    await p.tellAll()
    const [message] = await p.rows<{ guid: string; subject: string; body: string; attachments: unknown[] }>(
      `select guid, subject, body_text as body, attachments from messages
        where owner_type = 'customer' and owner_guid = $1`,
      [customer],
    )
    expect(message?.subject).toContain('$2,310.00')
    expect(message?.body).toContain(`/service/s/${link}`)
    expect(message?.attachments).toMatchObject([{ kind: 'statement' }])
    const audit = await p.rows(
      `select 1 from audit_log where action = 'customer.statement_sent' and entity = 'Customers' and entity_guid = $1`,
      [customer],
    )
    expect(audit).toHaveLength(1)
    // Whoever is told no statements reads no message that leads to one.
    const hidden = async (who: Caller) =>
      ok(await p.app.call<{ message: { isBodyHidden: boolean } }>(who, 'GET', `/Messages/${message?.guid}`)).message
        .isBodyHidden
    expect([await hidden(p.actors.office), await hidden(p.actors.sales)]).toEqual([false, true])
    expect(await p.problems()).toEqual([])
  })

  test('by those who may, of a hundred customers at most', async () => {
    for (const who of [p.actors.sales, p.actors.field, p.actors.guest])
      expect((await send(who, [customer])).status).toBe(403)
    expect((await p.app.call(p.actors.sales, 'POST', `/Statements/Link/${customer}`, {})).status).toBe(403)
    for (const guids of [[], Array.from({ length: 101 }, () => randomUUID())])
      expect((await send(p.actors.office, guids)).status).toBe(422)
    const { results } = ok(
      await send(p.actors.office, [customer], { kind: 'activity', from: '2026-12-31', to: '2026-01-01' }),
    )
    expect(results[0]).toMatchObject({ status: 'refused', message: 'Choose a day up to the last one.' })
  })
})
