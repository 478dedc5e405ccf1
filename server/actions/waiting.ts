import type { Ctx } from '../core/ctx.ts'

/** Whoever works off runs hears of new ones by a job of this queue. */
export const runQueue = 'actions.run'

/** Has runs that are due worked off once the transaction is committed. One job that waits takes all there are. */
export const askForRuns = (ctx: Pick<Ctx, 'enqueue'>) => ctx.enqueue(runQueue, {}, { singletonKey: 'due' })
