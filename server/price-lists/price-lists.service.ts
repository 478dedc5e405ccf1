import { sql } from 'kysely'
import { invalidTransition, notFound, refuseFields } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { type PriceList, type PriceListItem, priceListsApi, repeatedItems } from '../../contract/price-lists.ts'
import { archiving, writeArchived } from '../core/bulk.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { checkFree } from '../core/free.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { archivedIf, changed, firstStamp, stamp } from '../core/records.ts'
import { findList, listedLists, productsCalled, productsOf, setItems, visibleLists } from './price-lists.queries.ts'

type Api = typeof priceListsApi

const nameTaken = 'Another price list has this name.'
const byName = { table: 'priceLists', column: 'name', taken: nameTaken } as const
sayConstraints({ price_list_name_taken: ['ALREADY_EXISTS', nameTaken, 'name'] })

async function one(ctx: Ctx, guid: string): Promise<{ priceList: PriceList }> {
  const priceList = await findList(ctx, guid)
  if (!priceList) throw notFound()
  return { priceList }
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  let found = visibleLists(ctx)
    .where('l.businessGuid', '=', ctx.business.catalogueOf)
    .where(archivedIf('l', input.archived))
  if (input.active) found = found.where('l.isActive', '=', input.active === 'true')
  return pageOf({
    query: listedLists(ctx),
    found,
    within: input.search ? [sql<boolean>`position(lower(${input.search}) in lower(l.name)) > 0`] : [],
    input,
    sorts: { name: 'l.name', updatedAt: 'l.updatedAt' },
    guid: 'l.guid',
    defaultSort: 'name',
  })
}

/** One price a product and quantity, each of a product of the catalogue that has a price. What was there may stay. */
async function checkItems(ctx: Ctx, pool: string, items: readonly PriceListItem[], before: readonly PriceListItem[]) {
  const repeated = repeatedItems(items)
  refuseFields(
    items.flatMap((item, i) =>
      repeated.has(i)
        ? [{ path: `items.${i}.from`, message: `This product already has a price from ${item.from}.` }]
        : [],
    ),
  )
  const stays = new Set(before.map((item) => item.productGuid))
  const asked = [...new Set(items.map((item) => item.productGuid))].filter((guid) => !stays.has(guid))
  const found = new Map((await productsOf(ctx, pool, asked)).map((product) => [product.guid, product]))
  refuseFields(
    items.flatMap(({ productGuid }, i) => {
      if (stays.has(productGuid)) return []
      const path = `items.${i}.productGuid`
      const product = found.get(productGuid)
      if (!product || product.archivedAt !== null) return [{ path, message: 'We can’t find that product.' }]
      return product.isPricedByParts ? [{ path, message: 'The price of this bundle comes from its parts.' }] : []
    }),
  )
}

async function create(ctx: Ctx, { items, ...input }: Input<Api['create']>) {
  const guid = newGuid()
  const pool = ctx.business.catalogueOf
  await checkFree(ctx, byName, pool, input.name, guid)
  await checkItems(ctx, pool, items, [])
  await ctx.db
    .insertInto('priceLists')
    .values({
      ...input,
      guid,
      businessGuid: pool,
      ...firstStamp(ctx),
    })
    .execute()
  if (items.length > 0) await setItems(ctx, guid, items)
  ctx.audit({
    action: 'price_list.created',
    entity: 'PriceLists',
    guid,
    after: { name: input.name, isActive: input.isActive, items: items.length },
  })
  return one(ctx, guid)
}

async function lock(ctx: Ctx, guid: string) {
  const row = await visibleLists(ctx).selectAll('l').where('l.guid', '=', guid).forUpdate('l').executeTakeFirst()
  if (!row) throw notFound()
  return row
}

const itemsOf = (ctx: Ctx, guid: string): Promise<PriceListItem[]> =>
  ctx.db
    .selectFrom('priceListItems')
    .select(['productGuid', 'priceCents', sql<string>`trim_scale(from_quantity)::text`.as('from')])
    .where('priceListGuid', '=', guid)
    .execute()

/** The prices that differ, as the audit log keeps them. */
function changedItems(before: readonly PriceListItem[], after: readonly PriceListItem[]) {
  const keyOf = ({ productGuid, from }: PriceListItem) => `${productGuid} ${from}`
  const old = new Map(before.map((item) => [keyOf(item), item.priceCents]))
  const now = new Map(after.map((item) => [keyOf(item), item.priceCents]))
  const keys = [...new Set([...old.keys(), ...now.keys()])].filter((key) => old.get(key) !== now.get(key))
  const priced = (of: ReadonlyMap<string, number>) =>
    Object.fromEntries(keys.flatMap((key) => (of.has(key) ? [[key, of.get(key)]] : [])))
  return keys.length > 0 ? { before: { items: priced(old) }, after: { items: priced(now) } } : { before: {}, after: {} }
}

async function update(ctx: Ctx, { guid, version, items, ...changes }: Input<Api['update']>) {
  const before = await lock(ctx, guid)
  await checkVersion(before, version, priceListsApi.get, () => one(ctx, guid))
  if (before.archivedAt === null) await checkFree(ctx, byName, before.businessGuid, changes.name, guid)
  const old = items ? await itemsOf(ctx, guid) : []
  if (items) await checkItems(ctx, before.businessGuid, items, old)
  const after = await ctx.db
    .updateTable('priceLists')
    .set({ ...changes, ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (items) await setItems(ctx, guid, items)
  const change = changed(before, after)
  const prices = items ? changedItems(old, await itemsOf(ctx, guid)) : { before: {}, after: {} }
  ctx.audit({
    action: 'price_list.updated',
    entity: 'PriceLists',
    guid,
    before: { ...change.before, ...prices.before },
    after: { name: after.name, ...change.after, ...prices.after },
  })
  return one(ctx, guid)
}

async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lock(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This price list is already archived.' : 'This price list isn’t archived.')
  if (!isArchived) await checkFree(ctx, byName, row.businessGuid, row.name, guid)
  await writeArchived(ctx, 'PriceLists', row, isArchived)
}

/** Blanks and capitals tell no two products apart. */
const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()

async function match(ctx: Ctx, { texts }: Input<Api['match']>) {
  const asked = [...new Set(texts.map(plain))].filter(Boolean)
  const found = await productsCalled(ctx, ctx.business.catalogueOf, asked)
  const byCode = new Map(found.flatMap((product) => (product.sku ? [[plain(product.sku), product] as const] : [])))
  const called = Map.groupBy(found, (product) => plain(product.name))
  const matches = texts.map((text) => {
    // A code is one product's; names may be several's.
    const ofCode = byCode.get(plain(text))
    const meant = ofCode ? [ofCode] : (called.get(plain(text)) ?? [])
    return { productGuid: meant.length === 1 ? (meant[0]?.guid ?? null) : null, count: meant.length }
  })
  const named = new Set(matches.map(({ productGuid }) => productGuid))
  return { products: found.filter(({ guid }) => named.has(guid)), matches }
}

export const priceLists: Handlers<Api> = {
  list,
  get: (ctx, input) => one(ctx, input.guid),
  create,
  update,
  match,
  ...archiving('PriceLists', setArchived, one),
}
