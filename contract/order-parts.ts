import { z } from 'zod'
import { cents, day, guid, longText, maybe, text, timestamp, version } from './core/common.ts'
import { post } from './core/op.ts'
import { nouns } from './nouns.ts'
import { substatusShape } from './substatuses.ts'

const { pages } = nouns.Orders

/** One leads; everybody else works along. */
const peopleRoles = ['lead', 'crew'] as const
export const maxPeople = 30

const person = z.object({ guid, name: z.string() })
const check = z.object({
  code: z.string(),
  label: z.string(),
  isRequired: z.boolean(),
  isDone: z.boolean(),
  doneAt: timestamp.nullable(),
  doneBy: z.string().nullable(),
})
const cost = z.object({ guid, on: day, text: z.string(), cents, byName: z.string().nullable() })
export type OrderCost = z.infer<typeof cost>

/** Only staff read it. */
const note = z.object({ guid, text: z.string(), at: timestamp, byName: z.string().nullable() })

/** What an order has beside its lines, for everybody who sees it. */
export const orderParts = {
  substatus: substatusShape.nullable(),
  /** Who works along; the lead is `assigned`. */
  crew: z.array(person),
  /** Of the job type, as it was when the order was made. */
  checks: z.array(check),
  /** The newest first. */
  notes: z.array(note),
}
/** The same for those who see what things cost; null for all others. */
export const orderCosts = {
  costs: z.array(cost).nullable(),
  /** What was ordered without GST, less what its lines and the order cost. */
  profitCents: cents.nullable(),
}

const people = z
  .array(z.strictObject({ userGuid: guid, role: z.enum(peopleRoles) }))
  .max(maxPeople, `Choose up to ${maxPeople} people.`)
  .refine((given) => new Set(given.map(({ userGuid }) => userGuid)).size === given.length, 'List each person once.')
  .refine((given) => given.filter(({ role }) => role === 'lead').length <= 1, 'Choose one lead.')

/** A negative amount corrects an earlier one: nothing that is written here changes. */
export const costInput = z.strictObject({
  on: day,
  text: text(120),
  cents: cents.refine((given) => given !== 0, 'Enter an amount other than zero.'),
})
export type CostInput = z.infer<typeof costInput>

export const longestNote = 4000
/** Whoever works on an order writes notes on it; what is written stays. */
const noteInput = z.strictObject({ text: longText(longestNote).min(1, 'This field is required.') })

/** What is done with these, `response` being the order as all its operations answer. */
export const orderPartsOps = <R extends z.ZodType>(response: R) => ({
  substatus: post({
    path: '/Orders/Substatus/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Sub-status saved.',
    summary: 'Puts an order into one of the sub-statuses of its status, or into none',
    body: z.strictObject({ version, substatusGuid: maybe(guid) }),
    response,
  }),
  people: post({
    path: '/Orders/People/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'People saved.',
    summary: 'Says who works on an order: all of them, one as the lead',
    body: z.strictObject({ version, people }),
    response,
  }),
  check: post({
    path: '/Orders/Check/:guid',
    effect: 'write',
    can: ['update', 'Orders:Check:Guid'],
    message: 'Checklist saved.',
    summary: 'Ticks an item of the checklist of an order, or takes the tick away',
    body: z.strictObject({ version, code: text(40), isDone: z.boolean() }),
    response,
  }),
  addCost: post({
    path: '/Orders/Costs/:guid',
    effect: 'write',
    can: ['create', 'Orders:Costs'],
    status: 201,
    message: 'Cost added.',
    summary: 'Adds what was spent on an order; a negative amount corrects an earlier one',
    body: costInput,
    response,
  }),
  addNote: post({
    path: '/Orders/Notes/:guid',
    effect: 'write',
    can: ['create', 'Orders:Note'],
    status: 201,
    message: 'Note saved.',
    summary: 'Writes a note on an order, which only staff see',
    body: noteInput,
    response,
  }),
})
