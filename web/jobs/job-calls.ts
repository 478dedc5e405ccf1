import { automaticEmailsApi } from '../../contract/automatic-emails.ts'
import { instagramApi } from '../../contract/instagram.ts'
import type { ScheduledJob } from '../../contract/jobs.ts'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { messagesApi } from '../../contract/messages.ts'
import { ordersApi } from '../../contract/orders.ts'
import { overdueApi } from '../../contract/overdue.ts'
import { remindersApi } from '../../contract/reminders.ts'
import { seriesApi } from '../../contract/series.ts'

/** The calls of every job of the list. */
const calls = [
  { run: messagesApi.queue, preview: messagesApi.previewQueue, runs: messagesApi.queueRuns },
  { run: messageWritesApi.scheduled, preview: messageWritesApi.previewScheduled, runs: messageWritesApi.scheduledRuns },
  { run: remindersApi.process, preview: remindersApi.preview, runs: remindersApi.runs },
  { run: seriesApi.process, preview: seriesApi.preview, runs: seriesApi.runs },
  { run: ordersApi.processHire, preview: ordersApi.previewHire, runs: ordersApi.hireJobRuns },
  overdueApi,
  {
    run: automaticEmailsApi.welcome,
    preview: automaticEmailsApi.previewWelcome,
    runs: automaticEmailsApi.welcomeRuns,
  },
  { run: instagramApi.reloadFeeds, preview: instagramApi.previewFeeds, runs: instagramApi.feedRuns },
  { run: instagramApi.fetchImages, preview: instagramApi.previewImages, runs: instagramApi.imageRuns },
] as const
export type JobCalls = (typeof calls)[number]

/** How a job is run, looked ahead at, and looked back on; null for one that this version of the page does not know. */
export const callsOf = ({ path }: Pick<ScheduledJob, 'path'>): JobCalls | null =>
  calls.find(({ run }) => run.path === path) ?? null
