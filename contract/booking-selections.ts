import { z } from 'zod'
import { answeredQuestion, selection, spoken } from './booking-options.ts'
import { cents, day, guid, listQuery, ofBusiness, pageOf, reference, timestamp, whose } from './core/common.ts'
import { exportOf, get } from './core/op.ts'
import { bookingSelections } from './places.ts'

const filters = {
  option: guid.optional(),
  product: guid.optional(),
  'answeredOn.gte': day.optional(),
  'answeredOn.lte': day.optional(),
  ...ofBusiness,
}

/** An answer on a quote or an order that is still in force; of a quote that became an order, the order’s. */
const bookingSelection = z.object({
  guid,
  ...whose,
  label: z.string(),
  /** The answer in words. */
  answer: z.string(),
  /** Question and answer as they read in other languages. */
  said: answeredQuestion,
  ...selection.pick({ optionCode: true, value: true, choices: true, answeredBy: true }).shape,
  optionGuid: guid.nullable(),
  answeredAt: timestamp,
  /** Whoever of the staff gave it. */
  userName: z.string().nullable(),
  /** What it adds to its line, without GST; null to those who may not see amounts. */
  cents: cents.nullable(),
  minutes: z.int(),
  document: reference.extend({ noun: z.enum(['Quotes', 'Orders']) }),
  customerGuid: guid,
  customerName: z.string(),
})
export type BookingSelection = z.infer<typeof bookingSelection>

const list = get({
  path: '/BookingOptions/Selections',
  effect: 'read',
  can: bookingSelections.can,
  summary: 'Answers to booking options on the quotes and orders that the caller may read',
  query: listQuery(['answeredAt'], filters).omit({ search: true }),
  response: pageOf(bookingSelection),
})

/** The newest answers that totals are made of. */
export const maxTotalled = 5000

const choiceTotal = z.object({
  /** Null where nothing was chosen: a no, a text, a day. */
  code: z.string().nullable(),
  label: z.string().nullable(),
  /** The same in other languages, as far as the option has them. */
  wording: spoken.nullable(),
  count: z.int(),
  cents: cents.nullable(),
})

export const bookingSelectionsApi = {
  list,
  export: exportOf(list, {
    label: 'Option',
    answer: 'Answer',
    businessName: 'Business',
    'document.label': 'Document',
    customerName: 'Customer',
    answeredAt: 'Date',
    answeredBy: 'Answered by',
    userName: 'User',
    cents: 'Amount',
  }),
  totals: get({
    path: '/BookingOptions/Selections/Totals',
    effect: 'read',
    can: bookingSelections.can,
    summary: 'How often each choice was made and what it added, of the same answers as the list',
    query: z.strictObject(filters),
    response: z.object({
      items: z.array(
        z.object({
          optionCode: z.string(),
          label: z.string(),
          wording: spoken,
          count: z.int(),
          choices: z.array(choiceTotal),
        }),
      ),
      /** Whether there are older answers that are not part of it. */
      hasMore: z.boolean(),
    }),
  }),
}
