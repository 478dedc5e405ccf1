import type { ClientConfig } from 'pg'
import { fromKysely, type JobWithMetadata, PgBoss, type Queue } from 'pg-boss'
import type { FastifyBaseLogger } from 'fastify'
import { transact } from '../db/transact.ts'
import type { Deps } from '../deps.ts'
import { announceEvents } from '../events.ts'
import { openCtx, systemRun, inOpenTransaction } from '../run.ts'
import { runJobBatch } from './batches.ts'
import type { BatchDefinition, JobDefinition } from './jobs.ts'

const batchQueue = (name: string) => `batch.${name}`
const heartbeatSeconds = 15

/** The queue in the database. Its tables belong to the owner, so nothing here changes them. */
export function makeBoss(config: ClientConfig, options: { isScheduler: boolean; log: FastifyBaseLogger }): PgBoss {
  const boss = new PgBoss({
    ...(config as object),
    application_name: 'brolga-queue',
    max: 3,
    migrate: false,
    createSchema: false,
    supervise: options.isScheduler,
    schedule: options.isScheduler,
    useListenNotify: true,
    reindex: false,
    monitorVacuum: false,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    queueCacheIntervalSeconds: 5,
  })
  boss.on('error', (error) => options.log.warn({ err: error }, 'the job queue met an error'))
  boss.on('warning', (warning) => options.log.debug({ warning }, 'the job queue warns'))
  return boss
}

/** Every queue with what happens to jobs that fail or whose process dies. */
function queueDefinitions(jobs: readonly JobDefinition[], batches: readonly BatchDefinition[]): Queue[] {
  const common = {
    notify: true,
    retryBackoff: true,
    retryDelay: 2,
    retryDelayMax: 300,
    heartbeatSeconds,
    deleteAfterSeconds: 86_400,
  }
  return [
    ...jobs.map(({ name, options }) => ({
      ...common,
      name,
      policy: options.policy ?? 'standard',
      retryLimit: options.retryLimit ?? 10,
      expireInSeconds: options.expireInSeconds ?? 300,
    })),
    ...batches.map(({ name }) => ({
      ...common,
      name: batchQueue(name),
      policy: 'short' as const,
      retryLimit: 0,
      expireInSeconds: 60,
    })),
  ]
}

/** Makes queues that are new; those that are there keep what they hold. */
export async function prepareQueues(boss: PgBoss, jobs: readonly JobDefinition[], batches: readonly BatchDefinition[]) {
  const there = new Set((await boss.getQueues()).map((queue) => queue.name))
  for (const { name, ...options } of queueDefinitions(jobs, batches))
    if (!there.has(name)) await boss.createQueue(name, { name, ...options } as Queue)
}

export async function startWorkers(deps: Deps, jobs: readonly JobDefinition[], batches: readonly BatchDefinition[]) {
  const polling = {
    pollingIntervalSeconds: 2,
    notifyPollingIntervalSeconds: 2,
    heartbeatRefreshSeconds: 5,
    burstWhenReadyExceeds: 1,
  }
  for (const job of jobs) {
    await deps.boss.work(
      job.name,
      { ...polling, localConcurrency: job.options.concurrency ?? 2, includeMetadata: true },
      async ([taken]) => {
        if (taken) await runTold(deps, job, taken as JobWithMetadata<Record<string, unknown>>)
      },
    )
  }
  if (!deps.settings.scheduler) return
  for (const batch of batches) {
    await deps.boss.work(batchQueue(batch.name), { ...polling, batchSize: 1 }, async () => {
      const report = await runJobBatch(deps, batch)
      if (report.processed > 0) deps.log.info({ batch: batch.name, ...report }, 'a scheduled batch has run')
    })
    await deps.boss.schedule(batchQueue(batch.name), batch.cron, {}, { tz: deps.settings.timeZone })
  }
}

/** The queue tries a failed job again by itself, so the log is the only place that says why it failed. */
async function runTold(deps: Deps, job: JobDefinition, taken: JobWithMetadata<Record<string, unknown>>) {
  const facts = { job: job.name, id: taken.id, tries: taken.retryCount + 1 }
  const startedAt = performance.now()
  try {
    await runJob(deps, job, taken)
    deps.log.debug({ ...facts, ms: Math.round(performance.now() - startedAt) }, 'a job is done')
  } catch (error) {
    deps.log.warn({ ...facts, err: error }, 'a job failed')
    throw error
  }
}

async function runJob(deps: Deps, job: JobDefinition, taken: JobWithMetadata<Record<string, unknown>>) {
  const run = systemRun(deps, job.name)
  const attempt = { isLast: taken.retryCount >= taken.retryLimit }
  if (job.effect === 'external') return job.handler(openCtx(run), taken.data, attempt)
  await transact(deps.db, (db) =>
    inOpenTransaction(run, db, async (ctx) => {
      await job.handler(ctx, taken.data, attempt)
      // Settled in the same transaction: either all of it happened or the job is still there.
      const { affected } = (await deps.boss.complete(job.name, { id: taken.id, retryCount: taken.retryCount }, null, {
        db: fromKysely(db),
      })) as { affected: number }
      if (affected !== 1) throw new Error(`the job ${taken.id} was taken by another worker meanwhile`)
    }),
  )
  announceEvents(run)
}
