import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../contract/core/dates.ts'
import type { Invoice } from '../../contract/invoices.ts'
import type { AgedRow, Statement } from '../../contract/statements.ts'
import { aCustomer, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import type { Caller } from '../../test/support/start.ts'

let p: Paying
let today: string
let mine: string
let open: { guid: string; number: string }
beforeAll(async () => {
  p = await startPaying()
  today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(new Date())
  mine = (await aCustomer(p.app, p.actors.office, { displayName: 'Aged Pty Ltd', email: 'aged@example.com' })).guid
  open = await p.invoice(110_000, mine)
  const planned = await p.invoice(60_000, mine)
  const instalments = [0, 10, 40].map((days, i) => ({ label: `Part ${i}`, dueOn: addDays(today, days), cents: 20_000 }))
  const path = `/Invoices/Instalments/${planned.guid}`
  ok(await p.app.call(p.actors.office, 'POST', path, { version: planned.version, instalments }))
  const voided = await p.invoice(7700, mine)
  ok(
    await p.app.call(p.actors.office, 'POST', `/Invoices/Void/${voided.guid}`, {
      version: voided.version,
      reason: 'Twice',
    }),
  )
  const allocations = [
    { invoiceGuid: open.guid, cents: 10_000 },
    { invoiceGuid: planned.guid, cents: 25_000 },
  ]
  ok(await p.byHand({ customerGuid: mine, receivedOn: today, amountCents: 40_000, allocations }), 201)
  const { version } = ok(
    await p.app.call<{ invoice: Invoice }>(p.actors.accountant, 'GET', `/Invoices/${open.guid}`),
  ).invoice
  const given = { version, cents: 20_000, reasonCode: 'bad_debt' }
  ok(await p.app.call(p.actors.accountant, 'POST', `/Invoices/WriteOff/${open.guid}`, given))
})
afterAll(() => p.stop())

interface Aged {
  rows: AgedRow[]
  totals: Omit<AgedRow, 'customerGuid' | 'customerName'>
  ledgerCents: number
  agrees: boolean
}
const aged = async (on?: string) =>
  ok(await p.app.call<Aged>(p.actors.accountant, 'GET', `/Journal/AgedReceivables${on ? `?on=${on}` : ''}`))
const statement = async (query = '', who: Caller = p.actors.office) =>
  p.app.call<{ statement: Statement }>(who, 'GET', `/Statements/${mine}${query}`)
const told = async (query = '') => ok(await statement(query)).statement

test('what customers owe is told by how late it is, instalments singly and credit apart', async () => {
  const [invoice] = await p.rows<{ days: number }>('select due_on - $2::date as days from invoices where guid = $1', [
    open.guid,
    today,
  ])
  // What is left of the plan is due after 10 and 40 days, the other invoice by its terms.
  const on = 45
  const row = (await aged(addDays(today, on))).rows.find(({ customerGuid }) => customerGuid === mine)
  const isMonthLate = on - (invoice?.days ?? 0) > 30
  expect(row).toMatchObject({
    currentCents: 0,
    d30Cents: 20_000 + (isMonthLate ? 0 : 80_000),
    d60Cents: 15_000 + (isMonthLate ? 80_000 : 0),
    creditCents: 5000,
  })
})

test('is told as of today, and agrees with the ledger on every day', async () => {
  const now = await aged()
  expect(now.rows.find(({ customerGuid }) => customerGuid === mine)).toEqual({
    customerGuid: mine,
    customerName: 'Aged Pty Ltd',
    currentCents: 80_000 + 35_000,
    d30Cents: 0,
    d60Cents: 0,
    d90Cents: 0,
    olderCents: 0,
    creditCents: 5000,
    totalCents: 110_000,
  })
  for (const days of [-1, 0, 1, 15, 50, 80, 110, 400]) {
    const { agrees, totals, ledgerCents } = await aged(addDays(today, days))
    expect([days, agrees, totals.totalCents]).toEqual([days, true, ledgerCents])
  }
  expect((await aged(addDays(today, -1))).rows).toEqual([])
  // The first and the last day there are.
  expect((await aged('0001-01-01')).rows).toEqual([])
  expect((await aged('9999-12-31')).agrees).toBe(true)
})

test('a statement of what is open tells each part that is due by itself', async () => {
  const { rows, closingCents, creditCents, ageing, openingCents } = await told()
  expect(rows.map(({ what, text, debitCents, balanceCents }) => [what, text, debitCents, balanceCents])).toEqual([
    ['instalment', 'Part 1', 15_000, 15_000],
    ['instalment', 'Part 2', 20_000, 35_000],
    ['invoice', null, 80_000, 115_000],
  ])
  expect({ openingCents, closingCents, creditCents, current: ageing.currentCents }).toEqual({
    openingCents: 0,
    closingCents: 115_000,
    creditCents: 5000,
    current: 115_000,
  })
})

test('a statement of an activity goes from a balance to a balance, and parts of it join', async () => {
  const whole = await told(`?kind=activity&to=${today}`)
  expect(whole.rows.map(({ what, debitCents, creditCents }) => [what, debitCents, creditCents])).toEqual([
    ['invoice', 110_000, 0],
    ['invoice', 60_000, 0],
    ['invoice', 7700, 0],
    ['void', 0, 7700],
    ['payment', 0, 40_000],
    ['write_off', 0, 20_000],
  ])
  expect([whole.openingCents, whole.closingCents]).toEqual([0, 110_000])
  const after = await told(`?kind=activity&from=${addDays(today, 1)}&to=${addDays(today, 9)}`)
  expect([after.openingCents, after.rows, after.closingCents]).toEqual([110_000, [], 110_000])
})

test('is told to those who may', async () => {
  for (const who of [p.actors.sales, p.actors.field])
    for (const answer of [await statement('', who), await p.app.call(who, 'GET', '/Journal/AgedReceivables')])
      expect(answer.status).toBe(403)
  expect((await p.app.call(p.actors.office, 'GET', `/Statements/${open.guid}`)).status).toBe(404)
  expect((await statement('?kind=else')).status).toBe(400)
})
