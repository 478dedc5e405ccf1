import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hireCharge, hireProblems, inclusiveDays, type HireRates } from './hire.ts'
import {
  marginOf,
  noAgreement,
  priceProduct,
  tierProblem,
  type Bundle,
  type CatalogueProduct,
  type OptionsPrice,
  type PriceAgreement,
  type PriceAsk,
  type PriceSetting,
} from './pricing.ts'

const aProduct = (more: Partial<CatalogueProduct> = {}): CatalogueProduct => ({
  guid: more.name ?? 'p',
  name: 'Marquee 6 × 6',
  kind: 'goods',
  unit: 'each',
  gstCode: 'GST',
  priceCents: 78_000,
  costCents: null,
  tiers: [],
  hire: null,
  bundle: null,
  durationMin: null,
  revenueStreamGuid: null,
  ...more,
})
const setting = (more: Partial<PriceSetting> = {}): PriceSetting => ({
  products: new Map(),
  agreement: noAgreement,
  priceMode: 'exclusive',
  gstRegistered: true,
  ...more,
})
const price = (
  product: CatalogueProduct,
  quantity = '1',
  ask: Partial<PriceAsk> = {},
  more: Partial<PriceSetting> = {},
) => priceProduct({ product, quantity, ...ask }, setting(more))

describe('days of hire', () => {
  const rates: HireRates = { dayCents: 4500, weekCents: 18_000, fourWeekCents: 54_000, minimumDays: 1 }

  test.each([
    [1, 4500],
    [5, 18_000],
    [8, 22_500],
    [20, 54_000],
    [29, 58_500],
    [57, 112_500],
  ])('%i of them cost %i', (days, cents) => {
    expect(hireCharge(rates, days)).toBe(cents)
  })

  test('count from the first to the last, and never less than the minimum', () => {
    expect(inclusiveDays({ from: '2026-02-27', to: '2026-03-01' })).toBe(3)
    expect(inclusiveDays({ from: '2026-10-03', to: '2026-10-05' })).toBe(3)
    expect(hireCharge({ ...rates, minimumDays: 3 }, 1)).toBe(13_500)
  })

  test('drop the step of a rate that is missing', () => {
    expect(hireCharge({ dayCents: 4500, minimumDays: 1 }, 30)).toBe(135_000)
    expect(hireCharge({ dayCents: 4500, weekCents: 18_000, minimumDays: 1 }, 30)).toBe(81_000)
    expect(hireCharge({ dayCents: 4500, fourWeekCents: 54_000, minimumDays: 1 }, 20)).toBe(54_000)
  })

  const someRates = fc
    .record({ day: fc.integer({ min: 0, max: 1_000_000 }), week: fc.integer({ min: 0, max: 600 }) })
    .chain(({ day, week }) => {
      const weekCents = Math.floor((day * (100 + week)) / 100)
      return fc.record({
        dayCents: fc.constant(day),
        weekCents: fc.option(fc.constant(weekCents)),
        fourWeekCents: fc.option(fc.integer({ min: weekCents, max: 4 * weekCents })),
        minimumDays: fc.integer({ min: 1, max: 14 }),
      })
    })

  test('never get cheaper by one more, and never cost more than the days one by one', () => {
    fc.assert(
      fc.property(someRates, fc.integer({ min: 1, max: 800 }), (given, days) => {
        fc.pre(hireProblems(given).length === 0)
        const charge = hireCharge(given, days)
        expect(hireCharge(given, days + 1)).toBeGreaterThanOrEqual(charge)
        expect(charge).toBeLessThanOrEqual(Math.max(days, given.minimumDays ?? 1) * given.dayCents)
      }),
    )
  })

  test('are refused at rates where longer costs less, or more than its parts', () => {
    const paths = (given: Partial<HireRates>) => hireProblems({ ...rates, ...given }).map((p) => p.path)
    expect(hireProblems({ ...rates, weekCents: 4000, fourWeekCents: null })).toEqual([
      { path: 'weekCents', message: 'A week can’t cost less than a day.' },
    ])
    expect(paths({ weekCents: 31_501 })).toEqual(['weekCents'])
    expect(paths({ fourWeekCents: 17_999 })).toEqual(['fourWeekCents'])
    expect(paths({ fourWeekCents: 72_001 })).toEqual(['fourWeekCents'])
    expect(paths({})).toEqual([])
  })
})

describe('the price of one', () => {
  const tiered = aProduct({ tiers: [{ from: '3', priceCents: 74_000 }] })
  const list = (priceCents: number): PriceAgreement => ({
    discountBp: 0,
    list: { name: 'Builders', items: [{ productGuid: tiered.guid, from: '1', priceCents }] },
  })

  test('is the catalogue’s, from a tier on that tier’s for all of them', () => {
    expect(price(tiered, '2.9999')).toMatchObject({ unitPriceCents: 78_000, why: [{ step: 'base', cents: 78_000 }] })
    expect(price(tiered, '4')).toMatchObject({ unitPriceCents: 74_000, why: [{ step: 'tier', label: '3' }] })
  })

  test('is the list’s, also where that is dearer: a list is an agreement', () => {
    for (const cents of [70_000, 76_000])
      expect(price(tiered, '4', {}, { agreement: list(cents) })).toMatchObject({
        unitPriceCents: cents,
        why: [{ step: 'list', label: 'Builders', cents }],
      })
    const later = { ...list(1), list: { name: 'L', items: [{ productGuid: tiered.guid, from: '5', priceCents: 1 }] } }
    expect(price(tiered, '4', {}, { agreement: later }).unitPriceCents).toBe(74_000)
  })

  test('of hire is the charge for its days', () => {
    const hired = aProduct({ kind: 'hire', hire: { dayCents: 4500, weekCents: 18_000, minimumDays: 2 } })
    expect(price(hired, '3', { hire: { from: '2026-11-02', to: '2026-11-09' } })).toMatchObject({
      kind: 'hire',
      unitPriceCents: 22_500,
      why: [{ step: 'hire', label: '8' }],
    })
    expect(price(hired).why).toMatchObject([{ step: 'base' }])
  })

  test('takes what answers add, a part of it or an amount, and leaves fees and products below', () => {
    const night: OptionsPrice = {
      unitCents: 7400,
      steps: [{ label: 'Lights', cents: 7400 }],
      onceFees: [{ optionCode: 'night', choiceCode: 'yes', label: 'Night set-up', cents: 25_000 }],
      addedProducts: [
        { optionCode: 'floor', productGuid: 'Floor', quantity: '12' },
        { optionCode: 'ramp', productGuid: 'gone', quantity: '4' },
      ],
      durationMin: 30,
      problems: [],
    }
    const asked: number[] = []
    const priced = price(
      { ...tiered, durationMin: 60 },
      '4',
      { options: (cents) => (asked.push(cents), night) },
      { products: new Map([['Floor', aProduct({ name: 'Floor', priceCents: 9900 })]]) },
    )
    expect(asked).toEqual([74_000])
    expect(priced).toMatchObject({ unitPriceCents: 81_400, durationMin: 90 })
    expect(priced.children).toMatchObject([
      { kind: 'fee', name: 'Night set-up', quantity: '1', unitPriceCents: 25_000, productGuid: null },
      { kind: 'item', name: 'Floor', quantity: '12', unitPriceCents: 9900 },
    ])
    expect(priced.problems.map((p) => p.path)).toEqual(['answers.ramp'])
  })

  test('has GST in it last, where the document’s prices have and the product is taxed', () => {
    const inclusive = { priceMode: 'inclusive' as const }
    expect(price(aProduct({ priceCents: 1005 }), '1', {}, inclusive)).toMatchObject({
      unitPriceCents: 1106,
      why: [{ step: 'base' }, { step: 'gst', cents: 101 }],
    })
    expect(price(aProduct({ gstCode: 'FREE' }), '1', {}, inclusive).unitPriceCents).toBe(78_000)
    expect(price(aProduct(), '1', {}, { ...inclusive, gstRegistered: false })).toMatchObject({
      unitPriceCents: 78_000,
      gstCode: 'NOT_REGISTERED',
    })
  })

  test('that somebody entered stays, and says so', () => {
    expect(price(tiered, '4', { manualCents: 1 }, { priceMode: 'inclusive' })).toMatchObject({
      unitPriceCents: 1,
      why: [{ step: 'tier' }, { step: 'manual', cents: 1 }],
    })
  })

  test('brings the customer’s discount to goods, labour and hire, but not to fees', () => {
    const agreement = { discountBp: 1250, list: null }
    expect(price(tiered, '1', {}, { agreement })).toMatchObject({
      discount: { type: 'percent', value: 1250 },
      why: [{ step: 'base' }, { step: 'discount', label: '12.5 %', cents: -9750 }],
    })
    expect(price(aProduct({ kind: 'fee' }), '1', {}, { agreement }).discount).toBeNull()
    expect(price(aProduct({ kind: 'discount' }), '1', {}, { agreement })).toMatchObject({
      kind: 'discount',
      discount: null,
    })
  })

  test('needs tiers that rise', () => {
    const tiers = ['5', '10', '9'].map((from) => ({ from, priceCents: 1 }))
    expect(tierProblem(tiers)).toEqual({ index: 2, message: 'Tiers must rise: 10 comes before 9.' })
    expect(tierProblem(tiers.slice(0, 2))).toBeNull()
  })
})

describe('a bundle', () => {
  const parts = [
    aProduct({ name: 'Marquee', priceCents: 78_000, costCents: 30_000 }),
    aProduct({ name: 'Trestle table', priceCents: 1950, costCents: 700 }),
    aProduct({ name: 'Delivery', priceCents: 7680, gstCode: 'FREE' }),
  ]
  const products = new Map(parts.map((part) => [part.guid, part]))
  const items = ['1', '8', '1'].map((quantity, i) => ({ productGuid: parts[i]?.guid ?? '', quantity }))
  const aBundle = (bundle: Partial<Bundle> = {}) =>
    aProduct({
      kind: 'bundle',
      priceCents: 100_000,
      bundle: { mode: 'fixed', showParts: true, items, ...bundle },
    })
  const shared = (product: CatalogueProduct, more: Partial<PriceSetting> = {}, ask: Partial<PriceAsk> = {}) =>
    price(product, '2', ask, { products, ...more }).children.map((child) => child.unitPriceCents)

  test('shares its price by what the parts cost, to the cent', () => {
    expect(shared(aBundle())).toEqual([77_014, 15_403, 7583])
    expect(price(aBundle(), '2', {}, { products }).children).toMatchObject([
      { kind: 'item', name: '1 × Marquee', quantity: '2', gstCode: 'GST', costCents: 30_000 },
      { name: '8 × Trestle table', quantity: '2', costCents: 5600 },
      { gstCode: 'FREE', costCents: null },
    ])
  })

  test('costs the sum of its parts, or that less its discount', () => {
    expect(price(aBundle({ mode: 'sum' }), '1', {}, { products }).unitPriceCents).toBe(101_280)
    expect(price(aBundle({ mode: 'percent', bp: 1250 }), '1', {}, { products }).unitPriceCents).toBe(88_620)
  })

  test('shares alike where nothing has a price, and what was entered as it was entered', () => {
    const free = new Map(parts.map((part) => [part.guid, { ...part, priceCents: 0 }]))
    expect(shared(aBundle({ mode: 'fixed' }), { products: free })).toEqual([33_334, 33_333, 33_333])
    const given = shared(aBundle(), { priceMode: 'inclusive' }, { manualCents: 110_001 })
    expect(given.reduce((a, b) => a + b, 0)).toBe(110_001)
  })

  test('says when a part is not sold any more', () => {
    const priced = price(aBundle(), '1', {}, { products: new Map([...products].slice(1)) })
    expect(priced.problems).toEqual([{ path: 'productGuid', message: 'A part of this bundle is no longer sold.' }])
    expect(priced.children.reduce((a, c) => a + c.unitPriceCents, 0)).toBe(100_000)
  })

  test('always adds up, whatever it is made of', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 30 }),
        fc.nat(100_000_000),
        (prices, priceCents) => {
          const many = prices.map((cents, i) => aProduct({ name: `part ${i}`, priceCents: cents }))
          const product = aProduct({
            kind: 'bundle',
            priceCents,
            bundle: {
              mode: 'fixed',
              showParts: false,
              items: many.map(({ guid }) => ({ productGuid: guid, quantity: '1' })),
            },
          })
          const priced = price(product, '1', {}, { products: new Map(many.map((p) => [p.guid, p])) })
          expect(priced.children.reduce((a, c) => a + c.unitPriceCents, 0)).toBe(priceCents)
          expect(priced.unitPriceCents).toBe(priceCents)
        },
      ),
    )
  })
})

describe('the margin', () => {
  const line = (netCents: number, costCents: number | null, quantity = '1', isCounted = true) => ({
    netCents,
    costCents,
    quantity,
    isCounted,
  })
  test('is what the net leaves over costs of lines that count', () => {
    expect(marginOf([line(133_200, 89_000), line(5000, 4000, '1', false)])).toEqual({ cents: 44_200, bp: 3318 })
    expect(marginOf([line(1000, 333, '2.5')])).toEqual({ cents: 167, bp: 1670 })
  })
  test('is nothing where no cost is known, and has no rate of nothing', () => {
    expect(marginOf([line(1000, null)])).toBeNull()
    expect(marginOf([line(0, 500)])).toEqual({ cents: -500, bp: null })
  })
})
