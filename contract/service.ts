import { z } from 'zod'
import { languages } from './core/languages.ts'
import { publicBusiness } from './businesses.ts'
import {
  amountCents,
  cents,
  day,
  guid,
  longText,
  maybe,
  positiveCents,
  text,
  timestamp,
  version,
} from './core/common.ts'
import { get, post } from './core/op.ts'
import { offeredOption, optionAnswers, saidAnswers, spoken, typedAnswers } from './booking-options.ts'
import { claim } from './documents.ts'
import { guestPhoto, sharedFile } from './files.ts'
import { discount, line, priceMode, quoteTotals, roundingRule, totals } from './lines.ts'
import { card } from './payments.ts'
import { servicePages } from './places.ts'
import { declineReasons, signature } from './quotes.ts'

/**
 * What a customer may see of a line: no product link, no cost, no internal note. Answers come in words, and are missing
 * where nothing was asked; what a fee is called in each language stands beside its name.
 */
const serviceLine = line
  .omit({ productGuid: true, isPriceManual: true, revenueStreamGuid: true })
  .omit({ answers: true, options: true, selections: true })
  .extend({ said: saidAnswers.optional(), wording: spoken.optional() })
/** A question as a customer is asked it: without what its choices bring along and what it depends on. */
const serviceQuestion = offeredOption
  .pick({ code: true, label: true, help: true, input: true, required: true })
  .extend({
    choices: z.array(
      offeredOption.shape.choices.element.pick({
        code: true,
        label: true,
        cents: true,
        bp: true,
        per: true,
        isDefault: true,
        isActive: true,
      }),
    ),
  })
export type ServiceQuestion = z.infer<typeof serviceQuestion>
/** What a line asks its customer; `visible` names the questions that are asked now. */
const lineQuestions = z.object({
  lineGuid: guid,
  asked: z.array(serviceQuestion),
  visible: z.array(z.string()),
  answers: optionAnswers,
})
export type LineQuestions = z.infer<typeof lineQuestions>
/** What a customer answers: of each line that is named, all that he answers. */
const lineAnswers = z.array(z.strictObject({ lineGuid: guid, answers: typedAnswers })).max(500)
/** The page opens in the customer's language. */
const customer = z.object({ name: z.string(), language: z.enum(languages) })
/**
 * The frozen document by the SHA-256 of its bytes: what a customer's deed names, so that nobody
 * agrees to what he has not seen.
 */
const documentSha256 = z.string().regex(/^[0-9a-f]{64}$/, 'Reload the page and try again.')
/**
 * What the customer had before the eyes. Another document than the one behind the link now, or none named, is
 * answered by 409 with the one that is. A version alone names no document: revisions count from the start again. It
 * is compared where it is sent.
 */
const seen = { documentSha256: documentSha256.nullish(), version: version.optional() }
/** Strings a kind of job may bring for its pages; `null` while none is set up. */
const jobTypeStrings = z.object({ heading: z.string(), text: z.string() }).nullable()

export const serviceQuote = z.object({
  version: z.int(),
  documentSha256: documentSha256.nullable(),
  number: z.string(),
  revision: z.int(),
  title: z.string(),
  status: z.enum(['sent', 'changes_requested', 'accepted', 'declined', 'converted', 'cancelled', 'expired']),
  customer,
  siteLabel: z.string().nullable(),
  sentAt: timestamp.nullable(),
  validUntil: day.nullable(),
  priceMode,
  roundingRule,
  discount: discount.nullable(),
  depositCents: amountCents,
  /** The rule in words: percent in basis points, or cents. */
  depositRule: z.object({ type: z.string(), value: z.int() }).nullable(),
  intro: z.string().nullable(),
  terms: z.string().nullable(),
  lines: z.array(serviceLine),
  questions: z.array(lineQuestions),
  totals: quoteTotals,
  acceptedBy: z.object({ name: z.string(), at: timestamp, signature: signature.nullable() }).nullable(),
  changeRequest: z.object({ note: z.string(), at: timestamp }).nullable(),
  /** Where to go on after acceptance. */
  order: z.object({ serviceGuid: guid, number: z.string() }).nullable(),
  invoice: z.object({ serviceGuid: guid, number: z.string(), balanceCents: cents }).nullable(),
})
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
  lines: z.array(serviceLine),
  totals,
  claim: claim.nullable(),
  paidCents: cents,
  refundedCents: cents,
  creditedCents: cents,
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
  openAttempt: z.object({ guid, status: z.string(), amountCents: cents, actionUrl: z.string().nullable() }).nullable(),
  order: z.object({ serviceGuid: guid, number: z.string() }).nullable(),
  canPayByCard: z.boolean(),
})

/** What stands beside every document; `files` are those its customer is shown, the oldest first. */
const beside = { business: publicBusiness, jobType: jobTypeStrings, files: z.array(sharedFile) }
const quoteAnswer = z.object({ quote: serviceQuote, ...beside })
const orderAnswer = z.object({ order: serviceOrder, ...beside })
const invoiceAnswer = z.object({ invoice: serviceInvoice, ...beside })
const paid = z.object({
  payment: z.object({
    guid,
    status: z.enum(['processing', 'requires_action', 'succeeded', 'failed']),
    amountCents: cents,
    actionUrl: z.string().nullable(),
    failure: z.object({ code: z.string(), message: z.string() }).nullable(),
    receiptNumber: z.string().nullable(),
  }),
  invoice: z.object({ paymentStatus: z.string(), balanceCents: cents }),
})

export const serviceApi = {
  quote: get({
    path: '/Service/Quotes/:guid',
    effect: 'read',
    can: servicePages.quote.can,
    who: 'guest',
    byLink: true,
    summary: 'A quote as its customer sees it',
    response: quoteAnswer,
  }),
  price: post({
    path: '/Service/Quotes/Price/:guid',
    effect: 'read',
    can: servicePages.quote.can,
    who: 'guest',
    byLink: true,
    cost: 'costly',
    summary: 'What the quote comes to with these answers and choices, by what was offered; nothing is saved',
    body: z.strictObject({
      documentSha256: seen.documentSha256,
      answers: lineAnswers.default([]),
      selectedLineGuids: z.array(guid).max(500).optional(),
    }),
    response: z.object({
      lines: z.array(serviceLine),
      questions: z.array(lineQuestions),
      totals: quoteTotals,
      depositCents: amountCents,
      /** What would keep the answers from being accepted: `answers.<line>.<option>`, of an address its part. */
      problems: z.array(z.object({ path: z.string(), message: z.string() })),
    }),
  }),
  photo: post({
    path: '/Service/Quotes/Photo/:guid',
    effect: 'external',
    can: ['update', 'Service:Quote'],
    who: 'guest',
    byLink: true,
    cost: 'costly',
    status: 201,
    message: 'Photo received.',
    unaudited: 'a photo is told of where it is attached',
    summary: 'A photo as the answer to a question of the quote; the same `clientKey` answers what it answered before',
    timeoutMs: 60_000,
    body: guestPhoto.extend({ lineGuid: guid, option: z.string().max(40) }),
    response: z.object({ file: sharedFile.pick({ guid: true, name: true, mime: true, bytes: true }) }),
  }),
  accept: post({
    path: '/Service/Quotes/Accept/:guid',
    effect: 'write',
    can: ['update', 'Service:Quote'],
    who: 'guest',
    byLink: true,
    message: 'Thank you. You’ve accepted this quote.',
    summary: 'Accepts the quote: makes the order and the deposit invoice, once',
    body: z.strictObject({
      ...seen,
      name: text(120),
      signature: signature.optional(),
      selectedLineGuids: z.array(guid).max(500).optional(),
      /** To the questions of lines; of a line that is not named nothing changes. */
      answers: lineAnswers.optional(),
      /** What the customer was shown it comes to: another total is answered by 409 with the quote as it is. */
      totalCents: amountCents.optional(),
    }),
    response: z.object({
      quote: z.object({ status: z.string(), number: z.string(), totals: quoteTotals }),
      order: z.object({ serviceGuid: guid, number: z.string() }),
      invoice: z.object({ serviceGuid: guid, number: z.string(), balanceCents: cents }).nullable(),
    }),
  }),
  decline: post({
    path: '/Service/Quotes/Decline/:guid',
    effect: 'write',
    can: ['update', 'Service:Quote'],
    who: 'guest',
    byLink: true,
    message: 'Quote declined.',
    summary: 'Declines the quote with a reason',
    body: z.strictObject({ ...seen, reasonCode: z.enum(declineReasons), note: maybe(longText(1000)) }),
    response: quoteAnswer,
  }),
  question: post({
    path: '/Service/Quotes/Question/:guid',
    effect: 'write',
    can: ['update', 'Service:Quote'],
    who: 'guest',
    byLink: true,
    message: 'Thank you. We’ll be in touch.',
    summary: 'Asks for changes or puts a question',
    body: z.strictObject({ ...seen, note: longText(2000).min(1, 'This field is required.') }),
    response: quoteAnswer,
  }),
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
    summary: 'Notes that the customer has seen the document',
    response: z.object({ seen: z.boolean() }),
  }),
  quotePdf: get({
    path: '/Service/Quotes/Pdf/:guid',
    effect: 'external',
    can: servicePages.quote.can,
    who: 'guest',
    byLink: true,
    cost: 'costly',
    produces: 'application/pdf',
    summary: 'The quote as PDF',
    response: z.any(),
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
  orderPdf: get({
    path: '/Service/Orders/Pdf/:guid',
    effect: 'external',
    can: servicePages.order.can,
    who: 'guest',
    byLink: true,
    cost: 'costly',
    produces: 'application/pdf',
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
    path: '/Service/Invoices/Pdf/:guid',
    effect: 'external',
    can: servicePages.invoice.can,
    who: 'guest',
    byLink: true,
    cost: 'costly',
    produces: 'application/pdf',
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
export type ServiceQuote = z.infer<typeof serviceQuote>
export type ServiceOrder = z.infer<typeof serviceOrder>
export type ServiceInvoice = z.infer<typeof serviceInvoice>
