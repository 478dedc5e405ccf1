import { z } from 'zod'
import { languages } from './core/languages.ts'
import { address } from './businesses.ts'
import { abn } from './core/abn.ts'
import {
  anyOf,
  archiveInput,
  archivedFilter,
  bulkResult,
  cents,
  email,
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

export const customerKinds = ['individual', 'business', 'government', 'charity', 'trust', 'partnership'] as const

const contactFields = {
  name: text(120),
  position: maybe(text(80)),
  email: maybe(email),
  phone: maybe(text(40)),
  isPrimary: z.boolean().default(false),
  receivesQuotes: z.boolean().default(true),
  receivesInvoices: z.boolean().default(true),
}
/** `guid` keeps an existing contact; those left out are archived. */
export const contactInput = z.strictObject({ guid: guid.optional(), ...contactFields })
export const siteInput = z.strictObject({
  guid: guid.optional(),
  name: text(120),
  address,
  accessNotes: maybe(longText(1000)),
})
export const contact = z.object({
  guid,
  name: z.string(),
  position: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  isPrimary: z.boolean(),
  receivesQuotes: z.boolean(),
  receivesInvoices: z.boolean(),
})
export const site = z.object({ guid, name: z.string(), address, accessNotes: z.string().nullable() })

export const customerInput = z.strictObject({
  kind: z.enum(customerKinds).default('business'),
  displayName: text(160),
  /** What the customer reads: documents, messages, the customer's own pages. */
  /** What the customer reads; the default language of the server when not sent. */
  language: z.enum(languages).optional(),
  abn: maybe(abn),
  email: maybe(email),
  phone: maybe(text(40)),
  billingAddress: maybe(address),
  /** Days until an invoice is due; the business's own terms when not set. */
  paymentTermsDays: maybe(z.int().min(0).max(365)),
  internalNotes: maybe(longText(4000)),
  contacts: z.array(contactInput).max(50).optional(),
  sites: z.array(siteInput).max(100).optional(),
})
export type CustomerInput = z.infer<typeof customerInput>

export const customerListItem = z.object({
  guid,
  kind: z.enum(customerKinds),
  displayName: z.string(),
  abn: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  suburb: z.string().nullable(),
  /** Owing on issued invoices; nothing for those who may not see what customers owe. */
  balanceCents: cents.nullable(),
  overdueCents: cents.nullable(),
  lastOrderAt: timestamp.nullable(),
  createdAt: timestamp,
  archivedAt: timestamp.nullable(),
})
export const timelineEntry = z.object({
  at: timestamp,
  /** A phrase key: `quote.sent`, `payment.received` … */
  what: z.string(),
  /** Who did it; `null` when the product itself did. */
  by: z.string().nullable(),
  byKind: z.enum(['user', 'guest', 'system']),
  /** Values the phrase is filled with. */
  values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
})
export type TimelineEntry = z.infer<typeof timelineEntry>
export const timeline = z.object({ items: z.array(timelineEntry) })

export const customer = z.object({
  ...recordShape,
  kind: z.enum(customerKinds),
  displayName: z.string(),
  language: z.enum(languages),
  abn: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  billingAddress: address.nullable(),
  paymentTermsDays: z.int().nullable(),
  internalNotes: z.string().nullable(),
  contacts: z.array(contact),
  sites: z.array(site),
  /** Nothing for those who may not see what customers owe. */
  money: z
    .object({
      balanceCents: cents,
      overdueCents: cents,
      invoicedCents: cents,
      paidCents: cents,
      unallocatedCents: cents,
      openQuotesCents: cents,
    })
    .nullable(),
})
export type Customer = z.infer<typeof customer>
export type CustomerMoney = NonNullable<Customer['money']>
/** The right to see what customers owe, were invoiced and paid: in every answer, list, filter and file. */
export const customerAmounts = ['read', 'Customers:Amounts'] as const
export const customerColumns = {
  displayName: 'Name',
  kind: 'Kind',
  abn: 'ABN',
  email: 'Email',
  phone: 'Phone',
  suburb: 'Suburb',
  balanceCents: 'Balance',
  overdueCents: 'Overdue',
  createdAt: 'Created',
}

const list = get({
  path: '/Customers',
  effect: 'read',
  can: ['read', 'Customers:Preview:All'],
  summary: 'Customers',
  query: listQuery(['displayName', 'createdAt'], {
    kind: anyOf(customerKinds).optional(),
    owing: z.enum(['any', 'overdue']).optional(),
    archived: archivedFilter,
  }),
  response: pageOf(customerListItem),
})
export const customersApi = {
  list,
  export: exportOf(list, customerColumns),
  get: get({
    path: '/Customers/:guid',
    effect: 'read',
    can: ['read', 'Customers:Preview:Guid'],
    summary: 'One customer with contacts, sites and money',
    response: z.object({ customer }),
  }),
  timeline: get({
    path: '/Customers/Timeline/:guid',
    effect: 'read',
    can: ['read', 'Customers:Preview:Guid'],
    summary: 'What happened with a customer',
    response: timeline,
  }),
  create: post({
    path: '/Customers',
    effect: 'write',
    can: ['create', 'Customers:Create'],
    status: 201,
    message: 'Customer created.',
    summary: 'Makes a customer',
    body: customerInput,
    response: z.object({ customer }),
  }),
  update: patch({
    path: '/Customers/:guid',
    effect: 'write',
    can: ['update', 'Customers:Update:Guid'],
    message: 'Customer saved.',
    summary: 'Changes a customer; contacts and sites are replaced as a whole when sent',
    body: customerInput
      .partial()
      .extend({ version, kind: z.enum(customerKinds).optional(), language: z.enum(languages).optional() }),
    response: z.object({ customer }),
  }),
  remove: del({
    path: '/Customers/:guid',
    effect: 'write',
    can: ['delete', 'Customers:Archive:Guid'],
    message: 'Customer archived.',
    summary: 'Archives a customer',
    response: z.object({ customer }),
  }),
  restore: post({
    path: '/Customers/Restore/:guid',
    effect: 'write',
    can: ['delete', 'Customers:Archive:Guid'],
    message: 'Customer restored.',
    summary: 'Brings an archived customer back',
    response: z.object({ customer }),
  }),
  bulk: post({
    path: '/Customers/Bulk',
    effect: 'write',
    can: ['delete', 'Customers:Archive:Guid'],
    message: 'Done.',
    summary: 'Archives or restores many customers',
    body: archiveInput,
    response: bulkResult,
  }),
  contacts: get({
    path: '/Contacts',
    effect: 'read',
    can: ['read', 'Contacts:Preview:All'],
    summary: 'Contacts of all customers',
    query: listQuery(['name', 'createdAt'], { customerGuid: guid.optional() }),
    response: pageOf(contact.extend({ customerGuid: guid, customerName: z.string(), createdAt: timestamp })),
  }),
}
