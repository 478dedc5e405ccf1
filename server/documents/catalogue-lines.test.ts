import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actors } from '../../test/support/actors.ts'
import { aCustomer, aQuote, aSentQuote, ok, startBusiness } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'

interface Line {
  guid: string
  unit: string
  unitPriceCents: number
  isPriceManual: boolean
  hireFrom: string | null
  discount: { type: string; value: number } | null
}
interface Quote {
  quote: { guid: string; version: number; lines: Line[]; totals: { totalCents: number } }
}
interface Priced {
  totals: { totalCents: number }
  lines: {
    unitPriceCents: number
    catalogueUnit: string | null
    isPriceManual: boolean
    costCents: number | null
    discount: { type: string; value: number } | null
    why: { step: string; label: string; cents: number }[]
    children: { name: string; unitPriceCents: number; quantity: string }[]
    problems: { path: string }[]
  }[]
  margin: { cents: number; bp: number } | null
}

let app: Running
let people: Actors
let customerGuid: string
beforeAll(async () => {
  ;({ app, actors: people, customerGuid } = await startBusiness())
})
afterAll(() => app.stop())

const product = async (body: Record<string, unknown>) =>
  ok(await app.call<{ product: { guid: string } }>(people.office, 'POST', '/Products', { name: 'P', ...body }), 201)
    .product.guid
const marquee = () =>
  product({ name: 'Marquee', priceCents: 78_000, costCents: 52_000, tiers: [{ from: '3', priceCents: 74_000 }] })
const send = (who: Caller, lines: unknown[], more = {}) =>
  app.call<Quote>(who, 'POST', '/Quotes', { customerGuid, title: 'Party', lines, ...more })
const change = (who: Caller, { guid, version }: { guid: string; version: number }, lines: unknown[]) =>
  app.call<Quote>(who, 'PATCH', `/Quotes/${guid}`, { version, lines })
const calculate = async (who: Caller, lines: unknown[], more = {}) =>
  ok(await app.call<Priced>(who, 'POST', '/Calculators/CalculateTotals', { priceMode: 'exclusive', lines, ...more }))

describe('a line of a product', () => {
  test('costs what the catalogue says where no price is sent, by its quantity', async () => {
    const productGuid = await marquee()
    const line = { name: 'Marquee', productGuid }
    const { quote } = ok(await send(people.sales, [line, { ...line, quantity: '4' }]), 201)
    expect(quote.lines).toMatchObject([
      { unitPriceCents: 78_000, isPriceManual: false },
      { unitPriceCents: 74_000, isPriceManual: false },
    ])
    expect(quote.totals.totalCents).toBe(411_400)
  })

  test('has another price only from those who may set prices, and then keeps it', async () => {
    const productGuid = await product({ name: 'Hoarding', priceCents: 14_800 })
    const line = { name: 'Hoarding', productGuid, unitPriceCents: 14_000 }
    const refused = await send(people.sales, [{ name: 'Text', kind: 'text' }, line])
    expect([refused.status, refused.errors]).toEqual([
      403,
      [
        {
          path: 'lines.1.unitPriceCents',
          message: 'Your role uses catalogue prices. This line is $148.00.',
        },
      ],
    ])
    const free = await product({ name: 'Site visit', priceCents: 0 })
    const charged = await send(people.sales, [{ name: 'Site visit', productGuid: free, unitPriceCents: 500 }])
    expect(charged.message).toBe('Your role uses catalogue prices. This line is $0.00.')
    const { quote } = ok(await send(people.office, [line]), 201)
    const [made] = quote.lines
    expect(made).toMatchObject({ unitPriceCents: 14_000, isPriceManual: true })
    // Whoever may not set prices may still change how many there are.
    const kept = ok(await change(people.sales, quote, [{ ...line, guid: made?.guid, quantity: '9' }])).quote
    expect(kept.lines[0]).toMatchObject({ unitPriceCents: 14_000, isPriceManual: true })
  })

  test('stays as it was while nobody changes it, whatever the catalogue costs by then', async () => {
    const productGuid = await product({ name: 'Gate', priceCents: 68_000 })
    const line = { name: 'Gate', productGuid, unitPriceCents: 68_000 }
    const { quote } = ok(await send(people.sales, [line]), 201)
    ok(await app.call(people.office, 'PATCH', `/Products/${productGuid}`, { version: 1, priceCents: 70_000 }))
    const same = { ...line, guid: quote.lines[0]?.guid }
    const saved = ok(await change(people.sales, quote, [same])).quote
    expect(saved.lines[0]).toMatchObject({ unitPriceCents: 68_000, isPriceManual: false })
    const more = await change(people.sales, saved, [{ ...same, quantity: '2' }])
    expect(more.status).toBe(403)
    const { unitPriceCents: _old, ...unpriced } = same
    const repriced = ok(await change(people.sales, saved, [{ ...unpriced, quantity: '2' }])).quote
    expect(repriced.lines[0]).toMatchObject({ unitPriceCents: 70_000 })
  })

  test('is hired for days, which are checked and printed', async () => {
    const productGuid = await product({
      name: 'Scaffold',
      kind: 'hire',
      priceCents: 18_500,
      hire: { dayCents: 4500, weekCents: 18_000, fourWeekCents: 54_000 },
    })
    const line = { name: 'Scaffold', productGuid, kind: 'hire' }
    const back = await send(people.sales, [{ ...line, hireFrom: '2026-11-09', hireTo: '2026-11-02' }])
    expect([back.status, back.errors[0]?.path]).toEqual([422, 'lines.0.hireTo'])
    expect((await send(people.sales, [{ ...line, hireFrom: '2026-11-09' }])).errors[0]?.path).toBe('lines.0.hireTo')
    const days = { hireFrom: '2026-11-02', hireTo: '2026-11-09' }
    const sent = await aSentQuote(app, people.sales, customerGuid, { lines: [{ ...line, ...days }] })
    expect(sent.totals.totalCents).toBe(24_750)
    const { snapshot } = await app.deps.db
      .selectFrom('quotes')
      .select('snapshot')
      .where('guid', '=', sent.guid)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(snapshot)).toContain('2 November 2026 – 9 November 2026')
  })

  test('is one of it for all its days and no week, unless somebody said otherwise', async () => {
    const productGuid = await product({
      name: 'Scaffold',
      kind: 'hire',
      unit: 'week',
      priceCents: 18_500,
      hire: { dayCents: 4500, weekCents: 18_000, fourWeekCents: 54_000 },
    })
    const line = { name: 'Scaffold', productGuid, kind: 'hire', unit: 'week', quantity: '2' }
    const days = { hireFrom: '2026-11-02', hireTo: '2026-11-09' }
    const { quote } = ok(
      await send(people.office, [
        { ...line, ...days },
        { ...line, ...days, unit: 'day' },
        { ...line, ...days, unitPriceCents: 22_500 },
        { ...line, ...days, unitPriceCents: 10_000 },
        line,
      ]),
      201,
    )
    expect(quote.lines.map(({ unit, unitPriceCents }) => [unit, unitPriceCents])).toEqual([
      ['each', 22_500],
      ['day', 22_500],
      ['week', 22_500],
      ['week', 10_000],
      ['week', 18_500],
    ])
    const found = await calculate(people.office, [{ ...line, ...days }, line, { name: 'Own' }])
    expect(found.lines.map(({ catalogueUnit }) => catalogueUnit)).toEqual(['each', 'week', null])
  })

  test('brings cost and stream along to the copy, and the customer’s discount', async () => {
    const { stream } = ok(
      await app.call<{ stream: { guid: string } }>(people.office, 'POST', '/RevenueStreams', { code: 'E', name: 'E' }),
      201,
    )
    const productGuid = await product({
      name: 'Tent',
      priceCents: 10_000,
      costCents: 6000,
      revenueStreamGuid: stream.guid,
    })
    const friend = await aCustomer(app, people.office, { displayName: 'Friend', terms: { discountBp: 500 } })
    const line = { name: 'Tent', productGuid }
    const quote = await aQuote(app, people.office, friend.guid, { lines: [line] })
    expect(quote.totals.totalCents).toBe(10_450)
    const { quote: copy } = ok(await app.call<Quote>(people.office, 'POST', `/Quotes/Duplicate/${quote.guid}`), 201)
    const rows = await app.deps.db
      .selectFrom('quoteLines')
      .select(['costCents', 'revenueStreamGuid', 'isPriceManual'])
      .where('quoteGuid', '=', copy.guid)
      .execute()
    expect(rows).toEqual([{ costCents: 6000, revenueStreamGuid: stream.guid, isPriceManual: false }])
  })
})

describe('working out prices', () => {
  test('names the customer’s discount among the reasons, but not on a line with one of its own', async () => {
    const productGuid = await product({ name: 'Tent', priceCents: 10_000 })
    const { guid } = await aCustomer(app, people.office, { displayName: 'Regular', terms: { discountBp: 500 } })
    const own = { type: 'fixed', value: 300 }
    const asked = [{}, { discount: null }, { discount: own }].map((more) => ({ name: 'Tent', productGuid, ...more }))
    const { lines } = await calculate(people.sales, asked, { customerGuid: guid })
    expect(lines.map(({ discount }) => discount)).toEqual([{ type: 'percent', value: 500 }, null, own])
    const reasons = lines.map(({ why }) => why.map(({ step }) => step))
    expect(reasons).toEqual([['base', 'discount'], ['base'], ['base']])
  })

  test('says how each came about, what is left of it, and the parts of a bundle', async () => {
    const part = await marquee()
    const bundle = await product({
      name: 'Two',
      kind: 'bundle',
      priceCents: 140_001,
      bundle: {
        mode: 'fixed',
        showParts: true,
        items: [
          { productGuid: part, quantity: '1' },
          { productGuid: part, quantity: '1' },
        ],
      },
    })
    const found = await calculate(people.office, [
      { name: 'Marquee', productGuid: part, quantity: '4' },
      { name: 'Marquee', productGuid: part, unitPriceCents: 1 },
      { name: 'Two', productGuid: bundle },
      { name: 'Own', unitPriceCents: 500 },
    ])
    expect(found.lines[0]).toMatchObject({
      unitPriceCents: 74_000,
      costCents: 52_000,
      why: [{ step: 'tier', label: '3', cents: 74_000 }],
    })
    expect(found.lines[1]).toMatchObject({ isPriceManual: true, unitPriceCents: 1 })
    expect(found.lines[2]?.children.map((child) => child.unitPriceCents)).toEqual([70_001, 70_000])
    expect(found.lines[3]).toMatchObject({ why: [], problems: [] })
  })

  test('tells costs and margin to those alone who may see costs', async () => {
    const line = { name: 'Marquee', productGuid: await marquee() }
    expect((await calculate(people.office, [line])).margin).toEqual({ cents: 26_000, bp: 3333 })
    const seen = await calculate(people.sales, [line])
    expect([seen.margin, seen.lines[0]?.costCents]).toEqual([null, null])
  })

  test('names products that cannot be priced', async () => {
    const found = await calculate(people.sales, [{ name: 'x', productGuid: customerGuid }])
    expect(found.lines[0]?.problems).toMatchObject([{ path: 'productGuid' }])
  })
})
