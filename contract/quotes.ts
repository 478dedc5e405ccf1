import type { Transitions } from './core/transitions.ts'
import { z } from 'zod'
import { archivingOps } from './core/archiving.ts'
import {
  amountCents,
  anyOf,
  archivedFilter,
  cents,
  day,
  guid,
  listQuery,
  longText,
  maybe,
  pageOf,
  recordShape,
  reference,
  text,
  timestamp,
  version,
  ofBusiness,
  whose,
} from './core/common.ts'
import { bulkEditOp } from './core/bulk-edit.ts'
import { drawnPdf, exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { tagFilter, taggingOps, tagsShape } from './core/tagging.ts'
import { timeline } from './customers.ts'
import { partiesInput, partiesShape, sendInput, statusMetrics, termsInput, termsShape } from './documents.ts'
import { depositRule, line, linesInput, margin, marginGrades, quoteTotals } from './lines.ts'
import { ask, negotiationOps } from './negotiation.ts'
import { nouns } from './nouns.ts'
import { declineReasons, outcomeFilters, outcomeOp } from './outcome.ts'
import { schedule, shownStage } from './stages.ts'

const { pages } = nouns.Quotes

const quoteStatuses = nouns.Quotes.statuses
export type QuoteStatus = (typeof quoteStatuses)[number]
/**
 * One word for lists and tiles, by precedence: cancelled > superseded > converted > accepted > declined > expired >
 * changes_requested > viewed > sent > draft.
 */
export const quoteDisplayStatuses = [
  'draft',
  'sent',
  'viewed',
  'changes_requested',
  'expired',
  'accepted',
  'declined',
  'converted',
  'cancelled',
  'superseded',
] as const
export type QuoteDisplayStatus = (typeof quoteDisplayStatuses)[number]
/** What a quote wears as far as no day decides. The table keeps it: see `base_status` in the migrations. */
export type QuoteBaseStatus = Exclude<QuoteDisplayStatus, 'expired'>
/** Those that wait for an answer: each is expired from the day after its last one. */
export const waitingQuoteStatuses = [
  'sent',
  'viewed',
  'changes_requested',
] as const satisfies readonly QuoteBaseStatus[]

/** Which deeds lead where. The server refuses what is not here; the web greys it out. */
export const quoteTransitions = {
  send: { from: ['draft'], to: 'sent' },
  requestChanges: { from: ['sent', 'changes_requested'], to: 'changes_requested' },
  answer: { from: ['sent', 'changes_requested'] },
  reply: { from: ['changes_requested'], to: 'sent' },
  withdraw: { from: ['changes_requested'], to: 'sent' },
  accept: { from: ['sent'], to: 'accepted' },
  decline: { from: ['sent', 'changes_requested'], to: 'declined' },
  convert: { from: ['accepted'], to: 'converted' },
  revise: { from: ['sent', 'changes_requested', 'declined'], to: 'superseded' },
  cancel: { from: ['draft', 'sent', 'changes_requested', 'accepted', 'declined'], to: 'cancelled' },
  update: { from: ['draft'] },
  reissueLink: { from: ['sent', 'changes_requested', 'accepted', 'declined', 'converted'] },
} as const satisfies Transitions<QuoteStatus>

export const acceptMethods = ['guest', 'phone', 'email', 'in_person', 'signed_paper'] as const
/** A drawn signature is a PNG as base64, at most 200 KiB. */
export const signature = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('typed'), text: text(120) }),
  z.strictObject({ method: z.literal('drawn'), png: z.base64().min(40).max(280_000) }),
])
export type Signature = z.infer<typeof signature>

const quoteFields = {
  ...partiesInput,
  ...termsInput,
  validUntil: maybe(day),
  depositRule: maybe(depositRule),
  /** Paid in stages; then the deposit rule counts for nothing. */
  schedule: maybe(schedule),
  jobTypeGuid: maybe(guid),
  intro: maybe(longText(4000)),
  terms: maybe(longText(8000)),
  internalNotes: maybe(longText(4000)),
  lines: linesInput.default([]),
}
export const quoteInput = z.strictObject(quoteFields)

const quote = z.object({
  ...recordShape,
  number: z.string().nullable(),
  revision: z.int(),
  title: z.string(),
  status: z.enum(quoteStatuses),
  displayStatus: z.enum(quoteDisplayStatuses),
  ...partiesShape,
  ...termsShape,
  validUntil: day.nullable(),
  depositRule: depositRule.nullable(),
  /** What the deposit comes to now, GST included. */
  depositCents: amountCents,
  schedule: schedule.nullable(),
  /** What its stages come to now. */
  stages: z.array(shownStage),
  jobTypeGuid: guid.nullable(),
  jobType: reference.nullable(),
  intro: z.string().nullable(),
  terms: z.string().nullable(),
  internalNotes: z.string().nullable(),
  tags: tagsShape,
  lines: z.array(line),
  totals: quoteTotals,
  margin,
  sentAt: timestamp.nullable(),
  firstViewedAt: timestamp.nullable(),
  lastViewedAt: timestamp.nullable(),
  viewCount: z.int(),
  acceptance: z
    .object({
      method: z.enum(acceptMethods),
      name: z.string(),
      at: timestamp,
      recordedBy: z.string().nullable(),
      note: z.string().nullable(),
      ip: z.string().nullable(),
      documentSha256: z.string(),
      /** Of what was agreed to, where the customer answered questions: the offer with his answers. */
      acceptedSha256: z.string().optional(),
      signature: signature.nullable(),
      /** The last hash of the evidence then; missing from what was accepted before there was any. */
      evidenceSha256: z.string().optional(),
    })
    .nullable(),
  /** What the customer asked of any revision until this one, the oldest first. */
  asks: z.array(ask),
  decline: z
    .object({ reasonCode: z.enum(declineReasons), note: z.string().nullable(), at: timestamp, by: z.string() })
    .nullable(),
  /** Who got the job instead, where that is why it was declined. */
  competitor: z.string().nullable(),
  changeRequest: z.object({ note: z.string(), at: timestamp }).nullable(),
  serviceGuid: guid.nullable(),
  serviceUrl: z.string().nullable(),
  rootGuid: guid,
  previousRevisionGuid: guid.nullable(),
  nextRevisionGuid: guid.nullable(),
  orderGuid: guid.nullable(),
  related: z.object({
    order: reference.nullable(),
    /** The request that it, or the first of its revisions, was made for. */
    request: reference.nullable(),
    /** The series that made it. */
    series: reference.nullable(),
    invoices: z.array(reference.extend({ displayStatus: z.string(), totalCents: cents })),
    messages: z.array(reference.extend({ status: z.string() })),
    /** The other quotes of the same number. */
    revisions: z.array(reference.extend({ displayStatus: z.string(), totalCents: cents })),
  }),
})
export type Quote = z.infer<typeof quote>
/** An acceptance as it is kept; `document` is what was agreed to, where its customer answered questions. */
export type KeptAcceptance = NonNullable<Quote['acceptance']> & { userAgent: string | null; document?: unknown }

const quoteListItem = z.object({
  guid,
  ...whose,
  version: z.int(),
  number: z.string().nullable(),
  revision: z.int(),
  title: z.string(),
  displayStatus: z.enum(quoteDisplayStatuses),
  customerGuid: guid,
  customerName: z.string(),
  jobTypeName: z.string().nullable(),
  validUntil: day.nullable(),
  totalCents: cents,
  /** Null without costs, and to those who may not see them. */
  marginBp: z.int().nullable(),
  /** How many of its customer’s requests nobody has answered; none once it is decided. */
  openAsks: z.int(),
  ownerName: z.string().nullable(),
  /** Why it was declined. */
  lostReason: z.enum(declineReasons).nullable(),
  sentAt: timestamp.nullable(),
  createdAt: timestamp,
  archivedAt: timestamp.nullable(),
  tags: tagsShape,
})
const quoteColumns = {
  number: 'Number',
  title: 'Title',
  customerName: 'Customer',
  displayStatus: 'Status',
  validUntil: 'Valid until',
  totalCents: 'Total',
  sentAt: 'Sent',
  createdAt: 'Created',
  tags: 'Tags',
  jobTypeName: 'Job type',
  revision: 'Revision',
  openAsks: 'Open requests',
  ownerName: 'Owner',
  lostReason: 'Lost reason',
  businessName: 'Business',
}

export const oneQuote = z.object({ quote })
const one = oneQuote
const list = get({
  path: '/Quotes',
  effect: 'read',
  can: pages.list.can,
  summary: 'Quotes',
  query: listQuery(['createdAt', 'number', 'title', 'totalCents', 'marginBp', 'validUntil', 'sentAt'], {
    ...ofBusiness,
    status: anyOf(quoteDisplayStatuses).optional(),
    customerGuid: guid.optional(),
    /** With requests of its customer that nobody has answered. */
    requests: z.literal('open').optional(),
    /** For those who see costs. */
    margin: z.enum(marginGrades).optional(),
    ...outcomeFilters,
    'createdOn.gte': day.optional(),
    'createdOn.lte': day.optional(),
    tag: tagFilter,
    archived: archivedFilter,
  }),
  response: pageOf(quoteListItem),
})
export const quotesApi = {
  list,
  export: exportOf(list, quoteColumns),
  metrics: get({
    path: '/Quotes/Metrics/StatusMetrics',
    effect: 'read',
    can: pages.list.can,
    timeoutMs: 20_000,
    summary: 'Count and amount of quotes per status',
    query: z.strictObject(ofBusiness),
    response: statusMetrics,
  }),
  outcome: outcomeOp,
  get: get({
    path: '/Quotes/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One quote with lines, totals and related records',
    response: one,
  }),
  timeline: get({
    path: '/Quotes/Timeline/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'What happened with a quote',
    response: timeline,
  }),
  create: post({
    path: '/Quotes',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Quote created.',
    summary: 'Makes a draft quote',
    body: quoteInput,
    response: one,
  }),
  update: patch({
    path: '/Quotes/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Quote saved.',
    summary: 'Changes a draft quote; lines are replaced as a whole when sent',
    body: patchOf(quoteInput),
    response: one,
  }),
  edit: bulkEditOp('Quotes', quoteInput.pick({ validUntil: true, jobTypeGuid: true })),
  ...taggingOps('Quotes'),
  ...negotiationOps(one, one.extend({ revision: one.shape.quote.nullable() })),
  ...archivingOps('Quotes', 'a quote', one),
  duplicate: post({
    path: '/Quotes/Duplicate/:guid',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Quote duplicated.',
    summary: 'Makes a new draft with the same lines',
    response: one,
  }),
  send: post({
    path: '/Quotes/Send/:guid',
    effect: 'write',
    can: ['update', 'Quotes:Send:Guid'],
    message: 'Quote sent.',
    summary:
      'Gives the number, freezes the document and queues the message with PDF and link. ' +
      '`to` is the customer’s address when not given.',
    body: sendInput,
    response: one,
  }),
  accept: post({
    path: '/Quotes/Accept/:guid',
    effect: 'write',
    can: ['update', 'Quotes:Accept:Guid'],
    message: 'Quote accepted.',
    summary: 'Accepts on the customer’s behalf and converts: makes the order and the deposit invoice',
    body: z.strictObject({
      version,
      name: text(120),
      method: z.enum(['phone', 'email', 'in_person', 'signed_paper']),
      note: maybe(longText(1000)),
      selectedLineGuids: z.array(guid).max(500).optional(),
    }),
    response: one.extend({ order: reference, invoice: reference.nullable() }),
  }),
  decline: post({
    path: '/Quotes/Decline/:guid',
    effect: 'write',
    can: ['update', 'Quotes:Accept:Guid'],
    message: 'Quote declined.',
    summary: 'Declines on the customer’s behalf',
    body: z.strictObject({
      version,
      reasonCode: z.enum(declineReasons),
      /** Who got the job instead; only where the reason is `competitor`. */
      competitor: maybe(text(120)),
      note: maybe(longText(1000)),
    }),
    response: one,
  }),
  revise: post({
    path: '/Quotes/Revise/:guid',
    effect: 'write',
    can: pages.edit.can,
    status: 201,
    message: 'Revision created.',
    summary: 'Makes the next revision as a draft; the old one is superseded when it is sent',
    body: z.strictObject({ version }),
    response: one,
  }),
  cancel: post({
    path: '/Quotes/Cancel/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Quote cancelled.',
    summary: 'Cancels a quote',
    body: z.strictObject({ version, reason: text(400) }),
    response: one,
  }),
  convert: post({
    path: '/Quotes/Convert/:guid',
    effect: 'write',
    can: ['update', 'Quotes:Convert:Guid'],
    message: 'Order created.',
    summary: 'Makes the order and the deposit invoice of an accepted quote, once',
    body: z.strictObject({ version }),
    response: one.extend({ order: reference, invoice: reference.nullable() }),
  }),
  reissueLink: post({
    path: '/Quotes/Link/:guid',
    effect: 'write',
    can: ['update', 'Quotes:Send:Guid'],
    message: 'Customer link replaced.',
    summary: 'Revokes the customer’s link and makes a new one',
    body: z.strictObject({ version }),
    response: one,
  }),
  pdf: get({
    ...drawnPdf,
    path: '/Quotes/Pdf/:guid',
    can: pages.view.can,
    summary: 'The quote as PDF',
    response: z.any(),
  }),
}
