import { z } from 'zod'
import { address } from './core/address.ts'
import {
  anyOf,
  archivedFilter,
  bulkGuids,
  bulkResult,
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
import { depositNatures, forfeitureClause } from './deposit-natures.ts'
import { del, drawnPdf, exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { tagFilter, taggingOps, tagsShape } from './core/tagging.ts'
import { timeline } from './customers.ts'
import { claim, partiesInput, partiesShape, sendInput, statusMetrics, termsInput, termsShape } from './documents.ts'
import { line, linesInput, totals } from './lines.ts'
import { instalment } from './instalments.ts'
import { nouns } from './nouns.ts'
import { writeOff } from './write-offs.ts'

const { pages } = nouns.Invoices

export const invoiceKinds = ['standard', 'deposit', 'progress', 'final', 'adjustment_note'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]
const invoiceStatuses = nouns.Invoices.statuses
export type InvoiceStatus = (typeof invoiceStatuses)[number]
const invoicePaymentStatuses = ['unpaid', 'partially_paid', 'paid', 'partially_refunded', 'refunded'] as const
export type InvoicePaymentStatus = (typeof invoicePaymentStatuses)[number]
/**
 * By balance: what is owed is `sent`, `viewed`, `partially_paid` or `overdue`, whatever was given back of it;
 * `issued` are adjustment notes.
 */
export const invoiceDisplayStatuses = [
  'draft',
  'scheduled',
  'sent',
  'viewed',
  'partially_paid',
  'overdue',
  'paid',
  'partially_refunded',
  'refunded',
  'issued',
  'written_off',
  'void',
] as const
export type InvoiceDisplayStatus = (typeof invoiceDisplayStatuses)[number]
/** What an invoice wears as far as no day decides. The table keeps it: see `base_status` in the migrations. */
export type InvoiceBaseStatus = Exclude<InvoiceDisplayStatus, 'overdue'>
/** Those that wait for money: each is overdue from the day after it was due. */
export const owingInvoiceStatuses = ['sent', 'viewed', 'partially_paid'] as const satisfies readonly InvoiceBaseStatus[]

export const invoiceInput = z.strictObject({
  ...partiesInput,
  reference: maybe(text(80)),
  /** Days from issue until it is due; the customer's or the business's terms when not given. */
  termsDays: z.int().min(0).max(365).optional(),
  ...termsInput,
  notes: maybe(longText(4000)),
  internalNotes: maybe(longText(4000)),
  lines: linesInput.default([]),
})

/** Of a draft of a deposit, besides. */
const depositInput = z.strictObject({
  depositNature: z.enum(depositNatures),
  forfeitureClause: maybe(forfeitureClause),
})

const party = z.object({
  name: z.string(),
  abn: z.string().nullable(),
  email: z.string().nullable(),
  address: address.nullable(),
})
/** One rule of Australian documents that is not met; `blocks` ones stop the issue. */
export const documentProblem = z.object({
  code: z.string(),
  message: z.string(),
  blocks: z.boolean(),
  /** The lines that it is about, counted from 0 as they were sent; absent where it is not about some of them. */
  lines: z.array(z.object({ index: z.number().int(), name: z.string() })).optional(),
})

const invoice = z.object({
  ...recordShape,
  number: z.string().nullable(),
  kind: z.enum(invoiceKinds),
  depositNature: z.enum(depositNatures),
  forfeitureClause: z.string().nullable(),
  title: z.string(),
  status: z.enum(invoiceStatuses),
  paymentStatus: z.enum(invoicePaymentStatuses),
  displayStatus: z.enum(invoiceDisplayStatuses),
  isTaxInvoice: z.boolean(),
  ...partiesShape,
  orderGuid: guid.nullable(),
  quoteGuid: guid.nullable(),
  reference: z.string().nullable(),
  issueOn: day.nullable(),
  dueOn: day.nullable(),
  termsDays: z.int(),
  ...termsShape,
  notes: z.string().nullable(),
  internalNotes: z.string().nullable(),
  tags: tagsShape,
  lines: z.array(line),
  totals,
  paidCents: cents,
  creditedCents: cents,
  refundedCents: cents,
  writtenOffCents: cents,
  balanceCents: cents,
  depositAppliedCents: cents,
  /** What became of the money of a security deposit. */
  security: z.object({ heldCents: cents, appliedCents: cents, forfeitedCents: cents, returnedCents: cents }).nullable(),
  /** The parts it is paid in, the first to be due first; none where it is due as a whole. */
  instalments: z.array(instalment),
  claim: claim.nullable(),
  supplier: party.nullable(),
  billTo: party.nullable(),
  /** Since when it counts as sent: given out by its button, or with an email that left. */
  sentAt: timestamp.nullable(),
  /** When the newest email about it left. */
  emailedAt: timestamp.nullable(),
  firstViewedAt: timestamp.nullable(),
  lastViewedAt: timestamp.nullable(),
  viewCount: z.int(),
  voidReason: z.string().nullable(),
  adjustsInvoiceGuid: guid.nullable(),
  adjustmentReason: z.string().nullable(),
  problems: z.array(documentProblem),
  serviceGuid: guid.nullable(),
  serviceUrl: z.string().nullable(),
  related: z.object({
    quote: reference.nullable(),
    order: reference.nullable(),
    adjusts: reference.nullable(),
    adjustmentNotes: z.array(reference.extend({ totalCents: cents })),
    payments: z.array(
      z.object({
        guid,
        number: z.string(),
        method: z.string(),
        receivedOn: day,
        cents,
        refundableCents: cents,
        isDisputed: z.boolean(),
      }),
    ),
    refunds: z.array(
      z.object({ guid, number: z.string(), amountCents: cents, reasonCode: z.string(), createdAt: timestamp }),
    ),
    messages: z.array(reference.extend({ status: z.string() })),
    /** The oldest first. */
    writeOffs: z.array(writeOff),
    /** Of a security deposit, the invoices it paid and those of what was kept of it. */
    depositUses: z.array(reference.extend({ isForfeit: z.boolean(), cents, on: day })),
    /** The security deposit that this invoice bills the forfeited part of. */
    forfeits: reference.nullable(),
  }),
})
export type Invoice = z.infer<typeof invoice>
const invoiceListItem = z.object({
  guid,
  version,
  ...whose,
  /** The legal entity whose money it is: one payment pays invoices of one. */
  entityGuid: guid,
  number: z.string().nullable(),
  kind: z.enum(invoiceKinds),
  depositNature: z.enum(depositNatures),
  title: z.string(),
  displayStatus: z.enum(invoiceDisplayStatuses),
  customerGuid: guid,
  customerName: z.string(),
  orderGuid: guid.nullable(),
  issueOn: day.nullable(),
  dueOn: day.nullable(),
  totalCents: cents,
  balanceCents: cents,
  /** What of the balance is past its day: of an invoice in parts, those that are. */
  overdueCents: cents,
  /** Since when it counts as sent. */
  sentAt: timestamp.nullable(),
  createdAt: timestamp,
  archivedAt: timestamp.nullable(),
  tags: tagsShape,
})
const invoiceColumns = {
  number: 'Number',
  kind: 'Kind',
  title: 'Title',
  customerName: 'Customer',
  displayStatus: 'Status',
  issueOn: 'Issued',
  dueOn: 'Due',
  totalCents: 'Total',
  balanceCents: 'Balance',
  overdueCents: 'Overdue',
  createdAt: 'Created',
  tags: 'Tags',
  businessName: 'Business',
}

export const oneInvoice = z.object({ invoice })
const list = get({
  path: '/Invoices',
  effect: 'read',
  can: pages.list.can,
  summary: 'Invoices and adjustment notes',
  query: listQuery(['createdAt', 'number', 'title', 'totalCents', 'balanceCents', 'issueOn', 'dueOn'], {
    ...ofBusiness,
    status: anyOf(invoiceDisplayStatuses).optional(),
    kind: anyOf(invoiceKinds).optional(),
    customerGuid: guid.optional(),
    'issueOn.gte': day.optional(),
    'issueOn.lte': day.optional(),
    'dueOn.gte': day.optional(),
    'dueOn.lte': day.optional(),
    tag: tagFilter,
    archived: archivedFilter,
  }),
  response: pageOf(invoiceListItem),
})
export const invoicesApi = {
  list,
  export: exportOf(list, invoiceColumns),
  metrics: get({
    path: '/Invoices/Metrics/StatusMetrics',
    effect: 'read',
    can: pages.list.can,
    timeoutMs: 20_000,
    summary: 'Count and amount of invoices per status',
    query: z.strictObject(ofBusiness),
    response: statusMetrics,
  }),
  get: get({
    path: '/Invoices/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One invoice with lines, money and related records',
    response: oneInvoice,
  }),
  timeline: get({
    path: '/Invoices/Timeline/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'What happened with an invoice',
    response: timeline,
  }),
  create: post({
    path: '/Invoices',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Draft invoice created.',
    summary: 'Makes a draft invoice',
    body: invoiceInput,
    response: oneInvoice,
  }),
  update: patch({
    path: '/Invoices/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Invoice saved.',
    summary: 'Changes a draft; lines made from an order can be edited on the order only',
    body: patchOf(invoiceInput.extend(depositInput.shape)),
    response: oneInvoice,
  }),
  edit: bulkEditOp('Invoices', z.strictObject({})),
  ...taggingOps('Invoices'),
  remove: del({
    path: '/Invoices/:guid',
    effect: 'write',
    can: ['delete', 'Invoices:Archive:Guid'],
    message: 'Draft archived.',
    summary: 'Archives a draft; an issued invoice is voided instead',
    response: oneInvoice,
  }),
  restore: post({
    path: '/Invoices/Restore/:guid',
    effect: 'write',
    can: ['delete', 'Invoices:Archive:Guid'],
    message: 'Draft restored.',
    summary: 'Brings an archived draft back',
    response: oneInvoice,
  }),
  bulk: post({
    path: '/Invoices/Bulk',
    effect: 'write',
    can: ['update', 'Invoices:Issue:Guid'],
    message: 'Done.',
    summary: 'Issues or archives many drafts',
    body: z.strictObject({ action: z.enum(['issue', 'archive', 'restore']), guids: bulkGuids }),
    response: bulkResult,
  }),
  issue: post({
    path: '/Invoices/Issue/:guid',
    effect: 'write',
    can: ['update', 'Invoices:Issue:Guid'],
    message: 'Invoice issued.',
    summary: 'Gives the number, freezes the document and posts the journal entry',
    body: z.strictObject({ version }),
    response: oneInvoice,
  }),
  send: post({
    path: '/Invoices/Send/:guid',
    effect: 'write',
    can: ['update', 'Invoices:Send:Guid'],
    message: 'Invoice sent.',
    summary: 'Queues the message with PDF and link; a draft is issued first',
    body: sendInput,
    response: oneInvoice,
  }),
  void: post({
    path: '/Invoices/Void/:guid',
    effect: 'write',
    can: ['update', 'Invoices:Void:Guid'],
    message: 'Invoice voided.',
    summary: 'Voids an issued invoice nothing was paid on; the number stays',
    body: z.strictObject({ version, reason: text(400) }),
    response: oneInvoice,
  }),
  reissueLink: post({
    path: '/Invoices/Link/:guid',
    effect: 'write',
    can: ['update', 'Invoices:Send:Guid'],
    message: 'Customer link replaced.',
    summary: 'Revokes the customer’s link and makes a new one',
    body: z.strictObject({ version }),
    response: oneInvoice,
  }),
  pdf: get({
    ...drawnPdf,
    path: '/Invoices/Pdf/:guid',
    can: pages.view.can,
    summary: 'The invoice as PDF',
    response: z.any(),
  }),
}
