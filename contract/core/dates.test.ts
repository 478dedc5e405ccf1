import { describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  compareDays,
  daysBetween,
  defaultDateTimePattern,
  endOfMonth,
  financialYear,
  formatPattern,
  instantAt,
  isOverdue,
  isTimeZone,
  localDay,
  startOfDay,
} from './dates.ts'

const sydney = 'Australia/Sydney'
const perth = 'Australia/Perth'
const en = { zone: sydney, locale: 'en' }

describe('dates by pattern', () => {
  test.each([
    ['2026-07-09T04:05:06Z', 'd-m-Y H:i', 'UTC', 'en', '09-07-2026 04:05'],
    ['2026-07-09T04:05:06Z', 'd-m-Y H:i', sydney, 'en', '09-07-2026 14:05'],
    ['2026-07-09T04:05:06Z', 'd-m-Y H:i', perth, 'en', '09-07-2026 12:05'],
    ['2026-07-09T04:05:06Z', 'j/n/y G:i:s', 'UTC', 'en', '9/7/26 4:05:06'],
    ['2026-07-09T14:00:00Z', 'd-m-Y H:i', sydney, 'en', '10-07-2026 00:00'],
    ['2026-07-09T14:30:00Z', 'g:i a, h A', sydney, 'en', '12:30 am, 12 AM'],
    ['2026-07-09T02:30:00Z', 'g:i a', sydney, 'en', '12:30 pm'],
    ['2026-07-09T04:05:06Z', 'l, jS F Y', 'UTC', 'en', 'Thursday, 9th July 2026'],
    ['2026-07-09T04:05:06Z', 'D j M', 'UTC', 'en', 'Thu 9 Jul'],
    ['2026-07-09T04:05:06Z', 'l j F Y', 'UTC', 'fr', 'jeudi 9 juillet 2026'],
    ['2026-07-01T04:05:06Z', 'jS F', 'UTC', 'fr', '1er juillet'],
    ['2026-07-09T04:05:06Z', 'l j F Y H:i', 'UTC', 'ar', 'الخميس 9 يوليو 2026 04:05'],
    ['2026-07-09T04:05:06Z', '\\d\\a\\y d', 'UTC', 'en', 'day 09'],
    ['2026-07-09T04:05:06Z', 'Y年', 'UTC', 'en', '2026年'],
    ['2026-07-09T04:05:06Z', 'H:i T', sydney, 'en', '14:05 AEST'],
    ['2026-12-09T04:05:06Z', 'H:i T', sydney, 'en', '15:05 AEDT'],
    ['2026-12-09T04:05:06Z', 'H:i T', perth, 'en', '12:05 AWST'],
    ['2026-07-22', 'd-m-Y', perth, 'en', '22-07-2026'],
    ['2026-07-22', 'jS', 'Pacific/Auckland', 'en', '22nd'],
    ['2026-07-11', 'jS', sydney, 'en', '11th'],
    ['2026-07-23', 'jS', sydney, 'en', '23rd'],
  ])('%s as %s in %s for %s', (value, pattern, zone, locale, expected) => {
    expect(formatPattern(value, pattern, { zone, locale })).toBe(expected)
  })

  test('every hour of the days the clock changes is written once or twice, in order', () => {
    const hours = (from: string, count: number) =>
      Array.from({ length: count }, (_, i) =>
        formatPattern(new Date(Date.parse(from) + i * 3_600_000).toISOString(), 'd H:i T', en),
      )
    expect(hours('2026-10-03T15:00:00Z', 3)).toEqual(['04 01:00 AEST', '04 03:00 AEDT', '04 04:00 AEDT'])
    expect(hours('2027-04-03T15:00:00Z', 3)).toEqual(['04 02:00 AEDT', '04 02:00 AEST', '04 03:00 AEST'])
  })

  test('the default pattern is the specification’s', () => {
    expect(formatPattern('2026-01-02T03:04:05Z', defaultDateTimePattern, { zone: 'UTC', locale: 'en' })).toBe(
      '02-01-2026 03:04',
    )
    expect(() => formatPattern('yesterday', 'd', en)).toThrow(RangeError)
  })
})

describe('days', () => {
  test('the day of an instant depends on the zone', () => {
    expect(localDay('2026-07-09T13:59:59.999Z', sydney)).toBe('2026-07-09')
    expect(localDay('2026-07-09T14:00:00Z', sydney)).toBe('2026-07-10')
    expect(localDay('2026-07-09T14:00:00Z', perth)).toBe('2026-07-09')
    expect(localDay('2026-07-09T14:00:00Z', 'Australia/Adelaide')).toBe('2026-07-09')
  })

  test('an invoice is overdue from local midnight after its due day, also when the clock changes', () => {
    expect(isOverdue('2026-10-04', '2026-10-04T12:59:59Z', sydney)).toBe(false)
    expect(isOverdue('2026-10-04', '2026-10-04T13:00:00Z', sydney)).toBe(true)
    expect(isOverdue('2027-04-04', '2027-04-04T13:59:59Z', sydney)).toBe(false)
    expect(isOverdue('2027-04-04', '2027-04-04T14:00:00Z', sydney)).toBe(true)
    expect(isOverdue('2026-10-04', '2026-10-04T13:59:59Z', 'Australia/Brisbane')).toBe(false)
    expect(isOverdue('2026-10-04', '2026-10-04T13:30:00Z', 'Australia/Adelaide')).toBe(true)
    expect(isOverdue('2026-10-04', '2026-10-04T16:00:00Z', perth)).toBe(true)
  })

  test('a day starts at local midnight, or at the first instant there is', () => {
    expect(startOfDay('2026-10-04', sydney)).toBe('2026-10-03T14:00:00.000Z')
    expect(startOfDay('2026-10-05', sydney)).toBe('2026-10-04T13:00:00.000Z')
    expect(startOfDay('2027-04-05', sydney)).toBe('2027-04-04T14:00:00.000Z')
    expect(startOfDay('2026-07-01', 'UTC')).toBe('2026-07-01T00:00:00.000Z')
    expect(startOfDay('2026-09-06', 'America/Santiago')).toBe('2026-09-06T04:00:00.000Z')
    expect(startOfDay('2026-11-01', 'America/Havana')).toBe('2026-11-01T04:00:00.000Z')
    for (const zone of [sydney, perth, 'Australia/Lord_Howe', 'America/Santiago', 'Africa/Cairo'])
      for (let day = '2026-01-01'; day < '2027-01-01'; day = addDays(day, 1)) {
        const start = startOfDay(day, zone)
        expect([localDay(start, zone), localDay(new Date(Date.parse(start) - 1).toISOString(), zone)]).toEqual([
          day,
          addDays(day, -1),
        ])
      }
  })

  test('a time of a day is an instant, also where the clock skips it or shows it twice', () => {
    expect(instantAt('2026-07-01', 9 * 60 + 30, sydney)).toBe('2026-06-30T23:30:00.000Z')
    expect(instantAt('2026-12-01', 9 * 60 + 30, sydney)).toBe('2026-11-30T22:30:00.000Z')
    expect(instantAt('2026-10-04', 2 * 60 + 30, sydney)).toBe('2026-10-03T16:30:00.000Z')
    expect(instantAt('2026-04-05', 2 * 60 + 30, sydney)).toBe('2026-04-04T15:30:00.000Z')
    expect(instantAt('2026-04-05', 3 * 60 + 30, sydney)).toBe('2026-04-04T17:30:00.000Z')
  })

  test('a monthly series keeps its month end', () => {
    expect([1, 2, 3].map((n) => addMonths('2027-01-31', n))).toEqual(['2027-02-28', '2027-03-31', '2027-04-30'])
    expect(addMonths('2028-01-30', 1)).toBe('2028-02-29')
    expect(addMonths('2026-03-31', -1)).toBe('2026-02-28')
    expect(addMonths('2026-11-15', 14)).toBe('2028-01-15')
    expect(endOfMonth('2028-02-03')).toBe('2028-02-29')
  })

  test('days are counted and compared as days', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(daysBetween('2026-10-03', '2026-10-05')).toBe(2)
    expect(compareDays('2026-10-03', '2026-10-05')).toBe(-1)
    expect(() => addDays('2026-02-30', 1)).toThrow(RangeError)
  })

  test('the financial year runs from July to June', () => {
    expect(financialYear('2026-06-30')).toEqual({ label: '2025-26', start: '2025-07-01', end: '2026-06-30' })
    expect(financialYear('2026-07-01')).toEqual({ label: '2026-27', start: '2026-07-01', end: '2027-06-30' })
  })

  test('a zone is one the runtime knows', () => {
    expect(isTimeZone('Australia/Hobart')).toBe(true)
    expect(isTimeZone('Mars/Base')).toBe(false)
  })
})
