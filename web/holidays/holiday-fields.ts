import { instantAt } from '../../contract/core/dates.ts'
import { holidayInput, type HolidayInput } from '../../contract/holidays.ts'
import type { Format } from '../core/i18n/format.ts'
import type { Fields } from '../record/record-facts.tsx'

/** When the holiday of a day begins, as the clocks of the business show it. */
export const beginsAt = (f: Format, day: string, fromMin: number) => f.time(instantAt(day, fromMin, f.zone))

/** What is known of a holiday of the business, in the order of the form. */
export const holidayFields: Fields<HolidayInput> = {
  schema: holidayInput,
  rows: {
    state: { label: 'setup:holidays.state' },
    day: { label: 'setup:holidays.day' },
    name: { label: 'setup:holidays.name' },
    isAdded: { label: 'setup:holidays.kept' },
    fromMin: {
      label: 'setup:holidays.from',
      hint: 'setup:holidays.fromHint',
      show: (minutes, { f }, { day }) =>
        minutes === null || typeof day !== 'string' ? null : beginsAt(f, day, minutes),
    },
  },
}
