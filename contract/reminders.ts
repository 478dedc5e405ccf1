import { z } from 'zod'
import {
  amountCents,
  cents,
  clock,
  day,
  guid,
  listQuery,
  maybe,
  pageOf,
  reference,
  text,
  timestamp,
} from './core/common.ts'
import { del, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { cronOps } from './jobs.ts'
import { messageStatuses } from './messages.ts'
import { nouns } from './nouns.ts'

/*
 * Reminders of invoices that are due: a ladder of days, each with a template; what holds some of them back; and what
 * goes out today.
 */

export const mostSteps = 8
const step = z.strictObject({
  /** After the due day; below zero before it. */
  days: z.int().min(-60, 'Choose a day up to 60 days before.').max(365, 'Choose a day up to 365 days later.'),
  templateGuid: guid,
})
export type ReminderStep = z.output<typeof step>

const weekday = z.int().min(1).max(7)
/** When no reminder leaves: the clock of the business, Monday is 1. */
const quiet = z.strictObject({
  from: clock,
  to: clock,
  weekdays: z.array(weekday).max(7),
  holidays: z.boolean(),
})

export const policyInput = z.strictObject({
  /** Steps before this day never go out: nobody is reminded of old debts all at once. */
  startsOn: day,
  sendAt: clock,
  minimumCents: amountCents,
  isOn: z.boolean(),
  steps: z.array(step).max(mostSteps, `Use up to ${mostSteps} steps.`),
  quiet,
})
const policy = z.object({ version: z.int(), ...policyInput.shape })
export type ReminderPolicy = z.output<typeof policy>
const policyAnswer = z.object({
  policy,
  /** What a step may say: the templates for reminders that are in use, the default one first. */
  templates: z.array(z.object({ guid, name: z.string(), isDefault: z.boolean() })),
})

export const holdReasons = ['promised', 'disputed', 'other'] as const
export type HoldReason = (typeof holdReasons)[number]
const holdFields = {
  /** Of a customer everything, or one invoice. */
  customerGuid: guid.optional(),
  invoiceGuid: guid.optional(),
  /** The last day it holds; without one until it is lifted. */
  until: maybe(day),
  reason: z.enum(holdReasons),
  note: maybe(text(400)),
}
export const holdInput = z.strictObject(holdFields)
const hold = z.object({
  guid,
  customerGuid: guid.nullable(),
  invoiceGuid: guid.nullable(),
  /** The customer by name, or the invoice by number. */
  record: reference,
  customerName: z.string(),
  until: day.nullable(),
  reason: z.enum(holdReasons),
  note: z.string().nullable(),
  liftedAt: timestamp.nullable(),
  createdAt: timestamp,
  createdBy: z.string().nullable(),
})
export type ReminderHold = z.output<typeof hold>

/** Why an invoice that a step is due for is not in a reminder: the first that holds. */
export const skipReasons = [
  'not_issued',
  'nothing_owing',
  'disputed',
  'on_hold',
  'below_minimum',
  'before_policy',
  'payment_processing',
  'paid_today',
  'messaged_recently',
  'no_address',
  'suppressed',
  'reminded_today',
] as const
export type SkipReason = (typeof skipReasons)[number]

const asked = z.object({ guid, label: z.string(), dueOn: day, days: z.int(), cents })
const toWhom = { customer: reference, to: z.array(z.string()), totalCents: cents, invoices: z.array(asked) }
/** One that was made today; it is cancelled like any other message. */
const madeToday = z.object({
  messageGuid: guid,
  ...toWhom,
  status: z.enum(messageStatuses),
  scheduledAt: timestamp.nullable(),
  sentAt: timestamp.nullable(),
  failureReason: z.string().nullable(),
})
/** One that the next run is going to make. */
const planned = z.object(toWhom)
const skipped = z.object({
  customer: reference,
  invoice: asked,
  reason: z.enum(skipReasons),
  /** Until when it is on hold, where that ends. */
  until: day.nullable(),
})
const today = z.object({
  day,
  isOn: z.boolean(),
  /** Nothing is ever planned without a step. */
  hasSteps: z.boolean(),
  /** The job that makes reminders rests. */
  isPaused: z.boolean(),
  /** In somebody’s words; `restored` while sending is on hold after a restore. */
  pausedReason: z.string().nullable(),
  /** Nothing is planned today any more: the day is quiet, or its quiet hours have begun. */
  isQuiet: z.boolean(),
  reminders: z.array(madeToday),
  planned: z.array(planned),
  skipped: z.array(skipped),
  /** There is more than is told here. */
  isPartial: z.boolean(),
})
export type RemindersToday = z.output<typeof today>

const mayRead = nouns.Reminders.pages.list.can
const mayChange = ['update', 'Reminders:Update'] as const

const outstanding = cronOps({
  path: '/Cron/Orders/Billing/Messages/Outstanding',
  can: ['manage', 'Cron:Messages:Outstanding'],
  message: 'Reminders processed.',
  summary: 'Reminds customers of what is due, each once a day at most',
})

export const remindersApi = {
  policy: get({
    path: '/Reminders/Policy',
    effect: 'read',
    can: mayRead,
    summary: 'The ladder of reminders, when it is climbed and when nothing goes out',
    response: policyAnswer,
  }),
  savePolicy: patch({
    path: '/Reminders/Policy',
    effect: 'write',
    can: mayChange,
    message: 'Automatic emails saved.',
    summary: 'Changes the ladder of reminders; turned on it begins today, unless another day is named',
    body: patchOf(policyInput),
    response: policyAnswer,
  }),
  holds: get({
    path: '/Reminders/Holds',
    effect: 'read',
    can: mayRead,
    summary: 'What is kept back from reminders, the newest first',
    query: listQuery(['createdAt', 'until'], {
      customerGuid: guid.optional(),
      invoiceGuid: guid.optional(),
      /** Those in force alone, or those that were lifted or have ended. */
      isInForce: z.enum(['true', 'false']).optional(),
    }).omit({ search: true }),
    response: pageOf(hold),
  }),
  hold: post({
    path: '/Reminders/Holds',
    effect: 'write',
    can: mayChange,
    status: 201,
    message: 'Reminders held.',
    summary: 'Keeps a customer or an invoice back from reminders',
    body: holdInput,
    response: z.object({ hold }),
  }),
  lift: del({
    path: '/Reminders/Holds/:guid',
    effect: 'write',
    can: mayChange,
    message: 'Reminders continue.',
    messageOf: ({ isStillHeld }) => (isStillHeld ? 'Lifted. Another hold still applies.' : 'Reminders continue.'),
    summary: 'Lets reminders go on, where no other hold keeps them back',
    response: z.object({
      hold,
      /** Another hold keeps the same record back: one of its own, or of an invoice the one on its customer. */
      isStillHeld: z.boolean(),
    }),
  }),
  today: get({
    path: '/Reminders/Today',
    effect: 'read',
    can: mayRead,
    summary: 'The reminders of today, what the next run would send, and why it would leave others out',
    response: today,
  }),
  process: outstanding.run,
  preview: outstanding.preview,
  runs: outstanding.runs,
}
