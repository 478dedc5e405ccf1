import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { userOf } from '../core/records.ts'
import { type Standing, standingOf } from './allocations.queries.ts'
import { addPosted, type Credit, later, postCredit } from './payments.booking.ts'
import { insertAllocations } from './payments.queries.ts'

/** Takes an allocation back: a row that mirrors it, and an entry that makes its money credit again. */
export async function mirror(ctx: Ctx, payment: Credit, standing: Standing, on: string): Promise<void> {
  const guid = newGuid()
  const { invoiceGuid, cents, guid: reversesGuid } = standing
  const row = { guid, paymentGuid: payment.guid, invoiceGuid, cents: -cents, effectiveOn: on, reversesGuid }
  await insertAllocations(ctx.db, [{ ...row, createdAt: ctx.now, createdBy: userOf(ctx) }])
  await postCredit(ctx, payment, { guid, cents: -cents, on, source: 'unallocation' })
}

/** Takes a part of an allocation off its invoice: the whole is mirrored, what stays is added anew on that day. */
export async function takePart(
  ctx: Ctx,
  payment: Credit,
  standing: Standing,
  { cents, on, issueOn }: { cents: number; on: string; issueOn: string | null },
): Promise<void> {
  await mirror(ctx, payment, standing, on)
  const rest = standing.cents - cents
  if (rest > 0)
    await addPosted(ctx, payment, { invoiceGuid: standing.invoiceGuid, cents: rest, recoverCents: 0, issueOn }, on)
}

/**
 * How much of each allocation to one invoice can be taken off: what went back, is on its way or was asked back is of
 * the oldest. The newest comes first.
 */
export function freeOf<T extends { cents: number }>(newestFirst: readonly T[], backCents: number): (T & Free)[] {
  let left = newestFirst.reduce((sum, one) => sum + one.cents, 0) - backCents
  return newestFirst.map((one) => {
    const freeCents = Math.max(Math.min(one.cents, left), 0)
    left -= freeCents
    return { ...one, freeCents }
  })
}
interface Free {
  freeCents: number
}

/** Takes up to an amount of a payment off an invoice, the newest allocation first. Both are locked. */
export async function takeNewest(
  ctx: Ctx,
  payment: Credit,
  invoice: { guid: string; issueOn: string | null },
  { cents, on }: { cents: number; on: string },
): Promise<void> {
  let left = cents
  for (const one of await standingOf(ctx.db, payment.guid)) {
    if (one.invoiceGuid !== invoice.guid || left <= 0) continue
    const part = Math.min(left, one.cents)
    await takePart(ctx, payment, one, { cents: part, on: later(on, one.effectiveOn), issueOn: invoice.issueOn })
    left -= part
  }
}
