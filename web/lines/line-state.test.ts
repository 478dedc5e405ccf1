import { describe, expect, test } from 'vitest'
import { asksOfCustomer } from './asks-again.ts'
import {
  changed,
  hasProblems,
  isOutOfOrder,
  newLine,
  sentLines,
  takenFrom,
  withProblems,
  type EditorLine,
} from './line-state.ts'

const named = (name: string, more: Partial<EditorLine> = {}): EditorLine => ({ ...newLine('hire'), name, ...more })
const why = (...steps: ('base' | 'hire' | 'manual')[]) => steps.map((step) => ({ step, label: '', cents: 1 }))

describe('what is wrong with a line', () => {
  const errors = [
    { path: 'lines.1.hireTo', message: 'Too early.' },
    { path: 'lines.1.quantity', message: 'Too many.' },
    { path: 'title', message: 'Missing.' },
  ]
  const lines = () => withProblems([named('Tent'), newLine(), named('Marquee'), named('Floor')], errors)

  test('stands on the line that was sent, blank ones not counted, and is not sent', () => {
    expect(lines().map(({ problems }) => problems)).toEqual([
      undefined,
      undefined,
      { hireTo: 'Too early.', quantity: 'Too many.' },
      undefined,
    ])
    expect(sentLines(lines())[1]).not.toHaveProperty('problems')
  })

  test('goes when its field changes, or the other day', () => {
    const line = lines()[2] as EditorLine
    expect(changed(line, { name: 'Big marquee' }).problems).toEqual(line.problems)
    expect(changed(line, { hireFrom: '2026-11-02' }).problems).toEqual({ quantity: 'Too many.' })
    const mended = changed(changed(line, { hireTo: '2026-11-02' }), { quantity: '2' })
    expect([hasProblems([line]), hasProblems([mended])]).toEqual([true, false])
  })

  test('goes with the next save', () => {
    expect(hasProblems(withProblems(lines(), []))).toBe(false)
  })

  test('is told of days out of order, the same day being in order', () => {
    const order = (hireFrom: string | null, hireTo: string | null) => isOutOfOrder({ hireFrom, hireTo })
    expect([order('2026-11-09', '2026-11-02'), order('2026-11-02', '2026-11-02')]).toEqual([true, false])
    expect([order(null, '2026-11-02'), order('2026-11-02', null)]).toEqual([false, false])
  })
})

describe('the unit of a hire', () => {
  const found = { unitPriceCents: 22_500, discount: null }
  const byDays = { ...found, unit: 'each', why: why('hire') } as const
  const byWeeks = { ...found, unit: 'week', why: why('base') } as const
  const asked = (more: Partial<EditorLine>) => named('Tent', { awaits: true, isPriceManual: false, ...more })

  test('is each once days price it, and the product’s own again without them', () => {
    expect(takenFrom(asked({ unit: 'week', why: why('base') }), byDays)).toMatchObject({ unit: 'each', awaits: false })
    expect(takenFrom(asked({ unit: 'each', why: why('hire') }), byWeeks)).toMatchObject({ unit: 'week' })
    expect(takenFrom(asked({ unit: 'week', why: why('hire', 'manual') }), byDays)).toMatchObject({ unit: 'each' })
  })

  test('stays what was chosen by hand while other days price it, and with a price by hand', () => {
    expect(takenFrom(asked({ unit: 'day', why: why('hire') }), byDays)).not.toHaveProperty('unit')
    const manual = named('Tent', { unit: 'week', why: [] })
    expect(takenFrom(manual, { ...byDays, why: why('hire', 'manual') })).toEqual({ why: why('hire', 'manual') })
  })
})

describe('the discount agreed with the customer', () => {
  const five = { type: 'percent', value: 500 } as const
  const ten = { type: 'percent', value: 1000 } as const
  const answer = (discount: typeof five | typeof ten | null) => ({
    ...{ unitPriceCents: 100, discount, unit: null },
    why: why('base'),
  })
  const asking = (more: Partial<EditorLine> = {}) =>
    named('Tent', { productGuid: 'p', isPriceManual: false, awaits: true, ...more })
  const taking = (line: EditorLine, discount: typeof five | typeof ten | null) => ({
    ...line,
    ...takenFrom(line, answer(discount)),
  })
  const sent = (line: EditorLine) => sentLines([line])[0]

  test('is asked for, taken over and then sent as any other', () => {
    expect(sent(asking())).not.toHaveProperty('discount')
    const taken = taking(asking(), five)
    expect(taken).toMatchObject({ discount: five, awaits: false })
    expect(sent(taken)).toMatchObject({ discount: five })
    expect(sent(taken)).not.toHaveProperty('agreed')
  })

  test('gives way to another customer’s, and to none', () => {
    const again = { ...taking(asking(), five), awaits: true }
    expect(sent(again)).not.toHaveProperty('discount')
    expect(taking(again, ten).discount).toEqual(ten)
    expect(taking(again, null).discount).toBeNull()
  })

  test('does not come back once it was changed or cleared by hand', () => {
    for (const discount of [null, ten]) {
      const own = { ...taking(asking(), five), discount, awaits: true }
      expect(sent(own)).toMatchObject({ discount })
      expect(taking(own, five).discount).toEqual(discount)
    }
  })

  test('leaves saved lines and lines of no product as they are', () => {
    const saved = asking({ guid: 'g' })
    expect(sent(saved)).toMatchObject({ discount: null })
    expect(taking(saved, five).discount).toBeNull()
    expect(sent(named('Extra', { discount: ten }))).toMatchObject({ discount: ten })
  })

  test('goes with its customer from a line whose price was entered by hand', () => {
    const byHand = { ...taking(asking(), five), isPriceManual: true, unitPriceCents: 999 }
    const moved = { ...byHand, ...asksOfCustomer(byHand) }
    expect(sent(moved)).toMatchObject({ unitPriceCents: 999 })
    expect(sent(moved)).not.toHaveProperty('discount')
    expect(taking(moved, ten)).toMatchObject({ unitPriceCents: 999, discount: ten, agreed: ten, awaitsDiscount: false })
    expect(taking(moved, null)).toMatchObject({ discount: null })
  })
})
