import { z } from 'zod'
import { guid, listQuery, pageOf, timestamp, version } from './core/common.ts'
import { get, post } from './core/op.ts'
import { message } from './messages.ts'

/** Why a mail is kept away: what reads it is given no more. */
const quarantineReasons = ['size', 'time', 'depth', 'headers', 'memory', 'unreadable'] as const
export type QuarantineReason = (typeof quarantineReasons)[number]

const assigned = ['customerGuid', 'quoteGuid', 'orderGuid', 'invoiceGuid', 'action'] as const
/** Where an email that came in belongs: to one record, or to none. */
const assigning = z
  .strictObject({
    version,
    customerGuid: guid.optional(),
    quoteGuid: guid.optional(),
    orderGuid: guid.optional(),
    invoiceGuid: guid.optional(),
    action: z.enum(['ignore', 'restore']).optional(),
  })
  .refine((given) => assigned.filter((name) => given[name] !== undefined).length === 1, {
    path: ['customerGuid'],
    message: 'Choose one record.',
  })

export const inboundApi = {
  assign: post({
    path: '/Messages/Assign/:guid',
    effect: 'write',
    can: ['update', 'Messages:Assign'],
    message: 'Message filed.',
    summary:
      'Files an email that came in under a customer, quote, order or invoice; or sets it aside, and takes it back',
    body: assigning,
    response: z.object({ message, filedUnder: z.string().nullable() }),
  }),
}

const quarantined = z.object({
  guid,
  account: z.object({ guid, label: z.string() }),
  reason: z.enum(quarantineReasons),
  /** As its headers say, where they could be read alone: words of a stranger, without anything that acts. */
  from: z.string().nullable(),
  subject: z.string().nullable(),
  bytes: z.int(),
  receivedAt: timestamp,
})
export type QuarantinedMail = z.output<typeof quarantined>

export const quarantineApi = {
  list: get({
    path: '/EmailAccounts/Quarantine',
    effect: 'read',
    can: ['read', 'EmailAccounts:Quarantine'],
    summary: 'Emails that could not be read safely: facts and headers, and nothing of what they say',
    query: listQuery(['receivedAt', 'bytes'], {}).omit({ search: true }),
    response: pageOf(quarantined),
  }),
  settle: post({
    path: '/EmailAccounts/Quarantine/:guid',
    effect: 'external',
    can: ['update', 'EmailAccounts:Quarantine'],
    message: 'Done.',
    summary: 'Reads a quarantined email again, or sets it aside',
    timeoutMs: 45_000,
    body: z.strictObject({ action: z.enum(['retry', 'ignore']) }),
    response: z.object({
      state: z.enum(['filed', 'unmatched', 'bounce', 'ignored', 'quarantined']),
      /** What it became; of a bounce the message it is about. */
      messageGuid: guid.nullable(),
    }),
  }),
}
