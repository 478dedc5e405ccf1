import { describe, expect, test } from 'vitest'
import { lineInput, linesInput, trimQuantity } from '../../contract/lines.ts'
import { lineOf, priceLines, repriceLines } from './lines.service.ts'

const line = (facts: Record<string, unknown> = {}) =>
  lineInput.parse({ name: 'Panel', quantity: '2', unitPriceCents: 10_000, ...facts })
const rules = { priceMode: 'exclusive', roundingRule: 'total_invoice', gstRegistered: true } as const

describe('lines', () => {
  test('are stored with every amount, in the order they came, headings without any', () => {
    const { rows, totals } = priceLines(
      [
        line(),
        line({
          kind: 'text',
          name: 'Note',
          quantity: '9',
          unitPriceCents: 5,
          discount: { type: 'percent', value: 5000 },
        }),
      ],
      rules,
    )
    expect(rows.map((r) => [r.position, r.quantity, r.unitPriceCents, r.discount, r.totalCents])).toEqual([
      [1, '2', 10_000, null, 22_000],
      [2, '1', 0, null, 0],
    ])
    expect(totals).toMatchObject({ subtotalCents: 20_000, gstCents: 2000, totalCents: 22_000 })
  })

  test('carry no GST for a business that is not registered, whatever they say', () => {
    const { rows, totals } = priceLines([line({ gstCode: 'GST' })], { ...rules, gstRegistered: false })
    expect([rows[0]?.gstCode, totals.gstCents]).toEqual(['NOT_REGISTERED', 0])
  })

  test('choose exactly one of a group: the first that says so, else the first', () => {
    const chosen = (...selected: (boolean | undefined)[]) =>
      priceLines(
        selected.map((isSelected) => line({ alternativeGroup: 'g', isSelected })),
        rules,
      ).rows.map((r) => r.isSelected)
    expect(chosen(undefined, undefined)).toEqual([true, false])
    expect(chosen(false, true, true)).toEqual([false, true, false])
  })

  test('may not be options on orders and invoices', () => {
    expect(() => priceLines([line({ isOptional: true })], { ...rules, withoutChoices: true })).toThrow(
      expect.objectContaining({
        fields: [{ path: 'lines.0.isOptional', message: 'Only quotes can have optional and alternative lines.' }],
      }),
    )
  })

  test('come to the same amounts when they are priced again as they were stored', () => {
    const { rows, totals } = priceLines(
      linesInput.parse([
        { name: 'a', quantity: '3.3333', unitPriceCents: 333 },
        { name: 'b', quantity: '1', unitPriceCents: 101, discount: { type: 'fixed', value: 7 } },
      ]),
      { ...rules, discount: { type: 'percent', value: 777 } },
    )
    const stored = rows.map((r) =>
      lineOf({
        ...r,
        quantity: `${r.quantity}${r.quantity.includes('.') ? '' : '.0000'}`,
        discount: r.discount ? (JSON.parse(r.discount) as { type: 'fixed'; value: number }) : null,
        hireRates: null,
        options: null,
      }),
    )
    const again = repriceLines(stored, { ...rules, discount: { type: 'percent', value: 777 } })
    expect(again.totals).toEqual(totals)
    expect(again.lines.map((l) => l.totalCents)).toEqual(rows.map((r) => r.totalCents))
  })

  test('show quantities without needless zeros', () => {
    expect(['2.0000', '2.5000', '10', '100.0000', '0.1250'].map(trimQuantity)).toEqual([
      '2',
      '2.5',
      '10',
      '100',
      '0.125',
    ])
  })
})
