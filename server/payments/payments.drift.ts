import type { ChargeResult } from '../core/adapters/payments.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { sql } from 'kysely'

/** One difference between the provider's books and ours. */
export interface Drift {
  kind: 'not_booked' | 'not_at_provider' | 'amount_differs' | 'refunds_differ'
  providerPaymentId: string
  paymentGuid: string | null
  theirsCents: number
  oursCents: number
}

interface Booked {
  guid: string
  providerPaymentId: string
  amountCents: number
  refundedCents: number
}

/** Younger payments may still be on their way into the books. */
const settledAfterMs = 10 * 60_000

/**
 * Lays the provider's list of payments beside ours, from an instant on. It only tells: nothing is mended here, for
 * money that differs is for a person to decide.
 */
export async function findDrift(ctx: Ctx, from: Date, waitMs = settledAfterMs): Promise<Drift[]> {
  const { payments, now } = ctx.deps
  const until = new Date(now().getTime() - waitMs)
  const charges = (await payments.listCharges(from.toISOString())).filter(
    (charge) => new Date(charge.createdAt) < until,
  )
  const booked = await bookedSince(
    ctx.db,
    payments.name,
    from,
    until,
    charges.flatMap((c) => c.providerPaymentId ?? []),
  )
  const ours = new Map(booked.map((b) => [b.providerPaymentId, b]))
  const theirs = new Map(charges.map((c) => [c.providerPaymentId, c]))
  return [
    ...charges.flatMap((charge) => compare(charge, ours.get(charge.providerPaymentId ?? ''))),
    ...booked.filter((b) => theirs.get(b.providerPaymentId)?.status !== 'succeeded').map(missingThere),
  ]
}

const missingThere = (b: Booked): Drift => ({
  kind: 'not_at_provider',
  providerPaymentId: b.providerPaymentId,
  paymentGuid: b.guid,
  theirsCents: 0,
  oursCents: b.amountCents,
})

function compare(charge: ChargeResult, booked: Booked | undefined): Drift[] {
  if (charge.status !== 'succeeded' || charge.providerPaymentId === null) return []
  const { providerPaymentId } = charge
  if (!booked)
    return [{ kind: 'not_booked', providerPaymentId, paymentGuid: null, theirsCents: charge.amountCents, oursCents: 0 }]
  const found: Drift[] = []
  if (charge.amountCents !== booked.amountCents)
    found.push({
      kind: 'amount_differs',
      providerPaymentId,
      paymentGuid: booked.guid,
      theirsCents: charge.amountCents,
      oursCents: booked.amountCents,
    })
  if (charge.refundedCents !== booked.refundedCents)
    found.push({
      kind: 'refunds_differ',
      providerPaymentId,
      paymentGuid: booked.guid,
      theirsCents: charge.refundedCents,
      oursCents: booked.refundedCents,
    })
  return found
}

/** Payments of the time, and those that belong to the charges listed, whenever they were booked. */
async function bookedSince(
  db: Db,
  provider: string,
  from: Date,
  until: Date,
  ids: readonly string[],
): Promise<Booked[]> {
  const rows = await db
    .selectFrom('payments as p')
    .leftJoin('paymentAttempts as a', 'a.guid', 'p.attemptGuid')
    .select([
      'p.guid',
      'p.providerPaymentId',
      'p.amountCents',
      sql<number>`(select coalesce(sum(r.amount_cents), 0)::bigint from refunds r
        join refund_attempts t on t.guid = r.attempt_guid and t.provider is not null where r.payment_guid = p.guid)`.as(
        'refundedCents',
      ),
    ])
    .where('p.provider', '=', provider)
    .where((is) =>
      is.or([
        is.and([is('a.createdAt', '>=', from.toISOString()), is('a.createdAt', '<', until.toISOString())]),
        is.and([
          is('a.guid', 'is', null),
          is('p.createdAt', '>=', from.toISOString()),
          is('p.createdAt', '<', until.toISOString()),
        ]),
        sql<boolean>`p.provider_payment_id = any(${[...ids]}::text[])`,
      ]),
    )
    .execute()
  return rows.map((row) => ({ ...row, providerPaymentId: row.providerPaymentId ?? '' }))
}
