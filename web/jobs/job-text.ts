import type { PlannedReport, ScheduledJob } from '../../contract/jobs.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { phraseOr, type T } from '../core/i18n/i18n.ts'

/** How often the list and an open job look whether it has run. */
export const freshMs = 15_000

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
