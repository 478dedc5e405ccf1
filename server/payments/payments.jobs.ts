import type { Ctx } from '../core/ctx.ts'
import { findDrift } from './payments.drift.ts'
import { claimDueAttempts, claimDueRefunds } from './payments.queries.ts'
import { settleAttempt } from './payments.card.ts'
import { settleRefund } from './refunds.service.ts'
import { handleWebhook } from './webhooks.ts'
import { openEvents } from './webhooks.queries.ts'

const batch = 50
const dayMs = 86_400_000

export interface Settled {
  processed: number
  succeeded: number
  failed: number
}

/**
 * Settles what is open at the provider: payments and refunds without an answer, payers who never came back, notices whose job
 * was lost. Safe to repeat and to run twice at once.
 */
export async function settleOpen(ctx: Ctx): Promise<Settled> {
  const now = ctx.deps.now()
  const done: Settled = { processed: 0, succeeded: 0, failed: 0 }
  if (ctx.deps.payments.name === 'none') return done
  const attempts = await ctx.tx((tx) => claimDueAttempts(tx.db, now, batch))
  const refunds = await ctx.tx((tx) => claimDueRefunds(tx.db, now, batch))
  const events = await openEvents(ctx.db, { before: new Date(now.getTime() - 60_000), since: new Date(now.getTime() - 3 * dayMs), limit: batch })
  const work = [...attempts.map((guid) => () => settleAttempt(ctx, guid)), ...refunds.map((guid) => () => settleRefund(ctx, guid)), ...events.map((guid) => () => handleWebhook(ctx, guid))]
  for (const settle of work) {
    done.processed++
    try {
      await settle()
      done.succeeded++
    } catch (error) {
      done.failed++
      ctx.log.warn({ err: error }, 'an open payment could not be settled yet')
    }
  }
  return done
}

/** Tells of every difference between the provider's books and ours in the last month. */
export async function reportDrift(ctx: Ctx): Promise<number> {
  if (ctx.deps.payments.name === 'none') return 0
  const drifts = await findDrift(ctx, new Date(ctx.deps.now().getTime() - 31 * dayMs))
  for (const drift of drifts) ctx.log.error(drift, 'the provider and our books differ')
  return drifts.length
}
