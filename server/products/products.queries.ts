import { type RawBuilder, sql } from 'kysely'
import { trimQuantity } from '../../contract/lines.ts'
import type { Product } from '../../contract/products.ts'
import { optionGuidsOf } from '../booking-options/offered.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { may } from '../core/http/permission.ts'
import { dealing } from '../core/works-in.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

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
  'priceLists', (select coalesce(json_agg(json_build_object('guid', b.guid, 'label', b.name) order by b.name),
  '[]'::json) from (select distinct l.guid, l.name from price_list_items i join price_lists l
    on l.guid = i.price_list_guid where i.product_guid = p.guid and l.archived_at is null limit 50) b))`

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
    ])
    .where('p.guid', '=', guid)
    .executeTakeFirst()
  if (!row) return undefined
  const seesCosts = maySeeCosts(ctx)
  return {
    ...row,
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

/** What a list shows of each. */
export const listedProducts = (ctx: Ctx) =>
  ctx.db
    .selectFrom('products as p')
    .select([
      'p.guid',
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
      maySeeCosts(ctx) ? sql<number | null>`p.margin_bp`.as('marginBp') : sql<null>`null::bigint`.as('marginBp'),
      streamJson.as('stream'),
      'p.createdAt',
      'p.archivedAt',
    ])
