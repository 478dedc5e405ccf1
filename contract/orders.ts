import { saidAnswers } from './booking-options.ts'
import type { Transitions } from './core/transitions.ts'
import { z } from 'zod'
import { archivingOps } from './core/archiving.ts'
import {
  anyOf,
  archivedFilter,
  basisPoints,
  cents,
  day,
  guid,
  listQuery,
  longText,
  maybe,
  pageOf,
  positiveCents,
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
import { depositNatures, forfeitureClause } from './deposit-natures.ts'
import { partiesInput, partiesShape, statusMetric, termsInput, termsShape } from './documents.ts'
import { line, linesInput, totals } from './lines.ts'
import { changeOps } from './change-orders.ts'
import { nouns } from './nouns.ts'
import { hireOps, shownHire } from './hire-runs.ts'
import { shownStage, stageStates } from './stages.ts'
import { orderCosts, orderParts, orderPartsOps } from './order-parts.ts'
import { supplyBases } from './supplies.ts'
import { substatusShape } from './substatuses.ts'

const { pages } = nouns.Orders

export const orderStatuses = nouns.Orders.statuses
export type OrderStatus = (typeof orderStatuses)[number]
export const orderTransitions = {
  confirm: { from: ['draft', 'pending_confirmation'], to: 'confirmed' },
  start: { from: ['confirmed', 'on_hold'], to: 'in_progress' },
  hold: { from: ['confirmed', 'in_progress'], to: 'on_hold' },
  complete: { from: ['confirmed', 'in_progress'], to: 'completed' },
  reopen: { from: ['completed', 'closed'], to: 'in_progress' },
  close: { from: ['completed'], to: 'closed' },
  cancel: { from: ['draft', 'pending_confirmation', 'confirmed', 'in_progress', 'on_hold'], to: 'cancelled' },
  update: { from: ['draft', 'pending_confirmation', 'confirmed', 'in_progress', 'on_hold', 'completed'] },
  invoice: { from: ['confirmed', 'in_progress', 'on_hold', 'completed', 'closed'] },
} as const satisfies Transitions<OrderStatus>
export const orderDeeds = ['confirm', 'start', 'hold', 'complete', 'reopen', 'close', 'cancel'] as const
export type OrderDeed = (typeof orderDeeds)[number]

export const orderInvoiceStatuses = [
  'nothing_to_invoice',
  'to_invoice',
  'partially_invoiced',
  /** All of it stands on invoices, and some of them are drafts. */
  'drafted',
  'invoiced',
  'over_invoiced',
] as const
const orderPaymentStatuses = [
  'not_paid',
  'deposit_paid',
  'partially_paid',
  'paid',
  'overpaid',
  'partially_refunded',
  'refunded',
] as const
const orderScheduleStatuses = ['unscheduled', 'scheduled', 'today', 'late', 'done'] as const

const orderFields = {
  ...partiesInput,
  /** The customer's own number, such as a purchase order. */
  customerReference: maybe(text(80)),
  scheduledOn: maybe(day),
  jobTypeGuid: maybe(guid),
  ...termsInput,
  internalNotes: maybe(longText(4000)),
  /** Who does the work. */
  assignedGuid: maybe(guid),
  lines: linesInput.default([]),
}
export const orderInput = z.strictObject(orderFields)

/** `quantityInvoiced` stands on drafts and issued invoices; a void gives it back. */
const orderLine = line.extend({ quantityInvoiced: z.string() })
/** A stage of the payments, in order; billed by its invoice, once. */
const orderStage = shownStage.extend({
  guid,
  state: z.enum(stageStates),
  invoice: reference.extend({ balanceCents: cents }).nullable(),
})
const order = z.object({
  /** False is the same order without any amount, for those who do the work. */
  hasAmounts: z.literal(true),
  ...recordShape,
  number: z.string(),
  title: z.string(),
  status: z.enum(orderStatuses),
  displayStatus: z.enum(orderStatuses),
  scheduleStatus: z.enum(orderScheduleStatuses),
  invoiceStatus: z.enum(orderInvoiceStatuses),
  paymentStatus: z.enum(orderPaymentStatuses),
  statusReason: z.string().nullable(),
  ...partiesShape,
  quoteGuid: guid.nullable(),
  jobTypeGuid: guid.nullable(),
  jobType: reference.nullable(),
  /** What the kind of job tells those who do the work. */
  crewNote: z.string().nullable(),
  customerReference: z.string().nullable(),
  scheduledOn: day.nullable(),
  startedAt: timestamp.nullable(),
  completedAt: timestamp.nullable(),
  ...termsShape,
  internalNotes: z.string().nullable(),
  tags: tagsShape,
  assignedGuid: guid.nullable(),
  assigned: z.object({ guid, name: z.string() }).nullable(),
  owner: z.object({ guid, name: z.string() }).nullable(),
  lines: z.array(orderLine),
  ...orderParts,
  ...orderCosts,
  totals,
  /** What it came to when it was agreed: with the accepted changes it makes the total. Null while nothing is agreed. */
  contractCents: cents.nullable(),
  supplyBasis: z.enum(supplyBases),
  money: z.object({
    invoicedCents: cents,
    /** What adjustment notes took off issued invoices. */
    creditedCents: cents,
    paidCents: cents,
    owingCents: cents,
    /** What came for the order and pays no invoice yet. */
    prepaidCents: cents,
    /** GST that counts already and is on no invoice yet. */
    gstForwardCents: cents,
    toInvoiceCents: cents,
    /** On invoices that are not issued yet: neither invoiced nor left to invoice. */
    draftedCents: cents,
    depositPaidCents: cents,
    depositCreditCents: cents,
    /** What is billed and not credited yet: what could be given back of it. */
    creditableCents: cents,
  }),
  /** Payments in stages; none where it is billed otherwise. */
  stages: z.array(orderStage),
  /** Lines that are on hire, or were. */
  hire: z.array(shownHire),
  serviceGuid: guid.nullable(),
  serviceUrl: z.string().nullable(),
  related: z.object({
    quote: reference.nullable(),
    invoices: z.array(
      reference.extend({ kind: z.string(), displayStatus: z.string(), totalCents: cents, balanceCents: cents }),
    ),
    payments: z.array(
      reference.extend({
        amountCents: cents,
        /** What came for this order and pays no invoice yet. */
        prepaidCents: cents,
        receivedOn: day,
        isDisputed: z.boolean(),
      }),
    ),
    messages: z.array(reference.extend({ status: z.string() })),
  }),
})
export type Order = z.infer<typeof order>
const workLine = orderLine
  .pick({
    guid: true,
    kind: true,
    parentLineGuid: true,
    sourceKey: true,
    name: true,
    description: true,
    quantity: true,
    unit: true,
  })
  /** The answers to its questions in words: these tell of no amounts. */
  .extend({ said: saidAnswers.optional() })
/** An order for those who may not see amounts. The customer's page shows them, so its address is left out, too. */
const workOrder = order
  .omit({
    discount: true,
    totals: true,
    contractCents: true,
    supplyBasis: true,
    money: true,
    stages: true,
    hire: true,
    serviceGuid: true,
    serviceUrl: true,
    costs: true,
    profitCents: true,
  })
  .extend({ hasAmounts: z.literal(false), lines: z.array(workLine) })
export type WorkOrder = z.infer<typeof workOrder>
const anyOrder = z.discriminatedUnion('hasAmounts', [order, workOrder])
export type AnyOrder = z.infer<typeof anyOrder>
const orderListItem = z.object({
  guid,
  ...whose,
  version: z.int(),
  number: z.string(),
  title: z.string(),
  displayStatus: z.enum(orderStatuses),
  invoiceStatus: z.enum(orderInvoiceStatuses),
  customerGuid: guid,
  customerName: z.string(),
  jobTypeName: z.string().nullable(),
  scheduledOn: day.nullable(),
  assignedGuid: guid.nullable(),
  assignedName: z.string().nullable(),
  /** Who works along, by name. */
  crewNames: z.array(z.string()),
  substatus: substatusShape.nullable(),
  /** Null for those who may not see amounts. */
  totalCents: cents.nullable(),
  invoicedCents: cents.nullable(),
  createdAt: timestamp,
  archivedAt: timestamp.nullable(),
  tags: tagsShape,
})
const orderColumns = {
  number: 'Number',
  title: 'Title',
  customerName: 'Customer',
  displayStatus: 'Status',
  invoiceStatus: 'Invoiced',
  scheduledOn: 'Scheduled',
  assignedName: 'Assigned to',
  totalCents: 'Total',
  invoicedCents: 'Invoiced amount',
  createdAt: 'Created',
  tags: 'Tags',
  jobTypeName: 'Job type',
  crewNames: 'Crew',
  businessName: 'Business',
}

const one = z.object({ order: anyOrder })
const orderMetrics = z.object({ items: z.array(statusMetric.extend({ totalCents: cents.nullable() })) })
const list = get({
  path: '/Orders',
  effect: 'read',
  can: pages.list.can,
  summary: 'Orders',
  query: listQuery(['createdAt', 'number', 'title', 'totalCents', 'scheduledOn', 'nextScheduled'], {
    ...ofBusiness,
    status: anyOf(orderStatuses).optional(),
    invoiceStatus: anyOf(orderInvoiceStatuses).optional(),
    customerGuid: guid.optional(),
    assignedGuid: guid.optional(),
    /** Leads it or works along. */
    personGuid: guid.optional(),
    substatusGuid: guid.optional(),
    jobTypeGuid: guid.optional(),
    'scheduledOn.gte': day.optional(),
    'scheduledOn.lte': day.optional(),
    /** Whether a day is set, whatever became of the work since. */
    schedule: z.enum(['scheduled', 'unscheduled']).optional(),
    tag: tagFilter,
    archived: archivedFilter,
  }),
  response: pageOf(orderListItem),
})
export const ordersApi = {
  list,
  export: exportOf(list, orderColumns),
  metrics: get({
    path: '/Orders/Metrics/StatusMetrics',
    effect: 'read',
    can: pages.list.can,
    timeoutMs: 20_000,
    summary: 'Count and amount of orders per status',
    query: z.strictObject(ofBusiness),
    response: orderMetrics,
  }),
  get: get({
    path: '/Orders/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One order with lines, money and related records',
    response: one,
  }),
  timeline: get({
    path: '/Orders/Timeline/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'What happened with an order',
    response: timeline,
  }),
  create: post({
    path: '/Orders',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Order created.',
    summary: 'Makes an order without a quote',
    body: orderInput,
    response: one,
  }),
  update: patch({
    path: '/Orders/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Order saved.',
    summary: 'Changes an order; what is invoiced already cannot be taken away',
    body: patchOf(orderInput.omit({ customerGuid: true })).extend({
      /** While nothing is invoiced. */
      supplyBasis: z.enum(supplyBases).optional(),
    }),
    response: one,
  }),
  edit: bulkEditOp(
    'Orders',
    orderInput.pick({ scheduledOn: true, assignedGuid: true, jobTypeGuid: true, customerReference: true }),
  ),
  status: post({
    path: '/Orders/Status/:guid',
    effect: 'write',
    can: ['update', 'Orders:Status:Guid'],
    message: 'Order updated.',
    summary: 'Moves an order on: confirm, start, hold, complete, reopen, close, cancel',
    body: z.strictObject({ version, deed: z.enum(orderDeeds), reason: maybe(text(400)) }),
    response: one,
  }),
  invoice: post({
    path: '/Orders/Invoice/:guid',
    effect: 'write',
    can: ['create', 'Orders:Invoice:Guid'],
    status: 201,
    message: 'Draft invoice created.',
    summary:
      'Drafts an invoice of what is not invoiced yet. A progress invoice may name a share or lines; ' +
      'a final one takes all that is left. Deposits paid or billed are credited. A deposit names its amount: a part ' +
      'payment, or a security deposit with its forfeiture clause. Of an order that is paid in stages, the next stage ' +
      'is named instead: the last one is final.',
    body: z.strictObject({
      version,
      kind: z.enum(['progress', 'final', 'deposit']).optional(),
      /** Of a deposit, with GST. */
      cents: positiveCents.optional(),
      depositNature: z.enum(depositNatures).optional(),
      forfeitureClause: maybe(forfeitureClause),
      stageGuid: guid.optional(),
      shareBp: basisPoints.min(1).optional(),
      lines: z
        .array(z.strictObject({ lineGuid: guid, quantity: z.string().regex(/^\d{1,9}(\.\d{1,4})?$/) }))
        .max(500)
        .optional(),
    }),
    response: z.object({
      invoice: z.object({
        guid,
        version: z.int(),
        kind: z.string(),
        status: z.string(),
        totals,
        orderGuid: guid.nullable(),
      }),
    }),
  }),
  ...orderPartsOps(one),
  ...hireOps(one),
  ...changeOps,
  ...taggingOps('Orders'),
  ...archivingOps('Orders', 'an order', one),
  pdf: get({
    ...drawnPdf,
    path: '/Orders/Pdf/:guid',
    can: pages.view.can,
    summary: 'The order as PDF',
    response: z.any(),
  }),
}
