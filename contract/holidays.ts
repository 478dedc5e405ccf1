import { z } from 'zod'
import { type Address, type State, states } from './core/address.ts'
import { answerOf } from './core/answer.ts'
import { day, guid, maybe, text, timestamp } from './core/common.ts'
import { del, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { nouns } from './nouns.ts'

/** Holidays are kept from the first of these years to the last. */
export const holidayYears = { first: 2000, last: 2100 } as const

const minutesOfDay = 1440
const onceADay = z
  .int()
  .min(1)
  .max(minutesOfDay - 1)

const changeFields = {
  state: z.enum(states),
  day,
  /** Of a day that is added; one that is removed is called what the state calls it. */
  name: maybe(text(80)),
  /** False: the business works on a holiday of its state. */
  isAdded: z.boolean().default(true),
  /** Minutes after midnight from which the rest of the day is a holiday; null: the whole day is. */
  fromMin: maybe(onceADay),
}
export const holidayInput = z.strictObject(changeFields)
export type HolidayInput = z.infer<typeof holidayInput>
/** The day and its state stay: another day is another change. */
export const holidayChanges = z.strictObject({ name: text(80), fromMin: maybe(onceADay) })

const change = z.object({
  guid,
  version: z.int(),
  ...answerOf(changeFields),
  name: z.string(),
  updatedAt: timestamp,
  /** Whoever changed it last. */
  updatedBy: z.string().nullable(),
})
export type HolidayOfBusiness = z.infer<typeof change>

const holiday = z.object({
  day,
  state: z.enum(states),
  name: z.string(),
  fromMin: z.int().nullable(),
  isProclaimed: z.boolean(),
  /** The change that it is kept by, where it is not as the state has it. */
  changeGuid: guid.nullable(),
})
export type ShownHoliday = z.infer<typeof holiday>
const one = z.object({ change })

/** Where a business keeps its holidays: as it says itself, or else by its address. */
export const holidayStateOf = (business: { holidayState: State | null; address: Address | null }): State | null =>
  business.holidayState ?? business.address?.state ?? null

export const holidaysApi = {
  list: get({
    path: '/Holidays',
    effect: 'read',
    can: nouns.Holidays.pages.list.can,
    summary: 'The public holidays of a state in a year, as the business keeps them, and what it changed',
    query: z.strictObject({
      /** That of the business, where none is named. */
      state: z.enum(states).optional(),
      /** This year, where none is named. */
      year: z.coerce.number<string | number>().int().min(holidayYears.first).max(holidayYears.last).optional(),
    }),
    response: z.object({
      /** Null: the business has neither a state for its holidays nor an address. */
      state: z.enum(states).nullable(),
      year: z.int(),
      holidays: z.array(holiday),
      changes: z.array(change),
    }),
  }),
  get: get({
    path: '/Holidays/:guid',
    effect: 'read',
    can: ['read', 'Holidays:Preview:Guid'],
    summary: 'One change of the public holidays',
    response: one,
  }),
  create: post({
    path: '/Holidays',
    effect: 'write',
    can: ['create', 'Holidays:Create'],
    status: 201,
    message: 'Holiday changed.',
    summary: 'Adds a holiday, gives one another name or other hours, or with `isAdded: false` removes one',
    body: holidayInput,
    response: one,
  }),
  update: patch({
    path: '/Holidays/:guid',
    effect: 'write',
    can: ['update', 'Holidays:Update:Guid'],
    message: 'Holiday saved.',
    summary: 'Changes the name and the hours of a holiday that was added',
    body: patchOf(holidayChanges),
    response: one,
  }),
  remove: del({
    path: '/Holidays/:guid',
    effect: 'write',
    can: ['delete', 'Holidays:Delete:Guid'],
    message: 'Change undone.',
    summary: 'Undoes a change: the day is again as the state has it',
    response: z.null(),
  }),
}
