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

const cron = cronOps({
  path: '/Cron/Orders/Messages/WelcomeMessages',
  can: ['manage', 'Cron:Messages:Welcome'],
  message: 'Welcome emails processed.',
  summary: 'Welcomes customers of orders that were confirmed, and follows up quotes that wait, within 15 seconds',
})

export const automaticEmailsApi = {
  welcome: cron.run,
  previewWelcome: cron.preview,
  welcomeRuns: cron.runs,
}
