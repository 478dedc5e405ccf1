import type { State } from './address.ts'
import { addDays, instantAt, localDay, minutesAt, weekdayOf } from './dates.ts'
import { type HolidayChange, holidayOn } from './holidays.ts'

/** When nobody is written to by what no person sends: minutes after midnight, weekdays as a whole, public holidays. */
export interface QuietTime {
  /** From these minutes of a day, over midnight where it ends earlier; none where both are the same. */
  from: number
  /** That minute is not quiet any more. */
  to: number
  /** Monday is 1, Sunday 7. */
  weekdays: readonly number[]
  holidays: boolean
}
/** Where it is quiet: whose clocks, and whose holidays. */
export interface QuietPlace {
  zone: string
  /** Null: no holidays are known. */
  state: State | null
  changes: readonly HolidayChange[]
}

export const isQuietHour = ({ from, to }: Pick<QuietTime, 'from' | 'to'>, minutes: number): boolean =>
  from <= to ? minutes >= from && minutes < to : minutes >= from || minutes < to

/** From which minute on a day is quiet because of what day it is; null where it is a day like others. */
function quietFrom({ weekdays, holidays }: QuietTime, { state, changes }: QuietPlace, day: string): number | null {
  if (weekdays.includes(weekdayOf(day))) return 0
  const holiday = holidays && state ? holidayOn(state, day, changes) : null
  return holiday ? (holiday.fromMin ?? 0) : null
}

/** Whether a minute of a day, by the clocks there, is quiet. */
export function isQuietMinute(quiet: QuietTime, place: QuietPlace, day: string, minutes: number): boolean {
  const from = quietFrom(quiet, place, day)
  return (from !== null && minutes >= from) || isQuietHour(quiet, minutes)
}

export const isQuietAt = (quiet: QuietTime, place: QuietPlace, instant: string): boolean =>
  isQuietMinute(quiet, place, localDay(instant, place.zone), minutesAt(instant, place.zone))

/** Long enough for any row of holidays. */
const furthestDays = 370

const minuteMs = 60_000

/** Where the clocks skip the minute that ends the night, it is over with the first one there is. */
function firstMinute(found: string, isAfter: (at: string) => boolean): string {
  const before = new Date(new Date(found).getTime() - minuteMs).toISOString()
  return isAfter(before) ? firstMinute(before, isAfter) : found
}

/** The first instant from this one on that is not quiet; null where all of the coming year is. */
export function nextAllowed(quiet: QuietTime, place: QuietPlace, instant: string): string | null {
  if (!isQuietAt(quiet, place, instant)) return instant
  const today = localDay(instant, place.zone)
  const isAfter = (at: string) => at >= instant && !isQuietAt(quiet, place, at)
  // Where the clocks are set back, the minute that ends the night comes twice, and the first may be over.
  const later = quiet.to - minutesAt(instant, place.zone)
  const second = new Date((Math.floor(new Date(instant).getTime() / minuteMs) + later) * minuteMs).toISOString()
  for (let ahead = 0; ahead <= furthestDays; ahead++) {
    const day = addDays(today, ahead)
    const found = [instantAt(day, 0, place.zone), instantAt(day, quiet.to, place.zone)].find(isAfter)
    if (found !== undefined) return firstMinute(found, isAfter)
    if (ahead === 0 && later > 0 && isAfter(second)) return second
  }
  return null
}
