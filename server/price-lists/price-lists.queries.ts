import { sql } from 'kysely'
import type { ListedProduct, PriceList } from '../../contract/price-lists.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { dealing } from '../core/works-in.ts'
import { filterReadableReferences, rowColumns } from '../row-scope/row-scope.service.ts'

export const visibleLists = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('priceLists as l'), rowColumns(ctx, 'PriceLists', 'l'))

/** Customers in use who are kept, and have the list in the business that is worked for. */
const having = (ctx: Ctx) => sql`customer_terms t join customers c on t.customer_guid = c.guid
  where t.price_list_guid = l.guid and t.business_guid = ${dealing(ctx, 'l.businessGuid', 'catalogueOf')}
  and c.merged_into is null and c.archived_at is null`

const customerCount = (ctx: Ctx) => sql<number>`(select count(*)::int from ${having(ctx)})`

/** What a list of them shows of each. */
export const listedLists = (ctx: Ctx) =>
  ctx.db
    .selectFrom('priceLists as l')
    .select(['l.guid', 'l.version', 'l.name', 'l.isActive', 'l.updatedAt', 'l.archivedAt'])
    .select([
      customerCount(ctx).as('customerCount'),
      sql<number>`(select count(*)::int from price_list_items i where i.price_list_guid = l.guid)`.as('itemCount'),
    ])

const itemsJson = sql<PriceList['items']>`(select coalesce(json_agg(json_build_object('productGuid', i.product_guid,
  'from', trim_scale(i.from_quantity)::text, 'priceCents', i.price_cents) order by p.name, p.guid, i.from_quantity),
  '[]'::json) from price_list_items i join products p on p.guid = i.product_guid where i.price_list_guid = l.guid)`

/** Names are nobody's secret here, but for customers whom the caller may not see. */
const customersJson = (ctx: Ctx) => sql<PriceList['customers']>`(select coalesce(json_agg(json_build_object('guid',
  h.guid, 'label', h.display_name) order by h.display_name, h.guid), '[]'::json) from (select c.guid, c.display_name
  from ${having(ctx)} order by c.display_name, c.guid limit 100) h)`

const productColumns = ['guid', 'sku', 'name', 'kind', 'priceCents', 'tiers', 'archivedAt'] as const

/** Products as rows of a list show them: those the caller may read. */
async function readableProducts(ctx: Ctx, found: (ListedProduct & { unit: string })[]): Promise<ListedProduct[]> {
  return filterReadableReferences(ctx, 'Products', found)
}
const products = (ctx: Ctx) =>
  ctx.db
    .selectFrom('products')
    .select(productColumns)
    .select([
      sql<ListedProduct['unit']>`unit`.as('unit'),
      sql<boolean>`coalesce(bundle ->> 'mode', 'fixed') <> 'fixed'`.as('isPricedByParts'),
    ])

export async function findList(ctx: Ctx, guid: string): Promise<PriceList | undefined> {
  const row = await visibleLists(ctx)
    .selectAll('l')
    .select([itemsJson.as('items'), customersJson(ctx).as('customers'), customerCount(ctx).as('customerCount')])
    .where('l.guid', '=', guid)
    .executeTakeFirst()
  if (!row) return undefined
  const ofItems = await products(ctx)
    .where(sql<boolean>`guid in (select i.product_guid from price_list_items i where i.price_list_guid = ${guid})`)
    .orderBy('name')
    .orderBy('guid')
    .execute()
  return {
    ...row,
    products: await readableProducts(ctx, ofItems),
    customers: await filterReadableReferences(ctx, 'Customers', row.customers),
  }
}

/** Those of a catalogue that a caller may read, by what nobody but the catalogue changes: their guids. */
export const productsOf = async (ctx: Ctx, pool: string, guids: readonly string[]) =>
  guids.length === 0
    ? []
    : readableProducts(
        ctx,
        await products(ctx)
          .where(sql<boolean>`guid = any(${guids}::uuid[])`)
          .where('businessGuid', '=', pool)
          .execute(),
      )

/** Products in use whose code or name is one of these, in small letters and with single blanks. */
export const productsCalled = async (ctx: Ctx, pool: string, texts: readonly string[]) =>
  texts.length === 0
    ? []
    : readableProducts(
        ctx,
        await products(ctx)
          .where('businessGuid', '=', pool)
          .where('archivedAt', 'is', null)
          .where(sql<boolean>`(lower(sku) = any(${texts}::text[])
            or lower(regexp_replace(btrim(name), '\\s+', ' ', 'g')) = any(${texts}::text[]))`)
          .execute(),
      )

/** The list has these prices and no others; two statements, however many there are. */
export async function setItems(ctx: Ctx, guid: string, items: PriceList['items']) {
  const rows = JSON.stringify(items.map(({ productGuid, from, priceCents }) => [productGuid, from, priceCents]))
  const sent = sql`(select (one ->> 0)::uuid as product_guid, (one ->> 1)::numeric as from_quantity,
    (one ->> 2)::bigint as price_cents from jsonb_array_elements(${rows}::jsonb) one)`
  await sql`delete from price_list_items i where i.price_list_guid = ${guid} and not exists (select from ${sent} s
    where s.product_guid = i.product_guid and s.from_quantity = i.from_quantity)`.execute(ctx.db)
  await sql`insert into price_list_items as i (price_list_guid, product_guid, from_quantity, price_cents)
    select ${guid}::uuid, s.product_guid, s.from_quantity, s.price_cents from ${sent} s
    on conflict (price_list_guid, product_guid, from_quantity) do update set price_cents = excluded.price_cents
    where i.price_cents <> excluded.price_cents`.execute(ctx.db)
}
