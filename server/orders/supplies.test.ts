import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BasLabel, BasLine } from '../../contract/bas.ts'
import { addDays } from '../../contract/core/dates.ts'
import type { Invoice } from '../../contract/invoices.ts'
import type { Order } from '../../contract/orders.ts'
import { aCustomer, aSentQuote, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'

const dayMs = 86_400_000
let p: Paying
beforeAll(async () => {
  p = await startPaying()
  // Days that are over: what proves who calls is made out now.
  p.clock.aheadMs = -60 * dayMs
})
afterAll(() => p.stop())

const today = () =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(Date.now() + p.clock.aheadMs)
const call = <D>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
  p.app.call<D>(p.actors.administrator, method, path, body, { 'idempotency-key': randomUUID() })
const order = async (guid: string) => ok(await call<{ order: Order }>('GET', `/Orders/${guid}`)).order
const invoice = async (guid: string) => ok(await call<{ invoice: Invoice }>('GET', `/Invoices/${guid}`)).invoice
const patch = async (guid: string, body: object) =>
  call<{ order: Order }>('PATCH', `/Orders/${guid}`, { version: (await order(guid)).version, ...body })
const line = (unitPriceCents: number, facts: object = {}) => ({ name: 'Works', unitPriceCents, ...facts })

async function anOrder(lines: object[], customerGuid = p.customer.guid): Promise<Order> {
  const body = { customerGuid, title: 'Works', priceMode: 'inclusive', lines }
  return ok(await call<{ order: Order }>('POST', '/Orders', body), 201).order
}
/** An order of a quote with a deposit, which is drafted. */
async function accepted(depositCents: number, lines: object[], customerGuid = p.customer.guid) {
  const quote = await aSentQuote(p.app, p.actors.office, customerGuid, {
    priceMode: 'inclusive',
    lines,
    depositRule: { type: 'fixed', value: depositCents },
  })
  const { order: made, invoice: deposit } = ok(
    await p.app.call<{ order: { guid: string }; invoice: { guid: string } }>(
      p.actors.office,
      'POST',
      `/Quotes/Accept/${quote.guid}`,
      { version: quote.version, name: 'Anna', method: 'phone' },
    ),
  )
  return { orderGuid: made.guid, depositGuid: deposit.guid }
}
async function draft(orderGuid: string, wish: object): Promise<string | null> {
  const { version } = await order(orderGuid)
  const made = await call<{ invoice: { guid: string } }>('POST', `/Orders/Invoice/${orderGuid}`, { version, ...wish })
  return made.status === 201 ? made.data.invoice.guid : null
}
const issue = async (guid: string) =>
  ok(await call('POST', `/Invoices/Issue/${guid}`, { version: (await invoice(guid)).version }))
async function bill(orderGuid: string, wish: object): Promise<string | null> {
  const guid = await draft(orderGuid, wish)
  if (guid) await issue(guid)
  return guid
}
const prepay = async (orderGuid: string, amountCents: number, receivedOn = today(), customerGuid = p.customer.guid) =>
  ok(await p.byHand({ customerGuid, orderGuid, amountCents, receivedOn, allocations: [] }), 201).payment

interface Bas {
  labels: { label: BasLabel; cents: number; documents: number }[]
  accountCents: number
  agrees: boolean
}
async function bas(from: string, to: string) {
  const answer = ok(await call<Bas>('GET', `/Tax/Bas?from=${from}&to=${to}`))
  expect([from, to, answer.agrees]).toEqual([from, to, true])
  const of = (label: BasLabel) => answer.labels.find((one) => one.label === label)?.cents ?? 0
  return { rise: of('1A'), fall: of('1B'), net: of('1A') - of('1B'), G1: of('G1') }
}
const linesOf = async (label: BasLabel, from: string, to: string) =>
  ok(await call<{ items: BasLine[] }>('GET', `/Tax/Bas/Lines?from=${from}&to=${to}&label=${label}`)).items
const passDays = (days: number) => void (p.clock.aheadMs += days * dayMs)

test('a single supply counts whole with its deposit, and what is issued later adds nothing', async () => {
  const first = today()
  const { orderGuid } = await accepted(330_000, [line(1_100_000)])
  expect(await order(orderGuid)).toMatchObject({ supplyBasis: 'single', money: { gstForwardCents: 70_000 } })
  passDays(1)
  const second = today()
  await bill(orderGuid, { kind: 'final' })
  expect(await bas(first, first)).toMatchObject({ rise: 100_000, fall: 0, G1: 330_000 })
  expect(await bas(second, second)).toMatchObject({ rise: 0, fall: 0, G1: 770_000 })
  expect(await bas(first, second)).toMatchObject({ rise: 100_000, fall: 0 })
  const { number } = await order(orderGuid)
  const amounts = { beforeCents: 0, afterCents: 100_000, cents: 100_000 }
  expect(await linesOf('1A', first, first)).toMatchObject([
    { noun: 'Orders', guid: orderGuid, number, on: first, ...amounts },
  ])
  expect(await linesOf('1A', second, second)).toEqual([])
  expect((await linesOf('G1', first, first)).map(({ noun }) => noun)).toEqual(['Invoices'])
  expect(await p.problems()).toEqual([])
})

test('a progressive supply counts with each invoice', async () => {
  passDays(1)
  const first = today()
  const { guid } = await anOrder([line(1_100_000)])
  ok(await patch(guid, { supplyBasis: 'progressive' }))
  await bill(guid, { kind: 'progress', shareBp: 3_000 })
  passDays(1)
  await bill(guid, { kind: 'final' })
  expect([(await bas(first, first)).net, (await bas(today(), today())).net]).toEqual([30_000, 70_000])
})

test('the first money for an order brings its GST forward, on the day it came', async () => {
  passDays(3)
  const { guid } = await anOrder([line(110_000), line(50_000, { gstCode: 'FREE' })])
  passDays(2)
  expect((await order(guid)).money.gstForwardCents).toBe(0)
  const paid = addDays(today(), -1)
  const { guid: paymentGuid } = await prepay(guid, 5_000, paid)
  expect(await bas(paid, paid)).toMatchObject({ net: 10_000, G1: 0 })
  expect((await order(guid)).money).toMatchObject({ prepaidCents: 5_000, gstForwardCents: 10_000 })
  // What the order comes to meanwhile counts from its own day.
  const { lines } = await order(guid)
  ok(
    await patch(guid, {
      lines: [
        ...lines.map(({ guid: one, unitPriceCents, gstCode, name }) => ({ guid: one, unitPriceCents, gstCode, name })),
        line(22_000),
      ],
    }),
  )
  expect([(await bas(paid, paid)).net, (await bas(today(), today())).net]).toEqual([10_000, 2_000])
  // The money bounces: nothing of the order has begun.
  ok(await call('POST', `/Payments/Reverse/${paymentGuid}`, { reason: 'dishonoured', on: today() }))
  expect([(await bas(paid, paid)).net, (await bas(paid, today())).net]).toEqual([10_000, 0])
  expect((await order(guid)).money.gstForwardCents).toBe(0)
  expect(await p.problems()).toEqual([])
})

test('is decided while nothing is issued, follows the lines until then, and is not for everybody', async () => {
  const hire = line(11_000, { kind: 'hire' })
  const { guid, supplyBasis } = await anOrder([hire])
  expect(supplyBasis).toBe('progressive')
  expect(ok(await patch(guid, { lines: [hire, line(5_500)] })).order).toMatchObject({ supplyBasis: 'single' })
  ok(await patch(guid, { supplyBasis: 'progressive' }))
  expect(ok(await patch(guid, { lines: [line(5_500)] })).order).toMatchObject({ supplyBasis: 'progressive' })
  await bill(guid, { kind: 'progress', shareBp: 5_000 })
  const late = await patch(guid, { supplyBasis: 'single' })
  expect([late.status, late.message]).toEqual([
    409,
    'An invoice of this order is issued, so when its GST counts can’t be changed.',
  ])
  const body = { version: (await order(guid)).version, supplyBasis: 'progressive' }
  expect((await p.app.call(p.actors.field, 'PATCH', `/Orders/${guid}`, body)).status).toBe(403)
})

test('money, invoices and changes at the same moment leave the books in order', async () => {
  passDays(2)
  const { guid } = await anOrder([line(110_000), line(33_000)])
  const drafted = await draft(guid, { kind: 'progress', shareBp: 4_000 })
  await Promise.all([
    ...Array.from({ length: 4 }, (_, i) => prepay(guid, 1_000 + i)),
    issue(drafted ?? ''),
    patch(guid, { customerReference: 'PO 7' }),
    ...Array.from({ length: 3 }, () => prepay(guid, 500, addDays(today(), -1))),
  ])
  expect((await order(guid)).money.gstForwardCents).toBe(13_000 - (await invoice(drafted ?? '')).totals.gstCents)
  expect((await bas(addDays(today(), -1), addDays(today(), -1))).net).toBe(13_000)
  expect(await p.problems()).toEqual([])
})

test('money that came on a locked day brings GST forward on the first open one', async () => {
  passDays(3)
  const { guid } = await anOrder([line(220_000)])
  const through = addDays(today(), -2)
  const reported = await bas(through, through)
  ok(await call('POST', '/Tax/Lock', { through }))
  await prepay(guid, 10_000, through)
  expect(await bas(through, through)).toEqual(reported)
  const open = addDays(through, 1)
  expect((await bas(open, open)).net).toBe(20_000)
  expect(await p.problems()).toEqual([])
})

function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Amounts {
  gst: number
  total: number
}
/** What is known of an order by what was done to it, in cents. */
interface Model extends Amounts {
  guid: string
  isOpen: boolean
  /** What is billed of it: issued and not voided, less what was credited of a deposit that waits. */
  billed: Map<string, Amounts>
  depositGuid: string | null
  prepaid: Map<string, number>
  /** GST that its invoices and notes report. */
  reported: number
}
/** What is still to be billed, where anything was billed or paid. */
function brought({ isOpen, gst, total, billed, prepaid }: Model): number {
  let [gstLeft, totalLeft, money] = [gst, total, 0]
  for (const part of billed.values()) {
    gstLeft -= part.gst
    totalLeft -= part.total
  }
  for (const cents of prepaid.values()) money += cents
  const isBegun = billed.size > 0 || money > 0
  return isOpen && isBegun && totalLeft > 0 && gstLeft > 0 ? gstLeft : 0
}
const amountsOf = ({ totals }: Pick<Invoice, 'totals'>): Amounts => ({ gst: totals.gstCents, total: totals.totalCents })
const sentAgain = ({ guid, unitPriceCents, gstCode, name, quantity }: Order['lines'][number]) => ({
  ...{ guid, unitPriceCents, gstCode, name, quantity },
})
type Next = (below: number) => number

/** An order, every third with a deposit. */
async function begin(next: Next, customerGuid: string): Promise<Model> {
  const lines = Array.from({ length: 1 + next(3) }, () =>
    line(1_000 + next(90_000), next(4) === 0 ? { gstCode: 'FREE' } : {}),
  )
  const { orderGuid: guid, depositGuid } =
    next(3) === 0
      ? await accepted(500 + next(500), lines, customerGuid)
      : { orderGuid: (await anOrder(lines, customerGuid)).guid, depositGuid: null }
  const { totals } = await order(guid)
  const model = { ...amountsOf({ totals }), guid, isOpen: true, prepaid: new Map<string, number>(), depositGuid }
  if (depositGuid === null) return { ...model, billed: new Map(), reported: 0 }
  const deposit = amountsOf(await invoice(depositGuid))
  return { ...model, billed: new Map([[depositGuid, deposit]]), reported: deposit.gst }
}

/** What is done with an order; each tells the model what came of it, or that nothing did. */
const deeds: Record<string, (model: Model, next: Next, customerGuid: string) => Promise<boolean>> = {
  async prepaid(model, next, customerGuid) {
    if (!model.isOpen) return false
    const payment = await prepay(model.guid, 1_000 + next(20_000), addDays(today(), -next(2)), customerGuid)
    model.prepaid.set(payment.guid, payment.unallocatedCents)
    return true
  },
  async billed(model, next) {
    const wish = next(3) === 0 ? { kind: 'final' } : { kind: 'progress', shareBp: 1_000 + next(5_000) }
    const made = model.isOpen ? await bill(model.guid, wish) : null
    if (made === null) return false
    const amounts = amountsOf(await invoice(made))
    model.billed.set(made, amounts)
    model.reported += amounts.gst
    return true
  },
  async voided(model) {
    const last = [...model.billed.keys()].at(-1)
    if (!last) return false
    const body = { version: (await invoice(last)).version, reason: 'Wrong' }
    if ((await call('POST', `/Invoices/Void/${last}`, body)).status !== 200) return false
    model.reported -= model.billed.get(last)?.gst ?? 0
    model.billed.delete(last)
    return true
  },
  async noted(model, next) {
    const [first] = model.billed.keys()
    if (!first) return false
    const isDeposit = first === model.depositGuid
    // What is credited of a deposit has become sales: a note of that lowers the price.
    if (isDeposit && model.billed.size > 1) return false
    const lines = [{ gstCode: 'GST', cents: 11 * (1 + next(10)), text: 'Less' }]
    const answer = await call<{ invoice: Invoice }>('POST', '/Invoices/Notes', {
      invoiceGuid: first,
      reason: 'Less',
      lines,
    })
    if (answer.status !== 201) return false
    const note = amountsOf(answer.data.invoice)
    model.reported -= note.gst
    const of = model.billed.get(first)
    if (isDeposit && of) model.billed.set(first, { gst: of.gst - note.gst, total: of.total - note.total })
    return true
  },
  async changed(model, next) {
    const lines = [...(await order(model.guid)).lines.map(sentAgain), line(500 + next(9_000))]
    const answer = model.isOpen ? await patch(model.guid, { lines }) : null
    if (answer?.status !== 200) return false
    Object.assign(model, amountsOf(answer.data.order))
    return true
  },
  async allocated(model) {
    const [[paid, credit] = ['', 0]] = model.prepaid
    const [owed] = model.billed.keys()
    const cents = owed ? Math.min((await invoice(owed)).balanceCents, credit) : 0
    if (cents <= 0) return false
    ok(await call('POST', `/Payments/Allocate/${paid}`, { allocations: [{ invoiceGuid: owed, cents }] }))
    model.prepaid.set(paid, credit - cents)
    return true
  },
  async refunded(model, next) {
    const [[paymentGuid, credit] = ['', 0]] = model.prepaid
    if (credit <= 0) return false
    const amountCents = next(2) === 0 ? credit : 1 + next(credit)
    ok(await p.refund({ paymentGuid, amountCents, reasonCode: 'other' }), 201)
    model.prepaid.set(paymentGuid, credit - amountCents)
    return true
  },
  async reversed(model) {
    const paid = [...model.prepaid.keys()].at(-1)
    const body = { reason: 'dishonoured', on: today() }
    if (!paid || (await call('POST', `/Payments/Reverse/${paid}`, body)).status !== 200) return false
    model.prepaid.delete(paid)
    return true
  },
  async cancelled(model, next) {
    if (next(2) === 0 || !model.isOpen) return false
    const body = { version: (await order(model.guid)).version, deed: 'cancel' }
    model.isOpen = (await call('POST', `/Orders/Status/${model.guid}`, body)).status !== 200
    return !model.isOpen
  },
}

test('whatever becomes of orders, each day reports what a reckoning by hand does, and the ledger agrees', async () => {
  const next = numbers(20_261_126)
  const customer = await aCustomer(p.app, p.actors.office, { displayName: 'Many jobs' })
  passDays(2)
  const from = addDays(today(), -1)
  const models: Model[] = []
  const seen = new Set<string>()
  const rounds = process.env['PROVE'] ? 24 : 8
  for (let round = 0; round < rounds; round++) {
    models.push(await begin(next, customer.guid))
    for (let i = 0; i < 12; i++) {
      const [model, name] = [models[next(models.length)], Object.keys(deeds)[next(9)] ?? '']
      if (model && (await deeds[name]?.(model, next, customer.guid))) seen.add(name)
    }
    for (const model of models)
      expect([model.guid, (await order(model.guid)).money.gstForwardCents]).toEqual([model.guid, brought(model)])
    const whole = models.reduce((sum, model) => sum + model.reported + brought(model), 0)
    expect((await bas(from, today())).net).toBe(whole)
    passDays(1)
  }
  expect([...seen].toSorted()).toEqual(Object.keys(deeds).toSorted())
  // Days add up to the whole.
  let days = 0
  for (let day = from; day <= today(); day = addDays(day, 1)) days += (await bas(day, day)).net
  expect(days).toBe((await bas(from, today())).net)
  expect(await p.problems()).toEqual([])
}, 120_000)
