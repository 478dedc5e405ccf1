import { z } from 'zod'
import {
  amountCents,
  anyOf,
  archiveInput,
  archivedFilter,
  bulkResult,
  guid,
  listQuery,
  longText,
  maybe,
  pageOf,
  recordShape,
  text,
  timestamp,
  version,
} from './core/common.ts'
import { del, exportOf, get, patch, post } from './core/op.ts'
import { gstCodes, units } from './lines.ts'

export const productKinds = ['service', 'goods', 'hire', 'labour', 'fee'] as const

export const productInput = z.strictObject({
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
})
export type ProductInput = z.infer<typeof productInput>
export const product = z.object({
  ...recordShape,
  sku: z.string().nullable(),
  name: z.string(),
  kind: z.enum(productKinds),
  description: z.string().nullable(),
  unit: z.enum(units),
  priceCents: amountCents,
  costCents: amountCents.nullable(),
  gstCode: z.enum(gstCodes),
  /** How often it stands on quotes, and what it sold for on issued invoices, GST not included. */
  usage: z.object({ quoted: z.int(), invoicedCents: z.int() }),
})
export type Product = z.infer<typeof product>
export const productListItem = z.object({
  guid,
  sku: z.string().nullable(),
  name: z.string(),
  kind: z.enum(productKinds),
  description: z.string().nullable(),
  unit: z.enum(units),
  priceCents: amountCents,
  gstCode: z.enum(gstCodes),
  createdAt: timestamp,
  archivedAt: timestamp.nullable(),
})
export const productColumns = {
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
  can: ['read', 'Products:Preview:All'],
  summary: 'Products and services',
  query: listQuery(['name', 'sku', 'priceCents', 'createdAt'], {
    kind: anyOf(productKinds).optional(),
    archived: archivedFilter,
  }),
  response: pageOf(productListItem),
})
export const productsApi = {
  list,
  export: exportOf(list, productColumns),
  get: get({
    path: '/Products/:guid',
    effect: 'read',
    can: ['read', 'Products:Preview:Guid'],
    summary: 'One product',
    response: z.object({ product }),
  }),
  create: post({
    path: '/Products',
    effect: 'write',
    can: ['create', 'Products:Create'],
    status: 201,
    message: 'Product created.',
    summary: 'Makes a product',
    body: productInput,
    response: z.object({ product }),
  }),
  update: patch({
    path: '/Products/:guid',
    effect: 'write',
    can: ['update', 'Products:Update:Guid'],
    message: 'Product saved.',
    summary: 'Changes a product; documents made before keep their prices',
    body: productInput.partial().extend({
      version,
      kind: z.enum(productKinds).optional(),
      unit: z.enum(units).optional(),
      gstCode: z.enum(gstCodes).optional(),
    }),
    response: z.object({ product }),
  }),
  remove: del({
    path: '/Products/:guid',
    effect: 'write',
    can: ['delete', 'Products:Archive:Guid'],
    message: 'Product archived.',
    summary: 'Archives a product',
    response: z.object({ product }),
  }),
  restore: post({
    path: '/Products/Restore/:guid',
    effect: 'write',
    can: ['delete', 'Products:Archive:Guid'],
    message: 'Product restored.',
    summary: 'Brings an archived product back',
    response: z.object({ product }),
  }),
  bulk: post({
    path: '/Products/Bulk',
    effect: 'write',
    can: ['delete', 'Products:Archive:Guid'],
    message: 'Done.',
    summary: 'Archives or restores many products',
    body: archiveInput,
    response: bulkResult,
  }),
}
