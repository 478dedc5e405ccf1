import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Order } from '../../contract/orders.ts'
import type { Payment } from '../../contract/payments.ts'
import { aCustomer, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'

let p: Paying
let today: string
beforeAll(async () => {
  p = await startPaying()
  today = await p.today()
})
afterAll(() => p.stop())

const read = async (guid: string) =>
  ok(await p.app.call<{ order: Order }>(p.actors.office, 'GET', `/Orders/${guid}`)).order
async function anOrder(unitPriceCents: number, customerGuid = p.customer.guid): Promise<Order> {
  const lines = [{ name: 'Hoarding', unitPriceCents }]
  const body = { customerGuid, title: 'Hoarding', priceMode: 'inclusive', lines }
  return ok(await p.app.call<{ order: Order }>(p.actors.office, 'POST', '/Orders', body), 201).order
}
const prepay = (orderGuid: string, amountCents: number, more: object = {}) =>
  p.byHand({ customerGuid: p.customer.guid, orderGuid, amountCents, receivedOn: today, allocations: [], ...more })
async function invoiceOf({ guid }: Pick<Order, 'guid'>) {
  const { version } = await read(guid)
  const body = { version, kind: 'final' }
  const { invoice } = ok(
    await p.app.call<{ invoice: { guid: string; version: number } }>(
      p.actors.office,
      'POST',
      `/Orders/Invoice/${guid}`,
      body,
    ),
    201,
  )
  ok(await p.app.call(p.actors.office, 'POST', `/Invoices/Issue/${invoice.guid}`, { version: invoice.version }))
  return invoice.guid
}
interface Credit {
  allocations: { paymentGuid: string; invoiceGuid: string; cents: number }[]
  leftCents: number
}
const apply = (body: object = {}) =>
  p.app.call<Credit>(p.actors.accountant, 'POST', `/Customers/Credit/Apply/${p.customer.guid}`, body)

test('the activity statement names the order whose GST counts before its sales do, until they come', async () => {
  interface Sheet {
    labels: { label: string; cents: number }[]
    forward: { cents: number; orders: { guid: string; number: string; cents: number }[] }
  }
  const sheet = async () =>
    ok(await p.app.call<Sheet>(p.actors.accountant, 'GET', `/Tax/Bas?from=${today}&to=${today}&basis=accrual`))
  const label = ({ labels }: Sheet, wanted: string) => labels.find((one) => one.label === wanted)?.cents ?? 0
  const order = await anOrder(902_000)
  const before = await sheet()
  ok(await prepay(order.guid, 90_200), 201)
  const after = await sheet()
  expect([label(after, '1A') - label(before, '1A'), label(after, 'G1') - label(before, 'G1')]).toEqual([82_000, 0])
  expect(after.forward.cents - before.forward.cents).toBe(82_000)
  expect(after.forward.orders).toContainEqual({ guid: order.guid, number: order.number, cents: 82_000 })
  // Other programs know nothing of it, and whoever imports there is told.
  const handed = async (format: string) =>
    ok(
      await p.app.call<{ problems: { guid: string; text: string }[] }>(
        p.actors.accountant,
        'GET',
        `/Accounting/Export/Plan?format=${format}&from=${today}&to=${today}`,
      ),
    ).problems.filter(({ guid }) => guid === order.guid)
  const text = '$820.00 of GST brought forward is in the activity statement of this period and not in these files.'
  expect(await handed('xero')).toMatchObject([{ noun: 'Orders', label: order.number, cents: 82_000, text }])
  expect(await handed('journal')).toEqual([])
  await invoiceOf(order)
  const billed = await sheet()
  expect(billed.forward).toEqual(before.forward)
  expect([label(billed, '1A'), label(billed, 'G1')]).toEqual([label(after, '1A'), label(after, 'G1') + 902_000])
})

test('a prepayment says which order it is for, on both pages and in the list', async () => {
  const order = await anOrder(110_000)
  const { payment } = ok(await prepay(order.guid, 40_000), 201)
  expect(payment).toMatchObject({ orderGuid: order.guid, orderNumber: order.number, unallocatedCents: 40_000 })
  const { money, related } = await read(order.guid)
  expect(money).toMatchObject({ prepaidCents: 40_000, paidCents: 0, toInvoiceCents: 110_000 })
  expect(related.payments).toMatchObject([{ guid: payment.guid, amountCents: 40_000, prepaidCents: 40_000 }])
  const { items } = ok(
    await p.app.call<{ items: Payment[] }>(p.actors.accountant, 'GET', `/Payments?search=${payment.number}`),
  )
  expect(items).toMatchObject([{ orderGuid: order.guid, orderNumber: order.number, invoices: '' }])
  expect(ok(await p.byHand({ customerGuid: p.customer.guid, amountCents: 500, allocations: [] }), 201).payment).toEqual(
    expect.objectContaining({ orderGuid: null, orderNumber: null }),
  )
})

test('is of an open order of the same customer that one may see', async () => {
  const other = await aCustomer(p.app, p.actors.office, { displayName: 'Somebody else' })
  const [own, theirs] = [await anOrder(10_000), await anOrder(10_000, other.guid)]
  const said = async (orderGuid: string) => {
    const answer = await prepay(orderGuid, 1_000)
    return [answer.status, answer.errors[0]?.path, answer.errors[0]?.message]
  }
  expect(await said(theirs.guid)).toEqual([422, 'orderGuid', 'This belongs to another customer.'])
  expect(await said(randomUUID())).toEqual([422, 'orderGuid', 'We can’t find that order.'])
  const cancel = { version: own.version, deed: 'cancel' }
  ok(await p.app.call(p.actors.office, 'POST', `/Orders/Status/${own.guid}`, cancel))
  expect(await said(own.guid)).toEqual([422, 'orderGuid', 'Choose an open order.'])
  expect((await prepay('none', 1_000)).status).toBe(422)
})

test('credit is applied to the invoices of its order first, and waits for them while the order is open', async () => {
  const customer = await aCustomer(p.app, p.actors.office, { displayName: 'Two jobs' })
  p.customer.guid = customer.guid
  const [first, second] = [await anOrder(60_000, customer.guid), await anOrder(90_000, customer.guid)]
  const older = await p.invoice(30_000, customer.guid)
  const prepaid = ok(await prepay(second.guid, 50_000), 201).payment
  const waits = await apply()
  expect([waits.status, waits.message]).toEqual([
    409,
    `What is left is a prepayment of order ${second.number}. Allocate it by hand.`,
  ])
  const loose = ok(
    await p.byHand({ customerGuid: customer.guid, amountCents: 35_000, receivedOn: today, allocations: [] }),
    201,
  ).payment
  const [firstInvoice, secondInvoice] = [await invoiceOf(first), await invoiceOf(second)]
  const { allocations, leftCents } = ok(await apply({ dryRun: true }))
  expect(allocations).toMatchObject([
    { paymentGuid: prepaid.guid, invoiceGuid: secondInvoice, cents: 50_000 },
    { paymentGuid: loose.guid, invoiceGuid: older.guid, cents: 30_000 },
    { paymentGuid: loose.guid, invoiceGuid: firstInvoice, cents: 5_000 },
  ])
  expect(leftCents).toBe(0)
  ok(await apply())
  const { money, related } = await read(second.guid)
  expect(money).toMatchObject({ prepaidCents: 0, paidCents: 50_000, owingCents: 40_000 })
  expect(related.payments).toMatchObject([{ guid: prepaid.guid, prepaidCents: 0 }])
  expect(await p.problems()).toEqual([])
})

test('money is taken for an invoice and an order at once', async () => {
  const order = await anOrder(20_000, p.customer.guid)
  const invoice = await p.invoice(5_000, p.customer.guid)
  const { payment } = ok(
    await prepay(order.guid, 12_000, { allocations: [{ invoiceGuid: invoice.guid, cents: 5_000 }] }),
    201,
  )
  expect(payment).toMatchObject({ orderGuid: order.guid, unallocatedCents: 7_000 })
  expect((await read(order.guid)).money.prepaidCents).toBe(7_000)
})
