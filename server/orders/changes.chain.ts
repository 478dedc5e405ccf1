import { createHash } from 'node:crypto'
import { changeNumber, type ChangeReason } from '../../contract/change-orders.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { canonical } from '../documents/documents.service.ts'
import type { OrderRow } from './orders.queries.ts'

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

interface Moment {
  reason: ChangeReason
  /** Who did it, in words. */
  by: string
  /** What else is said of it. */
  facts?: Readonly<Record<string, unknown>>
}
type Changed = { guid: string; position: number; sha256: string | null }

const lastOf = (db: Db, orderGuid: string) =>
  db
    .selectFrom('changeEvents')
    .select(['position', 'chainSha256'])
    .where('orderGuid', '=', orderGuid)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Where the evidence of an order's changes begins: with what was proven of its quote. */
async function beginning(db: Db, quoteGuid: string | null) {
  if (quoteGuid === null) return {}
  const { number, revision, acceptance } = await db
    .selectFrom('quotes')
    .select(['number', 'revision', 'acceptance'])
    .where('guid', '=', quoteGuid)
    .executeTakeFirstOrThrow()
  return { quote: { number, revision, sha256: acceptance?.evidenceSha256 ?? null } }
}

/**
 * Notes what happened to a change, chained to all that happened to its order's changes before. The order is locked by
 * the caller, so that moments stand in one line. Answers the hash of the chain.
 */
export async function keepChange(
  ctx: Ctx,
  order: Pick<OrderRow, 'guid' | 'number' | 'quoteGuid'>,
  change: Changed,
  { reason, by, facts = {} }: Moment,
): Promise<string> {
  const last = await lastOf(ctx.db, order.guid)
  const event = canonical({
    ...(last ? {} : await beginning(ctx.db, order.quoteGuid)),
    ...facts,
    position: (last?.position ?? 0) + 1,
    order: order.number,
    change: changeNumber(change.position),
    reason,
    at: ctx.now.toISOString(),
    by,
    ip: ctx.request.ip,
    frame: change.sha256,
  })
  const chainSha256 = sha256Of(`${last?.chainSha256 ?? ''}\n${event}`)
  await ctx.db
    .insertInto('changeEvents')
    .values({
      orderGuid: order.guid,
      changeGuid: change.guid,
      position: (last?.position ?? 0) + 1,
      reason,
      happenedAt: ctx.now,
      event,
      chainSha256,
    })
    .execute()
  return chainSha256
}

/** Each hash of the evidence of an order's changes, the oldest first. */
export async function chainOf(db: Db, orderGuid: string): Promise<string[]> {
  const rows = await db
    .selectFrom('changeEvents')
    .select('chainSha256')
    .where('orderGuid', '=', orderGuid)
    .orderBy('position')
    .execute()
  return rows.map(({ chainSha256 }) => chainSha256)
}
