import { type RawBuilder, sql } from 'kysely'
import { trimQuantity } from '../../contract/lines.ts'
import type { Product, ProductItem } from '../../contract/products.ts'
import { optionGuidsOf } from '../booking-options/offered.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { keeperOf } from '../core/family.ts'
import { may } from '../core/http/permission.ts'
import { dealing } from '../core/works-in.ts'
import { tagsOf } from '../tags/tags.service.ts'
import { imagesJson, pictureJson } from './products.images.ts'
import { filterReadable, filterReadableReferences, rowColumns } from '../row-scope/row-scope.service.ts'

export const visibleProducts = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('products as p'), rowColumns(ctx, 'Products', 'p'))

/** What things cost us is not for everybody who may see what they sell for. */
export const maySeeCosts = (ctx: Ctx) => may(ctx.actor, 'read', 'Products:Costs')

const streamJson = sql<Product['stream']>`(select json_build_object('guid', s.guid, 'label', s.name)
  from revenue_streams s where s.guid = p.revenue_stream_guid)`

const categoriesJson = sql<Product['categories']>`(select coalesce(json_agg(json_build_object('guid', c.guid,
  'label', c.name) order by c.name, c.guid), '[]'::json) from product_category_links k
  join product_categories c on c.guid = k.category_guid where k.product_guid = p.guid and c.archived_at is null)`

const partsJson = sql<Product['parts']>`(select coalesce(json_agg(json_build_object('guid', o.guid, 'name', o.name,
  'quantity', i.item ->> 'quantity', 'unit', o.unit, 'priceCents', o.price_cents) order by i.n), '[]'::json)
  from jsonb_array_elements(p.bundle -> 'items') with ordinality i(item, n)
  join products o on o.guid = (i.item ->> 'productGuid')::uuid)`

/** Lists in use that price it, with what they ask. */
const priceListsJson = sql`(select coalesce(json_agg(json_build_object('guid', b.guid, 'label', b.name,
  'isActive', b.is_active, 'prices', (select json_agg(json_build_object('from', trim_scale(i.from_quantity)::text,
  'priceCents', i.price_cents) order by i.from_quantity) from price_list_items i where i.price_list_guid = b.guid
  and i.product_guid = p.guid)) order by b.name), '[]'::json) from (select l.guid, l.name, l.is_active
  from price_lists l where l.archived_at is null and exists (select from price_list_items i
  where i.price_list_guid = l.guid and i.product_guid = p.guid) order by l.name limit 50) b)`

const newest = 20
/** The newest documents of one kind that it stands on. */
const newestOf = (noun: 'Quotes' | 'Orders' | 'Invoices', one: string, business: RawBuilder<unknown>) =>
  sql`(select ${noun}::text as noun, d.guid, coalesce(d.number, d.title) as label, d.created_at
  from ${sql.table(noun.toLowerCase())} d where d.business_guid = ${business} and d.archived_at is null
  and d.guid in (select l.${sql.ref(`${one}Guid`)} from ${sql.table(`${one}_lines`)} l where l.product_guid = p.guid)
  order by d.created_at desc, d.guid limit ${newest})`
const documentsJson = (business: RawBuilder<unknown>) => sql`(select coalesce(json_agg(json_build_object('noun', d.noun,
  'guid', d.guid, 'label', d.label, 'createdAt',
  to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by d.created_at desc, d.guid),
  '[]'::json) from (select * from (${newestOf('Quotes', 'quote', business)} union all
  ${newestOf('Orders', 'order', business)} union all ${newestOf('Invoices', 'invoice', business)}) u
  order by u.created_at desc, u.guid limit ${newest}) d)`

/** By one business: others may work with the same catalogue. */
const usageJson = (business: RawBuilder<unknown>) => sql<Product['usage']>`json_build_object(
  'quoted', (select count(distinct l.quote_guid) from quote_lines l join quotes q on q.guid = l.quote_guid
  where l.product_guid = p.guid and q.business_guid = ${business}),
  'invoicedCents', (select coalesce(sum(l.net_cents), 0) from invoice_lines l join invoices i
  on i.guid = l.invoice_guid where l.product_guid = p.guid and i.business_guid = ${business}
  and i.status = 'issued' and i.kind <> 'adjustment_note'),
  'bundles', (select coalesce(json_agg(json_build_object('guid', b.guid, 'label', b.name) order by b.name), '[]'::json)
  from (select b.guid, b.name from products b where b.archived_at is null and b.bundle
    @> jsonb_build_object('items', jsonb_build_array(jsonb_build_object('productGuid', p.guid))) limit 50) b),
  'priceLists', ${priceListsJson}, 'documents', ${documentsJson(business)})`

const trimmed = (quantity: string | null) => (quantity === null ? null : trimQuantity(quantity))

export async function findProduct(ctx: Ctx, guid: string): Promise<Product | undefined> {
  const row = await visibleProducts(ctx)
    .selectAll('p')
    .select([
      usageJson(dealing(ctx, 'p.businessGuid', 'catalogueOf')).as('usage'),
      optionGuidsOf.as('optionGuids'),
      streamJson.as('stream'),
      categoriesJson.as('categories'),
      partsJson.as('parts'),
      imagesJson.as('images'),
      tagsOf('Products', 'p').as('tags'),
    ])
    .where('p.guid', '=', guid)
    .executeTakeFirst()
  if (!row) return undefined
  const seesCosts = maySeeCosts(ctx)
  const asked = row.usage.documents.map((document) => ({ ...document, entity: document.noun }))
  const documents = await filterReadable(ctx, asked)
  const priceLists = await filterReadableReferences(ctx, 'PriceLists', row.usage.priceLists)
  return {
    ...row,
    usage: { ...row.usage, priceLists, documents },
    unit: row.unit as Product['unit'],
    costCents: seesCosts ? row.costCents : null,
    marginBp: seesCosts ? row.marginBp : null,
    quantityMin: trimmed(row.quantityMin),
    quantityMax: trimmed(row.quantityMax),
    quantityStep: trimmed(row.quantityStep),
    hire: row.hire && { weekCents: null, fourWeekCents: null, minimumDays: null, ...row.hire },
    bundle: row.bundle && { bp: null, ...row.bundle, items: [...row.bundle.items] },
    categoryGuids: row.categories.map((category) => category.guid),
  }
}

/** What the list in use of a customer, who is for the caller to see, asks for each. */
const listPricesOf = (ctx: Ctx, customerGuid: string) => {
  const customers = applyRows(ctx, ctx.db.selectFrom('customers as c'), rowColumns(ctx, 'Customers', 'c'))
  const customer = customers.select('c.guid').where('c.guid', '=', keeperOf(customerGuid))
  return sql<NonNullable<ProductItem['listPrices']>>`(select coalesce(json_agg(json_build_object(
    'from', trim_scale(i.from_quantity)::text, 'priceCents', i.price_cents) order by i.from_quantity), '[]'::json)
    from customer_terms t join price_lists l on l.guid = t.price_list_guid and l.is_active and l.archived_at is null
    join price_list_items i on i.price_list_guid = l.guid and i.product_guid = p.guid
    where t.business_guid = ${ctx.business.guid} and t.customer_guid in (${customer}))`
}

/** What a list shows of each. */
export const listedProducts = (ctx: Ctx, customerGuid?: string) =>
  ctx.db
    .selectFrom('products as p')
    .select([
      'p.guid',
      'p.businessGuid',
      'p.version',
      'p.sku',
      'p.name',
      'p.kind',
      'p.status',
      'p.description',
      sql<Product['unit']>`p.unit`.as('unit'),
      'p.priceCents',
      sql<boolean>`coalesce(p.bundle ->> 'mode', 'fixed') <> 'fixed'`.as('isPricedByParts'),
      'p.gstCode',
      sql<string | null>`trim_scale(p.quantity_min)::text`.as('quantityMin'),
      sql<string | null>`trim_scale(p.quantity_max)::text`.as('quantityMax'),
      sql<string | null>`trim_scale(p.quantity_step)::text`.as('quantityStep'),
      maySeeCosts(ctx) ? sql<number | null>`p.margin_bp`.as('marginBp') : sql<null>`null::bigint`.as('marginBp'),
      streamJson.as('stream'),
      pictureJson.as('picture'),
      'p.createdAt',
      'p.archivedAt',
      tagsOf('Products', 'p').as('tags'),
    ])
    .$if(customerGuid !== undefined, (query) => query.select(listPricesOf(ctx, customerGuid ?? '').as('listPrices')))
