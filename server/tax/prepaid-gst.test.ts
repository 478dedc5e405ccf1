import { parse } from 'csv-parse/sync'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BasLine } from '../../contract/bas.ts'
import type { Invoice } from '../../contract/invoices.ts'
import type { Order } from '../../contract/orders.ts'
import { aCustomer, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import { keyed } from '../../test/support/start.ts'
import { connect } from '../core/db/connect.ts'
import type { DB } from '../core/db/schema.ts'
import { verifyWithin } from '../ledger/verify.ts'

let p: Paying
let today: string
let customer: string
beforeAll(async () => {
  p = await startPaying()
  today = await p.today()
  customer = (await aCustomer(p.app, p.actors.office, { displayName: 'Cash Pty Ltd', email: 'cash@example.com' })).guid
  await sql`update businesses set gst_basis = 'cash'`.execute(p.app.deps.db)
})
afterAll(() => p.stop())

const money = <D>(path: string, body: object) => p.app.call<D>(p.actors.accountant, 'POST', path, body, keyed())
async function anOrder(...lines: object[]): Promise<Order> {
  const body = { customerGuid: customer, title: 'Hoarding', priceMode: 'inclusive', lines }
  return ok(await p.app.call<{ order: Order }>(p.actors.office, 'POST', '/Orders', body), 201).order
}
const line = (unitPriceCents: number, more: object = {}) => ({ name: 'Hoarding', unitPriceCents, ...more })
const prepay = async (orderGuid: string, amountCents: number) =>
  ok(await p.byHand({ customerGuid: customer, orderGuid, receivedOn: today, amountCents, allocations: [] }), 201)
    .payment
async function bill(orderGuid: string): Promise<string> {
  const { order } = ok(await p.app.call<{ order: Order }>(p.actors.office, 'GET', `/Orders/${orderGuid}`))
  const body = { version: order.version, kind: 'final' }
  const path = `/Orders/Invoice/${orderGuid}`
  const { invoice } = ok(await p.app.call<{ invoice: Invoice }>(p.actors.office, 'POST', path, body), 201)
  ok(await p.app.call(p.actors.office, 'POST', `/Invoices/Issue/${invoice.guid}`, { version: invoice.version }))
  return invoice.guid
}
/** What is collected of a document, and what of it waits, or counts before its invoice. */
async function credited(gstOf: string): Promise<[number, number]> {
  const { rows } = await sql<{ due: number; waits: number }>`select
    coalesce(sum(credit_cents - debit_cents) filter (where account = '2100'), 0)::bigint as due,
    coalesce(sum(credit_cents - debit_cents) filter (where account = '2105'), 0)::bigint as waits
    from journal_lines where gst_of = ${gstOf}::uuid`.execute(p.app.deps.db)
  return [Number(rows[0]?.due), Number(rows[0]?.waits)]
}
interface Sheet {
  labels: { label: string; cents: number }[]
  agrees: boolean | null
}
const sheet = async (basis: 'cash' | 'accrual' = 'cash') => {
  const path = `/Tax/Bas?from=${today}&to=${today}&basis=${basis}`
  const { labels, agrees } = ok(await p.app.call<Sheet>(p.actors.accountant, 'GET', path))
  return { ...Object.fromEntries(labels.map(({ label, cents }) => [label, cents])), agrees }
}
const linesOf = async (label: string) => {
  const path = `/Tax/Bas/Lines?from=${today}&to=${today}&label=${label}`
  return ok(await p.app.call<{ items: BasLine[] }>(p.actors.accountant, 'GET', path)).items
}

test('money for an order counts when it comes, until an invoice takes its place', async () => {
  const order = await anOrder(line(110_000), line(40_000, { name: 'Permit', gstCode: 'FREE' }))
  const payment = await prepay(order.guid, 50_000)
  // 500.00 of 1,500.00 with 100.00 of GST.
  expect(await credited(payment.guid)).toEqual([3333, -3333])
  expect(await sheet()).toMatchObject({ G1: 50_000, G3: 13_333, '1A': 3333, '1B': 0, agrees: true })
  expect(await sheet('accrual')).toMatchObject({ G1: 0, '1A': 0, agrees: null })
  expect(await linesOf('1A')).toMatchObject([
    { noun: 'Payments', guid: payment.guid, number: payment.number, customerName: 'Cash Pty Ltd', cents: 3333 },
  ])
  const path = `/Tax/Bas/Lines/Export?from=${today}&to=${today}`
  const { body } = await p.app.call(p.actors.accountant, 'GET', path)
  expect(parse(body.slice(1), { columns: true })).toMatchObject([
    { Document: payment.number, Customer: 'Cash Pty Ltd', G1: '500.00', G3: '133.33', GST: '33.33' },
  ])
  const invoice = await bill(order.guid)
  expect(await credited(invoice)).toEqual([0, 10_000])
  // An invoice that nobody has paid moves nothing yet.
  const again = await p.app.call(p.actors.accountant, 'GET', path)
  expect(parse(again.body.slice(1), { columns: true })).toMatchObject([{ Document: payment.number }])
  ok(await money(`/Payments/Allocate/${payment.guid}`, { allocations: [{ invoiceGuid: invoice, cents: 20_000 }] }))
  expect([await credited(payment.guid), await credited(invoice)]).toEqual([
    [2000, -2000],
    [1333, 8667],
  ])
  ok(await money(`/Payments/Allocate/${payment.guid}`, { allocations: [{ invoiceGuid: invoice, cents: 30_000 }] }))
  expect([await credited(payment.guid), await credited(invoice)]).toEqual([
    [0, 0],
    [3333, 6667],
  ])
  expect(await sheet()).toMatchObject({ G1: 50_000, G3: 13_333, '1A': 3333, agrees: true })
  const [standing] = (await p.payment(payment.guid)).allocations
  ok(await money(`/Payments/Unallocate/${payment.guid}`, { allocationGuid: standing?.guid }))
  expect((await credited(payment.guid))[0] + (await credited(invoice))[0]).toBe(3333)
  expect(await p.problems()).toEqual([])
})

test('what goes back or was no payment counts no longer, and money for no order once it is applied', async () => {
  const order = await anOrder(line(110_000))
  const refunded = await prepay(order.guid, 33_000)
  ok(await p.refund({ paymentGuid: refunded.guid, amountCents: 11_000, reasonCode: 'duplicate' }), 201)
  expect(await credited(refunded.guid)).toEqual([2000, -2000])
  const wrong = await prepay(order.guid, 22_000)
  expect(await credited(wrong.guid)).toEqual([2000, -2000])
  ok(await money(`/Payments/Reverse/${wrong.guid}`, { reason: 'dishonoured', on: today }))
  expect(await credited(wrong.guid)).toEqual([0, 0])
  const loose = ok(
    await p.byHand({ customerGuid: customer, receivedOn: today, amountCents: 11_000, allocations: [] }),
    201,
  ).payment
  expect(await credited(loose.guid)).toEqual([0, 0])
  expect(await p.problems()).toEqual([])
})

test('an order that is changed later changes nothing of what was reported', async () => {
  const order = await anOrder(line(110_000))
  const payment = await prepay(order.guid, 11_000)
  const lines = [line(220_000), line(220_000, { gstCode: 'FREE' })]
  ok(await p.app.call(p.actors.office, 'PATCH', `/Orders/${order.guid}`, { version: order.version, lines }))
  const next = await prepay(order.guid, 11_000)
  expect([await credited(payment.guid), await credited(next.guid)]).toEqual([
    [1000, -1000],
    [500, -500],
  ])
  expect(await p.problems()).toEqual([])
})

test('the proof names what is collected of it and not told, or told and not collected', async () => {
  const db: Kysely<DB> = connect(p.app.database.owner, { poolSize: 1 })
  const codes = async (statement: string) => {
    const tx = await db.startTransaction().execute()
    try {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql.raw(statement).execute(tx)
      return [...new Set((await verifyWithin(tx)).problems.map(({ code, entity }) => `${code} ${entity}`))]
    } finally {
      await tx.rollback().execute()
    }
  }
  const halved = `jsonb_set(order_gst, '{gstCents}', to_jsonb((order_gst ->> 'gstCents')::bigint / 2))`
  expect(await codes(`update payments set order_gst = ${halved} where order_gst is not null`)).toEqual(
    expect.arrayContaining(['GST_DUE Payments', 'GST_WAITING Payments']),
  )
  expect(await codes(`update payments set order_gst = null`)).toEqual(
    expect.arrayContaining(['GST_OF_NOTHING Journals']),
  )
  const own = `gst_of in (select guid from payments)`
  expect(await codes(`update journal_lines set account = '2105' where account = '2100' and ${own}`)).toEqual(
    expect.arrayContaining(['GST_DUE Payments', 'GST_WAITING Payments']),
  )
  await db.destroy()
})
