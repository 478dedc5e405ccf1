import { sql } from 'kysely'
import type { Ctx } from '../core/ctx.ts'
import { defineBatch } from '../core/jobs/jobs.ts'
import { tellReady } from './stages.service.ts'

const perStep = 200

/** Tells of stages whose day has come where their business is; gives of how many orders. */
async function tellSome(ctx: Ctx): Promise<number> {
  const day = sql`(${ctx.now}::timestamptz at time zone b.time_zone)::date`
  const orders = await ctx.db
    .selectFrom('orders as o')
    .innerJoin('businesses as b', 'b.guid', 'o.businessGuid')
    .selectAll('o')
    .select(sql<string>`${day}::text`.as('today'))
    .where('o.archivedAt', 'is', null)
    .where('o.status', 'not in', ['cancelled', 'draft'])
    .where(
      sql<boolean>`exists (select from order_stages s where s.order_guid = o.guid and s.told_at is null
        and s.cents > 0 and s.due_on <= ${day})`,
    )
    .limit(perStep)
    .forUpdate('o')
    .skipLocked()
    .execute()
  for (const { today, ...order } of orders) await tellReady(ctx, order, today)
  return orders.length
}

/** Once of each, in the hour in which its day begins. */
export const stagesBatch = defineBatch('order-stages', '13 * * * *', async (ctx, hasTime) => {
  let succeeded = 0
  while (hasTime()) {
    const done = await ctx.tx(tellSome)
    succeeded += done
    if (done < perStep) return { succeeded, failed: 0, remaining: 0 }
  }
  return { succeeded, failed: 0, remaining: 1 }
})
