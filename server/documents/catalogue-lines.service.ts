import { sql } from 'kysely'
import { AppError, type FieldError } from '../../contract/core/errors.ts'
import { centsToDecimal, type PriceMode } from '../../contract/core/money.ts'
import { inclusiveDays, type HireDays } from '../../contract/hire.ts'
import { trimQuantity, type LineInput } from '../../contract/lines.ts'
import {
  noAgreement,
  priceProduct,
  type CataloguePrice,
  type CatalogueProduct,
  type PriceAgreement,
} from '../../contract/pricing.ts'
import type { Ctx } from '../core/ctx.ts'
import { keeperOf } from '../core/family.ts'
import { may } from '../core/http/permission.ts'
import { filterReadableReferences } from '../row-scope/row-scope.service.ts'
import { cataloguedOf, type Catalogued, type CataloguedInput, type EnteredLine, uncatalogued } from './lines.service.ts'

/** Whose prices count, and how the document states them. */
export interface PricesFor {
  businessGuid: string
  gstRegistered: boolean
  customerGuid: string | null | undefined
  priceMode: PriceMode
}
/** The longest hire that is priced: ten years. */
const maxHireDays = 3660

const productColumns = [
  'guid',
  'name',
  'kind',
  'unit',
  'gstCode',
  'priceCents',
  'costCents',
  'tiers',
  'hire',
  'bundle',
  'durationMin',
  'revenueStreamGuid',
] as const

/** What was agreed with a customer by a business. */
async function agreementWith(ctx: Ctx, given: PricesFor, productGuids: readonly string[]): Promise<PriceAgreement> {
  if (!given.customerGuid) return noAgreement
  const row = await ctx.db
    .selectFrom('customerTerms as t')
    .leftJoin('priceLists as l', (join) =>
      join.onRef('l.guid', '=', 't.priceListGuid').on('l.isActive', '=', true).on('l.archivedAt', 'is', null),
    )
    .select(['t.discountBp', 'l.name'])
    .select(
      sql<NonNullable<PriceAgreement['list']>['items']>`(select coalesce(json_agg(json_build_object('productGuid',
      i.product_guid, 'from', trim_scale(i.from_quantity)::text, 'priceCents', i.price_cents)), '[]'::json)
      from price_list_items i where i.price_list_guid = l.guid and i.product_guid = any(${productGuids}::uuid[]))`.as(
        'items',
      ),
    )
    .where('t.businessGuid', '=', given.businessGuid)
    .where('t.customerGuid', '=', keeperOf(given.customerGuid))
    .executeTakeFirst()
  if (!row) return noAgreement
  return { discountBp: row.discountBp, list: row.name === null ? null : { name: row.name, items: row.items } }
}

/** The products of these guids that the caller may read, with the parts of bundles; two statements at most. */
async function productsOf(ctx: Ctx, guids: readonly string[]): Promise<Map<string, CatalogueProduct>> {
  const read = (asked: readonly string[]) =>
    ctx.db.selectFrom('products').select(productColumns).where('guid', 'in', asked).execute()
  const found = await filterReadableReferences(ctx, 'Products', await read(guids))
  const parts = new Set(found.flatMap(({ bundle }) => bundle?.items.map((item) => item.productGuid) ?? []))
  const more = parts.size > 0 ? await read([...parts]) : []
  return new Map([...more, ...found].map((product) => [product.guid, product]))
}

/** The days of hire of a line; null when there are none or they make no sense, which is told. */
function hireOf(line: Pick<LineInput, 'hireFrom' | 'hireTo'>, problems: FieldError[]): HireDays | null {
  const { hireFrom: from, hireTo: to } = line
  if (!from && !to) return null
  if (!from) problems.push({ path: 'hireFrom', message: 'Choose the first day.' })
  if (!to) problems.push({ path: 'hireTo', message: 'Choose the last day.' })
  if (!from || !to) return null
  const days = inclusiveDays({ from, to })
  if (days < 1) problems.push({ path: 'hireTo', message: 'The last day can’t be before the first.' })
  if (days > maxHireDays) problems.push({ path: 'hireTo', message: 'A hire can last ten years at most.' })
  return days < 1 || days > maxHireDays ? null : { from, to }
}

/** A line priced by the catalogue. */
export interface FromCatalogue {
  line: CataloguedInput
  /** Null for lines of no product. */
  price: CataloguePrice | null
  /** What the catalogue asks for one, whatever was entered. */
  listedCents: number | null
  isPriceManual: boolean
  problems: FieldError[]
}

/** Prices lines by the catalogue, as far as they are of products; whatever is wrong with them is told, not thrown. */
export async function priceByCatalogue(
  ctx: Ctx,
  given: PricesFor,
  lines: readonly LineInput[],
): Promise<FromCatalogue[]> {
  const guids = [...new Set(lines.flatMap((line) => line.productGuid ?? []))]
  const products = guids.length > 0 ? await productsOf(ctx, guids) : new Map<string, CatalogueProduct>()
  const agreement = products.size > 0 ? await agreementWith(ctx, given, [...products.keys()]) : noAgreement
  const { priceMode, gstRegistered } = given
  return lines.map((line): FromCatalogue => {
    const problems: FieldError[] = []
    const hire = hireOf(line, problems)
    const product = line.productGuid ? products.get(line.productGuid) : undefined
    const own = { ...uncatalogued, hireFrom: hire?.from ?? null, hireTo: hire?.to ?? null }
    if (!product) {
      if (line.productGuid) problems.push({ path: 'productGuid', message: 'We can’t find that product.' })
      return { line: { ...line, catalogued: own }, price: null, listedCents: null, isPriceManual: true, problems }
    }
    // Answers to the product's booking options join here, as `options`.
    const ask = { product, quantity: line.quantity, hire }
    const setting = { products, agreement, priceMode, gstRegistered }
    const listed = priceProduct(ask, setting)
    const isPriceManual = line.unitPriceCents !== undefined && line.unitPriceCents !== listed.unitPriceCents
    const price = isPriceManual ? priceProduct({ ...ask, manualCents: line.unitPriceCents }, setting) : listed
    const catalogued: Catalogued = {
      ...own,
      hireRates: hire ? product.hire : null,
      isPriceManual,
      costCents: price.costCents,
      revenueStreamGuid: product.revenueStreamGuid,
    }
    const discount = line.discount === undefined ? price.discount : line.discount
    // Where the price is left to the catalogue its unit goes with it, unless another than the product's was chosen.
    const isUnitOwn = line.unitPriceCents !== undefined || line.unit !== product.unit
    const unit = isUnitOwn ? line.unit : (price.unit as LineInput['unit'])
    return {
      line: { ...line, unit, unitPriceCents: price.unitPriceCents, discount, catalogued },
      price,
      listedCents: listed.unitPriceCents,
      isPriceManual,
      problems: [...problems, ...price.problems],
    }
  })
}

const isSameHire = (sent: LineInput, stored: EnteredLine) =>
  (sent.hireFrom ?? null) === stored.hireFrom && (sent.hireTo ?? null) === stored.hireTo

/** A line that is as it was keeps its price, whatever the catalogue says today. */
const isKept = (sent: LineInput, stored: EnteredLine | undefined): stored is EnteredLine =>
  stored !== undefined &&
  (sent.productGuid ?? null) === stored.productGuid &&
  sent.unitPriceCents === stored.unitPriceCents &&
  isSameHire(sent, stored) &&
  (stored.isPriceManual || trimQuantity(sent.quantity) === trimQuantity(stored.quantity))

/**
 * The lines as they are saved: a price that is left out is the catalogue's, and another than that needs the right to
 * set prices. Lines of no product cost what was entered.
 */
export async function fromCatalogue(
  ctx: Ctx,
  given: PricesFor,
  sent: readonly LineInput[],
  before: readonly EnteredLine[] = [],
): Promise<CataloguedInput[]> {
  const stored = new Map(before.map((line) => [line.guid, line]))
  const kept = sent.map((line) => {
    const was = line.guid ? stored.get(line.guid) : undefined
    return isKept(line, was) ? { ...line, catalogued: cataloguedOf(was) } : null
  })
  const fresh = sent.filter((_, i) => kept[i] === null)
  const priced = await priceByCatalogue(ctx, given, fresh)
  const fields: FieldError[] = []
  const setsPrices = may(ctx.actor, 'update', 'Quotes:Price')
  let refused: FieldError | undefined
  let next = 0
  const lines = sent.map((_, i) => {
    const same = kept[i]
    if (same) return same
    const one = priced[next++]
    if (!one) throw new Error('a line was not priced')
    // Whether a product may be chosen is checked with the others of the document.
    for (const { path, message } of one.problems)
      if (path !== 'productGuid') fields.push({ path: `lines.${i}.${path}`, message })
    if (one.listedCents !== null && one.isPriceManual && !setsPrices) refused ??= ofCatalogue(i, one.listedCents)
    return one.line
  })
  if (fields.length > 0) throw new AppError('VALIDATION_FAILED', undefined, { fields })
  if (refused) throw new AppError('FORBIDDEN', refused.message, { fields: [refused] })
  return lines
}

/** The catalogue's price of a line that has another. */
const ofCatalogue = (index: number, listedCents: number): FieldError => ({
  path: `lines.${index}.unitPriceCents`,
  message: `Your role uses catalogue prices. This line is $${centsToDecimal(listedCents)}.`,
})
