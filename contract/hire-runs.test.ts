import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from './core/dates.ts'
import { chargeThrough, daysWithout, endOfHire, type HireRun, lastPeriodEnd, planHireBill } from './hire-runs.ts'

const on = '2026-09-01'
const dayOf = (n: number) => addDays(on, n - 1)
const rates = { dayCents: 4500, weekCents: 18_000, fourWeekCents: 54_000 }
const price: HireRun['price'] = {
  rates,
  planned: { from: on, to: dayOf(28) },
  plannedCents: 54_000,
  listedCents: 54_000,
  isWithGst: false,
  discount: null,
  orderDiscount: null,
}
const one: HireRun = { startedOn: on, units: '1', returns: [], price }

/** The bills through these days, each of what is not billed before. */
function billed(run: HireRun, days: readonly number[]) {
  const live: { cents: number; spans: { from: string; to: string }[] }[] = []
  for (const n of days) {
    const plan = planHireBill(run, live, dayOf(n))
    if (plan) live.push({ cents: plan.cents, spans: plan.spans })
  }
  return live
}

describe('what a hire is billed', () => {
  test('weekly bills add up to the four weeks, one of them to nothing', () => {
    expect(billed(one, [7, 14, 21, 28, 35]).map(({ cents }) => cents)).toEqual([18_000, 18_000, 18_000, 0, 18_000])
  })

  test('what went back on day 5 is charged for five days, the rest for 29', () => {
    const returns = [
      { offOn: dayOf(5), units: '7' },
      { offOn: dayOf(29), units: '293' },
    ]
    const run: HireRun = { ...one, units: '300', returns }
    const { parts, cents } = chargeThrough(run, dayOf(40))
    expect(parts.map(({ units, days, unitCents }) => [units, days, unitCents])).toEqual([
      ['7', 5, 18_000],
      ['293', 29, 58_500],
    ])
    expect(cents).toBe(7 * 18_000 + 293 * 58_500)
    expect(endOfHire(run)).toBe(dayOf(29))
    expect(endOfHire({ ...run, returns: returns.slice(0, 1) })).toBeNull()
  })

  test('each return has its own minimum', () => {
    const run: HireRun = {
      ...one,
      units: '2',
      returns: [{ offOn: dayOf(1), units: '1' }],
      price: { ...price, rates: { ...rates, minimumDays: 7 } },
    }
    expect(chargeThrough(run, dayOf(2)).parts.map(({ days, cents }) => [days, cents])).toEqual([
      [7, 18_000],
      [7, 18_000],
    ])
  })

  test('a late return lessens the next bill, and the last one may be below zero', () => {
    const first = billed({ ...one, units: '10' }, [14])
    const late = { ...one, units: '10', returns: [{ offOn: dayOf(7), units: '5' }] }
    expect(planHireBill(late, first, dayOf(15))?.cents).toBeUndefined()
    expect(planHireBill(late, first, dayOf(28))?.cents).toBe(5 * 18_000 + 5 * 54_000 - 10 * 36_000)
    const all = { ...late, returns: [{ offOn: dayOf(7), units: '10' }] }
    expect(planHireBill(all, first, dayOf(28))).toMatchObject({ cents: -180_000, spans: [], isLast: true })
  })

  test('a fixed discount is taken until it is used up', () => {
    const run: HireRun = { ...one, price: { ...price, discount: { type: 'fixed', value: 20_000 } } }
    expect(billed(run, [7, 14, 21]).map(({ cents }) => cents)).toEqual([0, 16_000, 18_000])
  })

  test('a price that was agreed for the planned days scales the others', () => {
    const run: HireRun = { ...one, price: { ...price, plannedCents: 27_000 } }
    expect(chargeThrough(run, dayOf(28)).cents).toBe(27_000)
    expect(chargeThrough(run, dayOf(7)).cents).toBe(9000)
  })

  test('a bill that was voided gives its days to the next', () => {
    const [first, second, third] = billed(one, [7, 14, 21])
    if (!first || !second || !third) throw new Error('three bills')
    expect(planHireBill(one, [first, third], dayOf(24))).toMatchObject({
      spans: [
        { from: dayOf(8), to: dayOf(14) },
        { from: dayOf(22), to: dayOf(24) },
      ],
      cents: 18_000,
    })
    expect(daysWithout({ from: on, to: dayOf(3) }, [{ from: on, to: dayOf(3) }])).toEqual([])
  })

  test('periods are counted from the first day', () => {
    expect(lastPeriodEnd(on, '7', dayOf(6))).toBeNull()
    expect(lastPeriodEnd(on, '7', dayOf(13))).toBe(dayOf(7))
    expect(lastPeriodEnd('2026-01-31', 'month', '2026-03-29')).toBe('2026-02-27')
    expect(lastPeriodEnd('2026-01-31', 'month', '2026-03-30')).toBe('2026-03-30')
    expect(lastPeriodEnd(on, 'month', addDays(on, -3))).toBeNull()
  })

  test('any rhythm comes to the same', () => {
    const discount = fc.option(
      fc.oneof(
        fc.record({ type: fc.constant('percent' as const), value: fc.integer({ min: 1, max: 10_000 }) }),
        fc.record({ type: fc.constant('fixed' as const), value: fc.integer({ min: 1, max: 900_000 }) }),
      ),
    )
    const runs = fc
      .record({
        day: fc.integer({ min: 1, max: 9999 }),
        minimumDays: fc.option(fc.integer({ min: 1, max: 30 })),
        hasWeek: fc.boolean(),
        isWithGst: fc.boolean(),
        plannedCents: fc.option(fc.integer({ min: 0, max: 99_999 })),
        discount,
        orderDiscount: discount,
        back: fc.array(fc.tuple(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 4 })), { maxLength: 4 }),
        rest: fc.integer({ min: 1, max: 90 }),
      })
      .map(({ day, minimumDays, hasWeek, plannedCents, back, rest, ...more }): HireRun => {
        const returns = [...back, [rest, 3] as const].map(([n, units]) => ({ offOn: dayOf(n), units: String(units) }))
        return {
          startedOn: on,
          units: String(returns.reduce((sum, { units }) => sum + Number(units), 0)),
          returns,
          price: {
            ...price,
            ...more,
            rates: { dayCents: day, weekCents: hasWeek ? day * 5 : null, minimumDays },
            plannedCents: plannedCents ?? price.listedCents,
          },
        }
      })
    fc.assert(
      fc.property(runs, fc.array(fc.integer({ min: 1, max: 95 }), { maxLength: 12 }), (run, days) => {
        const bills = billed(run, [...days.sort((a, b) => a - b), 95])
        expect(bills.reduce((sum, { cents }) => sum + cents, 0)).toBe(chargeThrough(run, dayOf(95)).cents)
        const spans = bills.flatMap((bill) => bill.spans).sort((a, b) => (a.from < b.from ? -1 : 1))
        spans.forEach(({ from, to }, i) => {
          expect(from <= to).toBe(true)
          if (i > 0) expect(from > (spans[i - 1]?.to ?? '')).toBe(true)
        })
      }),
    )
  })
})
