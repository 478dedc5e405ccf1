import { daysBetween } from './core/dates.ts'
import { scaleCents } from './core/money.ts'

/** What hiring one of something costs, GST not included. */
export interface HireRates {
  dayCents: number
  weekCents?: number | null | undefined
  fourWeekCents?: number | null | undefined
  /** Charged even when it is back earlier; a day when not said. */
  minimumDays?: number | null | undefined
}

/** Both days belong to the hire. */
export interface HireDays {
  from: string
  to: string
}

/** How many days are charged for: the first and the last count, and one is the least. */
export const inclusiveDays = ({ from, to }: HireDays): number => daysBetween(from, to) + 1

/** The days that are charged: at least the minimum. */
export const chargedDays = (rates: Pick<HireRates, 'minimumDays'>, days: number): number =>
  Math.max(days, rates.minimumDays ?? 1)

/**
 * What one costs for so many days: four weeks at a time, then weeks, then days, and never more than the next longer
 * rate. A rate that is not set drops its step. It never falls as days are added.
 */
export function hireCharge(rates: HireRates, days: number): number {
  const charged = chargedDays(rates, days)
  const { dayCents, weekCents = null, fourWeekCents = null } = rates
  const weeks = (d: number): number => {
    if (weekCents === null) return d * dayCents
    return Math.floor(d / 7) * weekCents + Math.min((d % 7) * dayCents, weekCents)
  }
  if (fourWeekCents === null) return inCents(weeks(charged))
  return inCents(Math.floor(charged / 28) * fourWeekCents + Math.min(fourWeekCents, weeks(charged % 28)))
}

/** Throws beyond what a document may hold, as every amount does. */
const inCents = (cents: number) => scaleCents(cents, 1, 1)

export interface HireProblem {
  path: 'weekCents' | 'fourWeekCents'
  message: string
}

/** What is wrong with rates: a longer time may not cost less than a shorter one, nor more than as many of those. */
export function hireProblems({ dayCents, weekCents = null, fourWeekCents = null }: HireRates): HireProblem[] {
  const found: HireProblem[] = []
  if (weekCents !== null && weekCents < dayCents)
    found.push({ path: 'weekCents', message: 'A week can’t cost less than a day.' })
  if (weekCents !== null && weekCents > 7 * dayCents)
    found.push({ path: 'weekCents', message: 'A week can’t cost more than seven days.' })
  const longest = weekCents ?? dayCents
  if (fourWeekCents !== null && fourWeekCents < longest)
    found.push({
      path: 'fourWeekCents',
      message:
        weekCents === null ? 'Four weeks can’t cost less than a day.' : 'Four weeks can’t cost less than a week.',
    })
  if (fourWeekCents !== null && fourWeekCents > 4 * (weekCents ?? 7 * dayCents))
    found.push({ path: 'fourWeekCents', message: 'Four weeks can’t cost more than four times a week.' })
  return found
}
