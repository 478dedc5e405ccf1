import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../contract/core/dates.ts'
import type { HireBill } from '../../contract/hire-runs.ts'
import type { Invoice } from '../../contract/invoices.ts'
import type { Order } from '../../contract/orders.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'
import { verifyLedger } from '../ledger/verify.ts'

let app: Running
let people: Actors
let customerGuid: string
let panel: string
const today = '2026-09-30'
const now = new Date(`${today}T02:00:00Z`)
const ago = (days: number) => addDays(today, -days)
const post = <D>(path: string, body: object) =>
  app.call<D>(people.administrator, 'POST', path, body, { 'idempotency-key': randomUUID() })

beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness({ now: () => now }))
  await app.deps.db.updateTable('businesses').set({ refundLimitCents: 100_000_000 }).execute()
  const product = { name: 'Panel', kind: 'hire', unit: 'each', priceCents: 4500 }
  const hire = { dayCents: 4500, weekCents: 18_000, fourWeekCents: 54_000 }
  panel = ok(await post<{ product: { guid: string } }>('/Products', { ...product, hire }), 201).product.guid
}, 60_000)
afterAll(() => app.stop())

const orderOf = async (guid: string) =>
  ok(await app.call<{ order: Order }>(people.administrator, 'GET', `/Orders/${guid}`)).order
const invoiceOf = async (guid: string) =>
  ok(await app.call<{ invoice: Invoice }>(people.administrator, 'GET', `/Invoices/${guid}`)).invoice
const act = async <D>(path: string, guid: string, body: object) =>
  post<D>(`/Orders/${path}/${guid}`, { version: (await orderOf(guid)).version, ...body })
const onInvoice = async <D>(deed: string, guid: string, body: object = {}) =>
  post<D>(`/Invoices/${deed}/${guid}`, { version: (await invoiceOf(guid)).version, ...body })
const hireLine = (quantity: string, since: number) => ({
  ...{ productGuid: panel, name: 'Panel', kind: 'hire', quantity },
  ...{ hireFrom: ago(since), hireTo: addDays(ago(since), 27) },
})

interface Billed {
  bills: HireBill[]
  invoice: { guid: string; totalCents: number } | null
  note: { guid: string; totalCents: number } | null
  creditCents: number
  refundCents: number
  replacesDraft: boolean
}
const bill = async (guid: string, through = today, dryRun = false) =>
  ok(await act<Billed>('HireBill', guid, { through, dryRun }))
async function onHire(guid: string, since: number) {
  const { lines } = await orderOf(guid)
  const lineGuid = lines.find(({ kind }) => kind === 'hire')?.guid ?? ''
  ok(await act('Hire', guid, { items: [{ lineGuid, on: ago(since), every: '28' }] }))
  return { guid, lineGuid, back: (off: string) => act('Hire', guid, { items: [{ lineGuid, off }] }) }
}
async function aHire(quantity: string, since: number, more: object = {}, others: object[] = []) {
  const input = { customerGuid, title: 'Fence', lines: [hireLine(quantity, since), ...others], ...more }
  const { order } = ok(await post<{ order: Order }>('/Orders', input), 201)
  return onHire(order.guid, since)
}
/** Ten panels for two weeks are billed at $3,600.00, and were back after one: $1,800.00 is too much. */
async function overbilled({ isIssued = true, more = {} } = {}) {
  const { guid, back } = await aHire('10', 13, more)
  const { invoice } = await bill(guid)
  if (isIssued) ok(await onInvoice('Issue', invoice?.guid ?? ''))
  ok(await back(ago(7)))
  return { guid, first: invoice?.guid ?? '' }
}
const pay = (invoiceGuid: string, cents: number) =>
  post<{ payment: { guid: string } }>('/Payments', {
    ...{ method: 'cash', receivedOn: today, amountCents: cents },
    allocations: [{ invoiceGuid, cents }],
  })
const isProven = async () => expect((await verifyLedger(app.deps.db)).problems).toEqual([])

describe('what a hire was billed too much', () => {
  test('is taken back by a note, which lessens what the invoice is owed once it is issued', async () => {
    const { guid, first } = await overbilled()
    const before = await bill(guid, today, true)
    expect(before).toMatchObject({ note: null, creditCents: 198_000, refundCents: 0, replacesDraft: false })
    const done = await bill(guid)
    expect(done).toMatchObject({ bills: [{ cents: -180_000, days: 0 }], invoice: null, creditCents: 198_000 })
    expect((await orderOf(guid)).invoiceStatus).toBe('over_invoiced')
    const note = await invoiceOf(done.note?.guid ?? '')
    expect(note).toMatchObject({ kind: 'adjustment_note', status: 'draft', totals: { totalCents: 198_000 } })
    expect(note.lines[0]?.name).toContain('Panel came back early')
    const edited = await app.call(people.administrator, 'PATCH', `/Invoices/${note.guid}`, {
      version: 1,
      title: 'Mine',
    })
    expect([edited.status, edited.message]).toEqual([
      409,
      'A draft adjustment note can’t be edited. Archive it instead.',
    ])
    await isProven()
    ok(await onInvoice('Issue', note.guid))
    expect(await invoiceOf(first)).toMatchObject({ balanceCents: 198_000, totals: { totalCents: 396_000 } })
    expect((await orderOf(guid)).invoiceStatus).toBe('invoiced')
    await isProven()
    ok(await pay(first, 198_000), 201)
    expect((await orderOf(guid)).paymentStatus).toBe('paid')
    await isProven()
  })

  test('leaves to invoice what else was agreed, and no bill of hire names a contract', async () => {
    const delivery = { name: 'Delivery', quantity: '1', unitPriceCents: 22_000 }
    const { guid, back } = await aHire('10', 13, {}, [delivery])
    const { invoice } = await bill(guid)
    ok(await onInvoice('Issue', invoice?.guid ?? ''))
    expect((await invoiceOf(invoice?.guid ?? '')).claim).toBeNull()
    ok(await back(ago(7)))
    await bill(guid)
    expect((await orderOf(guid)).money.toInvoiceCents).toBe(24_200)
    await isProven()
  })

  test('frees nothing twice: a draft that is archived is made again, and one at a time', async () => {
    const { guid } = await overbilled()
    const { note } = await bill(guid)
    ok(await app.call(people.administrator, 'DELETE', `/Invoices/${note?.guid}`))
    expect((await post(`/Invoices/Restore/${note?.guid}`, {})).message).toContain('This draft billed hire.')
    await isProven()
    const { version } = await orderOf(guid)
    const many = await Promise.all(
      Array.from({ length: 50 }, () => post<Billed>(`/Orders/HireBill/${guid}`, { version, through: today })),
    )
    expect(many.filter(({ status }) => status === 200)).toHaveLength(1)
    const notes = await app.deps.db
      .selectFrom('invoices')
      .select('guid')
      .where('orderGuid', '=', guid)
      .where('kind', '=', 'adjustment_note')
      .where('archivedAt', 'is', null)
      .execute()
    expect(notes).toHaveLength(1)
    await isProven()
  })

  test('is credited as far as it is owed, and the rest refunded', async () => {
    const { guid, first } = await overbilled()
    const { payment } = ok(await pay(first, 300_000), 201)
    expect(await bill(guid, today, true)).toMatchObject({ creditCents: 96_000, refundCents: 102_000 })
    const { note } = await bill(guid)
    ok(await onInvoice('Issue', note?.guid ?? ''))
    expect(await orderOf(guid)).toMatchObject({ invoiceStatus: 'over_invoiced' })
    await isProven()
    // More than one person gives back alone, so far.
    await app.deps.db.updateTable('businesses').set({ refundLimitCents: 102_000 }).execute()
    const refund = { paymentGuid: payment.guid, invoiceGuid: first, amountCents: 102_000 }
    ok(await post('/Payments/Refunds', { ...refund, reasonCode: 'price_adjustment' }), 201)
    expect(await orderOf(guid)).toMatchObject({ invoiceStatus: 'invoiced' })
    await isProven()
  })

  test('that was paid after the note was drafted is not credited', async () => {
    const { guid, first } = await overbilled()
    const { note } = await bill(guid)
    ok(await pay(first, 396_000), 201)
    const refused = await onInvoice('Issue', note?.guid ?? '')
    expect([refused.status, refused.message]).toEqual([
      409,
      expect.stringContaining('has been paid since. Archive this draft and refund the payment instead.'),
    ])
    await isProven()
  })

  test('goes with its draft where it was on one, which is made anew', async () => {
    const { guid, first } = await overbilled({ isIssued: false })
    expect(await bill(guid, today, true)).toMatchObject({ bills: [{ cents: 180_000 }], replacesDraft: true })
    const done = await bill(guid)
    expect(done).toMatchObject({ invoice: { totalCents: 198_000 }, note: null })
    expect((await invoiceOf(first)).archivedAt).not.toBeNull()
    ok(await onInvoice('Issue', done.invoice?.guid ?? ''))
    expect((await orderOf(guid)).invoiceStatus).toBe('invoiced')
    await isProven()
  })

  test('has no note any more once its invoice is void', async () => {
    const { guid, first } = await overbilled()
    const { note } = await bill(guid)
    ok(await onInvoice('Void', first, { reason: 'Wrong name' }))
    expect((await invoiceOf(note?.guid ?? '')).archivedAt).not.toBeNull()
    expect(await bill(guid)).toMatchObject({ bills: [{ cents: 180_000 }], invoice: { totalCents: 198_000 } })
    await isProven()
  })

  test('includes GST where prices do, to the cent', async () => {
    const { guid } = await overbilled({ more: { priceMode: 'inclusive' } })
    const { note, bills } = await bill(guid)
    expect([bills[0]?.cents, note?.totalCents]).toEqual([-198_000, 198_000])
    ok(await onInvoice('Issue', note?.guid ?? ''))
    expect(await orderOf(guid)).toMatchObject({ invoiceStatus: 'invoiced', totals: { totalCents: 198_000 } })
    await isProven()
  })
})

describe('a bill of hire', () => {
  test('is lessened by the deposit that was paid, and the next by what is left of it', async () => {
    const quote = await aSentQuote(app, people.administrator, customerGuid, {
      lines: [hireLine('2', 13)],
      depositRule: { type: 'fixed', value: 50_000 },
    })
    const accept = { version: quote.version, name: 'Anna', method: 'phone' }
    const { order } = ok(await post<{ order: { guid: string } }>(`/Quotes/Accept/${quote.guid}`, accept))
    const { related } = await orderOf(order.guid)
    const deposit = related.invoices[0]
    if (deposit?.displayStatus === 'draft') ok(await onInvoice('Issue', deposit.guid))
    const { guid, back } = await onHire(order.guid, 13)
    const first = await bill(guid, ago(7))
    expect(first.invoice?.totalCents).toBe(0)
    expect((await invoiceOf(first.invoice?.guid ?? '')).depositAppliedCents).toBe(39_600)
    ok(await back(today))
    const last = await bill(guid)
    expect(last.invoice?.totalCents).toBe(39_600 - 10_400)
    await isProven()
  })

  test('has a fixed discount taken off once, of the line first and then what the order leaves of its own', async () => {
    const { guid, back } = await aHire('2', 13, { discount: { type: 'fixed', value: 30_000 } }, [
      { name: 'Install', quantity: '1', unitPriceCents: 20_000 },
    ])
    // $100.00 of the order's $300.00 are left once the other work has taken $200.00.
    const first = await bill(guid, ago(7))
    expect(first.bills.map(({ cents }) => cents)).toEqual([26_000])
    ok(await back(today))
    const last = await bill(guid)
    expect(last.bills.map(({ cents }) => cents)).toEqual([36_000])
    ok(await act('Invoice', guid, { kind: 'final' }), 201)
    const { totals, related, invoiceStatus } = await orderOf(guid)
    expect([totals.totalCents, invoiceStatus]).toEqual([68_200, 'drafted'])
    expect(related.invoices.reduce((sum, { totalCents }) => sum + totalCents, 0)).toBe(68_200)
    await isProven()
  })

  test('has prices with GST in it where the order has', async () => {
    const { guid, back } = await aHire('3', 9, { priceMode: 'inclusive' })
    const first = await bill(guid, ago(3))
    expect([first.bills[0]?.cents, first.invoice?.totalCents]).toEqual([59_400, 59_400])
    ok(await back(today))
    const last = await bill(guid)
    expect((await orderOf(guid)).totals.totalCents).toBe(59_400 + (last.invoice?.totalCents ?? 0))
    await isProven()
  })
})
