import { z } from 'zod'
import { publicBusiness } from './businesses.ts'
import { cents, day, guid, positiveCents, text } from './core/common.ts'
import { drawnPdf, get, post } from './core/op.ts'
import { instalment } from './instalments.ts'
import { card } from './payments.ts'
import { servicePages } from './places.ts'
import { customer } from './service-quotes.ts'

/** A card payment that is not settled yet. */
export const openAttempt = z
  .object({ guid, status: z.string(), amountCents: cents, actionUrl: z.string().nullable() })
  .nullable()

/** How a card payment stands, for its payer. */
export const paidAttempt = z.object({
  guid,
  status: z.enum(['processing', 'requires_action', 'succeeded', 'failed']),
  amountCents: cents,
  actionUrl: z.string().nullable(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  receiptNumber: z.string().nullable(),
})

const openInvoice = z.object({
  /** The invoice’s own page, by which it is named when it is paid. */
  serviceGuid: guid,
  number: z.string(),
  what: z.enum(['invoice', 'deposit_invoice', 'deposit_request']),
  title: z.string(),
  issueOn: day,
  dueOn: day,
  /** What of the balance is overdue, since `dueOn`. */
  overdueCents: cents,
  totalCents: cents,
  balanceCents: cents,
  instalments: z.array(instalment),
})
export type OpenInvoice = z.infer<typeof openInvoice>

const serviceStatement = z.object({
  customer,
  on: day,
  /** What is owing, the oldest due first. */
  invoices: z.array(openInvoice),
  owingCents: cents,
  /** Money of the customer that pays no invoice yet and is for no order. */
  creditCents: cents,
  /** Money that came for orders and waits for their invoices. */
  prepaid: z.array(z.object({ number: z.string(), cents })),
  /** What was paid on this page, the newest first. */
  receipts: z.array(
    z.object({
      number: z.string(),
      method: z.string(),
      receivedOn: day,
      cents,
      card: card.pick({ brand: true, last4: true }).nullable(),
      invoices: z.array(z.object({ number: z.string(), cents })),
    }),
  ),
  openAttempt,
  canPayByCard: z.boolean(),
})
export type ServiceStatement = z.infer<typeof serviceStatement>

const paidStatement = z.object({ payment: paidAttempt, statement: z.object({ owingCents: cents }) })

export const serviceStatementsApi = {
  statement: get({
    path: '/Service/Statements/:guid',
    effect: 'read',
    can: servicePages.statement.can,
    who: 'guest',
    byLink: true,
    summary: 'What a customer has to pay, with what was paid here',
    response: z.object({ statement: serviceStatement, business: publicBusiness }),
  }),
  statementPdf: get({
    ...drawnPdf,
    path: '/Service/Statements/Pdf/:guid',
    can: servicePages.statement.can,
    who: 'guest',
    byLink: true,
    summary: 'What is open today, as PDF',
    response: z.any(),
  }),
  statementToken: get({
    path: '/Service/Statements/Token/:guid',
    effect: 'read',
    can: servicePages.statement.can,
    who: 'guest',
    byLink: true,
    summary: 'What the browser needs to pay invoices of this statement by card',
    response: z.object({
      provider: z.string(),
      clientToken: z.string(),
      scriptUrl: z.string(),
      currency: z.literal('AUD'),
    }),
  }),
  payStatement: post({
    path: '/Service/Statements/Pay/:guid',
    effect: 'external',
    can: ['update', 'Service:Statement'],
    who: 'guest',
    needsKey: true,
    byLink: true,
    status: 201,
    message: 'Thank you.',
    summary: 'Pays these invoices of the statement, or parts of them, with one charge',
    body: z.strictObject({
      /** Which of them, by the guid of their own pages, and how much of each. */
      invoices: z
        .array(z.strictObject({ guid: z.string().max(100).nullish(), cents: positiveCents }))
        .max(500)
        .nullish(),
      paymentMethodToken: text(200),
    }),
    response: paidStatement,
  }),
  /** After 3-D Secure, or to ask how an unsettled payment stands. */
  settleStatement: post({
    path: '/Service/Statements/Settle/:guid',
    effect: 'external',
    unaudited: 'what it finds is audited where it is booked',
    can: ['update', 'Service:Statement'],
    who: 'guest',
    byLink: true,
    message: 'OK',
    summary: 'Looks up at the provider how an open payment of this statement stands and books it',
    body: z.strictObject({ paymentGuid: guid }),
    response: paidStatement,
  }),
}
