import { z } from 'zod'
import { archivingOps } from './core/archiving.ts'
import { answerOf } from './core/answer.ts'
import {
  amountCents,
  anyOf,
  archivedFilter,
  guid,
  listQuery,
  longText,
  maybe,
  pageOf,
  recordShape,
  text,
} from './core/common.ts'
import { exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { gstCodes, units } from './lines.ts'
import { nouns } from './nouns.ts'

const { pages } = nouns.Products

export const productKinds = ['service', 'goods', 'hire', 'labour', 'fee'] as const

const productFields = {
  sku: maybe(text(40)),
  name: text(160),
  kind: z.enum(productKinds).default('service'),
  description: maybe(longText(2000)),
  unit: z.enum(units).default('each'),
  /** Price of one unit, GST not included. */
  priceCents: amountCents,
  /** What one unit costs us; shown only to those who may see costs. */
  costCents: maybe(amountCents),
  gstCode: z.enum(gstCodes).default('GST'),
  /** The booking options it asks for, in order. */
  optionGuids: z.array(guid).max(40).default([]),
}
export const productInput = z.strictObject(productFields)
export type ProductInput = z.infer<typeof productInput>
const product = z.object({
  ...recordShape,
  ...answerOf(productFields),
  /** How often it stands on quotes, and what it sold for on issued invoices, GST not included. */
  usage: z.object({ quoted: z.int(), invoicedCents: z.int() }),
})
export type Product = z.infer<typeof product>
export const productListItem = product.pick({
  guid: true,
  sku: true,
  name: true,
  kind: true,
  description: true,
  unit: true,
  priceCents: true,
  gstCode: true,
  createdAt: true,
  archivedAt: true,
})
const productColumns = {
  sku: 'Code',
  name: 'Name',
  kind: 'Kind',
  unit: 'Unit',
  priceCents: 'Price',
  gstCode: 'GST code',
}

const list = get({
  path: '/Products',
  effect: 'read',
  can: pages.list.can,
  summary: 'Products and services',
  query: listQuery(['name', 'sku', 'priceCents', 'createdAt'], {
    kind: anyOf(productKinds).optional(),
    archived: archivedFilter,
    /** In the category itself, or in one inside it. */
    category: guid.optional(),
    stream: guid.optional(),
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
  ...archivingOps('Products', 'a product', z.object({ product })),
}
