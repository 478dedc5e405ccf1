import { z } from 'zod'
import { day, ofBusiness } from './core/common.ts'
import { get } from './core/op.ts'
import { nouns } from './nouns.ts'

const { pages } = nouns.Messages

/** What is counted of messages, each on its own day: a bounced one was sent before, and counts as both. */
export const messageCounts = ['sent', 'failed', 'bounced', 'received', 'opened'] as const
export type MessageCount = (typeof messageCounts)[number]

/** What still waits to be sent, and what did not arrive. */
export const waitingStatuses = ['queued', 'scheduled', 'sending', 'deferred'] as const
export const lostStatuses = ['failed', 'bounced', 'suppressed'] as const

const figures = z.object({ sent: z.int(), failed: z.int(), bounced: z.int(), received: z.int(), opened: z.int() })
export type MessageFigures = z.infer<typeof figures>
const metrics = z.object({ buckets: z.array(figures.extend({ from: day, to: day })), totals: figures })
export type MessageMetrics = z.infer<typeof metrics>

const first = '2000-01-01'
const last = '2199-12-31'
const query = z.strictObject({
  ...ofBusiness,
  /** Any day of it; today when not said. */
  on: day.refine((on) => on >= first && on <= last, 'Choose a day between 2000 and 2199.').optional(),
})

export const messageMetricsApi = {
  weekly: get({
    path: '/Messages/Metrics/Weekly',
    effect: 'read',
    can: pages.list.can,
    timeoutMs: 20_000,
    summary: 'Messages of the week of a day, from Monday, by days',
    query,
    response: metrics,
  }),
  monthly: get({
    path: '/Messages/Metrics/Monthly',
    effect: 'read',
    can: pages.list.can,
    timeoutMs: 20_000,
    summary: 'Messages of the month of a day, by its weeks',
    query,
    response: metrics,
  }),
  standing: get({
    path: '/Messages/Metrics/StatusMetrics',
    effect: 'read',
    can: pages.list.can,
    timeoutMs: 20_000,
    summary: 'How many messages wait, were sent this week, did not arrive and are not filed',
    query: z.strictObject(ofBusiness),
    response: z.object({
      waiting: z.int(),
      sentThisWeek: z.int(),
      failed: z.int(),
      unmatched: z.int(),
      week: z.object({ from: day, to: day }),
    }),
  }),
}
