import { z } from 'zod'
import { guestAcceptance, guestChange, guestDecline } from './change-orders.ts'
import { cents, day, guid, positiveCents, text, timestamp } from './core/common.ts'
import { drawnPdf, get, post } from './core/op.ts'
import { claim } from './documents.ts'
import { instalment } from './instalments.ts'
import { priceMode, totals } from './lines.ts'
import { card } from './payments.ts'
import { servicePages } from './places.ts'
import { shownStage, stageStates } from './stages.ts'
import { beside, customer, documentSha256, seen, serviceLine, serviceQuotesApi } from './service-quotes.ts'
import { openAttempt, paidAttempt, serviceStatementsApi } from './service-statements.ts'
import { serviceTalkApi } from './service-talk.ts'

const depositUse = z.object({ number: z.string(), isKept: z.boolean(), cents, on: day })

const stageInvoice = z.object({ serviceGuid: guid, number: z.string(), balanceCents: cents })
const serviceOrder = z.object({
  number: z.string(),
  title: z.string(),
  status: z.string(),
  customer,
  siteLabel: z.string().nullable(),
  scheduledOn: day.nullable(),
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
  customerReference: z.string().nullable(),
  priceMode,
  lines: z.array(serviceLine),
  totals,
  quote: z.object({ serviceGuid: guid, number: z.string() }).nullable(),
  invoices: z.array(
    z.object({
      serviceGuid: guid,
      number: z.string(),
      kind: z.string(),
      status: z.string(),
      issueOn: day,
      dueOn: day,
      totalCents: cents,
      balanceCents: cents,
    }),
  ),
  paidCents: cents,
  /** What it came to when it was agreed; null where nothing is. */
  contractCents: cents.nullable(),
  /** What was changed since, or waits to be agreed to; the oldest first. */
  changes: z.array(guestChange),
  /** Payments in stages; none where it is paid otherwise. */
  stages: z.array(shownStage.extend({ state: z.enum(stageStates), invoice: stageInvoice.nullable() })),
})
export const serviceInvoice = z.object({
  documentSha256: documentSha256.nullable(),
  number: z.string(),
  kind: z.string(),
  title: z.string(),
  isTaxInvoice: z.boolean(),
  status: z.string(),
  paymentStatus: z.string(),
  customer,
  billTo: z.object({ name: z.string(), abn: z.string().nullable() }),
  siteLabel: z.string().nullable(),
  reference: z.string().nullable(),
  issueOn: day,
  dueOn: day,
  isOverdue: z.boolean(),
  priceMode,
  notes: z.string().nullable(),
  /** Of a request for a security deposit, when it is kept; null on all other documents. */
  forfeitureClause: z.string().nullable(),
  /** What became of a security deposit: invoices it paid, and those that say what of it is kept. */
  depositUses: z.array(depositUse),
  lines: z.array(serviceLine),
  totals,
  claim: claim.nullable(),
  paidCents: cents,
  refundedCents: cents,
  creditedCents: cents,
  writtenOffCents: cents,
  instalments: z.array(instalment),
  balanceCents: cents,
  payments: z.array(
    z.object({
      number: z.string(),
      method: z.string(),
      receivedOn: day,
      cents,
      card: card.pick({ brand: true, last4: true }).nullable(),
    }),
  ),
  refunds: z.array(z.object({ number: z.string(), refundedOn: day, cents })),
  /** The numbers of the adjustment notes that credit it. */
  creditedBy: z.array(z.string()),
  /** A card payment that is not settled yet. */
  openAttempt,
  order: z.object({ serviceGuid: guid, number: z.string() }).nullable(),
  canPayByCard: z.boolean(),
})

const orderAnswer = z.object({ order: serviceOrder, ...beside })
const invoiceAnswer = z.object({ invoice: serviceInvoice, ...beside })
const paid = z.object({
  payment: paidAttempt,
  invoice: z.object({ paymentStatus: z.string(), balanceCents: cents }),
})

export const serviceApi = {
  ...serviceQuotesApi,
  ...serviceStatementsApi,
  ...serviceTalkApi,
  /**
   * Sent by the page once a person has it before the eyes, so that mail scanners that fetch
   * links never count as a view.
   */
  viewed: post({
    path: '/Service/Viewed/:guid',
    effect: 'write',
    unaudited: 'the first view is noted on the document itself',
    can: ['read', 'Service:Link'],
    who: 'guest',
    byLink: true,
    summary: 'Notes that the customer has seen the document, and by which message he came',
    body: z.strictObject({ messageGuid: guid.optional() }),
    response: z.object({ seen: z.boolean() }),
  }),
  order: get({
    path: '/Service/Orders/:guid',
    effect: 'read',
    can: servicePages.order.can,
    who: 'guest',
    byLink: true,
    summary: 'An order as its customer sees it',
    response: orderAnswer,
  }),
  acceptChange: post({
    path: '/Service/Orders/Changes/Accept/:guid',
    effect: 'write',
    can: ['update', 'Service:Order'],
    who: 'guest',
    byLink: true,
    message: 'Thank you. You’ve accepted this change.',
    summary: 'Accepts the change of an order that was sent: its lines, contract value and stages follow, once',
    body: guestAcceptance,
    response: orderAnswer,
  }),
  declineChange: post({
    path: '/Service/Orders/Changes/Decline/:guid',
    effect: 'write',
    can: ['update', 'Service:Order'],
    who: 'guest',
    byLink: true,
    message: 'Change declined.',
    summary: 'Declines the change of an order that was sent',
    body: guestDecline,
    response: orderAnswer,
  }),
  orderPdf: get({
    ...drawnPdf,
    path: '/Service/Orders/Pdf/:guid',
    can: servicePages.order.can,
    who: 'guest',
    byLink: true,
    summary: 'The order as PDF',
    response: z.any(),
  }),
  invoice: get({
    path: '/Service/Invoices/:guid',
    effect: 'read',
    can: servicePages.invoice.can,
    who: 'guest',
    byLink: true,
    summary: 'An invoice as its customer sees it',
    response: invoiceAnswer,
  }),
  invoicePdf: get({
    ...drawnPdf,
    path: '/Service/Invoices/Pdf/:guid',
    can: servicePages.invoice.can,
    who: 'guest',
    byLink: true,
    summary: 'The invoice as PDF',
    response: z.any(),
  }),
  paymentToken: get({
    path: '/Service/Payments/Token/:guid',
    effect: 'read',
    can: servicePages.invoice.can,
    who: 'guest',
    byLink: true,
    summary: 'What the browser needs to pay this invoice by card',
    response: z.object({
      provider: z.string(),
      clientToken: z.string(),
      scriptUrl: z.string(),
      currency: z.literal('AUD'),
    }),
  }),
  pay: post({
    path: '/Service/Invoices/Pay/:guid',
    effect: 'external',
    can: ['update', 'Service:Invoice'],
    who: 'guest',
    needsKey: true,
    byLink: true,
    status: 201,
    message: 'Thank you.',
    summary: 'Pays the invoice, or a part of it, with a token of the payment provider',
    body: z.strictObject({
      documentSha256: seen.documentSha256,
      paymentMethodToken: text(200),
      amountCents: positiveCents,
    }),
    response: paid,
  }),
  /** After 3-D Secure, or to ask how an unsettled payment stands. */
  settle: post({
    path: '/Service/Payments/Settle/:guid',
    effect: 'external',
    unaudited: 'what it finds is audited where it is booked',
    can: ['update', 'Service:Invoice'],
    who: 'guest',
    byLink: true,
    message: 'OK',
    summary: 'Looks up at the provider how an open payment of this invoice stands and books it',
    body: z.strictObject({ paymentGuid: guid }),
    response: paid,
  }),
}
export type ServiceOrder = z.infer<typeof serviceOrder>
export type ServiceInvoice = z.infer<typeof serviceInvoice>
