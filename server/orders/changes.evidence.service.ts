import { notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { type Evidence, howToVerifyChanges } from '../../contract/evidence.ts'
import type { ordersApi } from '../../contract/orders.ts'
import type { Ctx } from '../core/ctx.ts'
import { mustSeeAmounts, one } from './order.service.ts'

/** What happened to an order's changes, in one file that proves itself. */
export async function evidence(ctx: Ctx, { guid }: Input<(typeof ordersApi)['evidence']>) {
  mustSeeAmounts(ctx)
  const { order } = await one(ctx, guid)
  if (!order.hasAmounts) throw notFound()
  const rows = await ctx.db
    .selectFrom('changeEvents as e')
    .innerJoin('changeOrders as c', 'c.guid', 'e.changeGuid')
    .select(['e.event', 'e.chainSha256', 'c.sha256', 'c.content'])
    .where('e.orderGuid', '=', guid)
    .orderBy('e.position')
    .execute()
  const file: Evidence = {
    format: 1,
    number: order.number,
    revision: 0,
    howToVerify: howToVerifyChanges,
    events: rows.map(({ event, chainSha256 }) => ({ event, sha256: chainSha256 })),
    frames: Object.fromEntries(rows.map(({ sha256, content }) => [sha256 ?? '', content ?? ''])),
    documents: {},
  }
  return {
    bytes: Buffer.from(JSON.stringify(file, null, 1)),
    fileName: `${order.number}-evidence.json`,
    mime: 'application/json',
  }
}
