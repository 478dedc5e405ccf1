import { z } from 'zod'
import { leadsFrom, type Transitions } from './core/transitions.ts'
import { anyOf, day, guid, listQuery, pageOf, text, timestamp, version, ofBusiness, whose } from './core/common.ts'
import { languages } from './core/languages.ts'
import { del, get, post } from './core/op.ts'
import { cronOps } from './jobs.ts'
import { messageCounts } from './message-metrics.ts'
import { nouns } from './nouns.ts'

const { pages } = nouns.Messages

export const messageStatuses = nouns.Messages.statuses
export type MessageStatus = (typeof messageStatuses)[number]
export const messageTransitions = {
  cancel: { from: ['draft', 'scheduled', 'queued', 'deferred'], to: 'cancelled' },
  resend: { from: ['sent', 'delivered', 'bounced', 'failed', 'cancelled', 'suppressed'] },
} as const satisfies Transitions<MessageStatus>
/** Nothing of it has left the house yet, and something still may. */
export const isToBeSent = (status: string): boolean =>
  status !== 'noted' && status !== 'received' && !leadsFrom(messageTransitions, 'resend', status)
/** One good template per kind of document and moment. */
export const templateKinds = [
  'quote',
  'quote_accepted',
  'quote_answered',
  'change_order',
  'change_accepted',
  'request_received',
  'order',
  'invoice',
  'receipt',
  'statement',
  'statement_receipt',
  'refund',
  'general',
  'reminder',
  'welcome',
  'quote_followup',
] as const
export type TemplateKind = (typeof templateKinds)[number]
/** What is written to users about their logins. */
export type AccountEmailKind =
  | 'invitation'
  | 'reset'
  | 'password_changed'
  | 'two_step_on'
  | 'two_step_off'
  | 'recovery_codes'
  | 'recovery_used'
  | 'login_changed'
  | 'email_changed'
export const messageCategories = ['transactional', 'commercial'] as const
export type MessageCategory = (typeof messageCategories)[number]
/** Which of the email accounts it goes by. */
export const messagePurposes = ['billing', 'bookings', 'marketing', 'general'] as const
export type MessagePurpose = (typeof messagePurposes)[number]
export const messageDirections = ['out', 'in', 'internal'] as const
/** Why it could not be sent. */
const messageFailures = ['address', 'refused', 'login', 'connection', 'document', 'crashed'] as const
export type MessageFailure = (typeof messageFailures)[number]
/** Where a message that came in was put. */
export type MessageFiling = 'unmatched' | 'filed' | 'ignored'
const recipientStates = ['waiting', 'sent', 'refused', 'suppressed', 'delivered', 'bounced'] as const
export type RecipientState = (typeof recipientStates)[number]
const recipientKinds = ['to', 'cc', 'bcc'] as const

export const messageOwners = ['quote', 'order', 'invoice', 'payment', 'refund', 'customer'] as const

const recipient = z.object({
  address: z.string(),
  as: z.enum(recipientKinds),
  state: z.enum(recipientStates),
  at: timestamp.nullable(),
  reason: z.string().nullable(),
})
export const message = z.object({
  guid,
  version,
  businessGuid: guid,
  direction: z.enum(messageDirections),
  category: z.enum(messageCategories),
  purpose: z.enum(messagePurposes),
  ownerType: z.enum(messageOwners).nullable(),
  ownerGuid: guid.nullable(),
  ownerNumber: z.string().nullable(),
  customerGuid: guid.nullable(),
  customerName: z.string().nullable(),
  template: z.enum(templateKinds).nullable(),
  /** The template that it was written from and the theme that it wears, each in the version of that day. */
  templateGuid: guid.nullable(),
  themeGuid: guid.nullable(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  /** Everybody it goes to, and what became of it there; none of messages from before, of notes and of what came in. */
  recipients: z.array(recipient),
  from: z.string(),
  subject: z.string(),
  /** It speaks of a document that the caller may not read: body and attachments are left out. */
  isBodyHidden: z.boolean(),
  /**
   * Sanitised; show it in a sandboxed frame only. Null while it is not composed: a write composes nothing,
   * and a template may be broken.
   */
  bodyHtml: z.string().nullable(),
  bodyText: z.string().nullable(),
  attachments: z.array(z.object({ name: z.string(), kind: z.string() })),
  files: z.array(z.object({ guid, name: z.string(), mime: z.string(), bytes: z.int() })),
  /** What it was written from, as it is edited; null where nobody wrote it by hand. */
  source: z
    .object({
      templateVersionGuid: guid.nullable(),
      language: z.enum(languages),
      subject: z.string(),
      bodyHtml: z.string(),
      isFactsOnly: z.boolean().optional(),
    })
    .nullable(),
  /** `YYYY-MM-DDTHH:MM` on the clock of `timeZone`. */
  scheduledFor: z.string().nullable(),
  timeZone: z.string().nullable(),
  scheduledAt: timestamp.nullable(),
  cancelWhen: z.literal('settled').nullable(),
  isTest: z.boolean(),
  /** It came in, and nobody has said yet where it belongs. */
  isUnmatched: z.boolean(),
  /** It came in, and somebody said that it belongs nowhere. */
  isIgnored: z.boolean(),
  isUnknownSender: z.boolean(),
  status: z.enum(messageStatuses),
  attempts: z.int(),
  nextAttemptAt: timestamp.nullable(),
  sentAt: timestamp.nullable(),
  /** When it was sent, or given up. */
  settledAt: timestamp.nullable(),
  /** When the customer first came to the page by this message. */
  openedAt: timestamp.nullable(),
  failureReason: z.string().nullable(),
  failureType: z.enum(messageFailures).nullable(),
  resendOfGuid: guid.nullable(),
  createdAt: timestamp,
  createdBy: z.string().nullable(),
})
export type Message = z.infer<typeof message>
const messageListItem = z.object({
  guid,
  ...whose,
  subject: z.string(),
  direction: z.enum(messageDirections),
  from: z.string(),
  to: z.string(),
  status: z.enum(messageStatuses),
  isUnmatched: z.boolean(),
  isTest: z.boolean(),
  customerName: z.string().nullable(),
  ownerType: z.enum(messageOwners).nullable(),
  ownerGuid: guid.nullable(),
  ownerNumber: z.string().nullable(),
  /** When it is to go out, or was: it stays with what was sent since or taken back. */
  scheduledAt: timestamp.nullable(),
  sentAt: timestamp.nullable(),
  openedAt: timestamp.nullable(),
  failureReason: z.string().nullable(),
  createdAt: timestamp,
})
/** What staff write down, which the customer never sees. */
export const note = z.object({
  guid,
  version,
  bodyText: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  createdBy: z.string().nullable(),
  /** Whether the caller wrote it, and so may change it. */
  isOwn: z.boolean(),
})
export type Note = z.infer<typeof note>
const outboxMail = z.object({
  id: z.string(),
  at: timestamp,
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  bytes: z.int(),
})
const queueCron = cronOps({
  path: '/Cron/Process/Messages/Queue',
  can: ['manage', 'Cron:Messages:Queue'],
  message: 'Queue processed.',
  summary: 'Sends what is due, within 15 seconds',
})

export const messagesApi = {
  list: get({
    path: '/Messages',
    effect: 'read',
    can: pages.list.can,
    summary: 'Messages sent, waiting and received',
    query: listQuery(['createdAt', 'sentAt', 'scheduledAt', 'subject'], {
      ...ofBusiness,
      status: anyOf(messageStatuses).optional(),
      ownerType: anyOf(messageOwners).optional(),
      ownerGuid: guid.optional(),
      customerGuid: guid.optional(),
      direction: z.enum(['out', 'in']).optional(),
      category: z.enum(messageCategories).optional(),
      isUnmatched: z.enum(['true', 'false']).optional(),
      /** Tests are shown where they are asked for, and then alone. */
      isTest: z.enum(['true', 'false']).optional(),
      /** What a bar of the metrics counts, on the days it counts them. */
      counted: z.enum(messageCounts).optional(),
      'countedOn.gte': day.optional(),
      'countedOn.lte': day.optional(),
    }),
    response: pageOf(messageListItem),
  }),
  notes: get({
    path: '/Messages/Notes',
    effect: 'read',
    can: pages.list.can,
    summary: 'Notes on a customer, the newest first',
    query: listQuery(['createdAt'], { customerGuid: guid }).omit({ search: true }),
    response: pageOf(note),
  }),
  get: get({
    path: '/Messages/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One message as it went out',
    response: z.object({ message }),
  }),
  resend: post({
    path: '/Messages/Resend/:guid',
    effect: 'write',
    can: ['create', 'Messages:Create'],
    status: 201,
    message: 'Message queued to resend.',
    summary: 'Queues a new message with the same content; a sent one is never changed',
    body: z.strictObject({ to: z.array(z.email()).min(1).max(10).optional() }),
    response: z.object({ message }),
  }),
  cancel: del({
    path: '/Messages/:guid',
    effect: 'write',
    can: ['delete', 'Messages:Delete:Guid'],
    message: 'Message cancelled.',
    summary: 'Takes a waiting message out of the queue',
    response: z.object({ message }),
  }),
  queue: queueCron.run,
  previewQueue: queueCron.preview,
  queueRuns: queueCron.runs,
  outbox: get({
    path: '/Dev/Outbox',
    effect: 'read',
    can: ['read', 'EmailAccounts:Outbox'],
    summary: 'Mails kept in the local outbox because no mail account is set up',
    response: z.object({ items: z.array(outboxMail), isActive: z.boolean() }),
  }),
  outboxMail: get({
    path: '/Dev/Outbox/Mail',
    effect: 'read',
    can: ['read', 'EmailAccounts:Outbox'],
    summary: 'One mail of the local outbox',
    query: z.strictObject({ id: text(80) }),
    response: z.object({
      mail: outboxMail.extend({
        html: z.string(),
        text: z.string(),
        attachments: z.array(z.object({ name: z.string(), bytes: z.int() })),
      }),
    }),
  }),
}
