import { describe, expect, test } from 'vitest'
import { maxCents } from './common.ts'
import {
  allocateProportionally,
  centsToDecimal,
  computeTotals,
  decimalToCents,
  depositAmount,
  type Discount,
  type GstCode,
  type LineInput,
  type PriceMode,
  type RoundingRule,
} from './money.ts'

const line = (
  quantity: string,
  unitPriceCents: number,
  gstCode: GstCode = 'GST',
  more: Partial<LineInput> = {},
): LineInput => ({ kind: 'item', quantity, unitPriceCents, gstCode, ...more })
const times = (n: number, l: LineInput) => Array.from({ length: n }, () => l)
const percent = (value: number): Discount => ({ type: 'percent', value })
const fixed = (value: number): Discount => ({ type: 'fixed', value })
const option = { isOptional: true }
const chosen = { isOptional: true, isSelected: true }
const credit = (net: number, gst: number) =>
  line('1', 0, 'GST', { kind: 'deposit_credit', creditNetCents: net, creditGstCents: gst })

type Golden = [
  title: string,
  mode: PriceMode,
  rule: RoundingRule,
  lines: LineInput[],
  documentDiscount: Discount | null,
  subtotal: number,
  gst: number,
  total: number,
]
const ex = 'exclusive'
const inc = 'inclusive'
const once = 'total_invoice'
const each = 'taxable_supply'

const golden: Golden[] = [
  // One supply
  ['one supply of $100', ex, once, [line('1', 10_000)], null, 10_000, 1000, 11_000],
  ['one supply, either method is the same', ex, each, [line('1', 10_000)], null, 10_000, 1000, 11_000],
  ['$1,527.40 standard rated', ex, once, [line('1', 152_740)], null, 152_740, 15_274, 168_014],
  ['exactly half a cent of GST rounds up', ex, once, [line('1', 105)], null, 105, 11, 116],
  ['less than half a cent of GST rounds down', ex, once, [line('1', 104)], null, 104, 10, 114],
  ['4 cents carry no GST', ex, once, [line('1', 4)], null, 4, 0, 4],
  ['5 cents carry one cent', ex, once, [line('1', 5)], null, 5, 1, 6],
  ['a free line', ex, once, [line('3', 0)], null, 0, 0, 0],
  // Several supplies: the two methods differ
  ['ten lines of $1.05, rounded once', ex, once, times(10, line('1', 105)), null, 1050, 105, 1155],
  ['ten lines of $1.05, each rounded', ex, each, times(10, line('1', 105)), null, 1050, 110, 1160],
  ['ten lines of $1.04, rounded once', ex, once, times(10, line('1', 104)), null, 1040, 104, 1144],
  ['ten lines of $1.04, each rounded', ex, each, times(10, line('1', 104)), null, 1040, 100, 1140],
  ['three lines of 33 cents, rounded once', ex, once, times(3, line('1', 33)), null, 99, 10, 109],
  ['three lines of 33 cents, each rounded', ex, each, times(3, line('1', 33)), null, 99, 9, 108],
  ['two lines of 5 cents, rounded once', ex, once, times(2, line('1', 5)), null, 10, 1, 11],
  ['two lines of 5 cents, each rounded', ex, each, times(2, line('1', 5)), null, 10, 2, 12],
  ['the sum ends on half a cent', ex, once, [line('1', 101), line('1', 104)], null, 205, 21, 226],
  // Prices that include GST
  ['$110.00 with GST', inc, once, [line('1', 11_000)], null, 10_000, 1000, 11_000],
  ['$0.33 with GST', inc, once, [line('1', 33)], null, 30, 3, 33],
  ['$99.99 with GST', inc, once, [line('1', 9999)], null, 9090, 909, 9999],
  ['5 cents with GST carry none', inc, once, [line('1', 5)], null, 5, 0, 5],
  ['6 cents with GST carry one', inc, once, [line('1', 6)], null, 5, 1, 6],
  ['ten lines of $1.05 with GST, rounded once', inc, once, times(10, line('1', 105)), null, 955, 95, 1050],
  ['ten lines of $1.05 with GST, each rounded', inc, each, times(10, line('1', 105)), null, 950, 100, 1050],
  ['three lines of $1.00 with GST, rounded once', inc, once, times(3, line('1', 100)), null, 273, 27, 300],
  ['eleven lines of $1.00 with GST, rounded once', inc, once, times(11, line('1', 100)), null, 1000, 100, 1100],
  ['eleven lines of $1.00 with GST, each rounded', inc, each, times(11, line('1', 100)), null, 1001, 99, 1100],
  // Taxable and free mixed
  ['GST-free beside taxable', ex, once, [line('1', 10_000), line('1', 5000, 'FREE')], null, 15_000, 1000, 16_000],
  ['export beside taxable', ex, once, [line('1', 10_000), line('2', 2500, 'EXPORT')], null, 15_000, 1000, 16_000],
  [
    'input taxed beside taxable',
    ex,
    each,
    [line('1', 10_000), line('1', 5000, 'INPUT_TAXED')],
    null,
    15_000,
    1000,
    16_000,
  ],
  [
    'not registered: no GST at all',
    ex,
    once,
    [line('1', 10_000, 'NOT_REGISTERED'), line('1', 995, 'NOT_REGISTERED')],
    null,
    10_995,
    0,
    10_995,
  ],
  ['not registered with inclusive prices', inc, once, [line('1', 11_000, 'NOT_REGISTERED')], null, 11_000, 0, 11_000],
  [
    'free beside taxable with GST included',
    inc,
    once,
    [line('1', 11_000), line('1', 5000, 'FREE')],
    null,
    15_000,
    1000,
    16_000,
  ],
  // Quantities
  ['2.5 hours at $85.50', ex, once, [line('2.5', 8550, 'GST', { kind: 'labour' })], null, 21_375, 2138, 23_513],
  ['a third of a unit', ex, once, [line('0.3333', 10_000)], null, 3333, 333, 3666],
  ['half a cent of the line rounds up', ex, once, [line('0.5', 101)], null, 51, 5, 56],
  ['just under half a cent of the line rounds down', ex, once, [line('0.4949', 101)], null, 50, 5, 55],
  ['the smallest quantity', ex, once, [line('0.0001', 10_000)], null, 1, 0, 1],
  ['12 panel weeks of hire', ex, once, [line('12.0000', 1895, 'GST', { kind: 'hire' })], null, 22_740, 2274, 25_014],
  // Discounts on lines
  ['10 % off a line', ex, once, [line('1', 10_000, 'GST', { discount: percent(1000) })], null, 9000, 900, 9900],
  ['12.5 % off $0.99', ex, once, [line('1', 99, 'GST', { discount: percent(1250) })], null, 87, 9, 96],
  ['a fixed discount on a line', ex, once, [line('2', 5000, 'GST', { discount: fixed(1505) })], null, 8495, 850, 9345],
  [
    'a discount never takes more than the line',
    ex,
    once,
    [line('1', 1000, 'GST', { discount: fixed(5000) }), line('1', 1000)],
    null,
    1000,
    100,
    1100,
  ],
  ['100 % off', ex, once, [line('1', 1000, 'GST', { discount: percent(10_000) })], null, 0, 0, 0],
  [
    'a line discount on an inclusive price',
    inc,
    once,
    [line('1', 11_000, 'GST', { discount: percent(1000) })],
    null,
    9000,
    900,
    9900,
  ],
  [
    'a discount line',
    ex,
    once,
    [line('1', 10_000), line('1', 2000, 'GST', { kind: 'discount' })],
    null,
    8000,
    800,
    8800,
  ],
  [
    'a discount line with a negative price is the same',
    ex,
    once,
    [line('1', 10_000), line('1', -2000, 'GST', { kind: 'discount' })],
    null,
    8000,
    800,
    8800,
  ],
  // Discounts on the document, before GST
  ['10 % off the document', ex, once, [line('1', 10_000), line('1', 5000)], percent(1000), 13_500, 1350, 14_850],
  [
    '10 % off taxable and free',
    ex,
    once,
    [line('1', 10_000), line('1', 5000, 'FREE')],
    percent(1000),
    13_500,
    900,
    14_400,
  ],
  [
    '$10 off, two thirds of it taxable',
    ex,
    once,
    [line('1', 10_000), line('1', 5000, 'FREE')],
    fixed(1000),
    14_000,
    933,
    14_933,
  ],
  ['1 cent off goes to one line', ex, once, [line('1', 50), line('1', 50, 'FREE')], fixed(1), 99, 5, 104],
  ['a discount never takes more than the document', ex, once, [line('1', 1000)], fixed(9999), 0, 0, 0],
  ['$11 off inclusive prices', inc, once, [line('1', 11_000)], fixed(1100), 9000, 900, 9900],
  [
    'line and document discounts together',
    ex,
    once,
    [line('1', 10_000, 'GST', { discount: percent(1000) })],
    percent(1000),
    8100,
    810,
    8910,
  ],
  // Options and alternatives
  [
    'an option not chosen does not count',
    ex,
    once,
    [line('1', 10_000), line('1', 2000, 'GST', option)],
    null,
    10_000,
    1000,
    11_000,
  ],
  ['a chosen option counts', ex, once, [line('1', 10_000), line('1', 2000, 'GST', chosen)], null, 12_000, 1200, 13_200],
  [
    'only the chosen alternative counts',
    ex,
    once,
    [
      line('1', 10_000, 'GST', { alternativeGroup: 'A' }),
      line('1', 7000, 'GST', { alternativeGroup: 'A', isSelected: true }),
    ],
    null,
    7000,
    700,
    7700,
  ],
  [
    'a fixed discount ignores options not chosen',
    ex,
    once,
    [line('1', 10_000), line('1', 90_000, 'GST', option)],
    fixed(1000),
    9000,
    900,
    9900,
  ],
  // Headings, fees, credits
  [
    'text and sections are nothing',
    ex,
    once,
    [line('5', 999, 'GST', { kind: 'section' }), line('1', 10_000), line('5', 999, 'GST', { kind: 'text' })],
    null,
    10_000,
    1000,
    11_000,
  ],
  [
    'a fee is a line',
    ex,
    once,
    [line('1', 10_000), line('1', 1500, 'GST', { kind: 'fee' })],
    null,
    11_500,
    1150,
    12_650,
  ],
  [
    'a deposit is credited as it was invoiced',
    ex,
    once,
    [line('1', 10_005), credit(-3002, -300)],
    null,
    7003,
    701,
    7704,
  ],
  [
    'a deposit credit is no part of the discount',
    ex,
    once,
    [line('1', 10_000), credit(-3000, -300)],
    percent(1000),
    6000,
    600,
    6600,
  ],
  [
    'a deposit credit beside inclusive prices',
    inc,
    once,
    [line('1', 11_000), credit(-3000, -300)],
    null,
    7000,
    700,
    7700,
  ],
  // Adjustment notes mirror what they adjust
  ['an adjustment of $660 with $60 GST', inc, once, [line('1', -66_000)], null, -60_000, -6000, -66_000],
  ['half a cent below zero rounds away from zero', ex, once, [line('1', -105)], null, -105, -11, -116],
  ['ten lines of -$1.05, each rounded', ex, each, times(10, line('1', -105)), null, -1050, -110, -1160],
  [
    'a discounted adjustment',
    ex,
    once,
    [line('1', -10_000), line('1', -5000, 'FREE')],
    fixed(1000),
    -14_000,
    -933,
    -14_933,
  ],
  ['-$99.99 with GST', inc, once, [line('1', -9999)], null, -9090, -909, -9999],
  // Bounds
  [
    'the largest document',
    ex,
    once,
    [line('1', 900_000_000_000)],
    null,
    900_000_000_000,
    90_000_000_000,
    990_000_000_000,
  ],
  ['no lines at all', ex, once, [], percent(1000), 0, 0, 0],
]

describe('totals', () => {
  test.each(golden)(
    '%s (%s, %s)',
    (_title, priceMode, roundingRule, lines, documentDiscount, subtotalCents, gstCents, totalCents) => {
      expect(computeTotals({ priceMode, roundingRule, documentDiscount, lines })).toMatchObject({
        subtotalCents,
        gstCents,
        totalCents,
      })
    },
  )

  test('lines, discounts and GST codes are shown so that they add up', () => {
    const totals = computeTotals({
      priceMode: ex,
      roundingRule: once,
      documentDiscount: percent(1000),
      lines: [
        line('2', 5000, 'GST', { discount: fixed(500) }),
        line('1', 3333, 'FREE'),
        line('1', 1000, 'GST', option),
        line('1', 800, 'GST', { kind: 'discount' }),
      ],
    })
    expect(totals).toEqual({
      lines: [
        {
          grossBeforeDiscountCents: 10_000,
          discountCents: 1450,
          netCents: 8550,
          gstCents: 855,
          totalCents: 9405,
          isCounted: true,
        },
        {
          grossBeforeDiscountCents: 3333,
          discountCents: 333,
          netCents: 3000,
          gstCents: 0,
          totalCents: 3000,
          isCounted: true,
        },
        {
          grossBeforeDiscountCents: 1000,
          discountCents: 0,
          netCents: 1000,
          gstCents: 100,
          totalCents: 1100,
          isCounted: false,
        },
        {
          grossBeforeDiscountCents: -800,
          discountCents: -80,
          netCents: -720,
          gstCents: -72,
          totalCents: -792,
          isCounted: true,
        },
      ],
      linesCents: 12_033,
      documentDiscountCents: 1203,
      discountCents: 2503,
      subtotalCents: 10_830,
      gstCents: 783,
      totalCents: 11_613,
      optionalTotalCents: 990,
      gstByCode: {
        GST: { netCents: 7830, gstCents: 783, totalCents: 8613 },
        FREE: { netCents: 3000, gstCents: 0, totalCents: 3000 },
      },
    })
  })

  test('the GST shown per line adds up to the GST of the document', () => {
    const { lines, gstCents } = computeTotals({ priceMode: ex, roundingRule: once, lines: times(10, line('1', 105)) })
    expect(gstCents).toBe(105)
    expect(lines.map((l) => l.gstCents)).toEqual([11, 11, 11, 11, 11, 10, 10, 10, 10, 10])
  })

  test('amounts beyond the bounds are refused', () => {
    const refused = (lines: LineInput[], documentDiscount: Discount | null = null) =>
      expect(() => computeTotals({ priceMode: ex, roundingRule: once, lines, documentDiscount })).toThrow(RangeError)
    refused([line('999999999', maxCents)])
    refused([line('1', maxCents)])
    refused([line('1', maxCents - 1, 'FREE'), line('1', 2, 'FREE')])
    refused([line('1', 1.5)])
    refused([line('1', Number.NaN)])
    refused([line('1', Number.MAX_SAFE_INTEGER)])
    for (const quantity of ['', '1e3', '1.00001', 'NaN', '1,5', '0x1', ' 1', '1234567890', '١'])
      refused([line(quantity, 100)])
    refused([line('1', 100, 'GST', { discount: percent(10_001) })])
    refused([line('1', 100)], fixed(-1))
  })
})

describe('deposits, shares and decimal texts', () => {
  test('a deposit is a share of the total, rounded half up, and never more than the total', () => {
    expect(depositAmount({ type: 'percent', value: 3000 }, 11_005)).toBe(3302)
    expect(depositAmount({ type: 'fixed', value: 50_000 }, 11_000)).toBe(11_000)
    expect(depositAmount({ type: 'fixed', value: 5000 }, 11_000)).toBe(5000)
    expect(depositAmount({ type: 'none' }, 11_000)).toBe(0)
    expect(depositAmount(null, 11_000)).toBe(0)
    expect(depositAmount({ type: 'percent', value: 3000 }, -500)).toBe(0)
  })

  test('shares add up exactly, the largest remainder first', () => {
    expect(allocateProportionally(100, [1, 1, 1])).toEqual([34, 33, 33])
    expect(allocateProportionally(-100, [1, 1, 1])).toEqual([-34, -33, -33])
    expect(allocateProportionally(10, [0, 3, 0, 1])).toEqual([0, 8, 0, 2])
    expect(allocateProportionally(0, [0, 0])).toEqual([0, 0])
    expect(() => allocateProportionally(1, [0, 0])).toThrow(RangeError)
  })

  test.each([
    [123_450, '1234.50'],
    [5, '0.05'],
    [0, '0.00'],
    [-1, '-0.01'],
    [-123_456, '-1234.56'],
  ])('%i cents are %s', (cents, text) => {
    expect(centsToDecimal(cents)).toBe(text)
    expect(decimalToCents(text)).toBe(cents)
  })

  test('amounts are read as people write them, and nothing else', () => {
    expect(['1,234.5', ' $10 ', '+3.', '-1,234,567.89', '-0'].map(decimalToCents)).toEqual([
      123_450, 1000, 300, -123_456_789, 0,
    ])
    for (const bad of ['', '-', '.5', '1.234', '1,23', '12,34.00', '1e3', 'NaN', '10 000', '99999999999999'])
      expect(decimalToCents(bad)).toBeNull()
  })
})
