import { type SelectQueryBuilder, sql } from 'kysely'
import type { authApi } from '../../contract/auth.ts'
import type { Returned } from '../../contract/core/op.ts'
import { type NounWith, nounsWith, nouns } from '../../contract/nouns.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import type { DB } from '../core/db/schema.ts'
import { readable } from '../core/http/permission.ts'
import { rowColumns, worksAlong } from '../row-scope/row-scope.service.ts'

type Item = Returned<(typeof authApi)['documents']>['items'][number]

const maxPerNoun = 20
type DocumentNoun = NounWith<'isDocument'>

/** The newest documents the caller owns or is assigned to, as far as his rights to read them go. */
export async function documentsOf(ctx: Ctx): Promise<Item[]> {
  const found = await Promise.all(nounsWith('isDocument').map((noun) => ofNoun(ctx, noun)))
  return found.flat().toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
}

async function ofNoun(ctx: Ctx, noun: DocumentNoun): Promise<Item[]> {
  if (ctx.actor.kind !== 'user') return []
  const { userGuid } = ctx.actor
  const rows = readable(ctx.actor, noun, 'All')
  if (rows === 'none') return []
  const all = ctx.db.selectFrom(`${nouns[noun].table} as d` as 'orders as d') as SelectQueryBuilder<
    DB & { d: DB['orders'] },
    'd',
    object
  >
  const visible = applyRows({ actor: ctx.actor, rows }, all, rowColumns(ctx, noun, 'd'))
    .select([
      'd.guid',
      'd.number',
      'd.title',
      'd.status',
      'd.totalCents',
      'd.createdAt',
      sql<string>`(select c.display_name from parties c where c.member_guid = d.customer_guid)`.as('customerName'),
    ])
    .where('d.archivedAt', 'is', null)
    .orderBy('d.createdAt', 'desc')
    .limit(maxPerNoun)
  // One after the other, each from its own index: whose it is, and who does the work.
  const owned = await visible.where('d.ownerGuid', '=', userGuid).execute()
  const assigned = noun === 'Orders' ? await visible.where('d.assignedGuid', '=', userGuid).execute() : []
  const along = noun === 'Orders' ? await visible.where(worksAlong('d.guid', userGuid)).execute() : []
  const items = new Map([...owned, ...assigned, ...along].map((item) => [item.guid, item]))
  return [...items.values()]
    .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    .slice(0, maxPerNoun)
    .map((item) => ({ ...item, noun }))
}
