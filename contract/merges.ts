import { z } from 'zod'
import { address } from './core/address.ts'
import { guid, pageOf, listQuery, cents, timestamp, version, maybe, text, phone } from './core/common.ts'
import { get, post } from './core/op.ts'
import { customersApi } from './customers.ts'
import { duplicateReasons, grades } from './duplicates.ts'
import { nouns } from './nouns.ts'

/** What one of two customers has to decide: where only one has it, that one does. */
export const mergeFields = [
  'displayName',
  'kind',
  'language',
  'status',
  'abn',
  'acn',
  'externalRef',
  'email',
  'phone',
  'billingAddress',
  'termsDays',
  'discountBp',
] as const
export type MergeField = (typeof mergeFields)[number]
const sides = ['keep', 'from'] as const
export type Side = (typeof sides)[number]

const value = z.union([z.string(), z.number(), z.boolean(), address, z.null()])
export type MergeValue = z.infer<typeof value>
const choices = z.partialRecord(z.enum(mergeFields), z.enum(sides))
const pair = { keepGuid: guid, fromGuid: guid }
const { customer } = customersApi.get.response.shape

const merge = z.object({
  guid,
  version,
  keepGuid: guid,
  fromGuid: guid,
  mergedAt: timestamp,
  undoneAt: timestamp.nullable(),
})

/** What whoever merges should know; the web has the words. */
const mergeWarnings = ['abn', 'hold', 'limit', 'blocked', 'family', 'archived'] as const
const { can } = nouns.Customers.pages.duplicates
const brief = z.object({
  guid,
  version,
  displayName: z.string(),
  kind: z.string(),
  abn: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  suburb: z.string().nullable(),
  state: z.string().nullable(),
  postcode: z.string().nullable(),
  createdAt: timestamp,
})
const duplicate = z.object({
  guid,
  a: brief,
  b: brief,
  points: z.int(),
  grade: z.enum(grades),
  reasons: z.array(z.enum(duplicateReasons)),
})
export type Duplicate = z.infer<typeof duplicate>

export const mergesApi = {
  preview: post({
    path: '/Customers/Merge/Preview',
    effect: 'read',
    can,
    summary: 'What merging two customers would do',
    body: z.strictObject(pair),
    response: z.object({
      keep: customer,
      from: customer,
      fields: z.array(
        z.object({
          field: z.enum(mergeFields),
          keep: value,
          from: value,
          /** Null where somebody has to choose. */
          chosen: z.enum(sides).nullable(),
        }),
      ),
      /** What was made for the one that goes, which stays as it is. */
      counts: z.object({
        quotes: z.int(),
        orders: z.int(),
        invoices: z.int(),
        payments: z.int(),
        messages: z.int(),
        contacts: z.int(),
        sites: z.int(),
      }),
      /** Money of the one that goes that no invoice took; nothing for those who may not see what customers owe. */
      creditCents: cents.nullable(),
      warnings: z.array(z.enum(mergeWarnings)),
    }),
  }),
  merge: post({
    path: '/Customers/Merge',
    effect: 'write',
    can,
    status: 201,
    message: 'Customers merged.',
    summary: 'Makes one customer of two: nothing moves, and it can be undone',
    body: z.strictObject({ ...pair, keepVersion: version, fromVersion: version, choices: choices.default({}) }),
    response: z.object({ merge, customer }),
  }),
  undo: post({
    path: '/Customers/Merge/Undo/:guid',
    effect: 'write',
    can,
    message: 'Merge undone.',
    summary: 'Makes two customers of one again; what was changed since stays',
    body: z.strictObject({ version }),
    response: z.object({
      merge,
      keep: customer,
      from: customer,
      /** Changed since, so that it stays as it is. */
      leftAsIs: z.array(z.object({ field: z.string(), value })),
    }),
  }),
  get: get({
    path: '/Customers/Merge/:guid',
    effect: 'read',
    can,
    summary: 'One merge',
    response: z.object({ merge }),
  }),
  duplicates: get({
    path: '/Customers/Duplicates',
    effect: 'read',
    can,
    summary: 'Customers that may be one',
    query: listQuery(['points'], { status: z.enum(['open', 'dismissed']).optional() }),
    response: pageOf(duplicate),
  }),
  dismiss: post({
    path: '/Customers/Duplicates/Dismiss/:guid',
    effect: 'write',
    can,
    message: 'Kept as two customers.',
    summary: 'Says that two customers are not one',
    response: z.object({ guid }),
  }),
  reopen: post({
    path: '/Customers/Duplicates/Reopen/:guid',
    effect: 'write',
    can,
    message: 'Shown as possible duplicates again.',
    summary: 'Takes back that two customers are not one',
    response: z.object({ guid }),
  }),
  alike: post({
    path: '/Customers/Duplicates/Alike',
    effect: 'read',
    can: nouns.Customers.pages.add.can,
    summary: 'Customers that somebody who is being entered may be already',
    body: z.strictObject({
      displayName: maybe(text(160)),
      abn: maybe(text(20)),
      email: maybe(text(254)),
      phone: maybe(phone),
      postcode: maybe(text(10)),
    }),
    response: z.object({
      items: z.array(brief.extend({ points: z.int(), reasons: z.array(z.enum(duplicateReasons)) })),
    }),
  }),
}
