import { describe, expect, it } from 'vitest'
import { type State, states } from './address.ts'
import { addDays, instantAt } from './dates.ts'
import {
  businessDayFrom,
  easterSunday,
  type Holiday,
  type HolidayChange,
  holidayOn,
  holidaysOf,
  isBusinessDay,
  nthBusinessDay,
} from './holidays.ts'
import golden from './holidays.golden.json' with { type: 'json' }

/** As the governments write their lists: the day, its name, and from which hour. A `?` waits for its proclamation. */
const line = ({ day, name, fromMin, isProclaimed }: Holiday) =>
  [day.slice(5), name, ...(fromMin === null ? [] : [`from ${fromMin / 60}`]), ...(isProclaimed ? [] : ['?'])].join(' ')
const years = Array.from({ length: 101 }, (_, n) => 2000 + n)
const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay()
const named = (state: State, year: number, name: string) =>
  holidaysOf(state, year)
    .filter((holiday) => holiday.name.startsWith(name))
    .map(({ day }) => day.slice(5))

describe('public holidays', () => {
  it.each(states)('are those that %s has published', (state) => {
    for (const [year, lines] of Object.entries(golden[state]))
      expect(holidaysOf(state, Number(year)).map(line)).toEqual(lines)
  })

  it('know Easter of four centuries', () => {
    const sundays = ['1818-03-22', '1943-04-25', '2000-04-23', '2008-03-23', '2024-03-31', '2038-04-25', '2100-03-28']
    expect(sundays.map((day) => easterSunday(Number(day.slice(0, 4))))).toEqual(sundays)
  })

  it('never fail, name no day twice, and are in order', () => {
    for (const state of states)
      for (const year of years) {
        const days = holidaysOf(state, year).map(({ day }) => day)
        expect(days).toEqual([...new Set(days)].toSorted())
        expect(days.every((day) => day.startsWith(`${year}-`))).toBe(true)
        expect(days.length).toBeGreaterThanOrEqual(9)
        expect(days).toContain(addDays(easterSunday(year), -2))
      }
  })

  it('keep Christmas on a working day in every state and year', () => {
    for (const state of states)
      for (const year of years) {
        const kept = ['25', '26', '27', '28'].map((day) => `${year}-12-${day}`)
        expect(kept.filter((day) => !isBusinessDay(state, day) && weekday(day) % 6 !== 0)).toHaveLength(2)
      }
  })

  it('step aside for weekends as each state says', () => {
    // 1 January 2028 is a Saturday.
    expect(named('NSW', 2028, 'New Year’s Day')).toEqual(['01-01', '01-03'])
    expect(named('TAS', 2028, 'New Year’s Day')).toEqual(['01-03'])
    // Christmas 2022 was a Sunday: the 26th is Boxing Day, so Christmas gets the 27th.
    expect(named('VIC', 2022, 'Christmas Day')).toEqual(['12-25', '12-27'])
    expect(named('VIC', 2022, 'Boxing Day')).toEqual(['12-26'])
    expect(named('WA', 2024, 'King’s Birthday')).toEqual(['09-23'])
    // 25 April 2032 is a Sunday; 2037 a Saturday.
    expect(states.filter((state) => named(state, 2032, 'Anzac').includes('04-26'))).toEqual([
      'ACT',
      'NT',
      'QLD',
      'SA',
      'WA',
    ])
    expect(states.filter((state) => named(state, 2037, 'Anzac').includes('04-27'))).toEqual(['WA'])
  })

  it('are one where two meet, with both names', () => {
    expect(holidayOn('NSW', '2038-04-25')?.name).toBe('Easter Sunday, Anzac Day')
    expect(holidayOn('WA', '2038-04-26')?.name).toBe('Easter Monday, Anzac Day (additional day)')
  })

  it('are not proclaimed after 2027', () => {
    expect(holidayOn('NSW', '2027-12-25')?.isProclaimed).toBe(true)
    expect(holidayOn('NSW', '2028-12-25')?.isProclaimed).toBe(false)
    expect(holidayOn('VIC', '2026-09-25')?.isProclaimed).toBe(true)
    expect(holidayOn('VIC', '2027-09-24')?.isProclaimed).toBe(false)
  })
})

describe('what a business keeps otherwise', () => {
  const change = (facts: Partial<HolidayChange>): HolidayChange => ({
    state: 'QLD',
    day: '2026-08-12',
    name: 'Royal Queensland Show',
    isAdded: true,
    fromMin: null,
    ...facts,
  })

  it('adds a day, takes one away, and gives one other hours', () => {
    const changes = [
      change({}),
      change({ day: '2026-04-04', isAdded: false }),
      change({ day: '2026-12-24', name: 'Christmas Eve', fromMin: 720 }),
    ]
    expect(isBusinessDay('QLD', '2026-08-12')).toBe(true)
    expect(isBusinessDay('QLD', '2026-08-12', changes)).toBe(false)
    expect(holidayOn('QLD', '2026-04-04', changes)).toBeNull()
    expect(holidayOn('QLD', '2026-12-24', changes)).toMatchObject({ fromMin: 720, isProclaimed: true })
    expect(holidaysOf('QLD', 2026, changes)).toHaveLength(holidaysOf('QLD', 2026).length)
  })

  it('concerns its state and its year alone', () => {
    expect(holidaysOf('NSW', 2026, [change({})])).toEqual(holidaysOf('NSW', 2026))
    expect(holidaysOf('QLD', 2027, [change({})])).toEqual(holidaysOf('QLD', 2027))
  })
})

describe('business days', () => {
  it('pass over weekends and holidays', () => {
    expect(nthBusinessDay('NSW', '2026-12-24', 2)).toBe('2026-12-30')
    expect(nthBusinessDay('NSW', '2026-12-24', 1)).toBe('2026-12-29')
    expect(nthBusinessDay('NSW', '2026-12-30', 2)).toBe('2027-01-04')
    expect(nthBusinessDay('NSW', '2026-11-26', 0)).toBe('2026-11-26')
  })

  it('take a day along whose evening alone is a holiday', () => {
    expect(isBusinessDay('SA', '2026-12-24')).toBe(true)
    expect(nthBusinessDay('QLD', '2026-12-23', 1)).toBe('2026-12-24')
  })

  it('put off what falls on Good Friday until after Easter', () => {
    const dueOn = '2026-04-02'
    const day = businessDayFrom('NSW', addDays(dueOn, 1))
    expect(instantAt(day, 9 * 60, 'Australia/Sydney')).toBe('2026-04-06T23:00:00.000Z')
    expect(businessDayFrom('NSW', dueOn)).toBe(dueOn)
  })
})
