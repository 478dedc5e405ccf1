import type { Page } from '../../../contract/core/common.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { Op } from '../../../contract/core/op.ts'
import {
  changedReason,
  type JobPreview,
  type JobRun,
  notDueReason,
  type PlannedReport,
  type PlanItem,
} from '../../../contract/jobs.ts'
import type { Ctx, OpenCtx } from '../ctx.ts'
import { snapshot } from '../db/transact.ts'
import type { Deps } from '../deps.ts'
import { isRetryable, toAppError } from '../http/errors.ts'
import { openCtx, systemRun } from '../run.ts'
import { runJobBatch } from './batches.ts'
import { type BatchDefinition, defineBatch } from './jobs.ts'
import { byCaller, byClock, keepRun, knows, type RunReader, runsOfJob, stopOf, type ToldItem } from './runs.ts'

/*
 * The one shape of scheduled jobs. `plan` only reads and says of each item what is to be done, or why not; `act` does
 * one of them in a transaction of its own, and asks again under the lock of its record: what was planned may be done
 * already, or not be right any more. So a preview is the plan itself, and processes that run at once do nothing twice.
 */

/** So many items a run considers, and a preview shows. */
const atOnce = 500

interface Planned<K> {
  item: PlanItem
  mark: K
  /** Whose it is: whoever works in some businesses is told of theirs alone. Null is of the whole installation. */
  businessGuid: string | null
}
interface Plan<K> {
  items: Planned<K>[]
  /** More than these are there. */
  isPartial: boolean
}
interface JobShape<K> {
  name: string
  /** The call that runs it. */
  call: Pick<Op, 'path'>
  /** When the built-in scheduler runs it, as a cron expression in the time zone of the installation. */
  cron: string
  /** Sends something out of the house, and so rests while a restored database is being looked at. */
  isSending?: boolean
  /** The items after a mark, in one order, `limit` at most. */
  plan: (ctx: Ctx, after: K | null, limit: number) => Promise<Plan<K>>
}
export interface PlannedJob<K> extends JobShape<K> {
  /** Does what an item says, if that is still to be done; whether it was. */
  act: (ctx: Ctx, key: string) => Promise<boolean>
  /** Tells of an item that a rule refused, in a transaction of its own. */
  refused?: (ctx: Ctx, key: string, error: AppError) => Promise<void>
}
/** Tells what became of an item. */
export type Tell = (item: ToldItem) => void
interface WorkedJob<K> extends JobShape<K> {
  /** Does what there is in a way of its own, and tells of each item. */
  work: (ctx: OpenCtx, hasTime: () => boolean, tell: Tell) => ReturnType<BatchDefinition['step']>
}
/** A planned job as the scheduler, its cron call and the console know it. */
export interface MadeJob {
  name: string
  path: string
  cron: string
  isSending: boolean
  batch: BatchDefinition
  /** As the cron call runs it; by the clock where nobody is named. */
  run: (deps: Deps, caller?: Pick<Ctx, 'actor'>) => Promise<PlannedReport>
  preview: (ctx: OpenCtx) => Promise<JobPreview>
  runs: (ctx: RunReader, input: Parameters<typeof runsOfJob>[2]) => Promise<Page<JobRun>>
}
/** One whose items are acted on one by one. */
export interface ActedJob extends MadeJob {
  /** Does one item, whoever else is at it. */
  act: (deps: Deps, key: string) => Promise<boolean>
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

async function runPlan<K>(ctx: OpenCtx, job: PlannedJob<K>, hasTime: () => boolean, tell: Tell): Promise<Counts> {
  const counts = nothing()
  for (let after: K | null = null, isMore = true; isMore;) {
    const { items, isPartial } = await job.plan(ctx, after, atOnce)
    counts.considered += items.length
    for (const planned of items) {
      const { item, mark } = planned
      after = mark
      if (!item.do) {
        counts.skipped++
        if (item.reason !== notDueReason)
          tell({ ...toldOf(planned), outcome: 'skipped', effect: null, reason: item.reason })
      } else if (!hasTime()) counts.remaining++
      else await actOn(ctx, job, { ...planned, item }, counts, tell)
    }
    isMore = isPartial && items.length > 0 && hasTime()
    if (isPartial && !isMore) counts.remaining++
  }
  return counts
}

const toldOf = ({ item: { key, record }, businessGuid }: Pick<Planned<unknown>, 'item' | 'businessGuid'>) => ({
  ...{ key, record, businessGuid },
})

/** An item that fails leaves nothing behind, and the others go on. */
async function actOn<K>(
  ctx: OpenCtx,
  job: PlannedJob<K>,
  planned: Planned<K> & { item: Extract<PlanItem, { do: true }> },
  counts: Counts,
  tell: Tell,
) {
  const { key, effect } = planned.item
  try {
    const isDone = await apart(ctx, job.name, (tx) => job.act(tx, key))
    if (isDone) counts.succeeded++
    else counts.skipped++
    tell({
      ...toldOf(planned),
      effect,
      ...(isDone ? { outcome: 'done', reason: null } : { outcome: 'skipped', reason: changedReason }),
    })
  } catch (error) {
    counts.failed++
    ctx.log.warn({ err: error, job: job.name, key }, 'an item of a job failed')
    const { message, fields } = toAppError(error)
    tell({ ...toldOf(planned), outcome: 'failed', effect, reason: fields[0]?.message ?? message })
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

type Doing = (ctx: OpenCtx, hasTime: () => boolean, isStopped: boolean, tell: Tell) => Promise<Counts>

function makeJob<K>(job: JobShape<K>, doing: Doing): MadeJob {
  const { name, cron, isSending = false } = job
  const shown = { name, path: job.call.path, cron, isSending }
  const stepBy = (by: string, told: (counts: Counts) => void): BatchDefinition['step'] => {
    return async (ctx, hasTime) => {
      const startedAt = performance.now()
      const items: ToldItem[] = []
      const isPaused = (await stopOf(ctx, shown)) !== null
      const counts = { ...(await doing(ctx, hasTime, isPaused, (item) => void items.push(item))), isPaused }
      told(counts)
      const durationMs = Math.round(performance.now() - startedAt)
      const report = { ...reportOf(counts), durationMs, isRunningAlready: false }
      // What was done is done: a run that cannot be kept is told of in the log alone.
      if (!isPaused || report.processed > 0)
        await ctx
          .tx((tx) => keepRun(tx, { name, at: ctx.now, by, report, items }))
          .catch((error: unknown) => ctx.log.error({ err: error, job: name }, 'a run could not be kept'))
      return counts
    }
  }
  return {
    ...shown,
    batch: defineBatch(
      name,
      cron,
      stepBy(byClock, () => undefined),
    ),
    run: async (deps, caller) => {
      let counts = nothing()
      const step = stepBy(caller ? byCaller(caller) : byClock, (run) => (counts = run))
      const { durationMs, isRunningAlready } = await runJobBatch(deps, defineBatch(name, cron, step))
      return { ...reportOf(counts), durationMs, isRunningAlready }
    },
    preview: (ctx) =>
      snapshot(ctx.deps.db, async (db) => {
        const { items, isPartial } = await job.plan(
          openCtx({ ...systemRun(ctx.deps, name), now: ctx.now }, db),
          null,
          atOnce,
        )
        const isTold = knows(ctx)
        const told = items.filter(({ businessGuid }) => isTold(businessGuid))
        const reasons = Map.groupBy(told, ({ item }) => (item.do ? '' : item.reason))
        reasons.delete('')
        return {
          items: told.map(({ item }) => item),
          considered: told.length,
          skipped: Object.fromEntries([...reasons].map(([reason, some]) => [reason, some.length])),
          isPartial,
        }
      }),
    runs: (ctx, input) => runsOfJob(ctx, name, input),
  }
}

const reportOf = ({ succeeded, failed, remaining, considered, skipped, isPaused }: Counts) => ({
  ...{ processed: succeeded + failed, succeeded, failed, remaining },
  ...{ considered, skipped, isPaused },
})

export function definePlanned<K>(job: PlannedJob<K>): ActedJob {
  return {
    ...makeJob(job, async (ctx, hasTime, isStopped, tell) =>
      isStopped ? nothing() : runPlan(ctx, job, hasTime, tell),
    ),
    act: (deps, key) => apart({ deps, now: deps.now() }, job.name, (tx) => job.act(tx, key)),
  }
}

/** A job that talks to other systems between its transactions. While it is stopped its work knows so itself. */
export const defineWorked = <K>(job: WorkedJob<K>): MadeJob =>
  makeJob(job, async (ctx, hasTime, _isStopped, tell) => {
    const counts = nothing()
    const done = await job.work(ctx, hasTime, (item) => {
      counts.considered++
      if (item.outcome === 'skipped') counts.skipped++
      tell(item)
    })
    return { ...counts, ...done }
  })
