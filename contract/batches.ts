import { z } from 'zod'
import { cents, guid, timestamp } from './core/common.ts'
import { get, patch } from './core/op.ts'
import { nouns } from './nouns.ts'

const { pages } = nouns.Invoices

const batchStates = ['open', 'stopped', 'finished'] as const
export type BatchState = (typeof batchStates)[number]
const batchItemStates = ['ready', 'skipped', 'done', 'failed'] as const
export type BatchItemState = (typeof batchItemStates)[number]
/** So many invoices one batch takes, and so many one call sends. */
export const maxBatch = 500
const maxTaken = 25

/** Why an invoice of a batch is not sent. */
const batchReasons = [
  'no_address',
  'suppressed',
  'not_issued',
  'void',
  'written_off',
  'blocked',
  'gone',
  'passed_over',
  'error',
] as const
export type BatchReason = (typeof batchReasons)[number]

const batch = z.object({
  guid,
  state: z.enum(batchStates),
  /** Null is what the business says of invoices by default. */
  templateGuid: guid.nullable(),
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  skipped: z.int(),
  remaining: z.int(),
})
export type Batch = z.infer<typeof batch>
const item = z.object({
  invoiceGuid: guid,
  number: z.string(),
  customerName: z.string(),
  to: z.array(z.string()),
  balanceCents: cents,
  /** When the newest email about the invoice left. */
  emailedAt: timestamp.nullable(),
  state: z.enum(batchItemStates),
  messageGuid: guid.nullable(),
  reason: z.enum(batchReasons).nullable(),
  message: z.string().nullable(),
})
export type BatchItem = z.infer<typeof item>
const template = z.object({ guid, name: z.string(), isDefault: z.boolean() })
const rightsOf = pages.message.can

export const batchesApi = {
  open: get({
    path: '/Invoices/Messages',
    effect: 'read',
    can: rightsOf,
    summary: 'The messages about invoices that the caller has begun and not finished, and the templates for them',
    response: z.object({ batch: batch.nullable(), items: z.array(item), templates: z.array(template) }),
  }),
  begin: patch({
    path: '/Invoices/Messages',
    effect: 'write',
    can: rightsOf,
    message: 'Messages prepared.',
    summary: 'Puts messages about invoices in a row, by number; none is sent yet',
    unaudited: 'nothing is sent yet: each message tells of itself',
    body: z.strictObject({
      invoiceGuids: z
        .array(guid)
        .min(1, 'No invoices were selected')
        .max(maxBatch, `Choose up to ${maxBatch} invoices.`),
      templateGuid: guid.nullish(),
    }),
    response: z.object({ batch, items: z.array(item) }),
  }),
  go: patch({
    path: '/Invoices/Messages/:batchGuid',
    effect: 'write',
    can: rightsOf,
    timeoutMs: 20_000,
    message: 'Done.',
    summary: 'Sends the next ones, stops and keeps the rest, or skips the rest; answers what it changed',
    unaudited: 'each message that it sends tells of itself',
    body: z.strictObject({
      action: z.enum(['next', 'stop', 'finish']),
      count: z.int().min(1).max(maxTaken).default(1),
    }),
    response: z.object({ batch, items: z.array(item) }),
  }),
  preview: get({
    path: '/Invoices/Messages/Preview/:guid',
    effect: 'read',
    can: rightsOf,
    summary: 'The message about an invoice as it would go out now; nothing is kept',
    query: z.strictObject({ templateGuid: guid.optional() }),
    response: z.object({
      to: z.array(z.string()),
      subject: z.string(),
      bodyHtml: z.string(),
      attachments: z.array(z.object({ name: z.string() })),
    }),
  }),
}
