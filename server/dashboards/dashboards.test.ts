import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Output } from '../../contract/core/op.ts'
import type { dashboardsApi } from '../../contract/dashboards.ts'
import { type Actors, aPerson, aRole, logIn, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aQuote, aSentQuote, ok } from '../../test/support/factories.ts'
import { type Caller, keyed, type Running, startApp } from '../../test/support/start.ts'
import { weekOf } from '../../contract/core/dates.ts'
import { quarterStart } from './dashboards.service.ts'

type Board = Output<(typeof dashboardsApi)['ecommerce']>

let app: Running
let actors: Actors
let clock = new Date('2026-05-20T02:00:00Z')
let customer: string

beforeAll(async () => {
  app = await startApp({ now: () => clock })
  actors = await seedActors(app)
  await aBusiness(app)
  customer = (await aCustomer(app, actors.office)).guid
})
afterAll(() => app.stop())

/** Moves the clock; sessions of the old time are over. */
const at = async (instant: string) => {
  clock = new Date(instant)
  for (const who of [actors.administrator, actors.office, actors.accountant, actors.emptyRole])
    who.headers = await logIn(app, who.authId)
}
const board = async (who: Caller = actors.administrator) =>
  ok(await app.call<Board>(who, 'GET', '/Dashboards/Ecommerce'))

interface InvoiceAnswer {
  invoice: { guid: string; version: number; balanceCents: number }
}
const anInvoice = async (unitPriceCents: number, termsDays = 14) => {
  const { invoice } = ok(
    await app.call<InvoiceAnswer>(actors.office, 'POST', '/Invoices', {
      customerGuid: customer,
      title: 'Fence',
      termsDays,
      lines: [{ name: 'Panels', unitPriceCents }],
    }),
    201,
  )
  return ok(
    await app.call<InvoiceAnswer>(actors.office, 'POST', `/Invoices/Issue/${invoice.guid}`, {
      version: invoice.version,
    }),
  ).invoice
}
const pay = async (invoiceGuid: string, cents: number, receivedOn: string) =>
  ok(
    await app.call(
      actors.accountant,
      'POST',
      '/Payments',
      { method: 'bank_transfer', receivedOn, amountCents: cents, allocations: [{ invoiceGuid, cents }] },
      keyed(),
    ),
    201,
  )

describe('the days of a business', () => {
  it('fall into BAS quarters and weeks from Monday', () => {
    expect(['2026-01-01', '2026-03-31', '2026-06-30', '2026-12-31'].map(quarterStart)).toEqual([
      '2026-01-01',
      '2026-01-01',
      '2026-04-01',
      '2026-10-01',
    ])
    expect(weekOf('2026-07-05')).toEqual({ from: '2026-06-29', to: '2026-07-05' })
    expect(weekOf('2026-06-29')).toEqual({ from: '2026-06-29', to: '2026-07-05' })
  })
})

describe('the dashboard', () => {
  it('is empty and whole before anything happened', async () => {
    const { money, months, ageing, quotes, today } = await board()
    expect(today).toBe('2026-05-20')
    expect(Object.values(money)).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(months.map((m) => m.month)).toEqual([
      '2025-06',
      '2025-07',
      '2025-08',
      '2025-09',
      '2025-10',
      '2025-11',
      '2025-12',
      '2026-01',
      '2026-02',
      '2026-03',
      '2026-04',
      '2026-05',
    ])
    expect(ageing.map((a) => a.bucket)).toEqual(['current', 'd1_30', 'd31_60', 'd61_90', 'd90_plus'])
    expect(quotes.acceptanceRateBp).toBeNull()
  })
  it('knows the local day: late evening in London is tomorrow in Sydney', async () => {
    await at('2026-05-31T20:00:00Z')
    expect((await board()).today).toBe('2026-06-01')
    await at('2026-05-20T02:00:00Z')
  })
  it('says what was issued, came in, is owing and is due to the tax office', async () => {
    const may = await anInvoice(100_000)
    await at('2026-06-10T02:00:00Z')
    await pay(may.guid, 60_000, '2026-06-09')
    await anInvoice(20_000)
    const { money, months, ageing } = await board()
    expect(money).toEqual({
      issuedCents: 22_000,
      issuedBeforeCents: 110_000,
      collectedCents: 60_000,
      collectedBeforeCents: 0,
      outstandingCents: 72_000,
      overdueCents: 50_000,
      gstToSetAsideCents: 12_000,
    })
    expect(months.slice(-2)).toEqual([
      { month: '2026-05', issuedCents: 110_000, collectedCents: 0 },
      { month: '2026-06', issuedCents: 22_000, collectedCents: 60_000 },
    ])
    expect(ageing.filter((a) => a.count > 0)).toEqual([
      { bucket: 'current', count: 1, cents: 22_000 },
      { bucket: 'd1_30', count: 1, cents: 50_000 },
    ])
    await at('2026-07-02T02:00:00Z')
    expect((await board()).money.gstToSetAsideCents).toBe(0)
  })
  it('takes back what an adjustment note takes back, and money that was given back', async () => {
    const invoice = await anInvoice(50_000)
    await pay(invoice.guid, 55_000, '2026-07-02')
    const before = await board()
    const [payment] = ok(
      await app.call<{ items: { guid: string }[] }>(actors.accountant, 'GET', '/Payments?sort=-createdAt'),
    ).items
    ok(
      await app.call(
        actors.accountant,
        'POST',
        '/Payments/Refunds',
        { paymentGuid: payment?.guid, invoiceGuid: invoice.guid, amountCents: 11_000, reasonCode: 'price_adjustment' },
        keyed(),
      ),
      201,
    )
    const { money } = await board()
    expect(money.issuedCents).toBe(before.money.issuedCents - 11_000)
    expect(money.collectedCents).toBe(before.money.collectedCents - 11_000)
    expect(money.gstToSetAsideCents).toBe(before.money.gstToSetAsideCents - 1000)
  })
  it('counts decisions, what runs out soon, and the work at hand', async () => {
    const soon = await aSentQuote(app, actors.office, customer, { validUntil: '2026-07-05' })
    const yes = await aSentQuote(app, actors.office, customer, { depositRule: { type: 'none' } })
    const no = await aSentQuote(app, actors.office, customer)
    ok(
      await app.call(actors.office, 'POST', `/Quotes/Accept/${yes.guid}`, {
        version: yes.version,
        name: 'Anna',
        method: 'phone',
      }),
    )
    ok(
      await app.call(actors.office, 'POST', `/Quotes/Decline/${no.guid}`, { version: no.version, reasonCode: 'price' }),
    )
    const { quotes, work, messages } = await board()
    expect(quotes.acceptanceRateBp).toBe(5000)
    expect(quotes.expiringSoon).toEqual({ count: 1, cents: 27_500 })
    expect(Object.fromEntries(quotes.byStatus.map((s) => [s.status, s.count]))).toEqual({
      sent: 1,
      converted: 1,
      declined: 1,
    })
    expect(work).toMatchObject({ today: 0, thisWeek: 0, unscheduled: 1, toInvoice: { count: 0, cents: 0 } })
    expect(messages.waiting).toBeGreaterThanOrEqual(3)
    const [order] = ok(await app.call<{ items: { guid: string }[] }>(actors.office, 'GET', '/Orders')).items
    const { order: full } = ok(
      await app.call<{ order: { guid: string; version: number } }>(actors.office, 'GET', `/Orders/${order?.guid}`),
    )
    ok(
      await app.call(actors.office, 'PATCH', `/Orders/${full.guid}`, {
        version: full.version,
        scheduledOn: '2026-07-03',
      }),
    )
    const after = await board()
    expect(after.work).toMatchObject({
      thisWeek: 1,
      unscheduled: 0,
      upcoming: [{ guid: full.guid, scheduledOn: '2026-07-03', customerName: 'Hartmann Builders' }],
    })
    expect(soon.status).toBe('sent')
  })
  it('tells what happened last, and to nobody what he may not read', async () => {
    const { activity } = await board()
    expect(activity).toHaveLength(12)
    expect(activity.map((line) => line.what)).toContain('quote.declined')
    expect(activity[0]?.noun).toBe('Orders')
    const role = await aRole(app, 'Own quotes', [
      { subject: 'Dashboards', action: 'read' },
      { subject: 'Quotes', action: 'read', conditions: { scope: 'own' } },
      { subject: 'Quotes', action: 'create' },
      { subject: 'Quotes', action: 'update' },
      { subject: 'Customers', action: 'manage', conditions: { scope: 'own' } },
    ])
    const person = await aPerson(app, 'own', role)
    expect((await board(person)).activity).toEqual([])
    await aQuote(app, person, (await aCustomer(app, person)).guid)
    const mine = (await board(person)).activity
    expect(mine.map((line) => [line.noun, line.what])).toEqual([
      ['Quotes', 'quote.created'],
      ['Customers', 'customer.created'],
    ])
    expect((await app.call(actors.emptyRole, 'GET', '/Dashboards/Ecommerce')).status).toBe(403)
  })
  it('tells of a payment once, though it stands in the log for its invoice, too', async () => {
    const { guid } = await anInvoice(12_300)
    await pay(guid, 13_530, clock.toISOString().slice(0, 10))
    const { activity } = await board()
    expect(activity.filter(({ what }) => what === 'payment.received')).toHaveLength(1)
    expect(activity[0]).toMatchObject({ what: 'payment.received', values: { amountCents: 13_530 } })
  })
  it('sets aside what the activity statement says, with orders that bring it forward and on either basis', async () => {
    await at('2026-10-01T02:00:00Z')
    const stated = async () => {
      const sheet = ok(
        await app.call<{ labels: { label: string; cents: number }[] }>(
          actors.accountant,
          'GET',
          '/Tax/Bas?from=2026-10-01&to=2026-12-31',
        ),
      )
      const of = (label: string) => sheet.labels.find((one) => one.label === label)?.cents ?? 0
      return of('1A') - of('1B')
    }
    const aside = async () => (await board()).money.gstToSetAsideCents
    expect([await aside(), await stated()]).toEqual([0, 0])
    const order = { customerGuid: customer, title: 'Fence', lines: [{ name: 'Panels', unitPriceCents: 200_000 }] }
    const made = ok(await app.call<{ order: { guid: string } }>(actors.office, 'POST', '/Orders', order), 201)
    const money = { method: 'bank_transfer', receivedOn: '2026-10-01', amountCents: 33_000, allocations: [] }
    const prepaid = { ...money, customerGuid: customer, orderGuid: made.order.guid }
    ok(await app.call(actors.accountant, 'POST', '/Payments', prepaid, keyed()), 201)
    await anInvoice(50_000)
    expect([await aside(), await stated()]).toEqual([25_000, 25_000])
    ok(await app.call(actors.administrator, 'POST', '/Tax/Basis', { basis: 'cash', from: '2026-10-01' }, keyed()))
    expect(await aside()).toBe(await stated())
    expect(await aside()).toBeLessThan(25_000)
  })
})
