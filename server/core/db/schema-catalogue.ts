import type { ColumnType, Generated } from 'kysely'
import type { GstCode } from '../../../contract/lines.ts'
import type { LineOptions } from '../../../contract/line-options.ts'
import type { Bundle, CatalogueKind, Tier } from '../../../contract/pricing.ts'
import type { HireRates } from '../../../contract/hire.ts'
import type { Record } from './schema-business.ts'
import type { Computed, JsonOrNull, Optional } from './schema-kinds.ts'

/** A list in a JSON column: empty where nothing is given. */
type JsonList<T> = ColumnType<T[], string | undefined, string>

/** Business columns name the pool that businesses share. */
interface Pooled extends Record {
  businessGuid: string
}

interface RevenueStreams extends Pooled {
  code: string
  name: string
  accountCode: Optional<string>
  parentGuid: Optional<string>
  targets: JsonList<{ month: string; cents: number }>
}
interface ProductCategories extends Pooled {
  parentGuid: Optional<string>
  name: string
  slug: string
  position: number
  /** Counted by a trigger. */
  depth: ColumnType<number, number | undefined, never>
}
interface Products extends Pooled {
  sku: Optional<string>
  name: string
  kind: Generated<CatalogueKind>
  status: Generated<'draft' | 'active' | 'archived'>
  description: Optional<string>
  publicText: Optional<string>
  unit: Generated<string>
  priceCents: number
  costCents: Optional<number>
  gstCode: Generated<GstCode>
  quantityMin: Optional<string>
  quantityMax: Optional<string>
  quantityStep: Optional<string>
  tiers: JsonList<Tier>
  hire: JsonOrNull<HireRates>
  bundle: JsonOrNull<Bundle>
  durationMin: Optional<number>
  revenueStreamGuid: Optional<string>
  visibleOnline: Generated<boolean>
  marginBp: Computed<number | null>
  searchText: Computed<string>
}
interface ProductCategoryLinks {
  productGuid: string
  categoryGuid: string
}
interface ProductImages {
  productGuid: string
  fileGuid: string
  alt: Optional<string>
  position: number
}
interface PriceLists extends Pooled {
  name: string
  isActive: Generated<boolean>
}
interface PriceListItems {
  priceListGuid: string
  productGuid: string
  fromQuantity: string
  priceCents: number
}
/** What lines of documents take from the catalogue. */
export interface CataloguedLine {
  /** Decimal text, as all quantities. */
  quantityMin: Optional<string>
  quantityMax: Optional<string>
  quantityStep: Optional<string>
  parentLineGuid: Optional<string>
  hireFrom: Optional<string>
  hireTo: Optional<string>
  hireRates: JsonOrNull<HireRates>
  isPriceManual: Generated<boolean>
  costCents: Optional<number>
  revenueStreamGuid: Optional<string>
  options: JsonOrNull<LineOptions>
  sourceKey: Optional<string>
  showsParts: Optional<boolean>
}
export interface CatalogueTables {
  revenueStreams: RevenueStreams
  productCategories: ProductCategories
  products: Products
  productCategoryLinks: ProductCategoryLinks
  productImages: ProductImages
  priceLists: PriceLists
  priceListItems: PriceListItems
}

/** What is left of a quote after the costs of its lines; null where no line that counts has a cost. */
export interface QuoteMargin {
  marginCents: Optional<number>
  /** Of the net, in basis points; null where there is no net as well. */
  marginBp: Optional<number>
}
