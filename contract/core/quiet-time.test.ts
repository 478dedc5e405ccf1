import { describe, expect, it } from 'vitest'
import { instantAt } from './dates.ts'
import { isQuietAt, nextAllowed, type QuietPlace, type QuietTime } from './quiet-time.ts'

const night: QuietTime = { from: 19 * 60, to: 7 * 60 + 30, weekdays: [], holidays: false }
const office: QuietTime = { ...night, weekdays: [6, 7], holidays: true }
const sydney: QuietPlace = { zone: 'Australia/Sydney', state: 'NSW', changes: [] }
const next = (quiet: QuietTime, at: string, place = sydney) => nextAllowed(quiet, place, at)
const isQuiet = (quiet: QuietTime, day: string, minutes: number, place = sydney) =>
  isQuietAt(quiet, place, instantAt(day, minutes, place.zone))

describe('quiet hours', () => {
  it('end with their last minute: 07:30 is allowed, and 19:00 is quiet', () => {
    const minutes = [7 * 60 + 29, 7 * 60 + 30, 18 * 60 + 59, 19 * 60]
    expect(minutes.map((minute) => isQuiet(night, '2026-05-12', minute))).toEqual([true, false, false, true])
  })

  it('may lie within a day, and there are none where they begin as they end', () => {
    const noon = { ...night, from: 12 * 60, to: 13 * 60 }
    expect([719, 720, 779, 780].map((m) => isQuiet(noon, '2026-05-12', m))).toEqual([false, true, true, false])
    expect([0, 420, 1439].some((m) => isQuiet({ ...noon, to: 12 * 60 }, '2026-05-12', m))).toBe(false)
  })

  it('wait for the morning, or for the end of the pause', () => {
    expect(next(night, '2026-05-12T09:00:00.000Z')).toBe('2026-05-12T21:30:00.000Z')
    expect(next(night, '2026-05-12T02:00:00.000Z')).toBe('2026-05-12T02:00:00.000Z')
    expect(next({ ...night, from: 720, to: 780 }, instantAt('2026-05-12', 730, sydney.zone))).toBe(
      instantAt('2026-05-12', 780, sydney.zone),
    )
  })
})

describe('quiet days', () => {
  it('are weekends and holidays of the state, one after the other: Easter of 2026', () => {
    const afterEaster = '2026-04-06T21:30:00.000Z'
    for (const day of ['2026-04-03', '2026-04-04', '2026-04-05', '2026-04-06'])
      expect([isQuiet(office, day, 9 * 60), next(office, instantAt(day, 9 * 60, sydney.zone))]).toEqual([
        true,
        afterEaster,
      ])
    expect(isQuiet(office, '2026-04-02', 9 * 60)).toBe(false)
    expect(instantAt('2026-04-07', 9 * 60, sydney.zone)).toBe('2026-04-06T23:00:00.000Z')
  })

  it('are another state’s elsewhere, and nobody’s where none is known', () => {
    const cup = '2026-11-03'
    const melbourne: QuietPlace = { ...sydney, zone: 'Australia/Melbourne', state: 'VIC' }
    expect(isQuiet(office, cup, 600, melbourne)).toBe(true)
    expect(isQuiet(office, cup, 600)).toBe(false)
    expect(isQuiet(office, '2026-04-03', 600, { ...sydney, state: null })).toBe(false)
  })

  it('are as the business keeps them, and begin in the evening where the holiday does', () => {
    const change = { state: 'NSW', day: '2026-12-24', name: 'Christmas Eve', isAdded: true, fromMin: 720 } as const
    const own: QuietPlace = { ...sydney, changes: [change] }
    expect([719, 720].map((minute) => isQuiet(office, '2026-12-24', minute, own))).toEqual([false, true])
    const works = { ...change, day: '2026-04-03', isAdded: false, fromMin: null }
    expect(isQuiet(office, '2026-04-03', 600, { ...sydney, changes: [works] })).toBe(false)
  })

  it('leave no instant where every weekday is quiet', () => {
    expect(next({ ...office, weekdays: [1, 2, 3, 4, 5, 6, 7] }, '2026-05-12T02:00:00.000Z')).toBeNull()
  })
})

describe('the Sundays on which clocks are changed', () => {
  it('2026-10-03T13:59:59Z is Saturday, 14:00:00Z Sunday, until 2026-10-04T13:00Z', () => {
    const sunday = { ...night, from: 0, to: 0, weekdays: [7] }
    const instants = ['2026-10-03T13:59:59Z', '2026-10-03T14:00:00Z', '2026-10-04T12:59:59Z', '2026-10-04T13:00:00Z']
    expect(instants.map((at) => isQuietAt(sunday, sydney, at))).toEqual([false, true, true, false])
    expect(next(sunday, '2026-10-03T14:00:00.000Z')).toBe('2026-10-04T13:00:00.000Z')
  })

  it('move the morning by an hour: the wall time counts', () => {
    expect(next(night, '2026-10-03T12:00:00.000Z')).toBe('2026-10-03T20:30:00.000Z')
    expect(next(night, '2027-04-03T12:00:00.000Z')).toBe('2027-04-03T21:30:00.000Z')
  })

  it('a skipped minute ends the night with the next one there is, and one that comes twice ends it twice', () => {
    const short = { ...night, to: 2 * 60 + 30 }
    expect(next(short, '2026-10-03T15:00:00.000Z')).toBe('2026-10-03T16:00:00.000Z')
    expect(next(short, '2027-04-03T15:10:00.000Z')).toBe('2027-04-03T15:30:00.000Z')
    expect(isQuietAt(short, sydney, '2027-04-03T15:40:00.000Z')).toBe(false)
    expect(next(short, '2027-04-03T16:10:00.000Z')).toBe('2027-04-03T16:30:00.000Z')
  })

  it.each(['2026-10-03', '2027-04-03'])('any instant of the night of %s waits for the first that is allowed', (day) => {
    const short = { ...night, to: 2 * 60 + 30 }
    const first = new Date(instantAt(day, 23 * 60, sydney.zone)).getTime()
    const steps = Array.from({ length: 30 }, (_, i) => new Date(first + i * 900_000).toISOString())
    for (const [i, at] of steps.slice(0, 16).entries())
      expect([at, next(short, at)]).toEqual([at, steps.slice(i).find((one) => !isQuietAt(short, sydney, one))])
  })
})
