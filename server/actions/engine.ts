import type { Ctx } from '../core/ctx.ts'
import { defineBatch, defineJob } from '../core/jobs/jobs.ts'
import { labelOf } from '../events/events.service.ts'
import type { TakenEvent } from '../events/taking.service.ts'
import { begin } from './beginning.ts'
import { runDue } from './running.ts'
import { askForRuns, runQueue } from './waiting.ts'

/**
 * What begins with an event: a run of each action that waits for it, or a word of why there is none. What happened
 * before an action was turned on is not its matter.
 */
export async function beginRuns(ctx: Ctx, event: TakenEvent): Promise<void> {
  const { businessGuid } = event
  if (!businessGuid) return
  const waiting = await ctx.db
    .selectFrom('actions')
    .selectAll()
    .where('businessGuid', '=', businessGuid)
    .where('eventKey', '=', event.key)
    .where('status', '=', 'active')
    .where('archivedAt', 'is', null)
    .where('activatedAt', '<=', event.at)
    .orderBy('guid')
    .forNoKeyUpdate()
    .execute()
  if (waiting.length === 0) return
  const occasion = { ...event, recordLabel: await labelOf(ctx.db, event), replay: 0 }
  for (const action of waiting) await begin(ctx, action, occasion)
  await askForRuns(ctx)
}

const budgetMs = 15_000

/** Works off runs as soon as they are there, and by the clock those whose time has come. */
export const runJob = defineJob(runQueue, { effect: 'external', policy: 'short', concurrency: 1 }, async (ctx) => {
  const startedAt = performance.now()
  await runDue(ctx, () => performance.now() - startedAt < budgetMs)
})
export const runBatch = defineBatch('actions', '* * * * *', runDue)
