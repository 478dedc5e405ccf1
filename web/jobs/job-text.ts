import type { PlannedReport, ScheduledJob } from '../../contract/jobs.ts'
import { instagramApi } from '../../contract/instagram.ts'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { messagesApi } from '../../contract/messages.ts'
import { ordersApi } from '../../contract/orders.ts'
import { seriesApi } from '../../contract/series.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { phraseOr, type T } from '../core/i18n/i18n.ts'

/** The calls of every job of the list. */
const calls = [
  { run: messagesApi.queue, preview: messagesApi.previewQueue, runs: messagesApi.queueRuns },
  { run: messageWritesApi.scheduled, preview: messageWritesApi.previewScheduled, runs: messageWritesApi.scheduledRuns },
  { run: seriesApi.process, preview: seriesApi.preview, runs: seriesApi.runs },
  { run: ordersApi.processHire, preview: ordersApi.previewHire, runs: ordersApi.hireJobRuns },
  { run: instagramApi.reloadFeeds, preview: instagramApi.previewFeeds, runs: instagramApi.feedRuns },
  { run: instagramApi.fetchImages, preview: instagramApi.previewImages, runs: instagramApi.imageRuns },
] as const
export type JobCalls = (typeof calls)[number]

/** How a job is run, looked ahead at, and looked back on; null for one that this version of the page does not know. */
export const callsOf = ({ path }: Pick<ScheduledJob, 'path'>): JobCalls | null =>
  calls.find(({ run }) => run.path === path) ?? null

export const jobName = (job: Pick<ScheduledJob, 'name'>) => phraseOr(`scheduler:names.${job.name}`, job.name)

/** A schedule in words; one that is none of the usual ones as it is written. */
export function scheduleText(t: T, cron: string): string {
  const [minute = '', hour, ...rest] = cron.split(' ')
  const isEachHour = hour === '*' && rest.every((part) => part === '*')
  if (!isEachHour) return cron
  if (minute === '*') return t('scheduler:every.minute')
  const [, step] = minute.split('*/')
  if (step) return t('scheduler:every.minutes', { count: Number(step) })
  return t('scheduler:every.hour', { minute: minute.padStart(2, '0') })
}

/** What a run came to: “2 done · 1 failed”; that there was nothing to do, where there was not. */
export function reportText(t: T, { succeeded, failed, skipped, remaining }: PlannedReport): string {
  const parts = [
    succeeded > 0 ? t('scheduler:report.done', { count: succeeded }) : null,
    failed > 0 ? t('scheduler:report.failed', { count: failed }) : null,
    skipped > 0 ? t('scheduler:report.skipped', { count: skipped }) : null,
    remaining > 0 ? t('scheduler:report.remaining', { count: remaining }) : null,
  ].filter((part) => part !== null)
  return parts.join(' · ') || t('scheduler:report.nothing')
}

/** Why an item was left: a word of the job, or a sentence that somebody was told. */
export const reasonText = (reason: string) => phraseOr(`scheduler:reasons.${reason}`, inLanguage(reason))

/** Who had it run, the clock and the cron key in words. */
export const byText = (t: T, by: string): string =>
  by === 'scheduler' ? t('scheduler:by.scheduler') : by === 'key' ? t('scheduler:by.key') : by
