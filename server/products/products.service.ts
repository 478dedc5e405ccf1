import { sql } from 'kysely'
import type { z } from 'zod'
import { parseSort } from '../../contract/core/common.ts'
import { forbidden, invalid, invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { type PriceRise, risen } from '../../contract/price-rise.ts'
import { productsApi, type Product } from '../../contract/products.ts'
import { inCategory } from '../categories/categories.service.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { checkFree } from '../core/free.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { archiving, bulkEdit, writeArchived } from '../core/bulk.ts'
import { archivedIf, asJson, blankToNull, changed, firstStamp, holdsText, searchText, stamp } from '../core/records.ts'
import { listsIn, namesIn, reachOf } from '../core/reach.ts'
import { setOptionUses } from '../booking-options/offered.service.ts'
import { oneOf } from '../documents/list-search.service.ts'
import { taggedWith, tagging, withTags } from '../tags/tags.service.ts'
import { addImages, setImages } from './products.images.ts'
import { checkProduct, setCategories, type WholeProduct } from './products.parts.ts'
import { findProduct, listedProducts, maySeeCosts, visibleProducts } from './products.queries.ts'

type Api = typeof productsApi

const skuTaken = 'Another product has this code.'
const bySku = { table: 'products', column: 'sku', taken: skuTaken } as const
sayConstraints({ product_sku_taken: ['ALREADY_EXISTS', skuTaken, 'sku'] })

async function one(ctx: Ctx, guid: string): Promise<{ product: Product }> {
  const product = await findProduct(ctx, guid)
  if (!product) throw notFound()
  return { product }
}

/** What holds the text, and with it what is of a kind that is called so. */
function isFoundBy(search: string, kinds: string | undefined) {
  const holds = holdsText(searchText('p'), search)
  return kinds ? sql<boolean>`(${holds} or p.kind = any(${kinds.split(',')}::text[]))` : holds
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const seesCosts = maySeeCosts(ctx)
  if (!seesCosts && input.sort && parseSort(input.sort).some(({ field }) => field === 'marginBp')) throw forbidden()
  const reach = await reachOf(ctx, input)
  let found = visibleProducts(ctx).where(archivedIf('p', input.archived))
  if (input.status) found = found.where('p.status', 'in', input.status.split(',') as Product['status'][])
  if (input.stream) found = found.where('p.revenueStreamGuid', '=', input.stream)
  if (input.category) found = found.where(inCategory(input.category))
  const tagged = await taggedWith(ctx, reach, 'Products', 'p', input.tag)
  const sorts = {
    name: 'p.name',
    sku: { column: 'p.sku', nullable: true as const },
    priceCents: 'p.priceCents',
    marginBp: { column: 'p.marginBp', nullable: true as const },
    createdAt: 'p.createdAt',
  }
  const page = await pageOf({
    query: listedProducts(ctx, input.customerGuid),
    found,
    lists: listsIn(reach, 'p.businessGuid', 'catalogueOf'),
    anyOf: oneOf('p.kind', input.kind),
    within: [...(input.search ? [isFoundBy(input.search, input.searchKinds)] : []), ...tagged.within],
    ...(tagged.areMany && !input.search ? { areMany: true } : {}),
    isPlain: !(input.status || input.stream || input.category),
    input,
    sorts,
    guid: 'p.guid',
    defaultSort: 'name',
  })
  const named = (businessGuid: string) => namesIn(reach, businessGuid, 'catalogueOf')
  return { ...page, items: page.items.map((item) => ({ ...item, businessName: named(item.businessGuid) })) }
}

function checkCosts(ctx: Ctx, costCents: number | null | undefined) {
  if (costCents !== undefined && costCents !== null && !maySeeCosts(ctx)) throw forbidden()
}

/** What the columns of lists and parts hold. */
const inJson = ({
  tiers,
  hire,
  bundle,
}: {
  tiers?: Product['tiers'] | undefined
  hire?: object | null | undefined
  bundle?: object | null | undefined
}) => ({
  ...(tiers === undefined ? {} : { tiers: JSON.stringify(tiers) }),
  ...(hire === undefined ? {} : { hire: asJson(hire) }),
  ...(bundle === undefined ? {} : { bundle: asJson(bundle) }),
})

/** The product as it will be: what is not sent stays. */
const whole = (before: WholeProduct, sent: object): WholeProduct =>
  ({ ...before, categoryGuids: undefined, ...sent }) as WholeProduct

/** Makes a product and returns its guid. */
async function createProduct(ctx: Ctx, input: z.output<Api['create']['body']>): Promise<string> {
  const { categoryGuids, optionGuids, images, tiers, hire, bundle, ...plain } = input
  checkCosts(ctx, input.costCents)
  const pool = ctx.business.catalogueOf
  const guid = newGuid()
  await checkFree(ctx, bySku, pool, input.sku, guid)
  const given = {
    ...input,
    hire: input.hire ?? null,
    bundle: input.bundle ?? null,
    quantityMin: input.quantityMin ?? null,
    quantityMax: input.quantityMax ?? null,
    revenueStreamGuid: input.revenueStreamGuid ?? null,
  }
  await checkProduct(ctx, { ...given, guid, businessGuid: pool } as WholeProduct, null)
  await ctx.db
    .insertInto('products')
    .values({
      ...blankToNull(plain),
      ...inJson({ tiers, hire, bundle }),
      guid,
      businessGuid: pool,
      ...firstStamp(ctx),
    })
    .execute()
  await setOptionUses(ctx, { column: 'productGuid', guid, businessGuid: pool }, optionGuids)
  if (categoryGuids.length > 0) await setCategories(ctx, guid, categoryGuids)
  if (images.length > 0) await setImages(ctx, guid, images)
  ctx.audit({
    action: 'product.created',
    entity: 'Products',
    guid,
    after: { name: input.name, kind: input.kind, priceCents: input.priceCents },
  })
  return guid
}

async function lockVisibleProduct(ctx: Ctx, guid: string) {
  const row = await visibleProducts(ctx).selectAll('p').where('p.guid', '=', guid).forUpdate('p').executeTakeFirst()
  if (!row) throw notFound()
  return row
}

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid, version, categoryGuids, optionGuids, images, tiers, hire, bundle, ...changes } = input
  const before = await lockVisibleProduct(ctx, guid)
  await checkVersion(before, version, productsApi.get, () => one(ctx, guid))
  checkCosts(ctx, changes.costCents)
  // To those who may not see costs the field always looks empty; saving their form must not empty it.
  if (!maySeeCosts(ctx)) delete changes.costCents
  if (before.archivedAt === null) await checkFree(ctx, bySku, before.businessGuid, changes.sku, guid)
  if (before.archivedAt !== null) delete changes.status
  const was = { ...before, categoryGuids: undefined } as WholeProduct
  const sent = Object.entries({ ...changes, categoryGuids, tiers, hire, bundle })
  await checkProduct(ctx, whole(was, Object.fromEntries(sent.filter(([, value]) => value !== undefined))), was)
  const after = await ctx.db
    .updateTable('products')
    .set({ ...blankToNull(changes), ...inJson({ tiers, hire, bundle }), ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (optionGuids) await setOptionUses(ctx, { column: 'productGuid', ...before }, optionGuids)
  if (categoryGuids) await setCategories(ctx, guid, categoryGuids)
  if (images) await setImages(ctx, guid, images)
  const change = changed(before, after)
  ctx.audit({
    action: 'product.updated',
    entity: 'Products',
    guid,
    before: change.before,
    after: { name: after.name, ...change.after, ...(categoryGuids ? { categoryGuids } : {}), ...pictured(images) },
  })
  return one(ctx, guid)
}

type Rates = z.output<typeof productsApi.create.body>['hire']
const risenHire = (hire: Rates, rise: PriceRise): Rates =>
  hire && {
    ...hire,
    dayCents: risen(hire.dayCents, rise),
    ...(hire.weekCents ? { weekCents: risen(hire.weekCents, rise) } : {}),
    ...(hire.fourWeekCents ? { fourWeekCents: risen(hire.fourWeekCents, rise) } : {}),
  }

/** What a rise makes of all prices of a product. */
function risenPrices(row: Pick<WholeProduct, 'priceCents' | 'tiers' | 'hire'>, rise: PriceRise) {
  try {
    return {
      priceCents: risen(row.priceCents, rise),
      tiers: row.tiers.map((tier) => ({ ...tier, priceCents: risen(tier.priceCents, rise) })),
      hire: risenHire(row.hire, rise),
    }
  } catch (error) {
    if (error instanceof RangeError) throw invalid('set.priceRise.bp', 'Enter a smaller percentage.')
    throw error
  }
}

type Edited = Partial<Input<Api['edit']>['set']> & { guid: string; version: number }
/** One of many that are changed alike. */
async function edit(ctx: Ctx, { priceRise, ...input }: Edited) {
  if (!priceRise) return update(ctx, input)
  return update(ctx, { ...input, ...risenPrices(await lockVisibleProduct(ctx, input.guid), priceRise) })
}

/** What the log keeps of pictures: which files they are. */
const pictured = (images: readonly { fileGuid: string }[] | undefined) =>
  images ? { images: images.map(({ fileGuid }) => fileGuid) } : {}

async function saveImages(ctx: Ctx, { guid, version, images }: Input<Api['setImages']>) {
  const row = await lockVisibleProduct(ctx, guid)
  await checkVersion(row, version, productsApi.get, () => one(ctx, guid))
  if (images) await setImages(ctx, guid, images)
  await stampImages(ctx, row, images)
  return one(ctx, guid)
}

async function appendImages(ctx: Ctx, { guid, images }: Input<Api['addImages']>) {
  const row = await lockVisibleProduct(ctx, guid)
  await addImages(ctx, guid, images)
  await stampImages(ctx, row, images)
  return one(ctx, guid)
}

async function stampImages(
  ctx: Ctx,
  row: { guid: string; name: string; version: number },
  images: { fileGuid: string }[] | undefined,
) {
  await ctx.db.updateTable('products').set(stamp(ctx, row.version)).where('guid', '=', row.guid).execute()
  const after = { name: row.name, ...pictured(images) }
  ctx.audit({ action: 'product.updated', entity: 'Products', guid: row.guid, after })
}

async function activate(ctx: Ctx, { guid, version }: Input<Api['activate']>) {
  const row = await lockVisibleProduct(ctx, guid)
  await checkVersion(row, version, productsApi.get, () => one(ctx, guid))
  if (row.status !== 'draft') throw invalidTransition('Only drafts can be activated.')
  await ctx.db
    .updateTable('products')
    .set({ status: 'active', ...stamp(ctx, row.version) })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({ action: 'product.activated', entity: 'Products', guid, after: { name: row.name, kind: row.kind } })
  return one(ctx, guid)
}

async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lockVisibleProduct(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This product is already archived.' : 'This product isn’t archived.')
  if (!isArchived) await checkFree(ctx, bySku, row.businessGuid, row.sku, guid)
  await writeArchived(ctx, 'Products', row, isArchived, { status: isArchived ? 'archived' : 'active' })
}

export const products: Handlers<Api> = {
  list,
  get: (ctx, input) => one(ctx, input.guid),
  create: async (ctx, input) => one(ctx, await createProduct(ctx, input)),
  update,
  addImages: appendImages,
  setImages: saveImages,
  activate,
  edit: bulkEdit('Products', withTags('Products', edit)),
  ...tagging('Products'),
  ...archiving('Products', setArchived, one),
}
