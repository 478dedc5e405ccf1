import { addDays } from '../../contract/core/dates.ts'
import { countUntil, nthDay } from '../../contract/core/recurrence.ts'
import type { SeriesRow } from './content.ts'

type Schedule = Pick<SeriesRow, 'everyN' | 'everyUnit' | 'anchorOn' | 'anchorN' | 'leadDays' | 'ends' | 'nextN'>

const everyOf = ({ everyN, everyUnit }: Schedule) => ({ n: everyN, unit: everyUnit })

/** The day of a cycle. Its days may have been changed after some: those before `anchorN` were counted otherwise. */
export const cycleDay = (series: Schedule, n: number): string =>
  nthDay(series.anchorOn, everyOf(series), n - series.anchorN)

/** Whether there is such a cycle, however the series ends. */
const isWithin = (series: Schedule, n: number): boolean => {
  const { ends } = series
  if (ends.type === 'count') return n < ends.n
  return ends.type === 'never' || cycleDay(series, n) <= ends.on
}

/** The cycles after the first open one whose days meet a condition; `logged` are those that something is written of. */
function* openCycles(series: Schedule, logged: ReadonlySet<number>) {
  for (let n = series.nextN; isWithin(series, n); n++) if (!logged.has(n)) yield { n, on: cycleDay(series, n) }
}
export interface Cycle {
  n: number
  on: string
}

export const dueOn = (series: Schedule, { on }: Cycle): string => addDays(on, -series.leadDays)

/** The open cycles that are due by a day, in order. */
export function dueCycles(series: Schedule, logged: ReadonlySet<number>, today: string): Cycle[] {
  const until = series.anchorN + countUntil(series.anchorOn, everyOf(series), addDays(today, series.leadDays))
  const found: Cycle[] = []
  for (const cycle of openCycles(series, logged)) {
    if (cycle.n >= until) break
    found.push(cycle)
  }
  return found
}

/** The first open cycles, from a day on where one is given. */
export function nextCycles(series: Schedule, logged: ReadonlySet<number>, count: number, from = ''): Cycle[] {
  const found: Cycle[] = []
  for (const cycle of openCycles(series, logged)) {
    if (found.length === count) break
    if (cycle.on >= from) found.push(cycle)
  }
  return found
}
