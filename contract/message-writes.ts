import { z } from 'zod'
import { consentKinds } from './consents.ts'
import { suppressionReasons } from './suppressions.ts'
import { guid, longText, text, timestamp, version } from './core/common.ts'
import { languages } from './core/languages.ts'
import { get, patch, post } from './core/op.ts'
import { textProblem } from './core/text-problem.ts'
import {
  message,
  messageCategories,
  messageDirections,
  messageOwners,
  messageStatuses,
  type MessageStatus,
  note,
  templateKinds,
} from './messages.ts'
import { templateParts } from './email-templates.ts'
import { cronOps } from './jobs.ts'
import { nouns } from './nouns.ts'

/** Addresses one message may go to, all kinds together. */
export const maxRecipients = 20
const maxMessageFiles = 20
/** Bytes of one file that goes with a message. */
export const maxMessageFileBytes = 10_485_760
/** Bytes of all attachments together, as they are on their way. */
export const maxEncodedBytes = 26_214_400
/** What became of a message that cannot be changed any more, or cannot be what somebody wants it to be. */
export const messageIsPast: Readonly<Record<MessageStatus, string>> = {
  draft: 'This message is still a draft.',
  scheduled: 'This message is scheduled.',
  queued: 'This message is already on its way.',
  deferred: 'This message is already on its way.',
  sending: 'This message is being sent right now.',
  sent: 'This message has been sent already.',
  delivered: 'This message has been sent already.',
  bounced: 'This message has been sent already.',
  failed: 'This message couldn’t be sent. Send it again from its page.',
  cancelled: 'This message was cancelled.',
  suppressed: 'This message was not sent: its addresses are suppressed.',
  received: 'This message was received, not written here.',
  noted: 'This is a note, not a message.',
}
/** How many bytes a file has once it is written in base64 by lines of 76 letters (RFC 2045). */
export const encodedBytes = (bytes: number): number => {
  const letters = 4 * Math.ceil(bytes / 3)
  return letters + 2 * Math.ceil(letters / 76)
}
export const messageSentences = {
  recipient: 'Choose a recipient.',
  recipients: `Choose up to ${maxRecipients} recipients.`,
  stranger: (address: string) => `${address} is not one of this customer’s addresses.`,
  suppressed: 'These addresses are suppressed.',
  single: 'Send offers to one address at a time.',
  noConsent: 'This customer has not agreed to receive offers.',
  withdrawn: 'This customer has withdrawn consent to receive offers.',
  size: 'Attachments are limited to 25 MB.',
  later: 'Choose a later time.',
  gap: 'This time does not exist on that day: the clocks go forward.',
  sentAlready: 'You cannot edit messages that have already been sent',
  beingSent: 'Failed to edit message',
  markedSent: 'This message is already marked as sent',
  composed: 'Messages that we compose for you can’t be edited.',
} as const

const messageIntents = ['draft', 'send', 'schedule', 'note'] as const
export type MessageIntent = (typeof messageIntents)[number]
/** What a message may be about; `customerGuid` stands for the customer as a whole. */
export const messageSubjects = ['customerGuid', 'quoteGuid', 'orderGuid', 'invoiceGuid'] as const
export type MessageSubject = (typeof messageSubjects)[number]

const documentKinds = ['quote', 'order', 'invoice'] as const
const attachment = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('document'), ownerType: z.enum(documentKinds), ownerGuid: guid }),
  z.strictObject({ kind: z.literal('file'), fileGuid: guid }),
])
export type MessageAttachment = z.output<typeof attachment>
const addresses = z.array(z.email().max(254)).max(100)
const content = {
  intent: z.enum(messageIntents),
  to: addresses.optional(),
  cc: addresses.optional(),
  bcc: addresses.optional(),
  templateGuid: guid.nullish(),
  themeGuid: guid.nullish(),
  language: z.enum(languages).optional(),
  subject: text(200).optional(),
  /** Cleaned on arrival; with a template its variables are filled in when the message is sent. */
  bodyHtml: z.string().max(100_000).optional(),
  /** Instead of `bodyHtml`, where nothing is formatted: notes. */
  bodyText: longText(4000).optional(),
  attachments: z.array(attachment).max(maxMessageFiles).optional(),
  /** `YYYY-MM-DDTHH:MM` on the clock of `timeZone`. */
  scheduledFor: z.iso
    .datetime({ local: true, precision: -1, error: 'Enter a date and a time.' })
    .length(16, 'Enter a date and a time.')
    .nullish(),
  timeZone: z.string().max(60).nullish(),
  category: z.enum(messageCategories).optional(),
  /** Whoever writes it says that it holds no offer, though it sounds like one. */
  isFactsOnly: z.boolean().optional(),
}
/** About one of four: refused with neither or with more. */
const about = {
  customerGuid: guid.optional(),
  quoteGuid: guid.optional(),
  orderGuid: guid.optional(),
  invoiceGuid: guid.optional(),
}
const write = z.strictObject({ ...about, ...content })
/** Without an intent it stays what it is: a draft, scheduled, queued, or a note. */
const edit = z.strictObject({ ...content, intent: content.intent.optional(), version })

/** A message as its conversation shows it. */
const threadItem = z.object({
  guid,
  version,
  direction: z.enum(messageDirections),
  status: z.enum(messageStatuses),
  ownerType: z.enum(messageOwners).nullable(),
  ownerGuid: guid.nullable(),
  ownerNumber: z.string().nullable(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  /** What it says, without its dress; null where the caller may not read it, or while it is not composed. */
  text: z.string().nullable(),
  isBodyHidden: z.boolean(),
  attachments: z.int(),
  isUnknownSender: z.boolean(),
  scheduledAt: timestamp.nullable(),
  sentAt: timestamp.nullable(),
  openedAt: timestamp.nullable(),
  failureReason: z.string().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  createdBy: z.string().nullable(),
  /** Whether the caller wrote it. */
  isOwn: z.boolean(),
})
export type ThreadItem = z.infer<typeof threadItem>

const problem = textProblem.extend({ part: z.enum(templateParts) })
const composed = z.object({
  to: z.array(z.string()),
  cc: z.array(z.string()),
  /** Whom it may go to, what they are to the customer, why nothing reaches them, and what they said of offers. */
  offered: z.array(
    z.object({
      address: z.string(),
      name: z.string().nullable(),
      role: z.enum(['customer', 'contact', 'thread']),
      suppressed: z.enum(suppressionReasons).nullable(),
      consent: z.object({ kind: z.enum(consentKinds), at: timestamp }).nullable(),
    }),
  ),
  from: z.string(),
  language: z.enum(languages),
  templateGuid: guid.nullable(),
  themeGuid: guid.nullable(),
  category: z.enum(messageCategories),
  /** As it is edited: its variables are not filled in. */
  subject: z.string(),
  bodyHtml: z.string(),
  /** As it would go out now. */
  shownSubject: z.string(),
  html: z.string(),
  text: z.string(),
  /** The templates there are for it. */
  templates: z.array(z.object({ guid, name: z.string(), kind: z.enum(templateKinds) })),
  themes: z.array(z.object({ guid, name: z.string(), isDefault: z.boolean() })),
  attachments: z.array(
    z.object({
      kind: z.enum(['document', 'file']),
      ownerType: z.enum(documentKinds).nullable(),
      ownerGuid: guid.nullable(),
      fileGuid: guid.nullable(),
      name: z.string(),
      bytes: z.int().nullable(),
      isChosen: z.boolean(),
    }),
  ),
  problems: z.array(problem),
})
export type Composed = z.infer<typeof composed>

const mayWrite = ['create', 'Messages:Create'] as const
/** `note` where that is what it is. */
const one = z.object({ message, note: note.nullable() })
const { pages } = nouns.Messages

const newOn = <const P extends string>(path: P) =>
  post({
    path,
    effect: 'write',
    can: mayWrite,
    status: 201,
    message: 'Message saved.',
    summary: 'Keeps a draft, sends a message, has it sent later, or notes something that only staff see',
    body: write,
    response: one,
  })
const editOn = <const P extends string>(path: P) =>
  patch({
    path,
    effect: 'write',
    can: mayWrite,
    message: 'Message saved.',
    summary: 'Changes a message that is not sent yet, or a note that the caller wrote',
    body: edit,
    response: one,
  })
const loadNewOn = <const P extends string>(path: P) =>
  get({
    path,
    effect: 'read',
    can: pages.view.can,
    summary:
      'A composed, unsaved message for a record, and what is new in its conversation: all of its newest without ' +
      '`since`, which every answer gives for the next question',
    query: z.strictObject({
      templateGuid: guid.optional(),
      language: z.enum(languages).optional(),
      /** It names the messages of half a minute. */
      since: z.string().max(13_000).optional(),
    }),
    /** Nothing is composed where only what is new was asked for. */
    response: z.object({ composed: composed.nullable(), items: z.array(threadItem), since: z.string() }),
  })

const scheduledCron = cronOps({
  path: '/Cron/Process/Messages/Scheduled',
  can: ['manage', 'Cron:Messages:Scheduled'],
  message: 'Scheduled messages processed.',
  summary: 'Releases the messages whose time has come, with the words of that moment',
})

export const messageWritesApi = {
  write: newOn('/Messages'),
  edit: editOn('/Messages/:guid'),
  writeOnQuote: newOn('/Quotes/Messages'),
  editOnQuote: editOn('/Quotes/Messages/:guid'),
  writeOnOrder: newOn('/Orders/Messages'),
  writeOnInvoice: newOn('/Invoices/Messages'),
  /** Of a customer. */
  loadNew: loadNewOn('/Messages/load_new/:guid'),
  loadNewOfQuote: loadNewOn('/Quotes/Messages/load_new/:guid'),
  loadNewOfOrder: loadNewOn('/Orders/Messages/load_new/:guid'),
  loadNewOfInvoice: loadNewOn('/Invoices/Messages/load_new/:guid'),
  preview: post({
    path: '/Messages/Preview',
    effect: 'read',
    can: mayWrite,
    summary: 'A message that is being written, as its reader is going to see it; nothing is kept',
    body: z.strictObject({
      ...about,
      templateGuid: guid.nullish(),
      themeGuid: guid.nullish(),
      language: z.enum(languages).optional(),
      subject: z.string().max(200).optional(),
      bodyHtml: z.string().max(100_000).optional(),
      category: z.enum(messageCategories).optional(),
    }),
    response: z.object({
      subject: z.string(),
      html: z.string(),
      text: z.string(),
      problems: z.array(problem),
    }),
  }),
  send: post({
    path: '/Messages/Send/:guid',
    effect: 'write',
    can: mayWrite,
    message: 'Message queued.',
    summary: 'Sends a draft, or one that is scheduled, now',
    body: z.strictObject({ version }),
    response: z.object({ message }),
  }),
  attachments: post({
    path: '/Messages/Attachments/:guid',
    effect: 'write',
    can: mayWrite,
    message: 'Attachments saved.',
    summary: 'Adds files to a message that is not sent yet, and takes some off',
    body: z.strictObject({
      version,
      add: z.array(guid).max(maxMessageFiles).optional(),
      remove: z.array(guid).max(maxMessageFiles).optional(),
    }),
    response: z.object({ message }),
  }),
  scheduled: scheduledCron.run,
  previewScheduled: scheduledCron.preview,
  scheduledRuns: scheduledCron.runs,
}
