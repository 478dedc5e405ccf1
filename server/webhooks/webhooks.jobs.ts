import { defineBatch, defineJob } from '../core/jobs/jobs.ts'
import { deliverDue } from './deliveries.ts'
import { askForDelivery, deliveryQueue } from './webhooks.service.ts'

const runMs = 15_000

/** Runs as soon as something is handed over. A second one goes on where the first has reached the end of its time. */
export const deliveryJob = defineJob(
  deliveryQueue,
  { effect: 'external', concurrency: 2, policy: 'short' },
  async (ctx) => {
    const startedAt = performance.now()
    const { remaining } = await deliverDue(ctx, () => performance.now() - startedAt < runMs)
    if (remaining > 0) await askForDelivery(ctx)
  },
)

/** Takes up what is due again, and what a process that died had begun. */
export const deliveryBatch = defineBatch('webhooks', '* * * * *', deliverDue)
