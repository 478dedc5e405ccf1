import { z } from 'zod'
import { archivingOps } from './core/archiving.ts'
import { answerOf } from './core/answer.ts'
import {
  amountCents,
  anyOf,
  archivedFilter,
  basisPoints,
  guid,
  listQuery,
  longText,
  maybe,
  pageOf,
  quantity,
  recordShape,
  reference,
  text,
  timestamp,
  version,
  ofBusiness,
  whose,
} from './core/common.ts'
import { compareQuantities } from './core/money.ts'
import { bulkEditOp } from './core/bulk-edit.ts'
import { exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { tagFilter, taggingOps, tagsShape } from './core/tagging.ts'
import { hireProblems } from './hire.ts'
import { gstCodes, units } from './lines.ts'
import { nouns } from './nouns.ts'
import { priceRise } from './price-rise.ts'
import { tierProblem, type CatalogueKind } from './pricing.ts'

const { pages } = nouns.Products

export const productKinds = [
  'service',
  'goods',
  'hire',
  'labour',
  'fee',
  'bundle',
  'discount',
] as const satisfies readonly CatalogueKind[]
const productStatuses = ['draft', 'active', 'archived'] as const

/** The longest list of tiers, and of a bundle's parts. */
export const maxTiers = 20
export const maxParts = 30
export const maxImages = 20

/** All of them cost this much from a quantity on. */
const tier = z.strictObject({ from: quantity, priceCents: amountCents })
const hireRates = z.strictObject({
  dayCents: amountCents,
  weekCents: maybe(amountCents),
  fourWeekCents: maybe(amountCents),
  minimumDays: maybe(z.int().min(1).max(365)),
})
const bundle = z.strictObject({
  mode: z.enum(['fixed', 'percent', 'sum']),
  /** What is taken off the parts, with `percent` alone. */
  bp: maybe(basisPoints),
  showParts: z.boolean(),
  items: z
    .array(z.strictObject({ productGuid: guid, quantity }))
    .min(1, 'Add a product to the bundle.')
    .max(maxParts, 'A bundle can have up to 30 products.'),
})

const image = z.strictObject({
  /** A picture that was sent before. */
  fileGuid: guid,
  /** What it shows, for those who can’t see it. */
  alt: maybe(text(200)),
})
const images = z.array(image).max(maxImages, 'A product can have up to 20 pictures.')

const productFields = {
  sku: maybe(text(40)),
  name: text(160),
  kind: z.enum(productKinds).default('service'),
  /** A draft can’t be chosen on documents yet. */
  status: z.enum(['draft', 'active']).default('active'),
  description: maybe(longText(2000)),
  /** What customers read of it on pages that are open to everybody. */
  publicText: maybe(longText(4000)),
  unit: z.enum(units).default('each'),
  /** Price of one unit, GST not included; of a `discount` what it takes off. */
  priceCents: amountCents,
  /** What one unit costs us; shown only to those who may see costs. */
  costCents: maybe(amountCents),
  gstCode: z.enum(gstCodes).default('GST'),
  quantityMin: maybe(quantity),
  quantityMax: maybe(quantity),
  /** Quantities go up by this from the least. */
  quantityStep: maybe(quantity),
  tiers: z.array(tier).max(maxTiers, 'Enter up to 20 tiers.').default([]),
  hire: maybe(hireRates),
  bundle: maybe(bundle),
  durationMin: maybe(z.int().min(0).max(100_000)),
  revenueStreamGuid: maybe(guid),
  visibleOnline: z.boolean().default(false),
  categoryGuids: z.array(guid).max(20, 'Choose up to 20 categories.').default([]),
  /** The booking options it asks for, in order. */
  optionGuids: z.array(guid).max(40).default([]),
  /** Its pictures, in order. */
  images: images.default([]),
}
export const productInput = z.strictObject(productFields)
export type ProductInput = z.infer<typeof productInput>
const product = z.object({
  ...recordShape,
  /** The business whose catalogue it is in. */
  businessGuid: guid,
  ...answerOf(productFields),
  tags: tagsShape,
  status: z.enum(productStatuses),
  images: z.array(
    z.object({
      fileGuid: guid,
      alt: z.string().nullable(),
      name: z.string(),
      /** A small one has been drawn of it. */
      hasThumb: z.boolean(),
    }),
  ),
  /** Of the price, in basis points; null where there is no cost, and to those who may not see costs. */
  marginBp: z.int().nullable(),
  /** Where the money it brings in is counted. */
  stream: reference.nullable(),
  categories: z.array(reference),
  /** What a bundle holds, with what one of each costs on its own. */
  parts: z.array(
    z.object({ guid, name: z.string(), quantity: z.string(), unit: z.enum(units), priceCents: amountCents }),
  ),
  /** How often it stands on quotes, and what it sold for on issued invoices, GST not included. */
  usage: z.object({
    quoted: z.int(),
    invoicedCents: z.int(),
    /** Bundles it is a part of, and lists that price it. */
    bundles: z.array(reference),
    priceLists: z.array(
      reference.extend({
        /** Switched on; one that isn’t counts as none. */
        isActive: z.boolean(),
        /** What it asks, from the lowest quantity on. */
        prices: z.array(tier),
      }),
    ),
    /** The newest quotes, orders and invoices it stands on, of those that the caller may see. */
    documents: z.array(reference.extend({ noun: z.enum(['Quotes', 'Orders', 'Invoices']), createdAt: timestamp })),
  }),
})
export type Product = z.infer<typeof product>
export const productListItem = product
  .pick({
    guid: true,
    version: true,
    sku: true,
    name: true,
    kind: true,
    status: true,
    description: true,
    unit: true,
    priceCents: true,
    gstCode: true,
    quantityMin: true,
    quantityMax: true,
    quantityStep: true,
    marginBp: true,
    stream: true,
    createdAt: true,
    archivedAt: true,
    tags: true,
  })
  .extend({
    ...whose,
    /** A bundle whose parts make its price, in full or less a share: it has none of its own. */
    isPricedByParts: z.boolean(),
    /** The first of its pictures that can be shown small. */
    picture: z.object({ fileGuid: guid, alt: z.string().nullable() }).nullable(),
    /** What the list of the customer who was asked for prices it at, from the lowest quantity on. */
    listPrices: z.array(tier).optional(),
  })
export type ProductItem = z.infer<typeof productListItem>
const productColumns = {
  sku: 'Code',
  name: 'Name',
  kind: 'Kind',
  status: 'Status',
  unit: 'Unit',
  priceCents: 'Price',
  gstCode: 'GST code',
  tags: 'Tags',
  businessName: 'Business',
}

type Rules = Pick<ProductInput, 'kind' | 'priceCents' | 'tiers' | 'hire' | 'bundle' | 'quantityMin' | 'quantityMax'>
/** What is wrong with a product as a whole, by the field it is said at. */
export function productProblems(product: Rules): { path: string; message: string }[] {
  const { kind, tiers, hire, bundle: parts, quantityMin, quantityMax } = product
  const found: { path: string; message: string }[] = []
  const say = (path: string, message: string) => found.push({ path, message })
  const rising = tierProblem(tiers ?? [])
  if (rising) say(`tiers.${rising.index}.from`, rising.message)
  if (hire && kind !== 'hire') say('hire', 'Only hire products have hire rates.')
  if (hire) for (const { path, message } of hireProblems(hire)) say(`hire.${path}`, message)
  if (kind === 'bundle' && !parts) say('bundle.items', 'Add a product to the bundle.')
  if (kind !== 'bundle' && parts) say('bundle', 'Only bundles have parts.')
  if (parts?.mode === 'percent' && !parts.bp) say('bundle.bp', 'Enter a percentage.')
  if (parts && parts.mode !== 'percent' && parts.bp) say('bundle.bp', 'Only a bundle by percentage has one.')
  if (quantityMin && quantityMax && compareQuantities(quantityMin, quantityMax) > 0)
    say('quantityMax', 'The most can’t be less than the least.')
  return found
}

const list = get({
  path: '/Products',
  effect: 'read',
  can: pages.list.can,
  summary: 'Products and services',
  query: listQuery(['name', 'sku', 'priceCents', 'marginBp', 'createdAt'], {
    ...ofBusiness,
    kind: anyOf(productKinds).optional(),
    /** With `search`, products of these kinds are found besides: their words are the reader’s. */
    searchKinds: anyOf(productKinds).optional(),
    /** Says what the price list of this customer asks, in `listPrices`. */
    customerGuid: guid.optional(),
    status: anyOf(['draft', 'active']).optional(),
    archived: archivedFilter,
    /** In the category itself, or in one inside it. */
    category: guid.optional(),
    stream: guid.optional(),
    tag: tagFilter,
  }),
  response: pageOf(productListItem),
})
export const productsApi = {
  list,
  export: exportOf(list, productColumns),
  get: get({
    path: '/Products/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One product',
    response: z.object({ product }),
  }),
  create: post({
    path: '/Products',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Product created.',
    summary: 'Makes a product',
    body: productInput,
    response: z.object({ product }),
  }),
  update: patch({
    path: '/Products/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Product saved.',
    summary: 'Changes a product; documents made before keep their prices',
    body: patchOf(productInput),
    response: z.object({ product }),
  }),
  activate: post({
    path: '/Products/Activate/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Product activated.',
    summary: 'Lets a draft be chosen on documents',
    body: z.strictObject({ version }),
    response: z.object({ product }),
  }),
  addImages: post({
    path: '/Products/Images/:guid',
    effect: 'write',
    can: pages.edit.can,
    status: 201,
    message: 'Picture added.',
    summary: 'Adds pictures behind those a product has',
    body: z.strictObject({ images: images.min(1, 'Choose a picture.') }),
    response: z.object({ product }),
  }),
  setImages: patch({
    path: '/Products/Images/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Pictures saved.',
    summary: 'Gives a product these pictures, in this order',
    body: z.strictObject({ version, images: images.optional() }),
    response: z.object({ product }),
  }),
  /** `priceRise` changes price, tiers and hire rates alike. */
  edit: bulkEditOp(
    'Products',
    productInput
      .pick({
        status: true,
        unit: true,
        gstCode: true,
        visibleOnline: true,
        revenueStreamGuid: true,
        categoryGuids: true,
      })
      .extend({ priceRise: priceRise.optional() }),
  ),
  ...taggingOps('Products'),
  ...archivingOps('Products', 'a product', z.object({ product })),
}
