import { AppError } from '../../../contract/core/errors.ts'
import type { JobPreview, PlannedReport, PlanItem } from '../../../contract/jobs.ts'
import type { Ctx, OpenCtx } from '../ctx.ts'
import { snapshot } from '../db/transact.ts'
import { isRetryable } from '../http/errors.ts'
import { openCtx, systemRun } from '../run.ts'
import { runJobBatch } from './batches.ts'
import { type BatchDefinition, defineBatch } from './jobs.ts'
import type { Deps } from '../deps.ts'

/*
 * The one shape of scheduled jobs. `plan` only reads and says of each item what is to be done, or why not; `act` does
 * one of them in a transaction of its own, and asks again under the lock of its record: what was planned may be done
 * already, or not be right any more. So a preview is the plan itself, and processes that run at once do nothing twice.
 */

/** So many items a run considers, and a preview shows. */
const atOnce = 500

interface Plan<K> {
  items: { item: PlanItem; mark: K }[]
  /** More than these are there. */
  isPartial: boolean
}
export interface PlannedJob<K> {
  name: string
  /** When the built-in scheduler runs it, as a cron expression in the business's time zone. */
  cron: string
  /** The items after a mark, in one order, `limit` at most. */
  plan: (ctx: Ctx, after: K | null, limit: number) => Promise<Plan<K>>
  /** Does what an item says, if that is still to be done; whether it was. */
  act: (ctx: Ctx, key: string) => Promise<boolean>
  /** Tells of an item that a rule refused, in a transaction of its own. */
  refused?: (ctx: Ctx, key: string, error: AppError) => Promise<void>
}
/** A planned job as the scheduler and its cron call know it. */
export interface MadeJob {
  batch: BatchDefinition
  run: (deps: Deps) => Promise<PlannedReport>
  /** Does one item, whoever else is at it. */
  act: (deps: Deps, key: string) => Promise<boolean>
  preview: (ctx: OpenCtx) => Promise<JobPreview>
}

/** A job that somebody has stopped does nothing, whoever asks for it. */
async function isStopped(ctx: Pick<Ctx, 'db'>, name: string): Promise<boolean> {
  const row = await ctx.db.selectFrom('cronJobs').select('isPaused').where('name', '=', name).executeTakeFirst()
  return row?.isPaused === true
}

interface Counts {
  considered: number
  skipped: number
  succeeded: number
  failed: number
  remaining: number
  isPaused: boolean
}
const nothing = (): Counts => ({ considered: 0, skipped: 0, succeeded: 0, failed: 0, remaining: 0, isPaused: false })

async function runPlan<K>(ctx: OpenCtx, job: PlannedJob<K>, hasTime: () => boolean): Promise<Counts> {
  const counts = nothing()
  if (await isStopped(ctx, job.name)) return { ...counts, isPaused: true }
  for (let after: K | null = null, isMore = true; isMore;) {
    const { items, isPartial } = await job.plan(ctx, after, atOnce)
    counts.considered += items.length
    for (const { item, mark } of items) {
      after = mark
      if (!item.do) counts.skipped++
      else if (!hasTime()) counts.remaining++
      else await actOn(ctx, job, item.key, counts)
    }
    isMore = isPartial && items.length > 0 && hasTime()
    if (isPartial && !isMore) counts.remaining++
  }
  return counts
}

/** An item that fails leaves nothing behind, and the others go on. */
async function actOn<K>(ctx: OpenCtx, job: PlannedJob<K>, key: string, counts: Counts) {
  try {
    const isDone = await apart(ctx, job.name, (tx) => job.act(tx, key))
    if (isDone) counts.succeeded++
    else counts.skipped++
  } catch (error) {
    counts.failed++
    ctx.log.warn({ err: error, job: job.name, key }, 'an item of a job failed')
    const { refused } = job
    if (refused && error instanceof AppError && error.status < 500 && !isRetryable(error))
      await apart(ctx, job.name, (tx) => refused(tx, key, error)).catch((again: unknown) =>
        ctx.log.error({ err: again, job: job.name, key }, 'a failure could not be told'),
      )
  }
}

/** Items may be of different businesses, which a run knows one of: each is a run of its own. */
const apart = <T>(ctx: Pick<OpenCtx, 'deps' | 'now'>, name: string, work: (tx: Ctx) => Promise<T>): Promise<T> =>
  openCtx({ ...systemRun(ctx.deps, name), now: ctx.now }).tx(work)

export function definePlanned<K>(job: PlannedJob<K>): MadeJob {
  const stepWith = (told: (counts: Counts) => void): BatchDefinition['step'] => {
    return async (ctx, hasTime) => {
      const counts = await runPlan(ctx, job, hasTime)
      told(counts)
      return counts
    }
  }
  return {
    batch: defineBatch(
      job.name,
      job.cron,
      stepWith(() => undefined),
    ),
    run: async (deps) => {
      let counts = nothing()
      const step = stepWith((run) => (counts = run))
      const { processed, succeeded, failed, remaining, durationMs, isRunningAlready } = await runJobBatch(
        deps,
        defineBatch(job.name, job.cron, step),
      )
      const { considered, skipped, isPaused } = counts
      return {
        ...{ processed, succeeded, failed, remaining, durationMs },
        ...{ considered, skipped, isPaused, isRunningAlready },
      }
    },
    act: (deps, key) => apart({ deps, now: deps.now() }, job.name, (tx) => job.act(tx, key)),
    preview: (ctx) =>
      snapshot(ctx.deps.db, async (db) => {
        const { items, isPartial } = await job.plan(
          openCtx({ ...systemRun(ctx.deps, job.name), now: ctx.now }, db),
          null,
          atOnce,
        )
        const reasons = Map.groupBy(items, ({ item }) => (item.do ? '' : item.reason))
        reasons.delete('')
        return {
          items: items.map(({ item }) => item),
          considered: items.length,
          skipped: Object.fromEntries([...reasons].map(([reason, some]) => [reason, some.length])),
          isPartial,
        }
      }),
  }
}
