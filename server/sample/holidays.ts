import { addDays } from '../../contract/core/dates.ts'
import { easterSunday } from '../../contract/core/holidays.ts'
import { type HolidayInput, holidaysApi } from '../../contract/holidays.ts'
import { holidays } from '../holidays/holidays.service.ts'
import { play, type Stage } from './actors.ts'

type Kept = Pick<HolidayInput, 'state' | 'day' | 'isAdded'> & Partial<HolidayInput>

/** Each year the yard works on Easter Saturday, and closes early before Christmas; Brisbane keeps its show day. */
export async function makeHolidays(stage: Stage, today: string): Promise<void> {
  const year = Number(today.slice(0, 4))
  const kept: readonly Kept[] = [
    { state: 'NSW', day: addDays(easterSunday(year), -1), isAdded: false },
    { state: 'NSW', day: `${year}-12-24`, name: 'Christmas Eve', fromMin: 12 * 60, isAdded: true },
    { state: 'QLD', day: '2026-08-12', name: 'Royal Queensland Show', isAdded: true },
  ]
  for (const change of kept) await play(stage, holidaysApi.create, holidays.create, change)
}
