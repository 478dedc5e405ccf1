export const defaultDateTimePattern = 'd-m-Y H:i'

const msPerDay = 86_400_000
const dayText = /^(\d{4})-(\d{2})-(\d{2})$/

const formatters = new Map<string, Intl.DateTimeFormat>()
/** Making a formatter costs a hundred times more than using it. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const { timeZone, month, weekday, hour, timeZoneName } = options
  const key = `${locale}|${timeZone}|${month}|${weekday}|${hour}|${timeZoneName}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locale, options)
  if (formatters.size > 500) formatters.clear()
  formatters.set(key, made)
  return made
}

const part = (format: Intl.DateTimeFormat, at: Date, type: Intl.DateTimeFormatPartTypes) =>
  format.formatToParts(at).find((p) => p.type === type)?.value ?? ''

interface Wall {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

function wallClock(at: Date, zone: string): Wall {
  // Days are read in UTC, and need no formatter.
  if (zone === 'UTC')
    return {
      year: at.getUTCFullYear(),
      month: at.getUTCMonth() + 1,
      day: at.getUTCDate(),
      hour: at.getUTCHours(),
      minute: at.getUTCMinutes(),
      second: at.getUTCSeconds(),
    }
  const format = formatter('en-u-ca-gregory-nu-latn', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  })
  const wall: Record<string, number> = {}
  for (const p of format.formatToParts(at)) if (p.type !== 'literal') wall[p.type] = Number(p.value)
  return {
    year: wall.year ?? 0,
    month: wall.month ?? 0,
    day: wall.day ?? 0,
    hour: wall.hour ?? 0,
    minute: wall.minute ?? 0,
    second: wall.second ?? 0,
  }
}

const pad = (n: number, width = 2) => String(n).padStart(width, '0')
const dayOf = (year: number, month: number, day: number) => `${pad(year, 4)}-${pad(month)}-${pad(day)}`

function instant(iso: string): Date {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) throw new RangeError(`Not an instant: ${iso}`)
  return at
}

function utcOfDay(day: string): number {
  const parts = dayText.exec(day)
  const at = parts ? Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])) : Number.NaN
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day) throw new RangeError(`Not a day: ${day}`)
  return at
}

const dayOfUtc = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The calendar day of an instant in a zone. */
export function localDay(instantIso: string, zone: string): string {
  const wall = wallClock(instant(instantIso), zone)
  return dayOf(wall.year, wall.month, wall.day)
}

/** How many minutes after midnight the clocks of a zone show at an instant. */
export function minutesAt(instantIso: string, zone: string): number {
  const { hour, minute } = wallClock(instant(instantIso), zone)
  return hour * 60 + minute
}

/** What the clocks of a zone show at an instant: `YYYY-MM-DDTHH:MM`. */
function wallTime(instantIso: string, zone: string): string {
  const { hour, minute } = wallClock(instant(instantIso), zone)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${localDay(instantIso, zone)}T${two(hour)}:${two(minute)}`
}
/**
 * The instant of a wall time `YYYY-MM-DDTHH:MM` in a zone, the earlier of two; null where the clocks skip it.
 */
export function instantOfWall(wall: string, zone: string): string | null {
  const [day = '', time = ''] = wall.split('T')
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const at = instantAt(day, hours * 60 + minutes, zone)
  return wallTime(at, zone) === wall ? at : null
}

export const addDays = (day: string, days: number): string => dayOfUtc(utcOfDay(day) + days * msPerDay)

/**
 * The same day of a later month, or its last day: always count from the first date of a series,
 * so that the 31st comes back.
 */
export function addMonths(day: string, months: number): string {
  const from = new Date(utcOfDay(day))
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return dayOf(first.getUTCFullYear(), first.getUTCMonth() + 1, Math.min(from.getUTCDate(), last))
}

export const endOfMonth = (day: string): string => addDays(addMonths(`${day.slice(0, 8)}01`, 1), -1)

/** Monday to Sunday around a day. */
export function weekOf(day: string): { from: string; to: string } {
  const sinceMonday = (new Date(utcOfDay(day)).getUTCDay() + 6) % 7
  const from = addDays(day, -sinceMonday)
  return { from, to: addDays(from, 6) }
}

/** Monday is 1, Sunday 7. */
export const weekdayOf = (day: string): number => daysBetween(weekOf(day).from, day) + 1

/** Below zero when the first is earlier, zero when equal. */
export const compareDays = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Whole days from the first to the second. */
export const daysBetween = (from: string, to: string): number => Math.round((utcOfDay(to) - utcOfDay(from)) / msPerDay)

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  const wall = wallClock(new Date(at), zone)
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second) - at
}

/**
 * The instant when the clocks of a zone show `minutes` after midnight: the first where they show it twice, the next one
 * that exists where they skip it.
 */
export function instantAt(day: string, minutes: number, zone: string): string {
  const shown = utcOfDay(day) + minutes * 60_000
  const candidates = [shown - msPerDay, shown + msPerDay].map((near) => shown - offsetAt(near, zone))
  const exact = candidates.filter((at) => at + offsetAt(at, zone) === shown)
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates)).toISOString()
}

/** The first instant of a day in a zone, also where the clock skips or repeats midnight. */
export const startOfDay = (day: string, zone: string): string => instantAt(day, 0, zone)

/** Overdue from local midnight after the due day. */
export const isOverdue = (dueDay: string, nowIso: string, zone: string): boolean => localDay(nowIso, zone) > dueDay

/** The Australian financial year, 1 July to 30 June. */
export function financialYear(day: string): { label: string; start: string; end: string } {
  utcOfDay(day)
  const year = Number(day.slice(0, 4))
  const startYear = Number(day.slice(5, 7)) >= 7 ? year : year - 1
  return {
    label: `${startYear}-${pad((startYear + 1) % 100)}`,
    start: `${startYear}-07-01`,
    end: `${startYear + 1}-06-30`,
  }
}

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

function ordinalSuffix(day: number, locale: string): string {
  if (locale.startsWith('fr')) return day === 1 ? 'er' : ''
  if (!locale.startsWith('en')) return ''
  if (day >= 11 && day <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'
}

interface Shown {
  at: Date
  wall: Wall
  zone: string
  locale: string
  hasTime: boolean
}

const named = ({ at, zone, locale }: Shown, options: Intl.DateTimeFormatOptions, type: Intl.DateTimeFormatPartTypes) =>
  part(formatter(`${locale}-u-ca-gregory-nu-latn`, { timeZone: zone, ...options }), at, type)
// A month beside a day stands in the genitive in some languages; that is how a date is read.
const month = (s: Shown, width: 'short' | 'long') => named(s, { day: 'numeric', month: width }, 'month')
const halfDay = (s: Shown) => named(s, { hour: 'numeric', hour12: true }, 'dayPeriod')
const twelve = (hour: number) => hour % 12 || 12

const letters: Record<string, (s: Shown) => string> = {
  d: (s) => pad(s.wall.day),
  j: (s) => String(s.wall.day),
  D: (s) => named(s, { weekday: 'short' }, 'weekday'),
  l: (s) => named(s, { weekday: 'long' }, 'weekday'),
  S: (s) => ordinalSuffix(s.wall.day, s.locale),
  m: (s) => pad(s.wall.month),
  n: (s) => String(s.wall.month),
  M: (s) => month(s, 'short'),
  F: (s) => month(s, 'long'),
  Y: (s) => pad(s.wall.year, 4),
  y: (s) => pad(s.wall.year % 100),
  H: (s) => pad(s.wall.hour),
  G: (s) => String(s.wall.hour),
  h: (s) => pad(twelve(s.wall.hour)),
  g: (s) => String(twelve(s.wall.hour)),
  i: (s) => pad(s.wall.minute),
  s: (s) => pad(s.wall.second),
  A: (s) => halfDay(s).toUpperCase(),
  a: (s) => halfDay(s).toLowerCase(),
  T: (s) =>
    s.hasTime
      ? part(formatter('en-AU', { timeZone: s.zone, hour: 'numeric', timeZoneName: 'short' }), s.at, 'timeZoneName')
      : '',
}

/**
 * Writes an instant (in the given zone) or a day by a PHP pattern: d j D l S m n M F Y y H G h g i s A a T, `\x` for a
 * plain x. Names are in the locale, digits always latin.
 */
export function formatPattern(
  value: string,
  pattern: string,
  { zone, locale }: { zone: string; locale: string },
): string {
  const hasTime = !dayText.test(value)
  const at = hasTime ? instant(value) : new Date(utcOfDay(value))
  const shownZone = hasTime ? zone : 'UTC'
  const shown: Shown = { at, wall: wallClock(at, shownZone), zone: shownZone, locale, hasTime }
  return pattern.replace(
    /\\(.)|([A-Za-z])/gs,
    (all, escaped?: string, letter?: string) => escaped ?? letters[letter ?? '']?.(shown) ?? all,
  )
}
