import { z } from 'zod'
import { optionAnswers, optionFields, optionInputs, optionAnswerers } from './booking-options.ts'
import { archivingOps } from './core/archiving.ts'
import { answerOf } from './core/answer.ts'
import { amountCents, anyOf, cents, guid, listQuery, pageOf, quantity, recordShape, reference } from './core/common.ts'
import { exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { nouns } from './nouns.ts'

const { pages } = nouns.BookingOptions

export const bookingOptionInput = z.strictObject(optionFields)
export type BookingOptionInput = z.infer<typeof bookingOptionInput>
export const optionStatuses = ['active', 'archived'] as const

const bookingOption = z.object({
  ...recordShape,
  ...answerOf(optionFields),
  status: z.enum(optionStatuses),
  /** The products that ask for it, the first fifty by name. */
  products: z.array(reference),
  /** The products that its choices bring along. */
  addedProducts: z.array(reference),
})
export type BookingOption = z.infer<typeof bookingOption>
const bookingOptionItem = bookingOption.omit({ products: true, addedProducts: true }).extend({
  /** How many products ask for it. */
  usedOn: z.int(),
})

const problems = z.array(z.object({ path: z.string(), message: z.string() }))
const one = z.object({ bookingOption })
const list = get({
  path: '/Products/BookingOptions',
  effect: 'read',
  can: pages.list.can,
  summary: 'Booking options: what customers choose beside a product',
  query: listQuery(['name', 'createdAt'], {
    input: anyOf(optionInputs).optional(),
    answeredBy: anyOf(optionAnswerers).optional(),
    status: z.enum(optionStatuses).optional(),
  }),
  response: pageOf(bookingOptionItem),
})

export const bookingOptionsApi = {
  list,
  export: exportOf(list, {
    code: 'Code',
    label: 'Label',
    input: 'Input',
    answeredBy: 'Answered by',
    required: 'Required',
    usedOn: 'Products',
    status: 'Status',
  }),
  get: get({
    path: '/Products/BookingOptions/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One booking option',
    response: one,
  }),
  create: post({
    path: '/Products/BookingOptions',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Booking option created.',
    summary: 'Makes a booking option',
    body: bookingOptionInput,
    response: one,
  }),
  update: patch({
    path: '/Products/BookingOptions/:guid',
    effect: 'write',
    can: ['update', 'Products:BookingOptions:Update:Guid'],
    message: 'Booking option saved.',
    summary: 'Changes a booking option; documents that were sent keep what they offered',
    body: patchOf(bookingOptionInput),
    response: one,
  }),
  ...archivingOps('Products/BookingOptions', 'a booking option', one, 'Products:BookingOptions'),
  try: post({
    path: '/Products/BookingOptions/Try',
    effect: 'read',
    can: pages.list.can,
    summary:
      'Asks options in order, without saving anything: which are shown, what the answers cost, how long they take',
    body: z.strictObject({
      options: z.array(bookingOptionInput).min(1).max(40),
      answers: optionAnswers.default([]),
      basePriceCents: amountCents.default(0),
      quantity: quantity.default('1'),
    }),
    response: z.object({
      visible: z.array(z.string()),
      unitPriceCents: cents,
      fees: z.array(z.object({ option: z.string(), label: z.string(), cents })),
      added: z.array(z.object({ option: z.string(), productGuid: guid, quantity: z.string() })),
      minutes: z.int(),
      problems,
      missing: problems,
    }),
  }),
}
