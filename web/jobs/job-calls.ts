import { automaticEmailsApi } from '../../contract/automatic-emails.ts'
import { instagramApi } from '../../contract/instagram.ts'
import type { PlanItem, RunItem, ScheduledJob } from '../../contract/jobs.ts'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { messagesApi } from '../../contract/messages.ts'
import { nounNamed, type NounName } from '../../contract/nouns.ts'
import { ordersApi } from '../../contract/orders.ts'
import { overdueApi } from '../../contract/overdue.ts'
import { remindersApi } from '../../contract/reminders.ts'
import { seriesApi } from '../../contract/series.ts'

type Item = Pick<PlanItem | RunItem, 'key' | 'record'>
const of = (noun: NounName) => () => noun

/** The calls of every job of the list, and what noun the record of an item is of; null where it is of none. */
const calls = [
  { run: messagesApi.queue, preview: messagesApi.previewQueue, runs: messagesApi.queueRuns, nounOf: of('Messages') },
  {
    run: messageWritesApi.scheduled,
    preview: messageWritesApi.previewScheduled,
    runs: messageWritesApi.scheduledRuns,
    nounOf: of('Messages'),
  },
  {
    run: remindersApi.process,
    preview: remindersApi.preview,
    runs: remindersApi.runs,
    // One reminder is of a customer and names many invoices; what is left out is left out by invoice.
    nounOf: ({ key, record }: Item): NounName => (key === record.guid ? 'Invoices' : 'Customers'),
  },
  { run: seriesApi.process, preview: seriesApi.preview, runs: seriesApi.runs, nounOf: of('Series') },
  { run: ordersApi.processHire, preview: ordersApi.previewHire, runs: ordersApi.hireJobRuns, nounOf: of('Orders') },
  { ...overdueApi, nounOf: of('Invoices') },
  {
    run: automaticEmailsApi.welcome,
    preview: automaticEmailsApi.previewWelcome,
    runs: automaticEmailsApi.welcomeRuns,
    // Orders are welcomed, quotes are followed up: the key begins with which of them it is.
    nounOf: ({ key }: Item) => nounNamed(key.split(':', 1)[0] ?? ''),
  },
  {
    run: instagramApi.reloadFeeds,
    preview: instagramApi.previewFeeds,
    runs: instagramApi.feedRuns,
    nounOf: () => null,
  },
  {
    run: instagramApi.fetchImages,
    preview: instagramApi.previewImages,
    runs: instagramApi.imageRuns,
    nounOf: () => null,
  },
] as const
export type JobCalls = (typeof calls)[number]

/** How a job is run, looked ahead at, and looked back on; null for one that this version of the page does not know. */
export const callsOf = ({ path }: Pick<ScheduledJob, 'path'>): JobCalls | null =>
  calls.find(({ run }) => run.path === path) ?? null
