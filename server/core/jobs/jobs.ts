import type { Ctx, OpenCtx } from '../ctx.ts'

export interface JobOptions {
  /**
   * `transaction`: the handler runs in one transaction that also settles the job, so its effects happen exactly once.
   * `external`: the handler talks to other systems, opens short transactions by `ctx.tx`, and
   * may run again after a crash.
   */
  effect: 'transaction' | 'external'
  /** How many of them one process works on at once. */
  concurrency?: number
  /**
   * `short`: a job with the same `singletonKey` that still waits is not queued again. Every job
   * of such a queue needs a key.
   */
  policy?: 'standard' | 'short'
  expireInSeconds?: number
  retryLimit?: number
}

/** `isLast`: the queue gives up when this one fails, too. */
export interface Try {
  isLast: boolean
}

type Work<C, D> = (ctx: C, data: D, attempt?: Try) => Promise<void>
type Data = Record<string, unknown>

export type JobDefinition = { name: string; options: JobOptions } & (
  | { effect: 'transaction'; handler: Work<Ctx, Data> }
  | { effect: 'external'; handler: Work<OpenCtx, Data> }
)

/** A kind of work that is queued by `ctx.enqueue(name, data)`. It must be safe to repeat. */
export function defineJob<D extends Data>(
  name: string,
  options: JobOptions & { effect: 'transaction' },
  handler: Work<Ctx, D>,
): JobDefinition
export function defineJob<D extends Data>(
  name: string,
  options: JobOptions & { effect: 'external' },
  handler: Work<OpenCtx, D>,
): JobDefinition
export function defineJob(name: string, options: JobOptions, handler: Work<OpenCtx, never>): JobDefinition {
  return { name, options, effect: options.effect, handler: handler as Work<OpenCtx, Data> } as JobDefinition
}

export interface BatchReport {
  processed: number
  succeeded: number
  failed: number
  remaining: number
  durationMs: number
}

export interface BatchDefinition {
  name: string
  /** When the built-in scheduler runs it, as a cron expression in the business's time zone. */
  cron: string
  /** Works until nothing is left or the time is over, in steps that each leave things in order. */
  step: (ctx: OpenCtx, hasTime: () => boolean) => Promise<Omit<BatchReport, 'durationMs' | 'processed'>>
}

/** Work that is due by the clock. The scheduler and the cron call run the same function. */
export const defineBatch = (name: string, cron: string, step: BatchDefinition['step']): BatchDefinition => ({
  name,
  cron,
  step,
})
