import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, localDay } from '../../contract/core/dates.ts'
import type { Order } from '../../contract/orders.ts'
import { ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import { keyed } from '../../test/support/start.ts'

const dayMs = 86_400_000
let p: Paying
beforeAll(async () => {
  p = await startPaying()
  await p.rows(`update businesses set bas_cycle = 'monthly'`)
})
afterAll(() => p.stop())

const today = () => localDay(new Date(Date.now() + p.clock.aheadMs).toISOString(), 'Australia/Sydney')
const call = <D>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
  p.app.call<D>(p.actors.administrator, method, path, body, keyed())

async function paidAhead(unitPriceCents: number, amountCents: number, supplyBasis: Order['supplyBasis']) {
  const lines = [{ name: 'Works', unitPriceCents }]
  const body = { customerGuid: p.customer.guid, title: 'Works', priceMode: 'inclusive', lines }
  const { order } = ok(await call<{ order: Order }>('POST', '/Orders', body), 201)
  if (order.supplyBasis !== supplyBasis)
    ok(await call('PATCH', `/Orders/${order.guid}`, { version: order.version, supplyBasis }))
  const of = { customerGuid: p.customer.guid, orderGuid: order.guid, receivedOn: today() }
  const given = { ...of, amountCents, allocations: [] }
  ok(await p.byHand(given), 201)
  return order
}
interface Change {
  movedCents: number
  documentCount: number
  orderCents: number
  orderCount: number
  orders: { guid: string; number: string; customerName: string; cents: number }[]
}
async function change(basis: 'cash' | 'accrual'): Promise<Change> {
  const given = { basis, from: `${today().slice(0, 8)}01` }
  const looked = ok(await call<Change>('POST', '/Tax/Basis', { ...given, dryRun: true }))
  const [none] = await p.rows<{ count: string }>('select count(*) from basis_changes where basis = $1', [basis])
  expect(none?.count).toBe('0')
  const done = ok(await call<Change>('POST', '/Tax/Basis', given))
  expect(done).toEqual(looked)
  return done
}
const balances = async () => {
  const rows = await p.rows<{ account: string; cents: string }>(
    `select account, sum(credit_cents - debit_cents) as cents from journal_lines
      where account in ('2100', '2105', '2106') group by 1 having sum(credit_cents - debit_cents) <> 0 order by 1`,
  )
  return Object.fromEntries(rows.map(({ account, cents }) => [account, Number(cents)]))
}

test('a change turns back what orders brought forward and counts what came for them, and the other way', async () => {
  p.clock.aheadMs = -115 * dayMs
  const first = today()
  const single = await paidAhead(110_000, 33_000, 'single')
  const parts = await paidAhead(220_000, 11_000, 'progressive')
  expect(await balances()).toEqual({ '2100': 10_000, '2106': -10_000 })
  p.clock.aheadMs = -75 * dayMs
  const cents = (ofSingle: number, ofParts: number) => ({
    ...{ movedCents: 0, documentCount: 0, orderCents: ofSingle + ofParts, orderCount: 2 },
    orders: [
      { guid: single.guid, number: single.number, customerName: expect.any(String), cents: ofSingle },
      { guid: parts.guid, number: parts.number, customerName: expect.any(String), cents: ofParts },
    ],
  })
  // All of the GST waits for the money again; what came already carries its eleventh.
  expect(await change('cash')).toMatchObject(cents(3000 - 10_000, 1000))
  expect(await balances()).toEqual({ '2100': 4000, '2105': -4000 })
  expect(await p.problems()).toEqual([])
  const onCash = today()
  p.clock.aheadMs = 0
  expect(await change('accrual')).toMatchObject(cents(10_000 - 3000, -1000))
  expect(await balances()).toEqual({ '2100': 10_000, '2106': -10_000 })
  expect(await p.problems()).toEqual([])
  const spans = [
    [first, addDays(`${onCash.slice(0, 8)}01`, -1), 10_000],
    [`${onCash.slice(0, 8)}01`, onCash, -6000],
    [`${today().slice(0, 8)}01`, today(), 6000],
    [first, today(), 10_000],
  ] as const
  for (const [from, to, net] of spans) {
    const { labels, agrees } = ok(
      await call<{ labels: { label: string; cents: number }[]; agrees: boolean }>(
        'GET',
        `/Tax/Bas?from=${from}&to=${to}`,
      ),
    )
    const of = (label: string) => labels.find((one) => one.label === label)?.cents ?? 0
    expect({ from, net: of('1A') - of('1B'), agrees }).toEqual({ from, net, agrees: true })
  }
})
