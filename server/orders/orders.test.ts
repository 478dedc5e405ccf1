import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Invoice } from '../../contract/invoices.ts'
import type { Order } from '../../contract/orders.ts'
import type { Actors } from '../../test/support/actors.ts'
import { aLine, aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import { type Caller, keyed, type Running } from '../../test/support/start.ts'
import { documentData } from '../documents/documents.service.ts'
import { verifyLedger } from '../ledger/verify.ts'

let app: Running
let actors: Actors
let office: Caller
let customerGuid: string

beforeAll(async () => {
  ;({ app, actors, customerGuid } = await startBusiness())
  office = actors.office
})
afterAll(() => app.stop())

type One = { order: Order }
const anOrder = async (facts: Record<string, unknown> = {}) =>
  ok(
    await app.call<One>(office, 'POST', '/Orders', {
      customerGuid,
      title: 'Site fence',
      lines: [aLine(), aLine({ name: 'Gate', quantity: '1', unitPriceCents: 9900 })],
      ...facts,
    }),
    201,
  ).order
const read = async (guid: string) => ok(await app.call<One>(office, 'GET', `/Orders/${guid}`)).order
const deed = async ({ guid }: { guid: string }, name: string, reason?: string) =>
  app.call<One>(office, 'POST', `/Orders/Status/${guid}`, { version: (await read(guid)).version, deed: name, reason })
const invoiceAs = ({ guid, version }: { guid: string; version: number }, wish: Record<string, unknown>) =>
  app.call<{ invoice: { guid: string; version: number; totals: Invoice['totals'] } }>(
    office,
    'POST',
    `/Orders/Invoice/${guid}`,
    { version, ...wish },
  )
/** Of the order as it stands. */
const draftFrom = async ({ guid }: { guid: string }, wish: Record<string, unknown>) => invoiceAs(await read(guid), wish)
const issue = async (guid: string) => {
  const { invoice } = ok(await app.call<{ invoice: Invoice }>(office, 'GET', `/Invoices/${guid}`))
  return ok(
    await app.call<{ invoice: Invoice }>(office, 'POST', `/Invoices/Issue/${guid}`, { version: invoice.version }),
  ).invoice
}
const accept = async (facts: Record<string, unknown>) => {
  const quote = await aSentQuote(app, office, customerGuid, facts)
  const { order, invoice } = ok(
    await app.call<{ order: { guid: string }; invoice: { guid: string; label: string } | null }>(
      office,
      'POST',
      `/Quotes/Accept/${quote.guid}`,
      { version: quote.version, name: 'Anna', method: 'phone' },
    ),
  )
  return { quote, order: await read(order.guid), deposit: invoice }
}
const pay = async (invoiceGuid: string, amountCents: number) =>
  ok(
    await app.call(
      office,
      'POST',
      '/Payments',
      {
        method: 'bank_transfer',
        receivedOn: '2026-07-01',
        amountCents,
        allocations: [{ invoiceGuid, cents: amountCents }],
      },
      keyed(),
    ),
    201,
  )

describe('an order', () => {
  it('is made directly, confirmed, numbered and open for its customer', async () => {
    const order = await anOrder({ customerReference: 'PO 77', scheduledOn: '2099-01-02' })
    expect(order).toMatchObject({
      status: 'confirmed',
      invoiceStatus: 'to_invoice',
      paymentStatus: 'not_paid',
      scheduleStatus: 'scheduled',
      customerReference: 'PO 77',
    })
    expect(order.number).toMatch(/^O-1\d{3}$/)
    expect(order.totals).toEqual({ subtotalCents: 34_900, discountCents: 0, gstCents: 3490, totalCents: 38_390 })
    expect(order.serviceUrl).toContain(`/service/o/${order.serviceGuid}`)
  })

  it('takes over what the customer chose, to the cent', async () => {
    const lines = [
      aLine(),
      aLine({ name: 'Lights', isOptional: true, isSelected: true, unitPriceCents: 333, quantity: '3' }),
      aLine({ name: 'Music', isOptional: true, isSelected: false }),
    ]
    const { quote, order } = await accept({ lines, discount: { type: 'fixed', value: 1234 }, priceMode: 'inclusive' })
    expect(order.lines.map((l) => l.name)).toEqual(['Fence panels', 'Lights'])
    expect(order.lines.every((l) => !l.isOptional)).toBe(true)
    expect(order.totals.totalCents).toBe(quote.totals.totalCents)
    expect(order.related.quote).toMatchObject({ guid: quote.guid, label: quote.number })
  })

  it('is changed by whoever saw its newest version only', async () => {
    const order = await anOrder()
    const first = ok(
      await app.call<One>(office, 'PATCH', `/Orders/${order.guid}`, {
        version: order.version,
        title: 'Yard fence',
        lines: [{ ...aLine(), guid: order.lines[0]?.guid, quantity: '5' }],
      }),
    )
    expect(first.order.totals.totalCents).toBe(68_750)
    expect(first.order.lines.map((l) => l.guid)).toEqual([order.lines[0]?.guid])
    const second = await app.call<One>(office, 'PATCH', `/Orders/${order.guid}`, {
      version: order.version,
      title: 'Other',
    })
    expect([second.status, second.error, second.data.order.title]).toEqual([409, 'STALE_VERSION', 'Yard fence'])
  })

  it('goes from state to state as its table says, and nowhere else', async () => {
    let order = await anOrder()
    for (const [name, state] of [
      ['start', 'in_progress'],
      ['hold', 'on_hold'],
      ['start', 'in_progress'],
      ['complete', 'completed'],
      ['reopen', 'in_progress'],
    ] as const) {
      order = ok(await deed(order, name)).order
      expect(order.status).toBe(state)
    }
    const refused = await deed(order, 'confirm')
    expect([refused.status, refused.error, refused.message]).toEqual([
      409,
      'INVALID_TRANSITION',
      'An order that is in progress can’t be confirmed.',
    ])
    const closed = await deed(ok(await deed(order, 'complete')).order, 'close')
    expect(closed.message).toBe('This order isn’t fully invoiced yet.')
  })

  it('is closed when it is invoiced and paid', async () => {
    const order = await anOrder()
    const { invoice } = ok(await draftFrom(order, { kind: 'final' }), 201)
    const done = ok(await deed(order, 'complete')).order
    expect((await deed(done, 'close')).message).toBe('This order has a draft invoice. Issue it first.')
    const { number } = await issue(invoice.guid)
    expect((await deed(done, 'close')).message).toBe(`Invoice ${number} on this order isn’t fully paid yet.`)
    await pay(invoice.guid, 38_390)
    expect(await read(order.guid)).toMatchObject({
      paymentStatus: 'paid',
      invoiceStatus: 'invoiced',
      money: { invoicedCents: 38_390, paidCents: 38_390, owingCents: 0, toInvoiceCents: 0 },
    })
    expect(ok(await deed(done, 'close')).order.status).toBe('closed')
  })

  it('takes its drafts along when it is cancelled, and leaves what was never billed as it was agreed', async () => {
    const order = await anOrder()
    const { invoice } = ok(await draftFrom(order, { kind: 'final' }), 201)
    const cancelled = ok(await deed(order, 'cancel', 'Not needed any more')).order
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      statusReason: 'Not needed any more',
      invoiceStatus: 'nothing_to_invoice',
      totals: { totalCents: 38_390 },
      money: { creditableCents: 0 },
    })
    const put = ok(await app.call<{ invoice: Invoice }>(office, 'GET', `/Invoices/${invoice.guid}`)).invoice
    expect(put.archivedAt).not.toBeNull()
    expect(
      (await app.call(office, 'PATCH', `/Orders/${order.guid}`, { version: cancelled.version, title: 'x' })).message,
    ).toBe('A cancelled order can’t be edited.')
  })

  it('is archived and restored, alone and many at once', async () => {
    const order = await anOrder()
    expect(ok(await app.call<One>(office, 'DELETE', `/Orders/${order.guid}`)).order.archivedAt).not.toBeNull()
    expect((await app.call(office, 'DELETE', `/Orders/${order.guid}`)).error).toBe('INVALID_TRANSITION')
    const { results } = ok(
      await app.call<{ results: { ok: boolean }[] }>(office, 'POST', '/Orders/Bulk', {
        action: 'restore',
        guids: [order.guid, customerGuid],
      }),
    )
    expect(results.map((r) => r.ok)).toEqual([true, false])
    expect((await read(order.guid)).archivedAt).toBeNull()
  })

  it('comes to who does the work in the order it is to be done in', async () => {
    const planned = async (title: string, scheduledOn: string | null) =>
      anOrder({ title: `Roster ${title}`, scheduledOn, assignedGuid: actors.field.userGuid })
    const finish = async (order: Order) => {
      ok(await deed(order, 'start'))
      ok(await deed(order, 'complete'))
    }
    await planned('undated', null)
    await planned('later', '2099-03-01')
    await finish(await planned('done first', '2020-01-02'))
    await finish(await planned('done last', '2020-01-03'))
    await finish(await planned('done undated', null))
    ok(await deed(await planned('cancelled', '2099-02-01'), 'cancel', 'Rained out'))
    await planned('next', '2099-02-01')
    const titles: string[] = []
    let after = ''
    do {
      const { items, page } = ok(
        await app.call<{ items: { title: string }[]; page: { next: string | null } }>(
          actors.field,
          'GET',
          `/Orders?search=roster&sort=nextScheduled&size=3${after && `&after=${after}`}`,
        ),
      )
      titles.push(...items.map((item) => item.title.replace('Roster ', '')))
      after = page.next ?? ''
    } while (after)
    expect(titles).toEqual(['next', 'later', 'undated', 'cancelled', 'done last', 'done first', 'done undated'])
  })

  it('is found by search, state and day, counted in its tile, and exported', async () => {
    const order = await anOrder({ title: 'Zebra crossing', scheduledOn: '2031-05-05' })
    for (const query of [
      'search=zebra',
      'scheduledOn.gte=2031-05-05&scheduledOn.lte=2031-05-05',
      'search=zebra&status=confirmed&invoiceStatus=to_invoice',
      'search=zebra&schedule=scheduled',
      `search=zebra&customerGuid=${customerGuid}&sort=-scheduledOn,number`,
    ]) {
      const { items } = ok(await app.call<{ items: { guid: string }[] }>(office, 'GET', `/Orders?${query}`))
      expect(items.map((i) => i.guid)).toEqual([order.guid])
    }
    const undated = await anOrder({ title: 'Zebra without a day' })
    const { items: unscheduled } = ok(
      await app.call<{ items: { guid: string }[] }>(office, 'GET', '/Orders?search=zebra&schedule=unscheduled'),
    )
    expect(unscheduled.map((i) => i.guid)).toEqual([undated.guid])
    const { items } = ok(
      await app.call<{ items: { status: string; count: number; totalCents: number }[] }>(
        office,
        'GET',
        '/Orders/Metrics/StatusMetrics',
      ),
    )
    const listed = ok(await app.call<{ page: { total: { value: number } } }>(office, 'GET', '/Orders?status=confirmed'))
    expect(items.find((i) => i.status === 'confirmed')?.count).toBe(listed.page.total.value)
    const csv = await app.call(office, 'GET', '/Orders/Export?search=zebra')
    expect(csv.body).toContain(
      `${order.number},Zebra crossing,Hartmann Builders,confirmed,to_invoice,2031-05-05,,383.90`,
    )
  })

  it('is seen by the person it is assigned to, and not by others in the field', async () => {
    const order = await anOrder()
    expect((await app.call(actors.field, 'GET', `/Orders/${order.guid}`)).status).toBe(404)
    await app.deps.db
      .updateTable('orders')
      .set({ assignedGuid: actors.field.userGuid })
      .where('guid', '=', order.guid)
      .execute()
    expect((await app.call(actors.field, 'GET', `/Orders/${order.guid}`)).status).toBe(200)
    expect(
      (await app.call(actors.readOnly, 'POST', `/Orders/Status/${order.guid}`, { version: 1, deed: 'start' })).status,
    ).toBe(403)
  })

  it('tells what happened, newest first', async () => {
    const { order } = ok(await deed(await anOrder(), 'start'))
    ok(await draftFrom(order, { kind: 'progress', shareBp: 5000 }), 201)
    const { items } = ok(await app.call<{ items: { what: string }[] }>(office, 'GET', `/Orders/Timeline/${order.guid}`))
    expect(items.map((i) => i.what)).toEqual(
      expect.arrayContaining(['order.invoiced', 'invoice.created', 'order.started', 'order.created']),
    )
    expect(items.at(-1)?.what).toBe('order.created')
  })
})

describe('invoicing an order', () => {
  it('takes a deposit, a share and the rest, which together are the order', async () => {
    const lines = [
      aLine({ unitPriceCents: 33_333, quantity: '1.5' }),
      aLine({ name: 'Delivery', quantity: '1', unitPriceCents: 7777, gstCode: 'FREE' }),
      aLine({ name: 'Hire', quantity: '3', unitPriceCents: 1001, discount: { type: 'percent', value: 333 } }),
    ]
    const { order, deposit } = await accept({
      lines,
      depositRule: { type: 'percent', value: 3000 },
      discount: { type: 'fixed', value: 1000 },
    })
    const billed = ok(await app.call<{ invoice: Invoice }>(office, 'GET', `/Invoices/${deposit?.guid}`)).invoice
    expect(billed).toMatchObject({ kind: 'deposit', status: 'issued', termsDays: 0 })
    const progress = ok(await draftFrom(order, { kind: 'progress', shareBp: 3333 }), 201).invoice
    const final = ok(await draftFrom(order, { kind: 'final' }), 201).invoice
    expect(billed.totals.totalCents + progress.totals.totalCents + final.totals.totalCents).toBe(
      order.totals.totalCents,
    )
    await issue(progress.guid)
    const last = await issue(final.guid)
    expect(await read(order.guid)).toMatchObject({
      invoiceStatus: 'invoiced',
      money: { invoicedCents: order.totals.totalCents, toInvoiceCents: 0, depositCreditCents: 0 },
    })
    expect((await draftFrom(order, { kind: 'final' })).message).toBe(
      'Everything on this order has already been invoiced.',
    )
    expect(last.number).not.toBeNull()
  })

  it('comes out even however it was priced and cut, and the ledger is in order after it', async () => {
    const cases = fc.sample(
      fc.record({
        priceMode: fc.constantFrom('exclusive', 'inclusive'),
        roundingRule: fc.constantFrom('total_invoice', 'taxable_supply'),
        discount: fc.constantFrom(null, { type: 'percent', value: 777 }, { type: 'fixed', value: 1234 }),
        depositRule: fc.constantFrom(
          null,
          { type: 'percent', value: 3333 },
          { type: 'fixed', value: 4321 },
          { type: 'percent', value: 10_000 },
        ),
        lines: fc.array(
          fc.record({
            name: fc.constant('Part'),
            quantity: fc.constantFrom('1', '3', '0.3333', '7.25'),
            unitPriceCents: fc.integer({ min: 1, max: 99_999 }),
            gstCode: fc.constantFrom('GST', 'FREE'),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        shareBp: fc.integer({ min: 500, max: 4900 }),
      }),
      { numRuns: 10, seed: 7 },
    )
    for (const { shareBp, ...facts } of cases) {
      const { order } = await accept(facts)
      for (const wish of [{ kind: 'progress', shareBp }, { kind: 'progress', shareBp }, { kind: 'final' }])
        await issue(ok(await draftFrom(order, wish), 201).invoice.guid)
      const { money, totals, related } = await read(order.guid)
      expect(related.invoices.reduce((sum, i) => sum + i.totalCents, 0)).toBe(totals.totalCents)
      expect(money).toMatchObject({ invoicedCents: totals.totalCents, toInvoiceCents: 0, depositCreditCents: 0 })
    }
    expect((await verifyLedger(app.deps.db)).problems).toEqual([])
  })

  it('credits the deposit with its GST', async () => {
    const { order, deposit } = await accept({ lines: [aLine()], depositRule: { type: 'percent', value: 2000 } })
    const billed = ok(await app.call<{ invoice: Invoice }>(office, 'GET', `/Invoices/${deposit?.guid}`)).invoice
    expect([billed.lines[0]?.name, billed.totals.totalCents, billed.totals.gstCents]).toEqual([
      expect.stringMatching(/^Deposit 20% for quote Q-\d+$/),
      5500,
      500,
    ])
    await pay(billed.guid, 5500)
    expect(await read(order.guid)).toMatchObject({
      paymentStatus: 'deposit_paid',
      invoiceStatus: 'to_invoice',
      money: { creditedCents: 0, depositPaidCents: 5500, depositCreditCents: 5500, toInvoiceCents: 22_000 },
    })
    const { invoice } = ok(await draftFrom(order, { kind: 'final' }), 201)
    const final = await issue(invoice.guid)
    expect(final.lines.at(-1)).toMatchObject({
      kind: 'deposit_credit',
      netCents: -5000,
      gstCents: -500,
      totalCents: -5500,
      name: `Deposit ${billed.number} credited`,
    })
    expect(final).toMatchObject({ depositAppliedCents: 5500, totals: { totalCents: 22_000, gstCents: 2000 } })
  })

  it('splits a deposit by the kinds of GST in the quote', async () => {
    const { deposit } = await accept({
      lines: [
        aLine({ quantity: '1', unitPriceCents: 10_000 }),
        aLine({ name: 'Export freight', quantity: '1', unitPriceCents: 9000, gstCode: 'EXPORT' }),
      ],
      depositRule: { type: 'fixed', value: 10_000 },
    })
    const billed = ok(await app.call<{ invoice: Invoice }>(office, 'GET', `/Invoices/${deposit?.guid}`)).invoice
    expect(billed.lines.map((l) => [l.gstCode, l.totalCents, l.gstCents])).toEqual([
      ['GST', 5500, 500],
      ['EXPORT', 4500, 0],
    ])
  })

  it('takes named lines and quantities, never more than is left', async () => {
    const order = await anOrder()
    const [panels, gate] = order.lines
    const first = ok(
      await draftFrom(order, { kind: 'progress', lines: [{ lineGuid: panels?.guid, quantity: '1.5' }] }),
      201,
    ).invoice
    expect(first.totals.totalCents).toBe(20_625)
    const after = await read(order.guid)
    expect(after.lines.map((l) => l.quantityInvoiced)).toEqual(['1.5', '0'])
    expect(after.invoiceStatus).toBe('partially_invoiced')
    const tooMuch = await draftFrom(order, {
      kind: 'progress',
      lines: [
        { lineGuid: panels?.guid, quantity: '0.6' },
        { lineGuid: gate?.guid, quantity: '1' },
      ],
    })
    expect(tooMuch.errors).toEqual([
      { path: 'lines.0.quantity', message: 'Enter 0.5 or less. The rest is already invoiced.' },
    ])
    expect((await draftFrom(order, { kind: 'final', shareBp: 500 })).status).toBe(422)
  })

  it('is made once of what somebody saw, progress and final alike', async () => {
    for (const wish of [{ kind: 'progress', shareBp: 3000 }, { kind: 'progress', lines: [] }, { kind: 'final' }]) {
      const order = await anOrder()
      const named = 'lines' in wish ? { ...wish, lines: [{ lineGuid: order.lines[0]?.guid, quantity: '1' }] } : wish
      ok(await invoiceAs(order, named), 201)
      expect(await invoiceAs(order, named)).toMatchObject({
        status: 409,
        error: 'STALE_VERSION',
        data: { order: { version: order.version + 1 } },
      })
      expect((await read(order.guid)).related.invoices).toHaveLength(1)
    }
  })

  it('takes a share of the contract, not of what is left', async () => {
    const order = await anOrder({
      priceMode: 'inclusive',
      lines: [
        aLine({ quantity: '1', unitPriceCents: 100_000 }),
        aLine({ name: 'Permit', quantity: '2', unitPriceCents: 5000, gstCode: 'FREE' }),
      ],
    })
    for (let i = 0; i < 3; i++)
      expect(ok(await draftFrom(order, { kind: 'progress', shareBp: 3000 }), 201).invoice.totals.totalCents).toBe(
        33_000,
      )
    expect(await draftFrom(order, { kind: 'progress', shareBp: 3000 })).toMatchObject({
      status: 422,
      errors: [{ path: 'shareBp', message: 'Only 10% of the contract is left on “Fence panels”.' }],
    })
    expect(ok(await draftFrom(order, { kind: 'progress', shareBp: 1000 }), 201).invoice.totals.totalCents).toBe(11_000)
    expect(await read(order.guid)).toMatchObject({ invoiceStatus: 'drafted', money: { toInvoiceCents: 0 } })
  })

  it('says on each claim what the contract is and what was claimed before', async () => {
    const { order } = await accept({
      priceMode: 'inclusive',
      lines: [aLine({ quantity: '1', unitPriceCents: 110_000 })],
      depositRule: { type: 'percent', value: 1000 },
    })
    const claimOf = async (guid: string) =>
      ok(await app.call<{ invoice: Invoice }>(office, 'GET', `/Invoices/${guid}`)).invoice.claim
    const first = ok(await draftFrom(order, { kind: 'progress', shareBp: 3000 }), 201).invoice
    expect(await claimOf(first.guid)).toEqual({ contractCents: 110_000, earlierCents: 0, thisCents: 33_000 })
    const issued = await issue(first.guid)
    const last = ok(await draftFrom(order, { kind: 'final' }), 201).invoice
    const claim = { contractCents: 110_000, earlierCents: 33_000, thisCents: 77_000 }
    expect(await claimOf(last.guid)).toEqual(claim)
    const { serviceGuid } = await issue(last.guid)
    // What was issued stays as it was, whatever becomes of the others.
    ok(await app.call(office, 'POST', `/Invoices/Void/${issued.guid}`, { version: issued.version, reason: 'Wrong' }))
    expect(await claimOf(last.guid)).toEqual(claim)
    const page = ok(
      await app.call<{ invoice: { claim: unknown } }>(actors.guest, 'GET', `/Service/Invoices/${serviceGuid}`),
    ).invoice
    expect(page.claim).toEqual(claim)
    expect((await documentData(app.deps.db, 'invoice', last.guid)).content.claim).toEqual(claim)
    const whole = ok(await draftFrom(await anOrder(), { kind: 'final' }), 201).invoice
    expect(await claimOf(whole.guid)).toBeNull()
  })

  it('lets two people at once invoice everything only once', async () => {
    const order = await anOrder()
    const answers = await Promise.all(Array.from({ length: 6 }, () => invoiceAs(order, { kind: 'final' })))
    expect(answers.map((a) => a.status).sort()).toEqual([201, 409, 409, 409, 409, 409])
  })

  it('gives back what an archived draft or a voided invoice had taken', async () => {
    const order = await anOrder()
    const draft = ok(await draftFrom(order, { kind: 'final' }), 201).invoice
    ok(await app.call(office, 'DELETE', `/Invoices/${draft.guid}`))
    expect((await read(order.guid)).invoiceStatus).toBe('to_invoice')
    const other = ok(await draftFrom(order, { kind: 'progress', shareBp: 5000 }), 201).invoice
    expect((await app.call(office, 'POST', `/Invoices/Restore/${draft.guid}`)).message).toBe(
      'The order has changed or been invoiced since. Create a new invoice from the order.',
    )
    const { version } = await issue(other.guid)
    ok(await app.call(office, 'POST', `/Invoices/Void/${other.guid}`, { version, reason: 'Too early' }))
    ok(await app.call(office, 'POST', `/Invoices/Restore/${draft.guid}`))
    expect(await read(order.guid)).toMatchObject({
      invoiceStatus: 'drafted',
      money: { invoicedCents: 0, toInvoiceCents: 0 },
    })
    const listed = await app.call<{ items: { guid: string }[] }>(
      office,
      'GET',
      '/Orders?invoiceStatus=drafted&size=100',
    )
    expect(ok(listed).items.map(({ guid }) => guid)).toContain(order.guid)
    await issue(draft.guid)
    expect((await read(order.guid)).invoiceStatus).toBe('invoiced')
  })

  it('keeps what is invoiced when the order changes', async () => {
    const order = await anOrder()
    const [panels, gate] = order.lines
    ok(await draftFrom(order, { kind: 'progress', lines: [{ lineGuid: panels?.guid, quantity: '1' }] }), 201)
    const { version } = await read(order.guid)
    const change = (lines: unknown[], more: Record<string, unknown> = {}) =>
      app.call<One>(office, 'PATCH', `/Orders/${order.guid}`, { version, lines, ...more })
    expect((await change([aLine({ guid: gate?.guid })])).errors[0]?.message).toBe(
      '“Fence panels” is already invoiced and can’t be removed.',
    )
    expect((await change([aLine({ guid: panels?.guid, quantity: '0.5' })])).errors).toEqual([
      { path: 'lines.0.quantity', message: 'Enter 1 or more. That much is already invoiced.' },
    ])
    expect((await change([aLine({ guid: panels?.guid, unitPriceCents: 1 })])).errors[0]?.path).toBe(
      'lines.0.unitPriceCents',
    )
    expect(
      (await change([aLine({ guid: panels?.guid })], { discount: { type: 'percent', value: 100 } })).errors[0]?.path,
    ).toBe('discount')
    const changed = ok(
      await change([aLine({ guid: panels?.guid, quantity: '4' }), aLine({ name: 'Extra', quantity: '1' })]),
    ).order
    expect(changed.lines.map((l) => [l.name, l.quantity, l.quantityInvoiced])).toEqual([
      ['Fence panels', '4', '1'],
      ['Extra', '1', '0'],
    ])
    expect(changed.totals.totalCents).toBe(68_750)
  })

  it('keeps the headings of what it takes', async () => {
    const order = await anOrder({
      lines: [{ kind: 'section', name: 'Front' }, aLine(), { kind: 'section', name: 'Back' }, aLine({ name: 'Gate' })],
    })
    const { invoice } = ok(
      await draftFrom(order, { kind: 'progress', lines: [{ lineGuid: order.lines[3]?.guid, quantity: '2' }] }),
      201,
    )
    const { invoice: draft } = ok(await app.call<{ invoice: Invoice }>(office, 'GET', `/Invoices/${invoice.guid}`))
    expect(draft.lines.map((l) => l.name)).toEqual(['Back', 'Gate'])
  })
})
