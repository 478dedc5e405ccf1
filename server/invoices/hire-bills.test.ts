import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, instantAt } from '../../contract/core/dates.ts'
import type { PlannedReport } from '../../contract/jobs.ts'
import type { HireBill } from '../../contract/hire-runs.ts'
import type { Order } from '../../contract/orders.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { hireJob } from './hire-bills.ts'

let app: Running
let people: Actors
let customerGuid: string
let panel: string
let zone: string
const today = '2026-09-30'
let now = new Date(`${today}T02:00:00Z`)
const morning = (hour: number) => new Date(instantAt(today, hour * 60, zone))
const post = <D>(path: string, body: object) =>
  app.call<D>(people.administrator, 'POST', path, body, { 'idempotency-key': randomUUID() })
const ago = (days: number) => addDays(today, -days)

beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness({ now: () => now }))
  zone = (await app.deps.db.selectFrom('businesses').select('timeZone').limit(1).executeTakeFirstOrThrow()).timeZone
  const product = { name: 'Panel', kind: 'hire', unit: 'each', priceCents: 4500 }
  const hire = { dayCents: 4500, weekCents: 18_000, fourWeekCents: 54_000 }
  panel = ok(await post<{ product: { guid: string } }>('/Products', { ...product, hire }), 201).product.guid
}, 60_000)
afterAll(() => app.stop())

const orderOf = async (guid: string) =>
  ok(await app.call<{ order: Order }>(people.administrator, 'GET', `/Orders/${guid}`)).order
const act = async <D>(path: string, guid: string, body: object) =>
  post<D>(`/Orders/${path}/${guid}`, { version: (await orderOf(guid)).version, ...body })

/** A confirmed order of so many panels, planned for four weeks from a day. */
async function anOrder(quantity: string, from: string, more: object = {}, others: object[] = []) {
  const line = { productGuid: panel, name: 'Panel', kind: 'hire', quantity, hireFrom: from, hireTo: addDays(from, 27) }
  const input = { customerGuid, title: 'Fence', lines: [{ ...line, ...more }, ...others] }
  const { order } = ok(await post<{ order: Order }>('/Orders', input), 201)
  return { guid: order.guid, lineGuid: order.lines[0]?.guid ?? '' }
}
async function anHire(quantity: string, since: number, every = '28', more: object = {}, others: object[] = []) {
  const made = await anOrder(quantity, ago(since), more, others)
  ok(await act('Hire', made.guid, { items: [{ lineGuid: made.lineGuid, on: ago(since), every }] }))
  return made
}
interface Billed {
  bills: HireBill[]
  invoice: { guid: string; totalCents: number } | null
}
const bill = (guid: string, through: string, dryRun = false) => act<Billed>('HireBill', guid, { through, dryRun })
const back = (guid: string, lineGuid: string, off: string, units?: string) =>
  act<{ order: Order }>('Hire', guid, { items: [{ lineGuid, off, units }] })
const centsOf = ({ bills }: Billed) => bills.map(({ cents }) => cents)
async function versioned<D>(deed: string, guid: string, body: object = {}) {
  const { invoice } = ok(
    await app.call<{ invoice: { version: number } }>(people.administrator, 'GET', `/Invoices/${guid}`),
  )
  return ok(await post<D>(`/Invoices/${deed}/${guid}`, { version: invoice.version, ...body }))
}
const isProven = async () => expect((await verifyLedger(app.deps.db)).problems).toEqual([])

describe('hire', () => {
  test('is billed to the day it came back: 7 of 300 panels on day 5, the rest on day 29', async () => {
    const { guid, lineGuid } = await anHire('300', 28)
    ok(await back(guid, lineGuid, ago(24), '7'))
    const many = await back(guid, lineGuid, today, '294')
    expect([many.status, many.errors]).toEqual([
      422,
      [{ path: 'items.0.units', message: 'Only 293 are still on hire.' }],
    ])
    const { order } = ok(await back(guid, lineGuid, today))
    expect(order.hire[0]).toMatchObject({ unitsOut: '0', off: today, dueCents: 17_266_500, billedTo: null })
    const preview = ok(await bill(guid, today, true))
    expect(preview.invoice).toBeNull()
    expect(preview.bills[0]?.why.parts).toMatchObject([
      { units: '7', days: 5, unitCents: 18_000 },
      { units: '293', days: 29, unitCents: 58_500 },
    ])
    expect((await orderOf(guid)).version).toBe(order.version)
    const done = ok(await bill(guid, today))
    expect(done.invoice?.totalCents).toBe(17_266_500 * 1.1)
    const after = await orderOf(guid)
    expect([after.totals.totalCents, after.invoiceStatus]).toEqual([17_266_500 * 1.1, 'drafted'])
    expect(after.lines[0]).toMatchObject({ name: '300 × Panel', quantity: '1', quantityInvoiced: '1' })
    expect((await bill(guid, today)).message).toBe('There is no hire to bill through this day.')
    await isProven()
  })

  test('weekly bills add up, and the days of a voided one go to the next', async () => {
    const { guid } = await anHire('1', 34, '7')
    const made: (string | undefined)[] = []
    const cents: number[] = []
    for (const day of [28, 21, 14, 7, 0]) {
      const done = ok(await bill(guid, ago(day)))
      cents.push(...centsOf(done))
      made.push(done.invoice?.guid)
    }
    expect(cents).toEqual([18_000, 18_000, 18_000, 0, 18_000])
    expect(made[3]).toBeUndefined()
    await versioned('Issue', made[1] ?? '')
    await versioned('Void', made[1] ?? '', { reason: 'Wrong' })
    const gap = [{ from: ago(27), to: ago(21) }]
    expect((await orderOf(guid)).hire[0]).toMatchObject({ billedTo: today, unbilled: gap })
    const again = ok(await bill(guid, today))
    expect(again.bills).toMatchObject([{ from: ago(27), to: ago(21), days: 7, cents: 18_000 }])
    await isProven()
  })

  test('beyond its planned days leaves all else on its order to invoice', async () => {
    const other = { name: 'Set-up', unitPriceCents: 50_000 }
    const { guid, lineGuid } = await anHire('2', 34, '7', {}, [other])
    const left = async () => (await orderOf(guid)).money.toInvoiceCents
    expect(await left()).toBe(173_800)
    // The four weeks of its plan, and then one more: what is billed beyond the plan comes to the order when it ends.
    ok(await bill(guid, ago(7)))
    expect(await left()).toBe(55_000)
    ok(await bill(guid, today))
    expect(await left()).toBe(55_000)
    ok(await back(guid, lineGuid, today))
    const { totals, money } = await orderOf(guid)
    expect([totals.totalCents, money.toInvoiceCents]).toEqual([213_400, 55_000])
    await isProven()
  })

  test('a last bill that is voided is made again, to the same cents', async () => {
    const { guid, lineGuid } = await anHire('3', 6)
    ok(await back(guid, lineGuid, today))
    const { invoice } = ok(await bill(guid, today))
    await versioned('Issue', invoice?.guid ?? '')
    await versioned('Void', invoice?.guid ?? '', { reason: 'Wrong name' })
    expect((await orderOf(guid)).invoiceStatus).toBe('to_invoice')
    expect(ok(await bill(guid, today)).invoice?.totalCents).toBe(invoice?.totalCents)
    const { invoiceStatus, totals, lines } = await orderOf(guid)
    expect([invoiceStatus, totals.totalCents, lines[0]?.name]).toEqual(['drafted', 59_400, '3 × Panel'])
    await isProven()
  })

  test('is billed beside stages, which are of the rest of the order', async () => {
    const days = { hireFrom: ago(6), hireTo: addDays(today, 21) }
    const quote = await aSentQuote(app, people.administrator, customerGuid, {
      lines: [
        { productGuid: panel, name: 'Panel', kind: 'hire', quantity: '2', ...days },
        { name: 'Install', quantity: '1', unitPriceCents: 100_000 },
      ],
      schedule: [
        { label: 'Start', amount: { type: 'fixed', cents: 50_000 }, due: { type: 'start' } },
        { label: 'Rest', amount: { type: 'rest' }, due: { type: 'completion' } },
      ],
    })
    const accept = { version: quote.version, name: 'Anna', method: 'phone' }
    const { guid } = ok(await post<{ order: { guid: string } }>(`/Quotes/Accept/${quote.guid}`, accept)).order
    const { lines, stages } = await orderOf(guid)
    expect(stages.map(({ cents }) => cents)).toEqual([50_000, 178_800])
    const items = [{ lineGuid: lines[0]?.guid, on: ago(6) }]
    const { order } = ok(await act<{ order: Order }>('Hire', guid, { items }))
    expect(order.stages.map(({ cents }) => cents)).toEqual([50_000, 60_000])
    expect(centsOf(ok(await bill(guid, today)))).toEqual([36_000])
    for (const { guid: stageGuid } of stages) {
      const made = ok(await act<{ invoice: { guid: string } }>('Invoice', guid, { stageGuid }), 201)
      await versioned('Issue', made.invoice.guid)
    }
    ok(await back(guid, lines[0]?.guid ?? '', today))
    const { invoiceStatus, totals, related } = await orderOf(guid)
    expect([invoiceStatus, totals.totalCents]).toEqual(['drafted', 149_600])
    expect(related.invoices.reduce((sum, { totalCents }) => sum + totalCents, 0)).toBe(149_600)
    await isProven()
  })

  test('a draft that is archived frees its days and stays archived', async () => {
    const { guid } = await anHire('2', 6)
    const { invoice } = ok(await bill(guid, today))
    ok(await app.call(people.administrator, 'DELETE', `/Invoices/${invoice?.guid}`))
    const restored = await post(`/Invoices/Restore/${invoice?.guid}`, {})
    expect(restored.message).toBe('This draft billed hire. Bill the hire again from its order.')
    expect(centsOf(ok(await bill(guid, today)))).toEqual([36_000])
    await isProven()
  })

  test('stays beside what is invoiced otherwise, with an odd rate and a discount', async () => {
    const others = [{ name: 'Install', quantity: '3', unitPriceCents: 33_333 }]
    const more = { unitPriceCents: 50_001, discount: { type: 'percent', value: 333 } }
    const { guid, lineGuid } = await anHire('3', 20, '7', more, others)
    ok(await bill(guid, ago(13)))
    const work = ok(
      await act<{ invoice: { totals: { subtotalCents: number } } }>('Invoice', guid, { kind: 'final' }),
      201,
    )
    expect(work.invoice.totals.subtotalCents).toBe(99_999)
    expect((await orderOf(guid)).invoiceStatus).toBe('partially_invoiced')
    ok(await bill(guid, ago(6)))
    ok(await back(guid, lineGuid, ago(3)))
    ok(await bill(guid, today))
    const { totals, related, invoiceStatus } = await orderOf(guid)
    expect(invoiceStatus).toBe('drafted')
    expect(related.invoices.reduce((sum, { totalCents }) => sum + totalCents, 0)).toBe(totals.totalCents)
    await isProven()
  })

  test('is refused where it makes no sense, at the field', async () => {
    const { guid, lineGuid } = await anHire('3', 6)
    const others = await anOrder('1', today, {}, [{ name: 'Gate', quantity: '1', unitPriceCents: 100 }])
    const gate = (await orderOf(others.guid)).lines[1]?.guid
    const said = async (which: string, item: object) => (await act('Hire', which, { items: [item] })).errors
    expect(await said(guid, { lineGuid, on: today })).toEqual([
      { path: 'items.0.lineGuid', message: 'This line is already on hire.' },
    ])
    expect(await said(guid, { lineGuid, off: ago(7) })).toEqual([
      { path: 'items.0.off', message: 'The last day can’t be before the first.' },
    ])
    expect(await said(guid, { lineGuid, off: addDays(today, 1) })).toEqual([
      { path: 'items.0.off', message: 'Choose a day that isn’t after today.' },
    ])
    expect(await said(others.guid, { lineGuid: gate, on: today })).toEqual([
      { path: 'items.0.lineGuid', message: 'Only lines with hire dates and rates can go on hire.' },
    ])
    expect(await said(others.guid, { lineGuid: others.lineGuid, off: today })).toEqual([
      { path: 'items.0.lineGuid', message: 'This line isn’t on hire.' },
    ])
    expect((await bill(guid, addDays(today, 1))).errors).toEqual([
      { path: 'through', message: 'Choose a day that isn’t after today.' },
    ])
    const { lines, version } = await orderOf(guid)
    const sent = lines.map(({ guid: line, name, kind, productGuid, hireFrom, hireTo }) => ({
      ...{ guid: line, name, kind, productGuid, hireFrom, hireTo, quantity: '9' },
    }))
    const edited = await app.call(people.administrator, 'PATCH', `/Orders/${guid}`, { version, lines: sent })
    expect(edited.errors).toEqual([
      { path: 'lines.0.quantity', message: 'This line is on hire, so this can’t be changed.' },
    ])
  })

  test('ends with its order, at what was billed', async () => {
    const { guid } = await anHire('2', 13)
    const { invoice } = ok(await bill(guid, ago(7)))
    await versioned('Issue', invoice?.guid ?? '')
    ok(await act('Status', guid, { deed: 'cancel' }))
    const { totals, hire, status } = await orderOf(guid)
    expect([status, totals.subtotalCents]).toEqual(['cancelled', 36_000])
    expect(hire[0]).toMatchObject({ unitsOut: '0', dueCents: 0 })
    await isProven()
  })

  test('two people who bill at once make one bill, and ten processes, too', async () => {
    const { guid } = await anHire('1', 6)
    const { version } = await orderOf(guid)
    const both = await Promise.all([0, 1].map(() => post(`/Orders/HireBill/${guid}`, { version, through: today })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await orderOf(guid)).related.invoices).toHaveLength(1)

    const late = await anHire('1', 7, '7')
    const early = await anHire('1', 6, '7')
    await Promise.all(Array.from({ length: 10 }, () => hireJob.act(app.deps, late.guid)))
    const made = (await orderOf(late.guid)).related.invoices
    expect(made.map(({ totalCents }) => totalCents)).toEqual([19_800])
    expect(await hireJob.act(app.deps, early.guid)).toBe(false)
  })

  test('runs for whoever holds the key, after six in the morning', async () => {
    await anHire('1', 7, '7')
    const cron = async () =>
      ok(
        await app.call<PlannedReport>(null, 'GET', '/Cron/Process/Hire', undefined, {
          authorization: `Cron ${app.deps.keys.cron}`,
        }),
      )
    expect((await app.call(null, 'GET', '/Cron/Process/Hire')).status).toBe(401)
    now = morning(5)
    expect((await cron()).considered).toBe(0)
    now = morning(6)
    const first = await cron()
    expect([first.succeeded > 0, first.failed]).toEqual([true, 0])
    expect((await cron()).succeeded).toBe(0)
    await isProven()
  })
})

test('what a hire that ended leaves of its line is recorded as a change where the order was agreed', async () => {
  const { guid, lineGuid } = await anOrder('10', ago(9))
  interface Listed {
    items: { guid: string; title: string; status: string; deltaCents: number }[]
  }
  const actions = [{ kind: 'add', line: { name: 'Gate', unitPriceCents: 20_000 } }]
  const { items } = ok(await act<Listed>('Changes', guid, { title: 'Gate', actions }), 201)
  const agreed = { changeGuid: items[0]?.guid, method: 'phone', name: 'Anna' }
  ok(await act('Changes/Record', guid, agreed))
  const before = await orderOf(guid)
  ok(await act('Hire', guid, { items: [{ lineGuid, on: ago(9), every: '28' }] }))
  const touched = [{ kind: 'change', lineGuid, quantity: '9' }]
  expect((await act('Changes', guid, { title: 'Less', actions: touched })).status).toBe(422)
  ok(await back(guid, lineGuid, ago(3)))
  ok(await bill(guid, today))
  const after = await orderOf(guid)
  const listed = ok(await app.call<Listed>(people.administrator, 'GET', `/Orders/Changes/${guid}`))
  expect(listed.items).toMatchObject([
    { title: 'Gate', status: 'accepted' },
    { title: 'Off hire', status: 'accepted', deltaCents: after.totals.totalCents - before.totals.totalCents },
  ])
  expect((await verifyLedger(app.deps.db)).problems).toEqual([])
})

test('what an order without a quote came to before its hire ended is what was agreed at first', async () => {
  const { guid, lineGuid } = await anOrder('10', ago(9))
  const before = await orderOf(guid)
  ok(await act('Hire', guid, { items: [{ lineGuid, on: ago(9), every: '28' }] }))
  ok(await back(guid, lineGuid, ago(3)))
  ok(await bill(guid, today))
  const after = await orderOf(guid)
  expect(after.totals.totalCents).not.toBe(before.totals.totalCents)
  const listed = await app.call<{ agreedCents: number; items: { title: string; deltaCents: number }[] }>(
    people.administrator,
    'GET',
    `/Orders/Changes/${guid}`,
  )
  expect(ok(listed)).toMatchObject({
    agreedCents: before.totals.totalCents,
    items: [{ title: 'Off hire', deltaCents: after.totals.totalCents - before.totals.totalCents }],
  })
  await isProven()
})
