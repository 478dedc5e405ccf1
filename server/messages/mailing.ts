import type { Ctx } from '../core/ctx.ts'
import { countUse } from '../core/http/limits.ts'
import { queueName } from './messages.queue.ts'

/** A stolen login must not become a mail cannon. */
const maxPerDay = { most: 2000, seconds: 86_400 }

/** Counts a message that somebody sends; refuses it over the day's limit. */
export async function countMail(ctx: Ctx): Promise<void> {
  if (ctx.actor.kind !== 'user') return
  await countUse(
    ctx.db,
    `mail:${ctx.actor.userGuid}`,
    maxPerDay,
    'You’ve reached today’s limit for sending messages. Try again tomorrow.',
  )
}

/** Has what is due sent at once, and not when the queue is looked at next. */
export const workOffQueue = (ctx: Pick<Ctx, 'enqueue'>) => ctx.enqueue(queueName, {})
