import { sql } from 'kysely'
import { notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { Suppression, suppressionsApi } from '../../contract/suppressions.ts'
import type { Ctx, Db, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { holdsText, userOf } from '../core/records.ts'
import { visibleMessages } from './messages.queries.ts'

type Api = typeof suppressionsApi

interface NewSuppression {
  businessGuid: string
  address: string
  scope: Suppression['scope']
  reason: Suppression['reason']
  said?: string | null
  messageGuid: string
}

/** Has nothing more sent to an address, or no more offers; false where that is so already. */
export async function suppress(ctx: Ctx, suppression: NewSuppression): Promise<boolean> {
  const address = suppression.address.toLowerCase()
  const made = await ctx.db
    .insertInto('suppressions')
    .values({ ...suppression, address, createdAt: ctx.now })
    .onConflict((c) => c.columns(['businessGuid', 'address', 'scope']).where('liftedAt', 'is', null).doNothing())
    .executeTakeFirst()
  if (!made.numInsertedOrUpdatedRows) return false
  ctx.audit({
    action: 'message.address_suppressed',
    entity: 'Messages',
    guid: suppression.messageGuid,
    after: { to: address, kind: suppression.scope },
    ...(suppression.said ? { reason: suppression.said } : {}),
  })
  return true
}

/** Those of some addresses that a message of a category does not go to, in small letters. */
export async function suppressedAmong(
  db: Db,
  businessGuid: string,
  addresses: readonly string[],
  category: 'transactional' | 'commercial',
): Promise<Map<string, Suppression['reason']>> {
  if (addresses.length === 0) return new Map()
  const rows = await db
    .selectFrom('suppressions')
    .select(['address', 'reason', 'scope'])
    .where('businessGuid', '=', businessGuid)
    .where('address', 'in', [...new Set(addresses.map((address) => address.toLowerCase()))])
    .where('scope', 'in', category === 'commercial' ? ['all', 'commercial'] : ['all'])
    .where('liftedAt', 'is', null)
    .orderBy('scope', 'desc')
    .execute()
  return new Map(rows.map(({ address, reason }) => [address, reason]))
}

const inForce = (ctx: Ctx) =>
  ctx.db.selectFrom('suppressions as s').where('s.businessGuid', '=', ctx.business.guid).where('s.liftedAt', 'is', null)

const shown = ['s.guid', 's.address', 's.scope', 's.reason', 's.said', 's.messageGuid', 's.createdAt'] as const

/** The message a suppression began with. */
interface Origin {
  messageGuid: string | null
}

/** Those messages, as far as the caller may read them. */
async function withMessages<R extends Origin>(ctx: Ctx, rows: readonly R[]) {
  const guids = rows.flatMap(({ messageGuid }) => messageGuid ?? [])
  const found = guids.length
    ? await visibleMessages(ctx)
        .select(['m.guid', sql<string>`m.subject`.as('label')])
        .where('m.guid', 'in', guids)
        .execute()
    : []
  const known = new Map(found.map((message) => [message.guid, message]))
  return rows.map(({ messageGuid, ...row }) => ({ ...row, message: known.get(messageGuid ?? '') ?? null }))
}

async function list(ctx: Ctx, { search, scope, ...input }: Input<Api['list']>) {
  let query = inForce(ctx).select(shown)
  if (search) query = query.where(holdsText(sql`s.address`, search.toLowerCase()))
  if (scope) query = query.where('s.scope', 'in', scope.split(',') as Suppression['scope'][])
  const page = await pageOf({
    query,
    input,
    sorts: { createdAt: 's.createdAt', address: 's.address' },
    guid: 's.guid',
    defaultSort: '-createdAt',
  })
  return { ...page, items: await withMessages(ctx, page.items) }
}

/** Ends a suppression that is held, and keeps why. */
async function end(ctx: Ctx, row: Pick<Suppression, 'guid' | 'address' | 'scope'> & Origin, reason: string) {
  await ctx.db
    .updateTable('suppressions')
    .set({ liftedAt: ctx.now, liftedBy: userOf(ctx), liftReason: reason })
    .where('guid', '=', row.guid)
    .execute()
  ctx.audit({
    action: 'message.address_cleared',
    entity: 'Messages',
    guid: row.messageGuid ?? row.guid,
    after: { to: row.address, kind: row.scope },
    reason,
  })
}

async function lift(ctx: Ctx, { guid, reason }: Input<Api['lift']>) {
  const row = await inForce(ctx).select(shown).where('s.guid', '=', guid).forUpdate().executeTakeFirst()
  if (!row) throw notFound()
  await end(ctx, row, reason)
  const [suppression] = await withMessages(ctx, [row])
  if (!suppression) throw notFound()
  return { suppression }
}

/** Lets offers go again to an address that unsubscribed; false where it had not. What bounced stays suppressed. */
export async function liftUnsubscribed(ctx: Ctx, address: string, reason: string): Promise<boolean> {
  const row = await inForce(ctx)
    .select(shown)
    .where('s.address', '=', address)
    .where('s.reason', '=', 'unsubscribed')
    .forUpdate()
    .executeTakeFirst()
  if (row) await end(ctx, row, reason)
  return row !== undefined
}

export const suppressionHandlers: Handlers<Api> = { list, lift }
