import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../contract/core/errors.ts'
import { priceDocument, type Discount } from '../../contract/lines.ts'
import type { Invoice } from '../../contract/invoices.ts'
import type { Order } from '../../contract/orders.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aLine, aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import { keyed, type Running } from '../../test/support/start.ts'
import { uncatalogued } from '../documents/lines.service.ts'
import { toUnits, unitsText } from '../documents/quantities.service.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { settled } from './settle.ts'
import { splitOrder, type Billed, type Ordered } from './split.ts'

const discount: fc.Arbitrary<Discount | null> = fc.option(
  fc.oneof(
    fc.record({ type: fc.constant('percent' as const), value: fc.integer({ min: 0, max: 10_000 }) }),
    fc.record({ type: fc.constant('fixed' as const), value: fc.integer({ min: 0, max: 60_000 }) }),
  ),
)
const lineOf = fc.record({
  kind: fc.constantFrom('item' as const, 'labour' as const, 'text' as const),
  units: fc.integer({ min: 1, max: 200_000 }),
  unitPriceCents: fc.integer({ min: 0, max: 99_999 }),
  discount,
  gstCode: fc.constantFrom('GST' as const, 'FREE' as const),
})
const orderOf = fc.record({
  priceMode: fc.constantFrom('exclusive' as const, 'inclusive' as const),
  roundingRule: fc.constantFrom('total_invoice' as const, 'taxable_supply' as const),
  discount,
  lines: fc.array(lineOf, { minLength: 1, maxLength: 5 }),
})

function ordered(given: typeof orderOf extends fc.Arbitrary<infer G> ? G : never): Ordered {
  const lines = given.lines.map(({ units, ...line }, i) => ({
    ...uncatalogued,
    ...line,
    guid: `line ${i}`,
    productGuid: null,
    name: `Line ${i}`,
    description: null,
    unit: 'each',
    quantity: line.kind === 'text' ? '1' : unitsText(BigInt(units)),
    unitPriceCents: line.kind === 'text' ? 0 : line.unitPriceCents,
    discount: line.kind === 'text' ? null : line.discount,
    quantityInvoiced: '0',
    discountBilledCents: 0,
  }))
  return { ...given, lines, totalCents: priceDocument({ ...given, lines }).totals.totalCents }
}

it('leaves of an order what was billed, to the cent, however it was priced and billed', () => {
  fc.assert(
    fc.property(orderOf, fc.array(fc.integer({ min: 1, max: 4000 }), { maxLength: 3 }), (given, shares) => {
      let order = ordered(given)
      fc.pre(order.totalCents >= 0)
      let billed: Billed = { workCents: 0, discountCents: 0 }
      for (const shareBp of shares) {
        try {
          const split = splitOrder(order, billed, [], { kind: 'progress', shareBp })
          const of = (guid: string) => split.lines.filter((line) => line.orderLineGuid === guid)
          const fixed = (line: { discount: Discount | null }) =>
            line.discount?.type === 'fixed' ? line.discount.value : 0
          order = {
            ...order,
            lines: order.lines.map((line) => ({
              ...line,
              quantityInvoiced: unitsText(toUnits(line.quantityInvoiced) + toUnits(split.taken.get(line.guid) ?? '0')),
              discountBilledCents: of(line.guid).reduce((sum, one) => sum + fixed(one), line.discountBilledCents),
            })),
          }
          billed = {
            workCents: billed.workCents + split.totals.totalCents,
            discountCents: billed.discountCents + (order.discount?.type === 'fixed' ? fixed(split) : 0),
          }
        } catch (error) {
          if (!(error instanceof AppError)) throw error
        }
      }
      const rest = settled(order, billed)
      expect(rest.totals.totalCents).toBe(billed.workCents)
      expect(priceDocument({ ...order, discount: rest.discount, lines: rest.lines }).totals).toMatchObject(rest.totals)
      for (const line of order.lines)
        expect(rest.lines.find(({ guid }) => guid === line.guid)?.quantity).toBe(
          line.kind === 'text' ? line.quantity : unitsText(toUnits(line.quantityInvoiced)),
        )
    }),
    { numRuns: process.env.PROVE ? 10_000 : 800 },
  )
})

describe('cancelling an order of which a part is billed', () => {
  let app: Running
  let actors: Actors
  let customerGuid: string
  beforeAll(async () => {
    ;({ app, actors, customerGuid } = await startBusiness())
  })
  afterAll(() => app.stop())

  type One = { order: Order }
  const call = <D>(method: 'GET' | 'POST', path: string, body?: unknown, headers = {}) =>
    app.call<D>(actors.office, method, path, body, headers)
  const read = async (guid: string) => ok(await call<One>('GET', `/Orders/${guid}`)).order
  const cancel = async (guid: string) =>
    call<One>('POST', `/Orders/Status/${guid}`, { version: (await read(guid)).version, deed: 'cancel', reason: 'Gone' })
  const draft = async (guid: string, wish: Record<string, unknown>) =>
    ok(
      await call<{ invoice: { guid: string; version: number } }>('POST', `/Orders/Invoice/${guid}`, {
        version: (await read(guid)).version,
        ...wish,
      }),
      201,
    ).invoice
  const invoice = async (guid: string) => ok(await call<{ invoice: Invoice }>('GET', `/Invoices/${guid}`)).invoice
  const issue = async ({ guid }: { guid: string }) =>
    ok(await call<{ invoice: Invoice }>('POST', `/Invoices/Issue/${guid}`, { version: (await invoice(guid)).version }))
      .invoice
  const pay = async (guid: string, amountCents: number) =>
    ok(
      await call(
        'POST',
        '/Payments',
        {
          method: 'bank_transfer',
          receivedOn: '2026-07-01',
          amountCents,
          allocations: [{ invoiceGuid: guid, cents: amountCents }],
        },
        keyed(),
      ),
      201,
    )
  const anOrder = async (facts: Record<string, unknown> = {}) =>
    ok(
      await call<One>('POST', '/Orders', {
        customerGuid,
        title: 'Cut short',
        lines: [aLine({ quantity: '3', unitPriceCents: 3333 }), aLine({ name: 'Gate', quantity: '1' })],
        ...facts,
      }),
      201,
    ).order
  const accepted = async (lines: unknown[], depositRule: unknown) => {
    const quote = await aSentQuote(app, actors.office, customerGuid, { lines, depositRule })
    const answer = ok(
      await call<{ order: { guid: string }; invoice: { guid: string } }>('POST', `/Quotes/Accept/${quote.guid}`, {
        version: quote.version,
        name: 'Anna',
        method: 'phone',
      }),
    )
    return { guid: answer.order.guid, deposit: answer.invoice.guid }
  }
  const isSound = async () => expect((await verifyLedger(app.deps.db)).problems).toEqual([])

  it('keeps what was billed and owed, puts drafts away, and names what could be credited', async () => {
    const { guid } = await anOrder({ discount: { type: 'fixed', value: 1000 } })
    const first = await issue(await draft(guid, { kind: 'progress', shareBp: 3333 }))
    const second = await draft(guid, { kind: 'progress', shareBp: 1000 })
    const { order } = ok(await cancel(guid))
    expect(order).toMatchObject({
      status: 'cancelled',
      invoiceStatus: 'nothing_to_invoice',
      paymentStatus: 'not_paid',
      totals: { totalCents: first.totals.totalCents },
      money: { creditableCents: first.totals.totalCents, owingCents: first.totals.totalCents, toInvoiceCents: 0 },
    })
    expect(order.lines.filter(({ name }) => name !== 'Rounding').map((l) => [l.quantity, l.quantityInvoiced])).toEqual([
      ['0.9999', '0.9999'],
      ['0.3333', '0.3333'],
    ])
    expect((await invoice(second.guid)).archivedAt).not.toBeNull()
    await isSound()
    await pay(first.guid, first.totals.totalCents)
    expect(await read(guid)).toMatchObject({ paymentStatus: 'paid', money: { owingCents: 0 } })
    expect((await call('POST', `/Invoices/Restore/${second.guid}`)).status).toBe(409)
    await isSound()
  })

  it('leaves a deposit that no work was billed against: billed and paid beyond what is left', async () => {
    const { guid, deposit } = await accepted([aLine()], { type: 'percent', value: 3000 })
    const { balanceCents } = await invoice(deposit)
    await pay(deposit, balanceCents)
    const { order } = ok(await cancel(guid))
    expect(order).toMatchObject({
      totals: { totalCents: 0 },
      invoiceStatus: 'over_invoiced',
      paymentStatus: 'overpaid',
      money: { creditableCents: balanceCents, depositCreditCents: balanceCents },
    })
    await isSound()
  })

  it('settles deposit and progress together, paid or not', async () => {
    for (const isPaid of [false, true]) {
      const lines = [aLine({ quantity: '7', unitPriceCents: 1999 }), aLine({ name: 'Gate', gstCode: 'FREE' })]
      const { guid, deposit } = await accepted(lines, { type: 'percent', value: 1000 })
      const paidCents = isPaid ? (await invoice(deposit)).balanceCents : 0
      if (isPaid) await pay(deposit, paidCents)
      const progress = await issue(await draft(guid, { kind: 'progress', shareBp: 5000 }))
      const before = await read(guid)
      const { order } = ok(await cancel(guid))
      expect(order.money).toMatchObject({
        invoicedCents: before.money.invoicedCents,
        owingCents: before.money.owingCents,
        paidCents,
        creditableCents: before.money.invoicedCents,
        toInvoiceCents: 0,
      })
      expect(order.totals.totalCents + order.money.depositCreditCents).toBe(before.money.invoicedCents)
      expect(order.money.invoicedCents).toBe((await invoice(deposit)).totals.totalCents + progress.totals.totalCents)
    }
    await isSound()
  })

  it('changes no line where everything is billed', async () => {
    const { guid, lines, totals } = await anOrder()
    await issue(await draft(guid, { kind: 'final' }))
    const { order } = ok(await cancel(guid))
    expect([order.totals, order.lines.map((l) => l.quantity)]).toEqual([totals, lines.map((l) => l.quantity)])
    await isSound()
  })

  it('is left to those who see amounts, and to one of two at once', async () => {
    const { guid } = await anOrder({ assignedGuid: actors.field.userGuid })
    await issue(await draft(guid, { kind: 'progress', shareBp: 2000 }))
    const { version } = await read(guid)
    const body = { version, deed: 'cancel' }
    const refused = await app.call(actors.field, 'POST', `/Orders/Status/${guid}`, body)
    expect([refused.status, refused.message]).toEqual([403, 'This order has invoices. Ask the office to cancel it.'])
    const both = await Promise.all([cancel(guid), cancel(guid)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await isSound()
  })
})

describe('what is given back', () => {
  it('is told apart from what was never paid', async () => {
    const { app, actors, customerGuid } = await startBusiness()
    try {
      const call = <D>(path: string, body: unknown, headers = {}) =>
        app.call<D>(actors.administrator, 'POST', path, body, headers)
      const { order } = ok(
        await call<{ order: Order }>('/Orders', { customerGuid, title: 'Given back', lines: [aLine()] }),
        201,
      )
      const drafted = ok(
        await call<{ invoice: { guid: string; version: number } }>(`/Orders/Invoice/${order.guid}`, {
          version: order.version,
          kind: 'final',
        }),
        201,
      ).invoice
      ok(await call(`/Invoices/Issue/${drafted.guid}`, { version: drafted.version }))
      const { payment } = ok(
        await call<{ payment: { guid: string } }>(
          '/Payments',
          {
            method: 'bank_transfer',
            receivedOn: '2026-07-01',
            amountCents: 27_500,
            allocations: [{ invoiceGuid: drafted.guid, cents: 27_500 }],
          },
          keyed(),
        ),
        201,
      )
      const state = async () =>
        ok(await app.call<{ order: Order }>(actors.office, 'GET', `/Orders/${order.guid}`)).order.paymentStatus
      expect(await state()).toBe('paid')
      const given = { paymentGuid: payment.guid, invoiceGuid: drafted.guid, amountCents: 7500, reasonCode: 'other' }
      ok(await call('/Payments/Refunds', given, keyed()), 201)
      expect(await state()).toBe('partially_refunded')
    } finally {
      await app.stop()
    }
  })
})
