import { type RawBuilder, sql } from 'kysely'
import { categoriesApi, maxCategories, maxDepth, slugOf, type Category } from '../../contract/categories.ts'
import { alreadyExists, conflict, invalid, invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { archiving, writeArchived } from '../core/bulk.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { applyRows, checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { archivedIf, changed, firstStamp, stamp } from '../core/records.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

type Api = typeof categoriesApi

const slugTaken = 'Another category has this address.'
const inCircle = 'A category can’t be inside itself.'
const tooDeep = 'Categories can be five levels deep.'
sayConstraints({
  category_slug_taken: ['ALREADY_EXISTS', slugTaken, 'slug'],
  category_circle: ['VALIDATION_FAILED', inCircle, 'parentGuid'],
  category_depth: ['VALIDATION_FAILED', tooDeep, 'parentGuid'],
})

const visible = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('productCategories as c'), rowColumns(ctx, 'Categories', 'c'))

/** The products of `p` that are in a category or in one inside it. */
export const inCategory = (guid: string | RawBuilder<unknown>) => sql<boolean>`p.guid in (
  with recursive tree as (
    select t.guid from product_categories t where t.guid = ${guid}
    union select t.guid from product_categories t join tree on t.parent_guid = tree.guid where t.archived_at is null)
  select k.product_guid from product_category_links k join tree on tree.guid = k.category_guid)`

const shown = (ctx: Ctx) =>
  visible(ctx).select([
    'c.guid',
    'c.version',
    'c.createdAt',
    'c.updatedAt',
    'c.archivedAt',
    'c.parentGuid',
    'c.name',
    'c.slug',
    'c.position',
    'c.depth',
    // Those that choosing it lists: also what lies in the categories below it.
    sql<number>`(select count(*) from products p where ${inCategory(sql.ref('c.guid'))} and p.archived_at is null)`.as(
      'productCount',
    ),
  ])

async function one(ctx: Ctx, guid: string): Promise<{ category: Category }> {
  const category = await shown(ctx).where('c.guid', '=', guid).executeTakeFirst()
  if (!category) throw notFound()
  return { category }
}

/** Each behind its parent; what has a parent that is not shown begins a tree of its own. */
function inOrder(rows: readonly Category[]): Category[] {
  const known = new Set(rows.map(({ guid }) => guid))
  const below = Map.groupBy(rows, ({ parentGuid }) => (parentGuid && known.has(parentGuid) ? parentGuid : null))
  const walk = (guid: string | null): Category[] =>
    (below.get(guid) ?? []).flatMap((category) => [category, ...walk(category.guid)])
  return walk(null)
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const rows = await shown(ctx)
    .where('c.businessGuid', '=', ctx.business.catalogueOf)
    .where(archivedIf('c', input.archived))
    .orderBy('c.position')
    .orderBy('c.guid')
    .limit(maxCategories)
    .execute()
  return { items: inOrder(rows) }
}

/** Two changes of a tree at once would not see each other's neighbours. */
const lockPool = (ctx: Ctx, pool: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('product_categories' || ${pool}::text, 0))`.execute(ctx.db)

async function lock(ctx: Ctx, guid: string) {
  const seen = await visible(ctx).select('c.businessGuid').where('c.guid', '=', guid).executeTakeFirst()
  if (!seen) throw notFound()
  await lockPool(ctx, seen.businessGuid)
  return visible(ctx).selectAll('c').where('c.guid', '=', guid).forUpdate('c').executeTakeFirstOrThrow()
}

async function checkSlug(ctx: Ctx, pool: string, slug: string, except: string) {
  const taken = await ctx.db
    .selectFrom('productCategories')
    .select('guid')
    .where('businessGuid', '=', pool)
    .where('slug', '=', slug)
    .where('archivedAt', 'is', null)
    .where('guid', '<>', except)
    .executeTakeFirst()
  if (taken) throw alreadyExists('slug', slugTaken)
}

/** The name's own address, with a number behind it where others have it. */
async function freeSlug(ctx: Ctx, pool: string, name: string): Promise<string> {
  const slug = slugOf(name)
  const { rows } = await sql<{ slug: string }>`
    select slug from product_categories where business_guid = ${pool} and archived_at is null
      and (slug = ${slug} or slug like ${`${slug}-%`})`.execute(ctx.db)
  const taken = new Set(rows.map((row) => row.slug))
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? slug : `${slug.slice(0, 75)}-${n}`
    if (!taken.has(candidate)) return candidate
  }
}

async function checkParent(ctx: Ctx, pool: string, parentGuid: string | null) {
  if (!parentGuid) return
  const parent = await visible(ctx)
    .select('c.depth')
    .where('c.guid', '=', parentGuid)
    .where('c.businessGuid', '=', pool)
    .where('c.archivedAt', 'is', null)
    .executeTakeFirst()
  if (!parent) throw invalid('parentGuid', 'Choose a category.')
  if (parent.depth >= maxDepth) throw invalid('parentGuid', tooDeep)
}

const neighbours = (ctx: Ctx, pool: string, parentGuid: string | null) =>
  ctx.db
    .selectFrom('productCategories')
    .select('guid')
    .where('businessGuid', '=', pool)
    .where('parentGuid', 'is not distinct from', parentGuid)
    .where('archivedAt', 'is', null)
    .orderBy('position')
    .orderBy('guid')
    .execute()

/** Counts the neighbours anew with one of them at its place; the others keep their order. */
async function place(ctx: Ctx, pool: string, parentGuid: string | null, guid: string, position: number | undefined) {
  const others = (await neighbours(ctx, pool, parentGuid)).map((row) => row.guid).filter((other) => other !== guid)
  const at = Math.min(position ?? others.length + 1, others.length + 1) - 1
  const order = [...others.slice(0, at), guid, ...others.slice(at)]
  await sql`update product_categories c set position = o.n
    from unnest(${order}::uuid[]) with ordinality o(guid, n) where o.guid = c.guid and c.position <> o.n`.execute(
    ctx.db,
  )
}

async function create(ctx: Ctx, input: Input<Api['create']>) {
  const guid = newGuid()
  const pool = ctx.business.catalogueOf
  const parentGuid = input.parentGuid ?? null
  await lockPool(ctx, pool)
  const { count } = await ctx.db
    .selectFrom('productCategories')
    .select(sql<number>`count(*)`.as('count'))
    .where('businessGuid', '=', pool)
    .where('archivedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= maxCategories) throw conflict('There are 1,000 categories already. Archive one first.')
  await checkParent(ctx, pool, parentGuid)
  if (input.slug) await checkSlug(ctx, pool, input.slug, guid)
  await ctx.db
    .insertInto('productCategories')
    .values({
      guid,
      businessGuid: pool,
      parentGuid,
      name: input.name,
      slug: input.slug ?? (await freeSlug(ctx, pool, input.name)),
      position: maxCategories,
      ...firstStamp(ctx),
    })
    .execute()
  await place(ctx, pool, parentGuid, guid, input.position)
  ctx.audit({ action: 'category.created', entity: 'Categories', guid, after: { name: input.name } })
  return one(ctx, guid)
}

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid, version, ...changes } = input
  const before = await lock(ctx, guid)
  await checkVersion(before, version, categoriesApi.get, () => one(ctx, guid))
  if (changes.slug && before.archivedAt === null) await checkSlug(ctx, before.businessGuid, changes.slug, guid)
  const after = await ctx.db
    .updateTable('productCategories')
    .set({ ...changes, ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const change = changed(before, after)
  ctx.audit({
    action: 'category.updated',
    entity: 'Categories',
    guid,
    before: change.before,
    after: { name: after.name, ...change.after },
  })
  return one(ctx, guid)
}

async function move(ctx: Ctx, input: Input<Api['move']>) {
  const { guid, version, position } = input
  const parentGuid = input.parentGuid ?? null
  const before = await lock(ctx, guid)
  await checkVersion(before, version, categoriesApi.get, () => one(ctx, guid))
  if (before.archivedAt !== null) throw invalidTransition('Restore this category before you move it.')
  if (parentGuid === guid) throw invalid('parentGuid', inCircle)
  if (parentGuid !== before.parentGuid) await checkParent(ctx, before.businessGuid, parentGuid)
  await ctx.db
    .updateTable('productCategories')
    .set({ ...(parentGuid === before.parentGuid ? {} : { parentGuid }), ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .execute()
  await place(ctx, before.businessGuid, parentGuid, guid, position)
  ctx.audit({
    action: 'category.moved',
    entity: 'Categories',
    guid,
    before: { parentGuid: before.parentGuid, position: before.position },
    after: { name: before.name, parentGuid, position },
  })
  return one(ctx, guid)
}

async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lock(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This category is already archived.' : 'This category isn’t archived.')
  if (isArchived) {
    if ((await neighbours(ctx, row.businessGuid, guid)).length > 0)
      throw conflict('Move or archive the categories inside it first.')
  } else {
    await checkParent(ctx, row.businessGuid, row.parentGuid)
    await checkSlug(ctx, row.businessGuid, row.slug, guid)
  }
  await writeArchived(ctx, 'Categories', row, isArchived)
  if (!isArchived) await place(ctx, row.businessGuid, row.parentGuid, guid, undefined)
}

export const categories: Handlers<Api> = {
  list,
  get: (ctx, input) => one(ctx, input.guid),
  create,
  update,
  move,
  ...archiving('Categories', setArchived, one),
}
