import { eventQueue } from '../core/events.ts'
import { defineBatch, defineJob, type BatchDefinition, type JobDefinition } from '../core/jobs/jobs.ts'
import { type Begin, takeEvents } from './taking.service.ts'

const budgetMs = 15_000

/** Takes events up as soon as they are committed, and by the clock what was not announced. */
export function eventJobs(begin: Begin): { job: JobDefinition; batch: BatchDefinition } {
  return {
    job: defineJob(eventQueue, { effect: 'external', policy: 'short', concurrency: 1 }, async (ctx) => {
      const startedAt = performance.now()
      await takeEvents(ctx, () => performance.now() - startedAt < budgetMs, begin)
    }),
    batch: defineBatch('events', '* * * * *', (ctx, hasTime) => takeEvents(ctx, hasTime, begin)),
  }
}
