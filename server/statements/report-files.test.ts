import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCustomer, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import type { Caller } from '../../test/support/start.ts'

let p: Paying
let today: string
beforeAll(async () => {
  p = await startPaying()
  today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(new Date())
  const { guid } = await aCustomer(p.app, p.actors.office, { displayName: '=Odd, "Pty" Ltd' })
  await p.invoice(110_000, guid)
  ok(await p.byHand({ customerGuid: guid, receivedOn: today, amountCents: 12_345, allocations: [] }), 201)
  const bill = await p.invoice(55_000)
  const allocations = [{ invoiceGuid: bill.guid, cents: 5000 }]
  ok(await p.byHand({ receivedOn: today, amountCents: 5000, allocations }), 201)
})
afterAll(() => p.stop())

const download = async (path: string, who: Caller = p.actors.accountant) => {
  const { statusCode, headers, body } = await p.app.fastify.inject({ url: `/api/v2${path}`, headers: who.headers })
  return { statusCode, name: headers['content-disposition'], rows: body.slice(1).split('\r\n').filter(Boolean) }
}
const get = async <D>(path: string) => ok(await p.app.call<D>(p.actors.accountant, 'GET', path))
const decimal = (cents: number) => (cents / 100).toFixed(2)

test('the trial balance of a day is a file with the totals of the page', async () => {
  const { rows, totals } = await get<{ rows: unknown[]; totals: { debitCents: number; creditCents: number } }>(
    '/Journal/TrialBalance',
  )
  const file = await download(`/Journal/TrialBalance/Export?on=${today}`)
  expect(file.name).toContain(`filename="trial-balance-${today}.csv"`)
  expect(file.rows[0]).toBe('Code,Account,Type,Debit,Credit')
  expect(file.rows).toHaveLength(rows.length + 2)
  expect(file.rows.at(-1)).toBe(`,Total,,${decimal(totals.debitCents)},${decimal(totals.creditCents)}`)
})

test('so are aged receivables, with credit below zero and nothing that a spreadsheet runs', async () => {
  const { totals } = await get<{ totals: Record<string, number> }>('/Journal/AgedReceivables')
  const { rows } = await download('/Journal/AgedReceivables/Export')
  expect(rows[0]).toBe('Customer,Current,1–30 days,31–60 days,61–90 days,Over 90 days,Credit,Total')
  expect(rows[1]).toBe('"\'=Odd, ""Pty"" Ltd",1100.00,0.00,0.00,0.00,0.00,-123.45,976.55')
  const amounts = [totals['currentCents'], 0, 0, 0, 0, -(totals['creditCents'] ?? 0), totals['totalCents']]
  expect(rows.at(-1)).toBe(['Total', ...amounts.map((cents) => decimal(cents ?? 0))].join(','))
})

test('and deposits held, each for those who may open its page', async () => {
  expect((await download('/Journal/DepositsHeld/Export')).rows).toEqual([
    'Customer,Document,Order,Type,Since,Not yet paid,Balance',
    'Total,,,,,0.00,0.00',
  ])
  for (const report of ['TrialBalance', 'AgedReceivables', 'DepositsHeld']) {
    expect((await download(`/Journal/${report}/Export`, p.actors.field)).statusCode).toBe(403)
    expect((await download(`/Journal/${report}/Export?on=soon`)).statusCode).toBe(400)
  }
})
