import { sql } from 'kysely'
import { type FieldError, refuseFields } from '../../contract/core/errors.ts'
import { productProblems, type Product } from '../../contract/products.ts'
import type { Ctx } from '../core/ctx.ts'

/** What is checked of a product once what stays and what is sent are one. */
export interface WholeProduct extends Pick<
  Product,
  'kind' | 'priceCents' | 'tiers' | 'hire' | 'bundle' | 'quantityMin' | 'quantityMax'
> {
  guid: string
  /** The pool of its catalogue. */
  businessGuid: string
  revenueStreamGuid: string | null
  /** Undefined where they stay as they are. */
  categoryGuids: readonly string[] | undefined
}

/** Refuses a product that cannot be priced, or that names what is not of its catalogue or no longer in use. */
export async function checkProduct(ctx: Ctx, product: WholeProduct, before: WholeProduct | null) {
  refuseFields(productProblems(product))
  await checkStream(ctx, product, before)
  await checkCategories(ctx, product)
  await checkParts(ctx, product, before)
}

async function checkStream(ctx: Ctx, { businessGuid, revenueStreamGuid }: WholeProduct, before: WholeProduct | null) {
  if (!revenueStreamGuid || revenueStreamGuid === before?.revenueStreamGuid) return
  const found = await ctx.db
    .selectFrom('revenueStreams')
    .select('guid')
    .where('guid', '=', revenueStreamGuid)
    .where('businessGuid', '=', businessGuid)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  if (!found) refuseFields([{ path: 'revenueStreamGuid', message: 'Choose a revenue stream.' }])
}

async function checkCategories(ctx: Ctx, { businessGuid, categoryGuids = [] }: WholeProduct) {
  if (categoryGuids.length === 0) return
  const found = await ctx.db
    .selectFrom('productCategories')
    .select('guid')
    .where('guid', 'in', categoryGuids)
    .where('businessGuid', '=', businessGuid)
    .where('archivedAt', 'is', null)
    .execute()
  const known = new Set(found.map((row) => row.guid))
  refuseFields(
    categoryGuids.flatMap((guid, i) =>
      known.has(guid) ? [] : [{ path: `categoryGuids.${i}`, message: 'Choose a category.' }],
    ),
  )
}

/** Bundles hold no bundles, whichever of the two is changed. */
async function checkParts(ctx: Ctx, product: WholeProduct, before: WholeProduct | null) {
  const { guid, businessGuid, kind } = product
  if ((kind === 'bundle' || kind === 'discount') && before && before.kind !== kind) {
    const holder = await ctx.db
      .selectFrom('products')
      .select('name')
      .where(sql<boolean>`bundle @> ${JSON.stringify({ items: [{ productGuid: guid }] })}::jsonb`)
      .where('archivedAt', 'is', null)
      .executeTakeFirst()
    if (holder) refuseFields([{ path: 'kind', message: `This product is part of ${holder.name}.` }])
  }
  const items = product.bundle?.items ?? []
  if (items.length === 0) return
  const stayed = new Set(before?.bundle?.items.map((item) => item.productGuid))
  const found = await ctx.db
    .selectFrom('products')
    .select(['guid', 'kind', 'status'])
    .where('guid', 'in', [...new Set(items.map((item) => item.productGuid))])
    .where('businessGuid', '=', businessGuid)
    .execute()
  const byGuid = new Map(found.map((row) => [row.guid, row]))
  refuseFields(
    items.flatMap((item, i): FieldError[] => {
      const path = `bundle.items.${i}.productGuid`
      const part = byGuid.get(item.productGuid)
      if (!part || (part.status !== 'active' && !stayed.has(part.guid)))
        return [{ path, message: 'We can’t find that product.' }]
      if (part.guid === guid || part.kind === 'bundle' || part.kind === 'discount')
        return [{ path, message: 'A bundle can’t hold bundles or discounts.' }]
      return []
    }),
  )
}

/** Puts a product into these categories and into no others. */
export async function setCategories(ctx: Ctx, productGuid: string, categoryGuids: readonly string[]) {
  await sql`delete from product_category_links where product_guid = ${productGuid}
    and category_guid <> all(${categoryGuids}::uuid[])`.execute(ctx.db)
  await sql`insert into product_category_links (product_guid, category_guid)
    select ${productGuid}, c from unnest(${categoryGuids}::uuid[]) c on conflict do nothing`.execute(ctx.db)
}
