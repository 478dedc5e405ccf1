import { z } from 'zod'
import { reference } from './core/common.ts'

/*
 * The one shape of scheduled jobs: what one would do is planned first, item by item, and a run does what was planned.
 */

/** What a run came to. Items that were skipped had a reason, and are not counted among those that were processed. */
export const plannedReport = z.object({
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
  z.object({ do: z.literal(false), key: z.string(), record: reference, reason: z.string() }),
])
export type PlanItem = z.infer<typeof planItem>

export const jobPreview = z.object({
  /** The first five hundred. */
  items: z.array(planItem),
  considered: z.int(),
  skipped: z.record(z.string(), z.int()),
  /** There are more than are looked at. */
  isPartial: z.boolean(),
})
export type JobPreview = z.infer<typeof jobPreview>
