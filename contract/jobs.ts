import { z } from 'zod'
import { guid, listQuery, pageOf, reference, text, timestamp } from './core/common.ts'
import { get, patch } from './core/op.ts'
import { serverMeta } from './places.ts'

/*
 * The one shape of scheduled jobs: what one would do is planned first, item by item, and a run does what was planned.
 */

/** What a run came to. Items that were skipped had a reason, and are not counted among those that were processed. */
const plannedReport = z.object({
  processed: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  /** What is left for the next run. */
  remaining: z.int(),
  durationMs: z.int(),
  considered: z.int(),
  skipped: z.int(),
  isPaused: z.boolean(),
  isRunningAlready: z.boolean(),
})
export type PlannedReport = z.infer<typeof plannedReport>

const planItem = z.discriminatedUnion('do', [
  z.object({ do: z.literal(true), key: z.string(), record: reference, effect: z.string() }),
  z.object({
    do: z.literal(false),
    key: z.string(),
    record: reference,
    reason: z.string(),
    /** When its time comes, where that alone is why it is left. */
    dueAt: timestamp.optional(),
  }),
])
export type PlanItem = z.infer<typeof planItem>

const jobPreview = z.object({
  /** The first five hundred. */
  items: z.array(planItem),
  considered: z.int(),
  skipped: z.record(z.string(), z.int()),
  /** There are more than are looked at. */
  isPartial: z.boolean(),
})
export type JobPreview = z.infer<typeof jobPreview>

/** What became of an item. `skipped`: the plan left it, or it was done or not right any more when its turn came. */
const runOutcomes = ['done', 'failed', 'skipped'] as const
const runItem = z.object({
  key: z.string(),
  record: reference,
  outcome: z.enum(runOutcomes),
  effect: z.string().nullable(),
  reason: z.string().nullable(),
})
export type RunItem = z.infer<typeof runItem>

/** Who had a job run: the clock, whoever has the cron key, or a person by name. */
const runBy = z.string()
const jobRun = z.object({
  guid,
  at: timestamp,
  by: runBy,
  report: plannedReport,
  /** The first five hundred, what failed before what was done and what was skipped. */
  items: z.array(runItem),
})
export type JobRun = z.infer<typeof jobRun>

const scheduledJob = z.object({
  name: z.string(),
  /** The call that runs it. */
  path: z.string(),
  /** When the built-in scheduler runs it, as a cron expression in the time zone of the installation. */
  cron: z.string(),
  isPaused: z.boolean(),
  /** In somebody’s words; `restored` while sending is on hold after a restore. */
  pausedReason: z.string().nullable(),
  lastRun: z.object({ at: timestamp, by: runBy, report: plannedReport }).nullable(),
  /** Null while it is paused, and where another scheduler calls. */
  nextAt: timestamp.nullable(),
})
export type ScheduledJob = z.infer<typeof scheduledJob>

/** Why a job does nothing although nobody paused it: a restored database is being looked at. */
export const restoredReason = 'restored'
/** Why an item whose time has not come is left. A preview looks a day ahead; runs do not tell of these. */
export const notDueReason = 'not_due'
/** What a run says of an item that was planned, and was done or not right any more when its turn came. */
export const changedReason = 'changed'

export const jobsApi = {
  list: get({
    path: '/Cron/Jobs',
    effect: 'read',
    can: serverMeta.can,
    summary: 'Scheduled jobs, when they ran and when they run next',
    response: z.object({ items: z.array(scheduledJob) }),
  }),
  update: patch({
    path: '/Cron/Jobs',
    effect: 'write',
    can: serverMeta.can,
    messageOf: ({ job }) => (job.isPaused ? 'Job paused.' : 'Job resumed.'),
    summary: 'Has a job rest, for everybody who asks for it, or go on',
    body: z.strictObject({ name: text(100), isPaused: z.boolean(), reason: text(400).optional() }),
    response: z.object({ job: scheduledJob }),
  }),
}

interface CronCall<P extends string> {
  path: P
  can: readonly ['manage', `Cron:${string}`]
  message: string
  summary: string
}

/** The calls of a scheduled job: to run it, to see what it would do, and what its runs came to. */
export const cronOps = <P extends string>({ path, can, message, summary }: CronCall<P>) => ({
  run: get({
    path,
    effect: 'external',
    can,
    who: 'cron',
    timeoutMs: 20_000,
    message,
    summary,
    query: z.strictObject({ key: z.string().max(200).optional() }),
    response: plannedReport,
  }),
  preview: get({
    path: `${path}/Preview`,
    effect: 'external',
    can: serverMeta.can,
    timeoutMs: 20_000,
    summary: 'What that call would do now',
    response: jobPreview,
  }),
  runs: get({
    path: `${path}/Runs`,
    effect: 'read',
    can: serverMeta.can,
    summary: 'What runs of that call came to, the newest first; runs that had nothing new to say are left out',
    query: listQuery(['at'], {}).omit({ search: true }),
    response: pageOf(jobRun),
  }),
})
