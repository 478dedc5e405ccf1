import { z } from 'zod'
import { archivingOps } from './core/archiving.ts'
import { languages } from './core/languages.ts'
import { address } from './core/address.ts'
import { abn, acn } from './core/abn.ts'
import { answerOf } from './core/answer.ts'
import {
  amountCents,
  anyOf,
  archivedFilter,
  basisPoints,
  cents,
  email,
  guid,
  listQuery,
  longText,
  maybe,
  pageOf,
  phone,
  recordShape,
  reference,
  text,
  timestamp,
  version,
  ofBusiness,
  whose,
} from './core/common.ts'
import { bulkEditOp } from './core/bulk-edit.ts'
import { exportIn, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { tagFilter, taggingOps, tagsShape } from './core/tagging.ts'
import { nouns } from './nouns.ts'

const { pages } = nouns.Customers

export const contactRoles = ['billing', 'site', 'approver', 'technical', 'other'] as const
export const customerStatuses = ['lead', 'active', 'inactive', 'blocked'] as const
export type CustomerStatus = (typeof customerStatuses)[number]
export const customerKinds = ['individual', 'business', 'government', 'charity', 'trust', 'partnership'] as const

/** The person. */
export const personFields = {
  name: text(120),
  position: maybe(text(80)),
  email: maybe(email),
  phone: maybe(phone),
}
/** What the person is to a customer or a site. */
export const linkFields = {
  role: z.enum(contactRoles).default('other'),
  isPrimary: z.boolean().default(false),
  receivesQuotes: z.boolean().default(true),
  receivesInvoices: z.boolean().default(true),
  receivesReminders: z.boolean().default(true),
}
const contactFields = { ...personFields, ...linkFields }
/** `guid` keeps an existing contact; who is left out is no longer this customer's contact, and stays. */
export const contactInput = z.strictObject({ guid: guid.optional(), ...contactFields })
const siteFields = { name: text(120), address, accessNotes: maybe(longText(1000)) }
export const siteInput = z.strictObject({ guid: guid.optional(), ...siteFields })
export const contact = z.object({ guid, ...answerOf(contactFields) })
export const site = z.object({ guid, ...answerOf(siteFields) })

const termsInput = z.strictObject({
  /** Days until an invoice is due; the business's own terms when not set. */
  termsDays: maybe(z.int().min(0).max(365)),
  /** The most that may be owing and agreed at a time; none when not set. */
  limitCents: maybe(amountCents),
  isOnHold: z.boolean().optional(),
  holdReason: maybe(text(200)),
  /** Taken off every line of the catalogue that has no discount of its own. */
  discountBp: maybe(basisPoints),
  /** Its prices win over those of the catalogue. */
  priceListGuid: maybe(guid),
})
const customerTerms = z.object({
  termsDays: z.int().nullable(),
  limitCents: cents.nullable(),
  isOnHold: z.boolean(),
  holdReason: z.string().nullable(),
  discountBp: z.int(),
  priceListGuid: guid.nullable(),
  /** Its name, and whether it counts; nothing for those who may not see price lists. */
  priceList: reference.extend({ isActive: z.boolean() }).nullable(),
})
export type CustomerTerms = z.infer<typeof customerTerms>

const customerFields = {
  kind: z.enum(customerKinds).default('business'),
  displayName: text(160),
  /**
   * What the customer reads: documents, messages, the customer's own pages; the server's
   * default language when not sent.
   */
  language: z.enum(languages).optional(),
  abn: maybe(abn),
  acn: maybe(acn),
  status: z.enum(customerStatuses).default('active'),
  /** What another system calls it. */
  externalRef: maybe(text(80)),
  email: maybe(email),
  phone: maybe(phone),
  billingAddress: maybe(address),
  /** The same as `terms.termsDays`, and what counts where both are sent. */
  paymentTermsDays: maybe(z.int().min(0).max(365)),
  internalNotes: maybe(longText(4000)),
}
export const customerInput = z.strictObject({
  ...customerFields,
  /** Those of the business the call works for. What is left out stays as it is. */
  terms: termsInput.optional(),
  contacts: z.array(contactInput).max(50).optional(),
  sites: z.array(siteInput).max(100).optional(),
})
export type CustomerInput = z.infer<typeof customerInput>

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

const customer = z.object({
  ...recordShape,
  /** The business whose list it is on. */
  businessGuid: guid,
  ...answerOf(customerFields),
  tags: tagsShape,
  /** The customer that is kept, of those that were merged: itself, unless a list was read before. */
  familyGuid: guid,
  /** Those of the business the call works for. */
  terms: customerTerms,
  /** Those that were merged into it, the latest first. */
  mergedFrom: z.array(z.object({ guid, displayName: z.string(), mergedAt: timestamp, mergeGuid: guid })),
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
      /** Of confirmed work what is still to be invoiced: with the balance it counts against the limit. */
      committedCents: cents,
      /** Owing and credit by business, of those that share the list and the caller works in: where there is any. */
      byBusiness: z.array(
        z.object({
          businessGuid: guid,
          name: z.string(),
          balanceCents: cents,
          overdueCents: cents,
          unallocatedCents: cents,
        }),
      ),
    })
    .nullable(),
})
export type Customer = z.infer<typeof customer>
const customerListItem = customer
  .pick({
    guid: true,
    version: true,
    kind: true,
    displayName: true,
    status: true,
    abn: true,
    email: true,
    phone: true,
    createdAt: true,
    archivedAt: true,
    tags: true,
  })
  .extend({
    /** Of those it is the list of: several where businesses share it. */
    ...whose,
    suburb: z.string().nullable(),
    isOnHold: z.boolean(),
    /** Owing on issued invoices; nothing for those who may not see what customers owe. */
    balanceCents: cents.nullable(),
    overdueCents: cents.nullable(),
    lastOrderAt: timestamp.nullable(),
  })
export type CustomerMoney = NonNullable<Customer['money']>
const customerColumns = {
  displayName: 'Name',
  kind: 'Kind',
  status: 'Status',
  abn: 'ABN',
  email: 'Email',
  phone: 'Phone',
  suburb: 'Suburb',
  tags: 'Tags',
  balanceCents: 'Balance',
  overdueCents: 'Overdue',
  businessName: 'Business',
  createdAt: 'Created',
  /** By this an import knows the customer again. */
  guid: 'Record ID',
}
/** The columns of Xero's contacts that customers fill. */
const xeroColumns = [
  '*ContactName',
  'AccountNumber',
  'EmailAddress',
  'FirstName',
  'LastName',
  'POAddressLine1',
  'POAddressLine2',
  'POCity',
  'PORegion',
  'POPostalCode',
  'SAAddressLine1',
  'SAAddressLine2',
  'SACity',
  'SARegion',
  'SAPostalCode',
  'PhoneNumber',
  'TaxNumber',
  'DueDateSalesDay',
  'DueDateSalesTerm',
  ...['1', '2', '3', '4', '5'].flatMap((n) => [`Person${n}FirstName`, `Person${n}LastName`, `Person${n}Email`]),
] as const

const list = get({
  path: '/Customers',
  effect: 'read',
  can: pages.list.can,
  summary: 'Customers',
  query: listQuery(['displayName', 'createdAt'], {
    ...ofBusiness,
    kind: anyOf(customerKinds).optional(),
    status: anyOf(customerStatuses).optional(),
    owing: z.enum(['any', 'overdue']).optional(),
    tag: tagFilter,
    archived: archivedFilter,
  }),
  response: pageOf(customerListItem),
})
/** Confirming and issuing beyond a hold or a limit. */
export const creditOverride = ['update', 'Customers:Credit:Override'] as const

export const customersApi = {
  list,
  export: exportIn(list, customerColumns, { xero: xeroColumns }),
  get: get({
    path: '/Customers/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One customer with contacts, sites and money',
    query: z.strictObject(ofBusiness),
    response: z.object({ customer }),
  }),
  timeline: get({
    path: '/Customers/Timeline/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'What happened with a customer',
    response: timeline,
  }),
  create: post({
    path: '/Customers',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Customer created.',
    summary: 'Makes a customer',
    body: customerInput,
    response: z.object({ customer }),
  }),
  update: patch({
    path: '/Customers/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Customer saved.',
    summary: 'Changes a customer; contacts and sites are replaced as a whole when sent',
    body: patchOf(customerInput),
    response: z.object({ customer }),
  }),
  block: post({
    path: '/Customers/Block/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Customer blocked.',
    summary: 'Keeps a customer from new documents: what was sent can be read, and not accepted',
    body: z.strictObject({ version }),
    response: z.object({ customer }),
  }),
  unblock: post({
    path: '/Customers/Unblock/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Customer unblocked.',
    summary: 'Lets a blocked customer have documents again',
    body: z.strictObject({ version }),
    response: z.object({ customer }),
  }),
  edit: bulkEditOp(
    'Customers',
    customerInput.pick({ kind: true, status: true, language: true, paymentTermsDays: true }),
  ),
  ...taggingOps('Customers'),
  ...archivingOps('Customers', 'a customer', z.object({ customer })),
}
