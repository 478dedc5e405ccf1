import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { AppError, forbidden, invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { productsApi, type Product } from '../../contract/products.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { applyRows, checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { may } from '../core/http/permission.ts'
import { archiving } from '../core/bulk.ts'
import { blankToNull, changed, holdsText, searchText, stamp, userOf } from '../core/records.ts'
import { dealing } from '../core/works-in.ts'
import { optionGuidsOf, setOptionUses } from '../booking-options/offered.service.ts'
import { oneOf } from '../documents/list-search.service.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

type Api = typeof productsApi

const skuTaken = 'Another product has this code.'
sayConstraints({ product_sku_taken: ['ALREADY_EXISTS', skuTaken, 'sku'] })

const visibleProducts = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('products as p'), rowColumns(ctx, 'Products', 'p'))

/** What things cost us is not for everybody who may see what they sell for. */
const maySeeCosts = (ctx: Ctx) => may(ctx.actor, 'read', 'Products:Costs')

/** By one business: others may work with the same catalogue. */
const usageJson = (business: RawBuilder<unknown>) => sql<Product['usage']>`json_build_object(
  'quoted', (select count(distinct l.quote_guid) from quote_lines l join quotes q on q.guid = l.quote_guid
  where l.product_guid = p.guid and q.business_guid = ${business}),
  'invoicedCents', (select coalesce(sum(l.net_cents), 0) from invoice_lines l join invoices i
  on i.guid = l.invoice_guid where l.product_guid = p.guid and i.business_guid = ${business}
  and i.status = 'issued' and i.kind <> 'adjustment_note'))`

async function one(ctx: Ctx, guid: string): Promise<{ product: Product }> {
  const row = await visibleProducts(ctx)
    .selectAll('p')
    .select([usageJson(dealing(ctx, 'p.businessGuid', 'catalogueOf')).as('usage'), optionGuidsOf.as('optionGuids')])
    .where('p.guid', '=', guid)
    .executeTakeFirst()
  if (!row) throw notFound()
  return { product: { ...row, unit: row.unit as Product['unit'], costCents: maySeeCosts(ctx) ? row.costCents : null } }
}

/** In a category or in one inside it. */
const inCategory = (guid: string) => sql<boolean>`p.guid in (
  with recursive tree as (
    select c.guid from product_categories c where c.guid = ${guid}
    union select c.guid from product_categories c join tree t on c.parent_guid = t.guid where c.archived_at is null)
  select k.product_guid from product_category_links k join tree on tree.guid = k.category_guid)`

async function list(ctx: Ctx, input: Input<Api['list']>) {
  let found = visibleProducts(ctx)
    .where('p.businessGuid', '=', ctx.business.catalogueOf)
    .where('p.archivedAt', input.archived === 'true' ? 'is not' : 'is', null)
  if (input.stream) found = found.where('p.revenueStreamGuid', '=', input.stream)
  if (input.category) found = found.where(inCategory(input.category))
  const columns = ctx.db
    .selectFrom('products as p')
    .select([
      'p.guid',
      'p.sku',
      'p.name',
      'p.kind',
      'p.description',
      sql<Product['unit']>`p.unit`.as('unit'),
      'p.priceCents',
      'p.gstCode',
      'p.createdAt',
      'p.archivedAt',
    ])
  const sorts = {
    name: 'p.name',
    sku: { column: 'p.sku', nullable: true as const },
    priceCents: 'p.priceCents',
    createdAt: 'p.createdAt',
  }
  return pageOf({
    query: columns,
    found,
    anyOf: oneOf('p.kind', input.kind),
    within: input.search ? [holdsText(searchText('p'), input.search)] : [],
    isPlain: true,
    input,
    sorts,
    guid: 'p.guid',
    defaultSort: 'name',
  })
}

/** A code names one product in use; asked beforehand, so that one refusal does not end a whole transaction. */
async function checkSku(ctx: Ctx, pool: string, sku: string | null | undefined, except: string) {
  if (!sku) return
  const taken = await ctx.db
    .selectFrom('products')
    .select('guid')
    .where('businessGuid', '=', pool)
    .where(sql<boolean>`lower(sku) = lower(${sku})`)
    .where('archivedAt', 'is', null)
    .where('guid', '<>', except)
    .executeTakeFirst()
  if (taken) throw new AppError('ALREADY_EXISTS', skuTaken, { fields: [{ path: 'sku', message: skuTaken }] })
}

function checkCosts(ctx: Ctx, costCents: number | null | undefined) {
  if (costCents !== undefined && costCents !== null && !maySeeCosts(ctx)) throw forbidden()
}

/** Makes a product and returns its guid. */
async function createProduct(ctx: Ctx, { optionGuids, ...input }: z.output<Api['create']['body']>): Promise<string> {
  checkCosts(ctx, input.costCents)
  const pool = ctx.business.catalogueOf
  const guid = newGuid()
  const by = userOf(ctx)
  await checkSku(ctx, pool, input.sku, guid)
  await ctx.db
    .insertInto('products')
    .values({
      ...blankToNull(input),
      guid,
      businessGuid: pool,
      createdBy: by,
      updatedBy: by,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .execute()
  await setOptionUses(ctx, { guid, businessGuid: pool }, optionGuids)
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
  const { guid, version, optionGuids, ...changes } = input
  const before = await lockVisibleProduct(ctx, guid)
  await checkVersion(before, version, productsApi.get, () => one(ctx, guid))
  checkCosts(ctx, changes.costCents)
  // To those who may not see costs the field always looks empty; saving their form must not empty it.
  if (!maySeeCosts(ctx)) delete changes.costCents
  if (before.archivedAt === null) await checkSku(ctx, before.businessGuid, changes.sku, guid)
  const after = await ctx.db
    .updateTable('products')
    .set({ ...blankToNull(changes), ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (optionGuids) await setOptionUses(ctx, before, optionGuids)
  const change = changed(before, after)
  ctx.audit({
    action: 'product.updated',
    entity: 'Products',
    guid,
    before: change.before,
    after: { name: after.name, ...change.after },
  })
  return one(ctx, guid)
}

async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lockVisibleProduct(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This product is already archived.' : 'This product isn’t archived.')
  if (!isArchived) await checkSku(ctx, row.businessGuid, row.sku, guid)
  await ctx.db
    .updateTable('products')
    .set({
      archivedAt: isArchived ? ctx.now : null,
      status: isArchived ? 'archived' : 'active',
      ...stamp(ctx, row.version),
    })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({
    action: isArchived ? 'product.archived' : 'product.restored',
    entity: 'Products',
    guid,
    after: { name: row.name },
  })
}

export const products: Handlers<Api> = {
  list,
  get: (ctx, input) => one(ctx, input.guid),
  create: async (ctx, input) => one(ctx, await createProduct(ctx, input)),
  update,
  ...archiving('Products', setArchived, one),
}
