import { z } from 'zod'
import { addDays, addMonths, compareDays, daysBetween } from './dates.ts'

/** What repeats by the calendar, in days alone: quotes of a series, visits, inspections. */
export const recurrenceUnits = ['day', 'week', 'month', 'year'] as const
/** Every `n` of a unit. */
export const every = z.strictObject({
  n: z.int().min(1, 'Enter 1 or more.').max(366, 'Enter 366 or less.'),
  unit: z.enum(recurrenceUnits),
})
export type Every = z.infer<typeof every>

/**
 * The n-th day, counted from 0. It is always counted from the anchor, so that the 31st comes back after a month that
 * ends on the 30th: the day stays the anchor's, or is the month's last.
 */
export function nthDay(anchorOn: string, { n: step, unit }: Every, n: number): string {
  if (unit === 'day') return addDays(anchorOn, n * step)
  if (unit === 'week') return addDays(anchorOn, n * step * 7)
  return addMonths(anchorOn, n * step * (unit === 'year' ? 12 : 1))
}

/** The shortest that one of a unit may take: a guess by it never lies before the day that is looked for. */
const shortest = { day: 1, week: 7, month: 28, year: 365 } as const

/** How many of the days lie on or before a day; 0 while the anchor is to come. */
export function countUntil(anchorOn: string, repeats: Every, day: string): number {
  const days = daysBetween(anchorOn, day)
  if (days < 0) return 0
  let n = Math.floor(days / (shortest[repeats.unit] * repeats.n))
  while (n > 0 && compareDays(nthDay(anchorOn, repeats, n), day) > 0) n--
  return n + 1
}
