import { sql } from 'kysely'
import { z } from 'zod'
import { operations } from '../../contract/api.ts'
import { AppError, conflict, forbidden, invalid, notFound } from '../../contract/core/errors.ts'
import type { Op } from '../../contract/core/op.ts'
import { maxViews, type View, viewsApi } from '../../contract/views.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { may } from '../core/http/permission.ts'

type Api = Handlers<typeof viewsApi>

const nameTaken = 'You already have a view with this name.'
sayConstraints({ views_name_taken: ['ALREADY_EXISTS', nameTaken, 'name'] })

const isPaged = (op: Op) => op.query instanceof z.ZodObject && 'size' in op.query.shape

/** Lists are known by the right to read them. */
const lists: ReadonlyMap<string, Op> = new Map(
  operations
    .filter(({ op }) => op.can[0] === 'read' && op.columns === undefined)
    .toSorted((a, b) => Number(isPaged(a.op)) - Number(isPaged(b.op)))
    .map(({ op }) => [op.can[1], op]),
)

function self(ctx: Ctx): string {
  if (ctx.actor.kind !== 'user') throw new AppError('NOT_AUTHENTICATED')
  return ctx.actor.userGuid
}

/** The caller's own, and what others share of lists that he may read. */
function visible(ctx: Ctx) {
  const own = self(ctx)
  const query = ctx.db
    .selectFrom('views as v')
    .innerJoin('users as u', 'u.guid', 'v.ownerGuid')
    .select([
      'v.guid',
      'v.subject',
      'v.name',
      'v.viewValues as values',
      'v.isShared',
      sql<boolean>`v.owner_guid = ${own}::uuid`.as('isOwn'),
      'u.name as ownerName',
      'v.version',
      'v.updatedAt',
    ])
  return query.where((eb) => eb.or([eb('v.ownerGuid', '=', own), eb('v.isShared', '=', true)]))
}

async function one(ctx: Ctx, guid: string): Promise<{ view: View }> {
  const row = await visible(ctx).where('v.guid', '=', guid).executeTakeFirst()
  if (!row || (!row.isOwn && !may(ctx.actor, 'read', row.subject))) throw notFound()
  return { view: row }
}

/** Locks a view for a change; others' are for looking at. */
async function lockView(ctx: Ctx, guid: string): Promise<View> {
  await ctx.db.selectFrom('views').select('guid').where('guid', '=', guid).forUpdate().executeTakeFirst()
  return (await one(ctx, guid)).view
}

async function own(ctx: Ctx, guid: string): Promise<View> {
  const view = await lockView(ctx, guid)
  if (!view.isOwn) throw forbidden()
  return view
}

const list: Api['list'] = async (ctx, { subject }) => {
  if (!may(ctx.actor, 'read', subject)) return { items: [] }
  return {
    items: await visible(ctx)
      .where('v.subject', '=', subject)
      .orderBy(sql`lower(v.name)`)
      .orderBy('v.guid')
      .execute(),
  }
}

/** The list of which something is kept: one there is, and which the caller may read. */
function listNamed(ctx: Ctx, subject: string): Op {
  const op = lists.get(subject)
  if (!op) throw invalid('subject', 'Choose a list.')
  if (!may(ctx.actor, 'read', subject)) throw forbidden()
  return op
}

const create: Api['create'] = async (ctx, { subject, name, values }) => {
  listNamed(ctx, subject)
  const ownerGuid = self(ctx)
  const { count } = await ctx.db
    .selectFrom('views')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('ownerGuid', '=', ownerGuid)
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
  if (count >= maxViews) throw conflict('You have 50 views of this list. Remove one first.')
  const guid = newGuid()
  await ctx.db
    .insertInto('views')
    .values({
      guid,
      ownerGuid,
      subject,
      name,
      viewValues: JSON.stringify(values),
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .execute()
  return one(ctx, guid)
}

const update: Api['update'] = async (ctx, { guid, version, name, values }) => {
  const before = await own(ctx, guid)
  await checkVersion(before, version, viewsApi.update, () => ({ view: before }))
  await ctx.db
    .updateTable('views')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(values === undefined ? {} : { viewValues: JSON.stringify(values) }),
      version: version + 1,
      updatedAt: ctx.now,
    })
    .where('guid', '=', guid)
    .execute()
  return one(ctx, guid)
}

const remove: Api['remove'] = async (ctx, { guid }) => {
  await own(ctx, guid)
  await ctx.db.deleteFrom('views').where('guid', '=', guid).execute()
  return null
}

const share: Api['share'] = async (ctx, { guid, version, isShared }) => {
  const before = await lockView(ctx, guid)
  if (isShared && !before.isOwn) throw forbidden()
  await checkVersion(before, version, viewsApi.update, () => ({ view: before }))
  await ctx.db
    .updateTable('views')
    .set({ isShared, version: version + 1, updatedAt: ctx.now })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({
    action: isShared ? 'view.shared' : 'view.unshared',
    entity: 'Views',
    guid,
    after: { name: before.name, subject: before.subject },
  })
  // What somebody else shared is out of sight for others from then on.
  return { view: { ...before, isShared, version: version + 1, updatedAt: ctx.now.toISOString() } }
}

/** What the list itself would refuse is not kept. */
function mustSuit({ query }: Op, field: 'sort' | 'size', value: string | number | null | undefined) {
  if (value === null || value === undefined) return
  const schema = query instanceof z.ZodObject ? (query.shape[field] as z.ZodType | undefined) : undefined
  const refusal = field === 'sort' ? 'Choose a column to sort by.' : 'Choose how many rows to show.'
  if (!schema?.safeParse(String(value)).success) throw invalid(field, refusal)
}

const defaults: Api['defaults'] = async (ctx, { subject, ...given }) => {
  const op = listNamed(ctx, subject)
  mustSuit(op, 'sort', given.sort)
  mustSuit(op, 'size', given.size)
  const { columns, ...sortAndSize } = given
  const kept = { ...sortAndSize, ...(columns === undefined ? {} : { columnIds: columns }), updatedAt: ctx.now }
  const row = await ctx.db
    .insertInto('listDefaults')
    .values({ userGuid: self(ctx), subject, ...kept })
    .onConflict((conflict) => conflict.columns(['userGuid', 'subject']).doUpdateSet(kept))
    .returning(['subject', 'columnIds as columns', 'sort', 'size'])
    .executeTakeFirstOrThrow()
  return { defaults: row }
}

export const views: Api = { list, create, update, remove, share, defaults }
