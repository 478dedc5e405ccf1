import type { State } from './address.ts'
import { addDays, weekdayOf } from './dates.ts'

/**
 * Public holidays of the states and territories by the laws of 2026, for any year. Days that only a part of a state
 * keeps (show days, regattas, cups of a town) are not among them, nor those of banks or of public servants alone: a
 * business adds what concerns it. Names are those of the law, in English.
 *
 * On weekends the laws do one of two things: the holiday is kept on another day *instead*, or on one *besides*.
 */
export interface Holiday {
  day: string
  state: State
  name: string
  /** Minutes after midnight from which the rest of the day is a holiday; null: the whole day is. */
  fromMin: number | null
  /** Its date is fixed or proclaimed; else somebody has to check it before it is relied upon. */
  isProclaimed: boolean
}

/** What a business keeps otherwise than its state: a day more, other hours of one, or a day less. */
export interface HolidayChange {
  state: State
  day: string
  name: string
  isAdded: boolean
  fromMin: number | null
}

/** Governments have published their holidays up to this year. */
const proclaimedThrough = 2027

interface Found {
  day: string
  name: string
  fromMin?: number
  isExpected?: true
}
type Rule = (year: number) => readonly Found[]

const monday = 1
const tuesday = 2
const isWeekend = (day: string) => weekdayOf(day) > 5

const dated = (year: number, date: string) => `${year}-${date}`
const fixed =
  (date: string, name: string): Rule =>
  (year) => [{ day: dated(year, date), name }]
/** The rest of a day, from an hour of the evening. */
const evening =
  (date: string, fromHour: number, name: string): Rule =>
  (year) => [{ day: dated(year, date), name, fromMin: fromHour * 60 }]

/** How many days later a holiday is kept that falls on a Saturday (6) or a Sunday (7). */
type Later = Readonly<Partial<Record<number, number>>>
const followingMonday: Later = { 6: 2, 7: 1 }
const mondayAfterSunday: Later = { 7: 1 }
/** Christmas and Boxing Day step aside for each other: the 27th is for the one, the 28th for the other. */
const twoDaysLater: Later = { 6: 2, 7: 2 }

const instead =
  (date: string, later: Later, name: string): Rule =>
  (year) => {
    const day = dated(year, date)
    return [{ day: addDays(day, later[weekdayOf(day)] ?? 0), name }]
  }
const besides =
  (date: string, later: Later, name: string): Rule =>
  (year) => {
    const day = dated(year, date)
    const days = later[weekdayOf(day)]
    const kept = { day, name }
    return days === undefined ? [kept] : [kept, { day: addDays(day, days), name: `${name} (additional day)` }]
  }

function firstOn(weekday: number, from: string): string {
  return addDays(from, (weekday - weekdayOf(from) + 7) % 7)
}
/** The n-th of a weekday in a month. */
const nth =
  (n: number, weekday: number, month: string, name: string): Rule =>
  (year) => [{ day: addDays(firstOn(weekday, `${year}-${month}-01`), (n - 1) * 7), name }]
/** The first of a weekday on or after a date. */
const firstFrom =
  (weekday: number, date: string, name: string): Rule =>
  (year) => [{ day: firstOn(weekday, dated(year, date)), name }]

/** Easter Sunday of the western churches, by the anonymous Gregorian computus. */
export function easterSunday(year: number): string {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const leapCenturies = Math.floor(century / 4)
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - leapCenturies - moonShift + 15) % 30
  const yearOfCentury = year % 100
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451)
  return addDays(`${year}-03-22`, epact + toSunday - 7 * late)
}
const easter =
  (daysAfter: number, name: string): Rule =>
  (year) => [{ day: addDays(easterSunday(year), daysAfter), name }]

/** What was declared for single years. */
const declared =
  (days: Readonly<Record<string, string>>): Rule =>
  (year) =>
    Object.entries(days).flatMap(([day, name]) => (day.startsWith(`${year}-`) ? [{ day, name }] : []))

const goodFriday = easter(-2, 'Good Friday')
const easterMonday = easter(1, 'Easter Monday')
const easterWeekend = [goodFriday, easter(-1, 'Easter Saturday'), easter(0, 'Easter Sunday'), easterMonday]
const australiaDay = instead('01-26', followingMonday, 'Australia Day')
const newYear = besides('01-01', followingMonday, 'New Year’s Day')
const christmas = besides('12-25', twoDaysLater, 'Christmas Day')
const christmasAndBoxing = [christmas, besides('12-26', twoDaysLater, 'Boxing Day')]
const kingInJune = nth(2, monday, '06', 'King’s Birthday')
const anzac = '04-25'

/** Declared by the ACT under section 3(1)(b) of its Act; on a Saturday the Act itself gives no Monday. */
const anzacOfAct = declared({ '2026-04-27': 'Anzac Day (additional day)' })
/** Public Holidays Order 2011 (NSW), for 2026 and 2027 alone. */
const anzacOfNsw = declared({
  '2026-04-27': 'Anzac Day (additional day)',
  '2027-04-26': 'Anzac Day (additional day)',
})

/** The last Monday of September, unless another one is proclaimed. */
const kingInSeptember = firstFrom(monday, '09-24', 'King’s Birthday')
const proclaimedKing: Readonly<Record<number, string>> = { 2024: '2024-09-23' }
const kingOfWa: Rule = (year) => {
  const day = proclaimedKing[year]
  return day === undefined ? kingInSeptember(year) : [{ day, name: 'King’s Birthday' }]
}

/** Appointed for each year when the league has fixed its final; until then the eve of September’s last Saturday. */
const finals: Readonly<Record<number, string>> = { 2024: '2024-09-27', 2025: '2025-09-26', 2026: '2026-09-25' }
const grandFinalFriday: Rule = (year) => {
  const name = 'Friday before the AFL Grand Final'
  const day = finals[year]
  if (day !== undefined) return [{ day, name }]
  return [{ day: addDays(firstOn(6, `${year}-09-24`), -1), name, isExpected: true }]
}

const rules: Readonly<Record<State, readonly Rule[]>> = {
  /** Holidays Act 1958 (ACT), section 3; act.gov.au, public holidays. */
  ACT: [
    newYear,
    australiaDay,
    nth(2, monday, '03', 'Canberra Day'),
    ...easterWeekend,
    instead(anzac, mondayAfterSunday, 'Anzac Day'),
    anzacOfAct,
    firstFrom(monday, '05-27', 'Reconciliation Day'),
    kingInJune,
    nth(1, monday, '10', 'Labour Day'),
    ...christmasAndBoxing,
  ],
  /** Public Holidays Act 2010 (NSW); nsw.gov.au, public holidays. */
  NSW: [
    newYear,
    australiaDay,
    ...easterWeekend,
    fixed(anzac, 'Anzac Day'),
    anzacOfNsw,
    kingInJune,
    nth(1, monday, '10', 'Labour Day'),
    ...christmasAndBoxing,
  ],
  /** Public Holidays Act 1981 (NT); nt.gov.au, public holidays. */
  NT: [
    newYear,
    australiaDay,
    ...easterWeekend,
    instead(anzac, mondayAfterSunday, 'Anzac Day'),
    nth(1, monday, '05', 'May Day'),
    kingInJune,
    nth(1, monday, '08', 'Picnic Day'),
    evening('12-24', 19, 'Christmas Eve'),
    ...christmasAndBoxing,
    evening('12-31', 19, 'New Year’s Eve'),
  ],
  /** Holidays Act 1983 (Qld), schedule; qld.gov.au, public holidays. */
  QLD: [
    newYear,
    australiaDay,
    ...easterWeekend,
    instead(anzac, mondayAfterSunday, 'Anzac Day'),
    nth(1, monday, '05', 'Labour Day'),
    nth(1, monday, '10', 'King’s Birthday'),
    evening('12-24', 18, 'Christmas Eve'),
    ...christmasAndBoxing,
  ],
  /** Public Holidays Act 2023 (SA); safework.sa.gov.au, public holidays. */
  SA: [
    newYear,
    australiaDay,
    nth(2, monday, '03', 'Adelaide Cup Day'),
    ...easterWeekend,
    besides(anzac, mondayAfterSunday, 'Anzac Day'),
    kingInJune,
    nth(1, monday, '10', 'Labour Day'),
    evening('12-24', 19, 'Christmas Eve'),
    christmas,
    besides('12-26', twoDaysLater, 'Proclamation Day'),
    evening('12-31', 19, 'New Year’s Eve'),
  ],
  /** Statutory Holidays Act 2000 (Tas), section 4; worksafe.tas.gov.au, public holidays. */
  TAS: [
    instead('01-01', followingMonday, 'New Year’s Day'),
    australiaDay,
    nth(2, monday, '03', 'Eight Hours Day'),
    goodFriday,
    easterMonday,
    fixed(anzac, 'Anzac Day'),
    kingInJune,
    christmas,
    instead('12-26', twoDaysLater, 'Boxing Day'),
  ],
  /** Public Holidays Act 1993 (Vic), sections 6 and 7; business.vic.gov.au, Victorian public holidays. */
  VIC: [
    newYear,
    australiaDay,
    nth(2, monday, '03', 'Labour Day'),
    ...easterWeekend,
    fixed(anzac, 'Anzac Day'),
    kingInJune,
    grandFinalFriday,
    nth(1, tuesday, '11', 'Melbourne Cup Day'),
    ...christmasAndBoxing,
  ],
  /** Public and Bank Holidays Act 1972 (WA), second schedule; wa.gov.au, public holidays in Western Australia. */
  WA: [
    newYear,
    australiaDay,
    nth(1, monday, '03', 'Labour Day'),
    goodFriday,
    easter(0, 'Easter Sunday'),
    easterMonday,
    besides(anzac, followingMonday, 'Anzac Day'),
    nth(1, monday, '06', 'Western Australia Day'),
    kingOfWa,
    ...christmasAndBoxing,
  ],
}

/** Two holidays of one day are one, with both names. */
function byLaw(state: State, year: number): Map<string, Holiday> {
  const days = new Map<string, Holiday>()
  for (const { day, name, fromMin, isExpected } of rules[state].flatMap((rule) => rule(year))) {
    const other = days.get(day)
    days.set(day, {
      day,
      state,
      name: other ? `${other.name}, ${name}` : name,
      fromMin: fromMin ?? null,
      isProclaimed: year <= proclaimedThrough && isExpected === undefined,
    })
  }
  return days
}

/** Those of a state in a year by day, as a business keeps them: what it says of a day counts instead of the law's. */
export function holidaysOf(state: State, year: number, changes: readonly HolidayChange[] = []): Holiday[] {
  const days = byLaw(state, year)
  for (const { day, name, isAdded, fromMin, state: of } of changes) {
    if (of !== state || !day.startsWith(`${year}-`)) continue
    if (isAdded) days.set(day, { day, state, name, fromMin, isProclaimed: true })
    else days.delete(day)
  }
  return [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

/** The holiday of a day, also where it begins in the evening; null: it is none. */
export const holidayOn = (state: State, day: string, changes: readonly HolidayChange[] = []): Holiday | null =>
  holidaysOf(state, Number(day.slice(0, 4)), changes).find((holiday) => holiday.day === day) ?? null

/** Monday to Friday, unless the whole day is a holiday. */
export function isBusinessDay(state: State, day: string, changes: readonly HolidayChange[] = []): boolean {
  if (isWeekend(day)) return false
  const holiday = holidayOn(state, day, changes)
  return holiday === null || holiday.fromMin !== null
}

/** The n-th business day after a day; the day itself never counts. */
export function nthBusinessDay(state: State, after: string, n: number, changes: readonly HolidayChange[] = []): string {
  let day = after
  for (let found = 0; found < n;) {
    day = addDays(day, 1)
    if (isBusinessDay(state, day, changes)) found++
  }
  return day
}

/** The day itself where it is a business day, else the next one. */
export const businessDayFrom = (state: State, day: string, changes: readonly HolidayChange[] = []): string =>
  isBusinessDay(state, day, changes) ? day : nthBusinessDay(state, day, 1, changes)
