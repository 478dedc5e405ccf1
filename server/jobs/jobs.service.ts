import { CronExpressionParser } from 'cron-parser'
import { conflict, notFound } from '../../contract/core/errors.ts'
import { type jobsApi, restoredReason, type ScheduledJob } from '../../contract/jobs.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { readHold } from '../core/hold.ts'
import type { MadeJob } from '../core/jobs/planned.ts'
import { installation } from '../core/records.ts'

type Row = Awaited<ReturnType<typeof rowsOf>>[number]

const rowsOf = (ctx: Pick<Ctx, 'db'>) => ctx.db.selectFrom('cronJobs').selectAll().execute()

function shownOf(ctx: Pick<Ctx, 'deps' | 'now'>, job: MadeJob, row: Row | undefined, isHeld: boolean): ScheduledJob {
  const { name, path, cron } = job
  const isRestored = isHeld && job.isSending
  const isPaused = isRestored || row?.isPaused === true
  const { scheduler, timeZone } = ctx.deps.settings
  const next = () => CronExpressionParser.parse(cron, { currentDate: ctx.now, tz: timeZone }).next()
  return {
    ...{ name, path, cron, isPaused },
    pausedReason: isRestored ? restoredReason : (row?.pausedReason ?? null),
    lastRun:
      row?.lastRunAt && row.lastRunBy && row.lastReport
        ? { at: row.lastRunAt, by: row.lastRunBy, report: row.lastReport }
        : null,
    nextAt: scheduler && !isPaused ? next().toDate().toISOString() : null,
  }
}

/** The console of scheduled jobs: all of them are handed in, because each belongs to a noun of its own. */
export function jobsOf(jobs: readonly MadeJob[]): Handlers<typeof jobsApi> {
  return {
    list: async (ctx) => {
      const rows = new Map((await rowsOf(ctx)).map((row) => [row.name, row]))
      const isHeld = (await readHold(ctx.db)) !== null
      return { items: jobs.map((job) => shownOf(ctx, job, rows.get(job.name), isHeld)) }
    },
    update: async (ctx, { name, isPaused, reason }) => {
      const job = jobs.find((one) => one.name === name)
      if (!job) throw notFound()
      const isHeld = (await readHold(ctx.db)) !== null
      if (isHeld && job.isSending && !isPaused)
        throw conflict('Sending is paused because this database was restored. Check what is waiting, then resume.')
      const values = { isPaused, pausedReason: isPaused ? (reason ?? null) : null, updatedAt: ctx.now }
      const row = await ctx.db
        .insertInto('cronJobs')
        .values({ name, ...values })
        .onConflict((c) => c.column('name').doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow()
      ctx.audit({
        action: isPaused ? 'job.paused' : 'job.resumed',
        entity: 'Maintenance',
        guid: installation,
        after: { name },
        ...(isPaused && reason ? { reason } : {}),
      })
      return { job: shownOf(ctx, job, row, isHeld) }
    },
  }
}
