import { type Ctx, type OpenCtx, withCtx } from '../core/ctx.ts'
import { defineBatch, defineJob } from '../core/jobs/jobs.ts'
import { notify } from '../core/notices.ts'
import { queueDocumentMessage } from '../messages/messages.service.ts'
import { tellQueue } from './payments.booking.ts'
import { settleAttempt, settleQueue } from './payments.card.ts'
import { findDrift } from './payments.drift.ts'
import { askAfterRestore } from './payments.restored.ts'
import { attemptOf, bookedAt, claimDueAttempts, claimDueRefunds } from './payments.queries.ts'
import { expireSome } from './refund-requests.ts'
import { settleRefund } from './refunds.service.ts'
import { handleWebhook, webhookQueue } from './webhooks.ts'
import { openEvents } from './webhooks.queries.ts'

const batchSize = 20
const dayMs = 86_400_000
/**
 * How often a payment without an answer is asked for while somebody may be waiting for it;
 * the batch goes on afterwards.
 */
const askEveryMs = 10_000
const askForMs = 10 * 60_000
/** Younger notices are still with their own job. */
const orphanedAfterMs = 60_000
const noticesKeptDays = 3

interface Settled {
  succeeded: number
  failed: number
}

/**
 * Settles what is open at the provider: payments and refunds without an answer, payers who never came back, notices
 * whose job was lost. Safe to repeat and to run twice at once.
 */
export async function settleOpen(
  ctx: OpenCtx,
  hasTime: () => boolean = () => true,
): Promise<Settled & { remaining: number }> {
  const done: Settled = { succeeded: 0, failed: 0 }
  if (ctx.deps.payments.name === 'none') return { ...done, remaining: 0 }
  for (;;) {
    const work = await claim(ctx)
    for (const settle of work) await count(ctx, done, settle)
    if (work.length < batchSize) return { ...done, remaining: 0 }
    if (!hasTime()) return { ...done, remaining: 1 }
  }
}

async function claim(ctx: OpenCtx): Promise<(() => Promise<void>)[]> {
  const now = ctx.deps.now()
  const attempts = await ctx.tx((tx) => claimDueAttempts(tx.db, now, batchSize))
  const refunds = await ctx.tx((tx) => claimDueRefunds(tx.db, now, batchSize))
  return [
    ...attempts.map((guid) => () => settleAttempt(ctx, guid)),
    ...refunds.map((guid) => () => settleRefund(ctx, guid)),
  ]
}

/** One that cannot be settled yet does not keep the others waiting. */
async function count(ctx: OpenCtx, done: Settled, settle: () => Promise<void>) {
  try {
    await settle()
    done.succeeded++
  } catch (error) {
    done.failed++
    ctx.log.warn({ err: error }, 'something open at the payment provider could not be settled yet')
  }
}

async function handleOrphans(ctx: OpenCtx): Promise<Settled> {
  const done: Settled = { succeeded: 0, failed: 0 }
  const now = ctx.deps.now().getTime()
  const events = await openEvents(ctx.db, {
    before: new Date(now - orphanedAfterMs),
    since: new Date(now - noticesKeptDays * dayMs),
    limit: batchSize,
  })
  for (const guid of events) await count(ctx, done, () => handleWebhook(ctx, guid))
  return done
}

/** Tells of every difference between the provider's books and ours in the last month; returns how many there are. */
async function reportDrift(ctx: Ctx): Promise<number> {
  if (ctx.deps.payments.name === 'none') return 0
  const drifts = await findDrift(ctx, new Date(ctx.deps.now().getTime() - 31 * dayMs))
  for (const drift of drifts) ctx.log.error(drift, 'the payment provider and our books differ')
  return drifts.length
}

/** Asks for one payment again and again, until it is settled or nobody waits any more. */
async function settleSoon(ctx: OpenCtx, attemptGuid: string) {
  let failure: unknown
  try {
    await settleAttempt(ctx, attemptGuid)
  } catch (error) {
    failure = error
  }
  const attempt = await attemptOf(ctx.db, attemptGuid)
  if (attempt?.status !== 'processing') return
  const now = ctx.deps.now().getTime()
  if (now - new Date(attempt.createdAt).getTime() < askForMs)
    await ctx.enqueue(settleQueue, { attemptGuid }, { startAfter: new Date(now + askEveryMs) })
  else ctx.log.warn({ attempt: attemptGuid, err: failure }, 'a card payment is still open')
}

export type Told = { kind: 'payment' | 'refund'; guid: string }

/** Tells the customer what was booked, as of then; one without an address is not told. */
export async function tell(ctx: Ctx, { kind, guid }: Told): Promise<void> {
  const at = await bookedAt(ctx.db, kind, guid)
  if (!at) return
  await queueDocumentMessage(withCtx(ctx, { now: at }), {
    template: kind === 'payment' ? await receiptOf(ctx, guid) : 'refund',
    ownerType: kind,
    ownerGuid: guid,
    quietly: true,
  })
  if (kind === 'payment') await tellStaff(ctx, guid)
}

/** Where several invoices were paid in one go, the receipt leads back to the page they were paid on. */
async function receiptOf(ctx: Ctx, paymentGuid: string): Promise<'receipt' | 'statement_receipt'> {
  const several = await ctx.db
    .selectFrom('payments as p')
    .innerJoin('paymentAttempts as a', 'a.guid', 'p.attemptGuid')
    .select('p.guid')
    .where('p.guid', '=', paymentGuid)
    .where('a.statementPageGuid', 'is not', null)
    .executeTakeFirst()
  return several ? 'statement_receipt' : 'receipt'
}

/** What staff has entered itself is no news. */
async function tellStaff(ctx: Ctx, guid: string) {
  const payment = await ctx.db
    .selectFrom('payments')
    .select(['amountCents', 'createdBy'])
    .where('guid', '=', guid)
    .executeTakeFirst()
  if (payment && payment.createdBy === null)
    await notify(ctx, {
      kind: 'payment.received',
      noun: 'Payments',
      recordGuid: guid,
      event: `payment.received:${guid}`,
      values: { amountCents: payment.amountCents },
    })
}

export const paymentJobs = [
  defineJob<Told>(tellQueue, { effect: 'transaction', concurrency: 2 }, tell),
  defineJob<{ eventGuid: string }>(webhookQueue, { effect: 'external', concurrency: 4 }, (ctx, { eventGuid }) =>
    handleWebhook(ctx, eventGuid),
  ),
  defineJob<{ attemptGuid: string }>(settleQueue, { effect: 'external', concurrency: 2 }, (ctx, { attemptGuid }) =>
    settleSoon(ctx, attemptGuid),
  ),
]

export const paymentBatches = [
  defineBatch('payments-settle', '* * * * *', async (ctx, hasTime) => {
    await askAfterRestore(ctx).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'the payment provider could not be asked yet what it took since the backup'),
    )
    const settled = await settleOpen(ctx, hasTime)
    const orphans = await handleOrphans(ctx)
    return {
      succeeded: settled.succeeded + orphans.succeeded,
      failed: settled.failed + orphans.failed,
      remaining: settled.remaining,
    }
  }),
  defineBatch('refund-requests', '27 * * * *', async (ctx, hasTime) => {
    let succeeded = 0
    for (let done = batchSize; done === batchSize && hasTime(); succeeded += done)
      done = await ctx.tx((tx) => expireSome(tx, batchSize))
    return { succeeded, failed: 0, remaining: 0 }
  }),
  defineBatch('payments-drift', '40 3 * * *', async (ctx) => ({
    succeeded: 0,
    failed: await reportDrift(ctx),
    remaining: 0,
  })),
]
