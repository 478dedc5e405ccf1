import { z } from 'zod'
import { archivingOps } from './core/archiving.ts'
import { answerOf } from './core/answer.ts'
import {
  amountCents,
  archivedFilter,
  guid,
  listQuery,
  pageOf,
  quantity,
  recordShape,
  reference,
  text,
} from './core/common.ts'
import { exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { trimQuantity, units } from './lines.ts'
import { nouns } from './nouns.ts'
import { productsApi } from './products.ts'

const { pages } = nouns.PriceLists

/** As many prices as a list may hold: they are sent whole. */
export const maxListItems = 5000

const item = z.strictObject({
  productGuid: guid,
  /** The quantity from which on it holds. */
  from: quantity,
  /** Of one, GST not included. */
  priceCents: amountCents,
})
export type PriceListItem = z.infer<typeof item>
const priceListFields = {
  name: text(80),
  /** One that isn’t counts as none, and keeps its prices. */
  isActive: z.boolean().default(true),
  items: z.array(item).max(maxListItems, 'A price list can have up to 5,000 prices.').default([]),
}
export const priceListInput = z.strictObject(priceListFields)
export type PriceListInput = z.infer<typeof priceListInput>

/** A product as its row shows it: with what the catalogue asks. */
const { product } = productsApi.get.response.shape
const listed = product
  .pick({ guid: true, sku: true, name: true, kind: true, priceCents: true, tiers: true, archivedAt: true })
  .extend({
    unit: z.enum(units),
    /** A bundle whose parts make its price: a list can’t give it one. */
    isPricedByParts: z.boolean(),
  })
export type ListedProduct = z.infer<typeof listed>

const priceList = z.object({
  ...recordShape,
  ...answerOf(priceListFields),
  /** Those of its items that the caller may see. */
  products: z.array(listed),
  /** Customers of this business that it holds for, by name; the first hundred that the caller may see. */
  customers: z.array(reference),
  /** All of them. */
  customerCount: z.int(),
})
export type PriceList = z.infer<typeof priceList>
const priceListListItem = priceList
  .pick({
    guid: true,
    version: true,
    name: true,
    isActive: true,
    customerCount: true,
    updatedAt: true,
    archivedAt: true,
  })
  .extend({ itemCount: z.int() })

/** An item that has the same product and quantity as one before it, and which one that is. */
export function repeatedItems(items: readonly Pick<PriceListItem, 'productGuid' | 'from'>[]): Map<number, number> {
  const first = new Map<string, number>()
  const repeated = new Map<number, number>()
  for (const [index, { productGuid, from }] of items.entries()) {
    const key = `${productGuid} ${trimQuantity(from)}`
    const before = first.get(key)
    if (before === undefined) first.set(key, index)
    else repeated.set(index, before)
  }
  return repeated
}

const one = z.object({ priceList })
const list = get({
  path: '/PriceLists',
  effect: 'read',
  can: pages.list.can,
  summary: 'Price lists, with how many prices and customers each has',
  query: listQuery(['name', 'updatedAt'], { archived: archivedFilter, active: z.enum(['true', 'false']).optional() }),
  response: pageOf(priceListListItem),
})
export const priceListsApi = {
  list,
  export: exportOf(list, {
    name: 'Name',
    isActive: 'Active',
    itemCount: 'Prices',
    customerCount: 'Customers',
    updatedAt: 'Updated',
  }),
  get: get({
    path: '/PriceLists/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One price list with its prices, its products and its customers',
    response: one,
  }),
  create: post({
    path: '/PriceLists',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Price list created.',
    summary: 'Makes a price list',
    body: priceListInput,
    response: one,
  }),
  update: patch({
    path: '/PriceLists/:guid',
    effect: 'write',
    can: ['update', 'PriceLists:Update:Guid'],
    message: 'Price list saved.',
    summary: 'Changes a price list; its prices are replaced as a whole when sent',
    body: patchOf(priceListInput),
    response: one,
  }),
  match: post({
    path: '/PriceLists/Match',
    effect: 'read',
    can: ['update', 'PriceLists:Update:Guid'],
    summary: 'The products that codes or names from a spreadsheet mean',
    body: z.strictObject({ texts: z.array(z.string().max(500)).max(maxListItems) }),
    response: z.object({
      products: z.array(listed),
      /** For each text the product it means, and how many it may mean. */
      matches: z.array(z.object({ productGuid: guid.nullable(), count: z.int() })),
    }),
  }),
  ...archivingOps('PriceLists', 'a price list', one),
}
