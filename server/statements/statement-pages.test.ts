import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Customer } from '../../contract/customers.ts'
import type { Invoice } from '../../contract/invoices.ts'
import type { ServiceStatement } from '../../contract/service-statements.ts'
import type { Statement } from '../../contract/statements.ts'
import { aCustomer, ok } from '../../test/support/factories.ts'
import { cards, type Paying, startPaying } from '../../test/support/paying.ts'
import type { Caller } from '../../test/support/start.ts'
import { findDrift } from '../payments/payments.drift.ts'
import { signWebhook } from '../sandbox/webhooks.ts'

let p: Paying
let company: string
let brand: string
beforeAll(async () => {
  p = await startPaying()
  company = (await p.rows<{ guid: string }>('select guid from businesses'))[0]?.guid ?? ''
  const facts = { customersOf: company, beganOn: '2020-07-01', parentGuid: company, tradingName: 'Lantern Marquees' }
  brand = ok(
    await p.app.call<{ business: { guid: string } }>(p.actors.administrator, 'POST', '/Businesses', facts),
    201,
  ).business.guid
})
afterAll(() => p.stop())

const at = (business: string, who: Caller): Caller => ({ headers: { ...who.headers, 'x-business-guid': business } })
const named = async (displayName: string) => (await aCustomer(p.app, p.actors.office, { displayName })).guid
const linkOf = async (customer: string, who: Caller = p.actors.administrator) => {
  const path = `/Statements/Link/${customer}`
  const { serviceUrl } = ok(await p.app.call<{ serviceUrl: string }>(who, 'POST', path, {}))
  return serviceUrl.split('/').at(-1) ?? ''
}
const page = async (link: string) =>
  ok(await p.app.call<{ statement: ServiceStatement }>(p.actors.guest, 'GET', `/Service/Statements/${link}`)).statement
const pay = async (link: string, invoices: { guid: string; cents: number }[]) =>
  p.app.call<{ payment: { guid: string; receiptNumber: string } }>(
    p.actors.guest,
    'POST',
    `/Service/Statements/Pay/${link}`,
    { invoices, paymentMethodToken: await p.token(cards.good) },
    { 'idempotency-key': randomUUID() },
  )
const asParts = ({ invoices }: ServiceStatement) =>
  invoices.map(({ serviceGuid: guid, balanceCents: cents }) => ({ guid, cents }))
async function brandBill(customerGuid: string, cents: number): Promise<Invoice> {
  const who = at(brand, p.actors.administrator)
  const body = {
    customerGuid,
    title: 'Tents',
    priceMode: 'inclusive',
    lines: [{ name: 'Tent', unitPriceCents: cents }],
  }
  const { invoice } = ok(await p.app.call<{ invoice: Invoice }>(who, 'POST', '/Invoices', body), 201)
  const path = `/Invoices/Issue/${invoice.guid}`
  return ok(await p.app.call<{ invoice: Invoice }>(who, 'POST', path, { version: invoice.version })).invoice
}
const pdf = async (who: Caller, path: string) => {
  const answer = await p.app.fastify.inject({ url: `/api/v2${path}`, headers: who.headers })
  return [answer.statusCode, answer.headers['content-type'], answer.rawPayload.subarray(0, 5).toString()]
}

test('a page shows what whoever made it is told of: a brand alone, or the company with it', async () => {
  const customer = await named('Of both')
  const own = await p.invoice(1100, customer)
  const tent = await brandBill(customer, 2200)
  const whole = await linkOf(customer)
  expect((await page(whole)).invoices.map(({ number }) => number)).toEqual([own.number, tent.number])
  await p.app.deps.db
    .updateTable('users')
    .set({ businessGuids: [brand] })
    .where('guid', '=', p.actors.office.userGuid)
    .execute()
  p.app.deps.rights.forget()
  const narrow = await linkOf(customer, at(brand, p.actors.office))
  expect(narrow).not.toBe(whole)
  expect((await page(narrow)).invoices.map(({ number }) => number)).toEqual([tent.number])
  // It pays nothing that it does not show.
  expect(await pay(narrow, [{ guid: own.link, cents: 1100 }])).toMatchObject({ status: 422 })
  await p.app.deps.db
    .updateTable('users')
    .set({ businessGuids: [] })
    .where('guid', '=', p.actors.office.userGuid)
    .execute()
  p.app.deps.rights.forget()
  ok(await pay(whole, asParts(await page(whole))), 201)
  expect((await page(narrow)).owingCents).toBe(0)
  expect(await p.problems()).toEqual([])
})

test('customers that are made one are paid on one page, and its link stays', async () => {
  const [keep, from] = [await named('Kept'), await named('Merged')]
  await p.invoice(1000, keep)
  await p.invoice(2000, from)
  const link = await linkOf(from)
  const of = async (guid: string) =>
    ok(await p.app.call<{ customer: Customer }>(p.actors.administrator, 'GET', `/Customers/${guid}`)).customer
  const [a, b] = [await of(keep), await of(from)]
  const merge = { keepGuid: keep, keepVersion: a.version, fromGuid: from, fromVersion: b.version, choices: {} }
  ok(await p.app.call(p.actors.administrator, 'POST', '/Customers/Merge', merge), 201)
  const after = await page(link)
  expect([after.customer.name, after.owingCents]).toEqual(['Kept', 3000])
  ok(await pay(link, asParts(after)), 201)
  expect((await page(link)).invoices).toEqual([])
  expect(await p.problems()).toEqual([])
})

test('a charge of another amount is put aside with its invoices, and booked on them as it was taken', async () => {
  const customer = await named('Differs')
  const both = [await p.invoice(6000, customer), await p.invoice(4000, customer)]
  const link = await linkOf(customer)
  const attempt = randomUUID()
  // As a process leaves it that died before it heard from the provider.
  await p.rows(
    `with made as (insert into payment_attempts (guid, business_guid, statement_page_guid, amount_cents, provider,
        provider_key, next_check_at) select $1::uuid, s.business_guid, s.guid, 10000, 'sandbox', $1::text, now()
        from service_links l join statement_pages s on s.guid = l.record_guid where l.guid = $2 returning guid)
      insert into payment_attempt_parts (guid, attempt_guid, invoice_guid, cents)
        select gen_random_uuid(), made.guid, i.guid, i.total_cents from made, invoices i
        where i.guid = any($3::uuid[])`,
    [attempt, link, both.map(({ guid }) => guid)],
  )
  // What it holds is neither paid nor voided meanwhile.
  expect((await p.pay(both[0]?.link ?? '', 100)).status).toBe(409)
  const voiding = { version: both[0]?.version, reason: 'Twice' }
  const voided = await p.app.call(p.actors.office, 'POST', `/Invoices/Void/${both[0]?.guid}`, voiding)
  expect(voided.status).toBe(409)
  const charge = await p.provider.charge({
    amountCents: 7000,
    token: await p.token(cards.good),
    reference: 'both',
    idempotencyKey: attempt,
    returnUrl: 'http://127.0.0.1',
  })
  const text = JSON.stringify({
    id: `evt_${randomUUID()}`,
    type: 'charge.succeeded',
    createdAt: new Date().toISOString(),
    data: { charge: { id: charge.providerPaymentId, amountCents: 1 } },
  })
  const signed = signWebhook(p.webhookSecret, text, Math.floor(Date.now() / 1000))
  await p.deliver(text, { 'brolga-signature': signed })
  await p.workOff()
  const { items } = ok(
    await p.app.call<{ items: { guid: string; reason: string; expectedCents: number; customerName: string }[] }>(
      p.actors.accountant,
      'GET',
      '/Payments/Quarantine',
    ),
  )
  expect(items).toMatchObject([{ reason: 'differs', expectedCents: 10_000, customerName: 'Differs' }])
  const path = `/Payments/Quarantine/${items[0]?.guid}`
  const booked = ok(
    await p.app.call<{ payment: { guid: string; amountCents: number; unallocatedCents: number } }>(
      p.actors.accountant,
      'POST',
      path,
      { action: 'book', note: 'As it was taken' },
      { 'idempotency-key': randomUUID() },
    ),
  ).payment
  expect(booked).toMatchObject({ amountCents: 7000, unallocatedCents: 0 })
  const left = (await Promise.all(both.map(({ guid }) => p.standing(guid)))).map(({ balanceCents }) => balanceCents)
  expect(left.reduce((sum, cents) => sum + cents, 0)).toBe(3000)
  expect(await findDrift(p.system(), new Date(Date.now() - 86_400_000), 0)).toEqual([])
  expect(await p.problems()).toEqual([])
})

test('the database holds that parts come to what is charged, and stay', async () => {
  const customer = await named('Held')
  const invoice = await p.invoice(500, customer)
  const link = await linkOf(customer)
  ok(await pay(link, [{ guid: invoice.link, cents: 500 }]), 201)
  const app = (text: string) =>
    p.rows(text).then(
      () => 'done',
      (error: { constraint?: string }) => error.constraint,
    )
  expect(await app('update payment_attempts set amount_cents = amount_cents + 1 where invoice_guid is null')).toBe(
    'attempt_parts_sum',
  )
  expect(await app('update payment_attempts set statement_page_guid = null')).toBe('attempt_for_one_or_page')
  for (const change of ['update payment_attempt_parts set cents = 1', 'delete from payment_attempt_parts'])
    expect(await app(change)).not.toBe('done')
})

test('a statement is drawn as PDF for staff and for its customer, and for nobody else', async () => {
  const customer = await named('On paper')
  await p.invoice(1100, customer)
  const link = await linkOf(customer)
  const drawn = [200, 'application/pdf', '%PDF-']
  expect(await pdf(p.actors.office, `/Statements/Pdf/${customer}`)).toEqual(drawn)
  expect(await pdf(p.actors.office, `/Statements/Pdf/${customer}?kind=activity`)).toEqual(drawn)
  expect(await pdf(p.actors.guest, `/Service/Statements/Pdf/${link}`)).toEqual(drawn)
  expect((await pdf(p.actors.sales, `/Statements/Pdf/${customer}`))[0]).toBe(403)
  expect((await pdf(p.actors.guest, `/Service/Statements/Pdf/${randomUUID()}`))[0]).toBe(404)
  const path = `/Statements/${customer}`
  for (const who of [p.actors.office, p.actors.guest]) {
    const before = ok(await p.app.call<{ statement: Statement }>(p.actors.office, 'GET', `/Statements/${customer}`))
    expect(before.statement.seenAt).toBeNull()
    ok(await p.app.call(who, 'POST', `/Service/Viewed/${link}`, {}))
  }
  const told = ok(await p.app.call<{ statement: Statement }>(p.actors.office, 'GET', path)).statement
  expect([told.serviceUrl?.endsWith(link), told.seenAt !== null, told.sendsTo]).toEqual([
    true,
    true,
    [told.customer.email],
  ])
})
