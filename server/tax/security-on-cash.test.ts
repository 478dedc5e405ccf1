import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Invoice } from '../../contract/invoices.ts'
import type { Order } from '../../contract/orders.ts'
import { aLine, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'

let p: Paying
let today: string
beforeAll(async () => {
  p = await startPaying()
  today = await p.today()
  await p.rows(`update businesses set gst_basis = 'cash'`)
})
afterAll(() => p.stop())

const call = <D>(method: 'GET' | 'POST', path: string, body?: unknown) =>
  p.app.call<D>(p.actors.administrator, method, path, body, { 'idempotency-key': randomUUID() })
const invoice = async (guid: string) => ok(await call<{ invoice: Invoice }>('GET', `/Invoices/${guid}`)).invoice
const act = async (path: string, guid: string, wish: object = {}) =>
  ok(await call<{ invoice: Invoice }>('POST', `${path}/${guid}`, { version: (await invoice(guid)).version, ...wish }))

/** G1 and GST of today on a basis, where the books say the same on the own one. */
async function told(basis: 'cash' | 'accrual'): Promise<[sales: number | undefined, gst: number]> {
  const { labels, agrees } = ok(
    await call<{ labels: { label: string; cents: number }[]; agrees: boolean | null }>(
      'GET',
      `/Tax/Bas?from=${today}&to=${today}&basis=${basis}`,
    ),
  )
  expect(agrees).toBe(basis === 'cash' ? true : null)
  const of = Object.fromEntries(labels.map(({ label, cents }) => [label, cents]))
  return [of.G1, (of['1A'] ?? 0) - (of['1B'] ?? 0)]
}

test('a security deposit counts on neither basis until it pays an invoice or is kept', async () => {
  const lines = [aLine({ quantity: '1', unitPriceCents: 1_100_000 })]
  const body = { customerGuid: p.customer.guid, title: 'Scaffold', priceMode: 'inclusive', lines }
  const { order } = ok(await call<{ order: Order }>('POST', '/Orders', body), 201)
  const held = ok(
    await call<{ invoice: Invoice }>('POST', `/Orders/Invoice/${order.guid}`, {
      ...{ version: order.version, kind: 'deposit', cents: 100_000, depositNature: 'security' },
      forfeitureClause: 'We keep the deposit when the scaffold comes back damaged.',
    }),
    201,
  ).invoice
  await act('/Invoices/Issue', held.guid)
  const allocations = [{ invoiceGuid: held.guid, cents: 100_000 }]
  const { payment } = ok(await p.byHand({ receivedOn: today, amountCents: 100_000, allocations }), 201)
  expect([await told('cash'), await told('accrual')]).toEqual([
    [0, 0],
    [0, 0],
  ])
  const billed = await p.invoice(110_000)
  await act('/Invoices/Deposit', held.guid, { action: 'apply', invoiceGuid: billed.guid, cents: 55_000 })
  expect([await told('cash'), await told('accrual')]).toEqual([
    [55_000, 5000],
    [110_000, 10_000],
  ])
  await act('/Invoices/Deposit', held.guid, { action: 'forfeit', cents: 33_000, reason: 'Two boards were broken.' })
  const kept: [number, number] = [88_000, 8000]
  expect(await told('cash')).toEqual(kept)
  const back = { paymentGuid: payment.guid, invoiceGuid: held.guid, amountCents: 12_000, reasonCode: 'deposit_return' }
  ok(await p.refund(back), 201)
  expect([await told('cash'), await told('accrual')]).toEqual([kept, [143_000, 13_000]])
  expect(await p.problems()).toEqual([])
})
