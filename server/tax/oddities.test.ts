import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, addMonths } from '../../contract/core/dates.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import type { Oddity } from '../../contract/oddities.ts'
import { aCustomer, aSentQuote, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import { noteStatements } from '../../test/support/statements.ts'

let p: Paying
let today: string
let customerGuid: string
beforeAll(async () => {
  p = await startPaying()
  today = await p.today()
  customerGuid = (await aCustomer(p.app, p.actors.office, { displayName: 'Odd Pty Ltd', email: 'odd@example.com' }))
    .guid
})
afterAll(() => p.stop())

const spoken = (day: string) => day.split('-').toReversed().join('-')
const accountant = <D>(method: 'GET' | 'POST', path: string, body?: unknown) =>
  p.app.call<D>(p.actors.accountant, method, path, body, method === 'POST' ? { 'idempotency-key': randomUUID() } : {})
const oddities = async (from = today, to = today) =>
  ok(await accountant<{ items: Oddity[] }>('GET', `/Tax/Oddities?from=${from}&to=${to}`)).items
const oddity = async (code: Oddity['code'], from = today, to = today) =>
  (await oddities(from, to)).filter((one) => one.code === code)
const count = async (from = today, to = today) =>
  ok(await accountant<{ oddities: number }>('GET', `/Tax/Bas?from=${from}&to=${to}`)).oddities
const accountOf = async (role: string) =>
  ok(await accountant<{ accounts: { guid: string; role: string | null }[] }>('GET', '/Journal/Accounts')).accounts.find(
    (account) => account.role === role,
  )?.guid
const entry = async (postedOn: string, debit: string, credit: string, cents: number) => {
  const lines = [
    { accountGuid: await accountOf(debit), debitCents: cents },
    { accountGuid: await accountOf(credit), creditCents: cents },
  ]
  return ok(
    await accountant<{ entry: { guid: string } }>('POST', '/Journal', { postedOn, narrative: 'Put aside', lines }),
    201,
  ).entry
}

test('a period without anything odd has none', async () => {
  await p.invoice(11_000, customerGuid)
  expect(await oddities()).toEqual([])
  expect(await count()).toBe(0)
})

test('what waits in suspense comes first, and keeps the period from being locked in the same words', async () => {
  const yesterday = addDays(today, -1)
  await entry(yesterday, 'bank', 'suspense', 4210)
  const text = 'Suspense holds $42.10. Sort these bank lines first.'
  const found = await oddities(yesterday, yesterday)
  expect(found).toEqual([
    {
      code: 'suspense',
      noun: 'Journal',
      guid: await accountOf('suspense'),
      label: 'Suspense',
      cents: 4210,
      text,
      blocks: true,
    },
  ])
  expect(await count(yesterday, yesterday)).toBe(1)
  const locked = await accountant('POST', '/Tax/Lock', { through: yesterday })
  expect([locked.status, locked.message]).toEqual([409, text])
  await entry(yesterday, 'suspense', 'bank', 4210)
  expect(await oddities(yesterday, yesterday)).toEqual([])
})

test('money without an order is named until it is allocated; money for an order is not', async () => {
  const pay = (facts: object) =>
    p.byHand({ customerGuid, receivedOn: today, amountCents: 5000, allocations: [], ...facts })
  const { payment } = ok(await pay({}), 201)
  expect(await oddity('untagged_money')).toEqual([
    {
      code: 'untagged_money',
      noun: 'Payments',
      guid: payment.guid,
      label: payment.number,
      cents: 5000,
      text: '$50.00 pays no invoice and names no order. Allocate it, or give it back.',
      blocks: false,
    },
  ])
  expect(await oddity('untagged_money', addDays(today, -5), addDays(today, -1))).toEqual([])
  const invoice = await p.invoice(4000, customerGuid)
  const allocations = [{ invoiceGuid: invoice.guid, cents: 4000 }]
  ok(await accountant('POST', `/Payments/Allocate/${payment.guid}`, { allocations }))
  expect((await oddity('untagged_money')).map(({ cents }) => cents)).toEqual([1000])
  ok(await accountant('POST', `/Payments/Reverse/${payment.guid}`, { reason: 'dishonoured', on: today }))
  expect(await oddity('untagged_money')).toEqual([])
  // On a day before it was used up it waited, whatever became of it since.
  const early = addDays(today, -3)
  const { payment: before } = ok(await pay({ receivedOn: early, amountCents: 700 }), 201)
  const late = await p.invoice(700, customerGuid)
  const uses = [{ invoiceGuid: late.guid, cents: 700 }]
  ok(await accountant('POST', `/Payments/Allocate/${before.guid}`, { allocations: uses }))
  const seen = async (to: string) => (await oddity('untagged_money', to, to)).map(({ guid, cents }) => [guid, cents])
  expect(await seen(addDays(early, -1))).toEqual([])
  expect(await seen(early)).toEqual([[before.guid, 700]])
  expect(await seen(addDays(today, -1))).toEqual([[before.guid, 700]])
  expect(await seen(today)).toEqual([])
  const lines = [{ name: 'Fence', unitPriceCents: 50_000 }]
  const quote = await aSentQuote(p.app, p.actors.office, customerGuid, { lines, depositRule: { type: 'none' } })
  const said = { version: quote.version, name: 'Anna', method: 'phone' }
  const accepted = await p.app.call<{ order: { guid: string } }>(
    p.actors.office,
    'POST',
    `/Quotes/Accept/${quote.guid}`,
    said,
  )
  ok(await pay({ orderGuid: ok(accepted).order.guid }), 201)
  expect(await oddity('untagged_money')).toEqual([])
})

test('GST that is more than 5 cents off a tenth is named, with both', async () => {
  const made = async (lineCount: number) => {
    const lines = Array.from({ length: lineCount }, (_, i) => ({ name: `Clip ${i}`, unitPriceCents: 14 }))
    const { invoice } = ok(
      await p.app.call<{ invoice: { guid: string; version: number } }>(p.actors.office, 'POST', '/Invoices', {
        ...{ customerGuid, title: 'Clips', lines, roundingRule: 'taxable_supply' },
      }),
      201,
    )
    const path = `/Invoices/Issue/${invoice.guid}`
    return ok(
      await p.app.call<{ invoice: { number: string } }>(p.actors.office, 'POST', path, { version: invoice.version }),
    ).invoice.number
  }
  await p.rows(`update businesses set rounding_rule = 'taxable_supply'`)
  // 12 × 1 cent where a tenth of $1.68 is 17; one more makes it 5, another 6 cents.
  await made(12)
  const off = await made(15)
  await p.rows(`update businesses set rounding_rule = 'total_invoice'`)
  const found = await oddity('gst_off')
  expect(found.map(({ label, cents, text }) => [label, cents, text])).toEqual([
    [off, 6, 'GST is $0.15 and a tenth of its taxable lines $0.21.'],
  ])
})

test('a deposit that is held for more than a year is named, with what is left of it', async () => {
  const quote = await aSentQuote(p.app, p.actors.office, customerGuid, {
    depositRule: { type: 'percent', value: 5000 },
  })
  const said = { version: quote.version, name: 'Anna', method: 'phone' }
  const { invoice, order } = ok(
    await p.app.call<{ invoice: { guid: string }; order: { guid: string } }>(
      p.actors.office,
      'POST',
      `/Quotes/Accept/${quote.guid}`,
      said,
    ),
  )
  const [{ number } = { number: '' }] = await p.rows<{ number: string }>(
    'select number from invoices where guid = $1',
    [invoice.guid],
  )
  const later = addMonths(today, 12)
  expect(await oddity('deposit_held', today, later)).toEqual([])
  const allocations = [{ invoiceGuid: invoice.guid, cents: 10_000 }]
  ok(await p.byHand({ receivedOn: today, amountCents: 10_000, allocations }), 201)
  expect((await oddity('deposit_held', today, later)).map(({ label, cents, text }) => [label, cents, text])).toEqual([
    [number, 10_000, `Held since ${spoken(today)}. Apply it to an invoice, or give it back.`],
  ])
  expect(await oddity('deposit_held', today, addDays(later, -1))).toEqual([])
  // An invoice that credits it uses it up, on all days from its own; one that is void never did.
  const step = async (path: string, body: object, status = 200) =>
    ok(await p.app.call<{ invoice: { guid: string; version: number } }>(p.actors.office, 'POST', path, body), status)
      .invoice
  const orders = await p.app.call<{ order: { version: number } }>(p.actors.office, 'GET', `/Orders/${order.guid}`)
  const wish = { version: ok(orders).order.version, kind: 'final' }
  const final = await step(`/Orders/Invoice/${order.guid}`, wish, 201)
  const issued = await step(`/Invoices/Issue/${final.guid}`, { version: final.version })
  expect(await oddity('deposit_held', today, later)).toEqual([])
  await step(`/Invoices/Void/${final.guid}`, { version: issued.version, reason: 'Too early' })
  expect((await oddity('deposit_held', today, later)).map(({ label, cents }) => [label, cents])).toEqual([
    [number, 10_000],
  ])
})

test('what is booked for a day that was locked is named, whichever way it came', async () => {
  const [early, through] = [addDays(today, -40), addDays(today, -10)]
  await entry(early, 'bank', 'suspense', 100)
  await entry(early, 'suspense', 'bank', 100)
  ok(await accountant('POST', '/Tax/Lock', { through }))
  expect(await oddity('booked_late', early, today)).toEqual([])
  const late = { customerGuid, receivedOn: early, amountCents: 700, allocations: [] }
  const { payment } = ok(await p.byHand(late), 201)
  const open = addDays(through, 1)
  const received = `Received on ${spoken(early)}, when that day was locked. It counts from ${spoken(open)}.`
  expect((await oddity('booked_late', open, today)).map(({ guid, text }) => [guid, text])).toEqual([
    [payment.guid, received],
  ])
  expect(await oddity('booked_late', early, through)).toEqual([])
  ok(await accountant('POST', '/Tax/Unlock', { from: early, reason: 'An invoice came late', days: 1 }))
  const { guid } = await entry(early, 'bank', 'sales', 900)
  expect((await oddity('booked_late', early, through)).map((one) => [one.noun, one.guid, one.cents, one.text])).toEqual(
    [['Journal', guid, 900, `Booked on ${spoken(today)} for ${spoken(early)}, after that day was locked.`]],
  )
  expect(await count(early, today)).toBe((await oddities(early, today)).length)
})

test('is asked for with two days in order, by who has the right, in few statements whatever there is', async () => {
  const wrong = await accountant('GET', `/Tax/Oddities?from=${today}&to=${addDays(today, -1)}`)
  expect(wrong.errors).toEqual([{ path: 'to', message: 'Choose a day that isn’t before the first.' }])
  expect(await oddities('0001-01-01', '0001-01-02')).toEqual([])
  expect((await p.app.call(p.actors.office, 'GET', `/Tax/Oddities?from=${today}&to=${today}`)).status).toBe(403)
  const noting = noteStatements(p.app.deps.db)
  const aboutJournal = (noted: string[]) => noted.filter((text) => /journal_lines|figures/.test(text))
  const few = aboutJournal(await noting(() => oddities()))
  for (const _ of [1, 2, 3])
    ok(await p.byHand({ customerGuid, receivedOn: today, amountCents: 100, allocations: [] }), 201)
  expect(aboutJournal(await noting(() => oddities()))).toEqual(few)
  expect(few).toHaveLength(2)
})

test('the detail of a period has each document once and adds up to the worksheet, a label’s file too', async () => {
  const sheet = ok(
    await accountant<{ labels: { label: string; cents: number }[]; decreases: Record<string, number> }>(
      'GET',
      `/Tax/Bas?from=${today}&to=${today}`,
    ),
  )
  const cents = (label: string) => sheet.labels.find((one) => one.label === label)?.cents ?? 0
  const file = async (more = '') => {
    const answer = await accountant('GET', `/Tax/Bas/Lines/Export?from=${today}&to=${today}${more}`)
    expect(answer.status).toBe(200)
    return parse(answer.body.slice(1), { columns: true }) as Record<string, string>[]
  }
  const sum = (rows: Record<string, string>[], column: string) =>
    rows.reduce((all, row) => all + Math.round(Number(row[column]) * 100), 0)
  const rows = await file()
  expect(new Set(rows.map((row) => row['Document'])).size).toBe(rows.length)
  expect(rows.length).toBeGreaterThan(4)
  expect(sum(rows, 'GST')).toBe(cents('1A') - cents('1B'))
  expect(sum(rows, 'G1')).toBe(cents('G1') - (sheet.decreases['G1'] ?? 0))
  const taxed = await file('&label=1A')
  expect(sum(taxed, 'Moved')).toBe(cents('1A'))
  for (const row of taxed)
    expect(row['Moved']).toBe(centsToDecimal(Math.round((Number(row['After']) - Number(row['Before'])) * 100)))
})
