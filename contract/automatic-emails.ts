import { z } from 'zod'
import { get, patch } from './core/op.ts'
import { version } from './core/common.ts'
import { cronOps } from './jobs.ts'

/** An order’s customer is welcomed within so many days after it was confirmed. */
export const welcomeDays = 14

/** When a quote that waits for an answer is followed up: days after it was sent, or before it expires. */
export const followUpSteps = {
  after_3: { from: 'sentAt', days: 3 },
  after_7: { from: 'sentAt', days: 7 },
  before_expiry: { from: 'validUntil', days: -2 },
} as const
export type FollowUpStep = keyof typeof followUpSteps
export const isFollowUpStep = (step: string): step is FollowUpStep => Object.hasOwn(followUpSteps, step)
/** One that was missed by more than so many days is passed over. */
export const followUpGraceDays = 2

const settings = z.object({
  version,
  /** Welcome emails for orders that are confirmed. */
  sendsWelcome: z.boolean(),
  /** Follow-ups of quotes that wait for an answer. */
  sendsFollowUps: z.boolean(),
})
export type AutomaticEmails = z.infer<typeof settings>

const cron = cronOps({
  path: '/Cron/Orders/Messages/WelcomeMessages',
  can: ['manage', 'Cron:Messages:Welcome'],
  message: 'Welcome emails processed.',
  summary: 'Welcomes customers of orders that were confirmed, and follows up quotes that wait, within 15 seconds',
})

export const automaticEmailsApi = {
  get: get({
    path: '/Reminders/Bookings',
    effect: 'read',
    can: ['read', 'Reminders:Preview:All'],
    summary: 'Which emails about orders and quotes the business sends by itself',
    response: z.object({ automatic: settings }),
  }),
  update: patch({
    path: '/Reminders/Bookings',
    effect: 'write',
    can: ['update', 'Reminders:Update'],
    message: 'Automatic emails saved.',
    summary: 'Turns welcome emails and follow-ups on or off; what is turned on begins now',
    body: z.strictObject({
      version,
      sendsWelcome: z.boolean().optional(),
      sendsFollowUps: z.boolean().optional(),
    }),
    response: z.object({ automatic: settings }),
  }),
  welcome: cron.run,
  previewWelcome: cron.preview,
  welcomeRuns: cron.runs,
}
