import { describe, expect, it } from 'vitest'
import { addDays } from './dates.ts'
import { countUntil, every, type Every, nthDay, recurrenceUnits } from './recurrence.ts'

const days = (anchorOn: string, repeats: Every, count: number) =>
  Array.from({ length: count }, (_, n) => nthDay(anchorOn, repeats, n))
const quarterly: Every = { n: 3, unit: 'month' }
const monthly: Every = { n: 1, unit: 'month' }

describe('days that repeat', () => {
  it('counts from the anchor, and takes the last day of a month that is short', () => {
    expect(days('2025-11-30', quarterly, 4)).toEqual(['2025-11-30', '2026-02-28', '2026-05-30', '2026-08-30'])
    expect(days('2026-02-28', quarterly, 3)).toEqual(['2026-02-28', '2026-05-28', '2026-08-28'])
    expect(days('2026-01-31', monthly, 5)).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ])
  })

  it('meets the 29th of February again in the next leap year', () => {
    expect(days('2024-02-29', { n: 1, unit: 'year' }, 5)).toEqual([
      '2024-02-29',
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ])
    expect(nthDay('2023-12-30', { n: 2, unit: 'month' }, 1)).toBe('2024-02-29')
  })

  it('goes by days and weeks over the turn of a year', () => {
    expect(days('2026-12-28', { n: 10, unit: 'day' }, 3)).toEqual(['2026-12-28', '2027-01-07', '2027-01-17'])
    expect(days('2026-12-28', { n: 2, unit: 'week' }, 3)).toEqual(['2026-12-28', '2027-01-11', '2027-01-25'])
  })

  it('counts those until a day', () => {
    expect(countUntil('2025-11-30', quarterly, '2025-11-29')).toBe(0)
    expect(countUntil('2025-11-30', quarterly, '2025-11-30')).toBe(1)
    expect(countUntil('2025-11-30', quarterly, '2026-02-27')).toBe(1)
    expect(countUntil('2025-11-30', quarterly, '2026-02-28')).toBe(2)
    expect(countUntil('2025-11-30', quarterly, '2026-05-30')).toBe(3)
  })

  it('counts as many as a walk from day to day meets', () => {
    for (const unit of recurrenceUnits)
      for (const n of [1, 2, 5])
        for (const anchorOn of ['2024-02-29', '2025-08-31', '2026-01-30']) {
          let met = 0
          for (let on = anchorOn; on < addDays(anchorOn, 900); on = addDays(on, 1)) {
            if (nthDay(anchorOn, { n, unit }, met) === on) met++
            if (countUntil(anchorOn, { n, unit }, on) !== met) expect([unit, n, anchorOn, on]).toEqual([met])
          }
          expect(met).toBeGreaterThan(0)
        }
  })

  it('takes whole numbers from 1', () => {
    expect(every.safeParse({ n: 0, unit: 'day' }).success).toBe(false)
    expect(every.safeParse({ n: 1.5, unit: 'day' }).success).toBe(false)
    expect(every.safeParse({ n: 3, unit: 'fortnight' }).success).toBe(false)
  })
})
