import { z } from 'zod'
import {
  anyOf,
  cents,
  day,
  guid,
  listQuery,
  longText,
  maybe,
  pageOf,
  positiveCents,
  reference,
  text,
  timestamp,
  ofBusiness,
  whose,
} from './core/common.ts'
import { exportOf, get, post } from './core/op.ts'
import { creditUse, creditUses } from './credit-uses.ts'
import { journalEntries } from './journal-entries.ts'
import { nouns } from './nouns.ts'
import { aside } from './payments-aside.ts'
import { reversal, reversalReasons } from './payment-reversals.ts'
import { payee, refundEffects, refundMethods, refundReasons, shownPayee } from './refunds.ts'
import { refundBasis } from './refund-effects.ts'

const { pages } = nouns.Payments

export const paymentMethods = [
  'card',
  'apple_pay',
  'google_pay',
  'bank_transfer',
  'payid',
  'bpay',
  'direct_debit',
  'cash',
  'cheque',
  // Money of a security deposit that was received before.
  'account_credit',
  'other',
] as const
/** Methods a person may record by hand; cards and wallets come from the provider alone. */
export const manualMethods = ['bank_transfer', 'payid', 'bpay', 'direct_debit', 'cash', 'cheque', 'other'] as const
export const card = z.object({
  brand: z.string(),
  last4: z.string(),
  expMonth: z.int(),
  expYear: z.int(),
  wallet: z.string().nullish(),
})

const payment = z.object({
  guid,
  businessGuid: guid,
  number: z.string(),
  customerGuid: guid,
  customerName: z.string(),
  /** The order that what it doesn’t pay of invoices is a prepayment of. */
  orderGuid: guid.nullable(),
  orderNumber: z.string().nullable(),
  method: z.enum(paymentMethods),
  status: z.enum(['succeeded', 'partially_refunded', 'refunded', 'disputed', 'reversed']),
  /** The day it turned out to be no payment. */
  reversedOn: day.nullable(),
  reversal: reversal.nullable(),
  /** Since when the card holder disputes it. */
  disputedAt: timestamp.nullable(),
  amountCents: cents,
  refundedCents: cents,
  unallocatedCents: cents,
  receivedOn: day,
  reference: z.string().nullable(),
  note: z.string().nullable(),
  card: card.nullable(),
  allocations: z.array(
    z.object({
      guid,
      /** The day it counts from. */
      effectiveOn: day,
      invoiceGuid: guid,
      invoiceNumber: z.string().nullable(),
      cents,
      refundableCents: cents,
    }),
  ),
  refunds: z.array(
    z.object({
      guid,
      number: z.string(),
      amountCents: cents,
      reasonCode: z.enum(refundReasons),
      note: z.string().nullable(),
      createdAt: timestamp,
      adjustmentNote: reference.nullable(),
      effect: z.enum(refundEffects).nullable(),
      /** The invoice that owes the money again. */
      reopens: reference.nullable(),
      payee: shownPayee.nullable(),
    }),
  ),
  /** Refunds that wait for somebody’s approval: so much less can be refunded. */
  requests: z.array(z.object({ guid, amountCents: cents, createdAt: timestamp })),
  createdAt: timestamp,
})
export type Payment = z.infer<typeof payment>
const paymentListItem = z.object({
  guid,
  ...whose,
  number: z.string(),
  customerGuid: guid,
  customerName: z.string(),
  orderGuid: guid.nullable(),
  orderNumber: z.string().nullable(),
  method: z.enum(paymentMethods),
  amountCents: cents,
  refundedCents: cents,
  isDisputed: z.boolean(),
  isReversed: z.boolean(),
  receivedOn: day,
  reference: z.string().nullable(),
  invoices: z.string(),
  createdAt: timestamp,
})
const paymentColumns = {
  number: 'Number',
  receivedOn: 'Received',
  customerName: 'Customer',
  method: 'Method',
  reference: 'Reference',
  invoices: 'Invoices',
  orderNumber: 'Order',
  amountCents: 'Amount',
  refundedCents: 'Refunded',
  businessName: 'Business',
}

const refund = z.object({
  guid,
  number: z.string().nullable(),
  /** `requested` waits for somebody else: its guid is the request's. */
  status: z.enum(['requested', 'processing', 'succeeded', 'failed']),
  paymentGuid: guid,
  amountCents: cents,
  gstCents: cents,
  reasonCode: z.enum(refundReasons),
  /** Empty where its reason alone decided. */
  effect: z.enum(refundEffects).nullable(),
  note: z.string().nullable(),
  createdAt: timestamp,
})
export const refundAnswer = z.object({ refund, adjustmentNote: reference.nullable(), payment })
const refundSentences = {
  requested: 'Refund requested.',
  processing: 'Refund started.',
  succeeded: 'Payment refunded.',
  failed: 'The refund failed.',
} as const
/** What became of it, wherever money is given back. */
const refundSaid = ({ refund }: z.output<typeof refundAnswer>): string => refundSentences[refund.status]
const list = get({
  path: '/Payments',
  effect: 'read',
  can: pages.list.can,
  summary: 'Payments received',
  query: listQuery(['createdAt', 'receivedOn', 'number', 'amountCents'], {
    ...ofBusiness,
    method: anyOf(paymentMethods).optional(),
    customerGuid: guid.optional(),
    'receivedOn.gte': day.optional(),
    'receivedOn.lte': day.optional(),
  }),
  response: pageOf(paymentListItem),
})
export const paymentsApi = {
  list,
  export: exportOf(list, paymentColumns),
  get: get({
    path: '/Payments/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One payment with its allocations and refunds',
    response: z.object({ payment }),
  }),
  create: post({
    path: '/Payments',
    effect: 'write',
    can: ['create', 'Payments:Create'],
    needsKey: true,
    status: 201,
    message: 'Payment recorded.',
    summary:
      'Records money that came in by transfer, cash or cheque and allocates it to invoices of one customer; ' +
      'what is not allocated is kept as the customer’s credit, or of an order that is named as its prepayment. ' +
      'Without any allocation it names the customer.',
    body: z.strictObject({
      customerGuid: guid.optional(),
      /** An open order of the customer that what is not allocated prepays. */
      orderGuid: guid.optional(),
      method: z.enum(manualMethods),
      receivedOn: day,
      amountCents: positiveCents,
      reference: maybe(text(80)),
      note: maybe(longText(1000)),
      allocations: z
        .array(
          z.strictObject({
            invoiceGuid: guid,
            cents: positiveCents,
            /** A small difference that is given up with it, within the limit of the business. */
            writeOffCents: positiveCents.optional(),
          }),
        )
        .max(100),
    }),
    response: z.object({ payment }),
  }),
  refund: post({
    path: '/Payments/Refunds',
    effect: 'external',
    can: ['create', 'Invoices:Refund:Guid'],
    needsKey: true,
    status: 201,
    message: refundSentences.succeeded,
    messageOf: refundSaid,
    summary:
      'Gives money back. `price_reduced` lowers the price: its adjustment note has a line for each kind of GST, of ' +
      'the lines that are named, else by proportion. `money_back` leaves price and GST: the payment is taken off ' +
      'the invoice, which owes it again. Where neither is said the reason decides. Cards are refunded at the ' +
      'provider; `bank`, `cash` and other methods are recorded as paid back by hand. Beyond the business’s limit it ' +
      'waits as a request that somebody else approves.',
    body: z.strictObject({
      paymentGuid: guid,
      invoiceGuid: guid.optional(),
      amountCents: positiveCents,
      reasonCode: z.enum(refundReasons),
      note: maybe(longText(1000)),
      lines: z
        .array(z.strictObject({ lineGuid: guid, cents: positiveCents }))
        .min(1)
        .max(500)
        .optional(),
      effect: z.enum(refundEffects).optional(),
      method: z.enum([...refundMethods, ...manualMethods]).optional(),
      payee: payee.optional(),
    }),
    response: refundAnswer,
  }),
  refundBasis: get({
    path: '/Payments/Refunds/Basis/:guid',
    effect: 'read',
    can: ['create', 'Invoices:Refund:Guid'],
    summary:
      'How an invoice stands that money of this payment is to be given back of: what either effect comes to; and ' +
      'what the caller may give back alone',
    query: z.strictObject({ invoiceGuid: guid.optional() }),
    response: z.object({
      /** Null of customer credit, which pays no invoice. */
      basis: refundBasis.nullable(),
      /** More than this now waits for somebody else's approval; null where nobody has to be asked. */
      freeCents: cents.nullable(),
    }),
  }),
  showPayee: post({
    path: '/Payments/Refunds/Payee/:guid',
    effect: 'write',
    can: ['create', 'Invoices:Refund:Guid'],
    message: 'Bank account shown.',
    summary: 'Shows the whole bank account that a refund goes to, to whoever pays it. The log says who looked.',
    response: z.object({ payee }),
  }),
  allocate: post({
    path: '/Payments/Allocate/:guid',
    effect: 'write',
    can: ['create', 'Payments:Create'],
    needsKey: true,
    message: 'Payment allocated.',
    summary:
      'Lets the customer’s credit of a payment pay invoices. It counts from the day that is named, else today, and ' +
      'never before the invoice is issued or on a locked day.',
    body: z.strictObject({
      allocations: z
        .array(z.strictObject({ invoiceGuid: guid, cents: positiveCents }))
        .min(1)
        .max(100),
      on: day.optional(),
    }),
    response: z.object({ payment }),
  }),
  unallocate: post({
    path: '/Payments/Unallocate/:guid',
    effect: 'write',
    can: ['create', 'Payments:Create'],
    needsKey: true,
    message: 'Payment taken off the invoice.',
    summary:
      'Takes a payment off an invoice it pays, or a part of it. The money stays as the customer’s credit and the ' +
      'invoice owes it again, from the day it was allocated or the first one that is not locked.',
    body: z.strictObject({ allocationGuid: guid, cents: positiveCents.optional() }),
    response: z.object({ payment }),
  }),
  reverse: post({
    path: '/Payments/Reverse/:guid',
    effect: 'write',
    can: ['create', 'Payments:Create'],
    needsKey: true,
    message: 'Payment reversed.',
    summary:
      'Takes a payment back that turned out not to be one, on its own day: what it paid is owed again, and no ' +
      'adjustment note is made.',
    body: z.strictObject({ reason: z.enum(reversalReasons), on: day, note: maybe(longText(1000)) }),
    response: z.object({ payment }),
  }),
  applyCredit: post({
    path: '/Customers/Credit/Apply/:guid',
    effect: 'write',
    can: ['create', 'Payments:Create'],
    message: 'Credit applied.',
    summary:
      'Lets a customer’s credit pay what is owing: as it is told, else the oldest money and the oldest due first. ' +
      'With `dryRun` it only says what it would do.',
    unaudited: 'a dry run changes nothing; what is applied has a line for each payment and invoice',
    body: z.strictObject({
      allocations: z.array(creditUse).min(1).max(100).optional(),
      on: day.optional(),
      dryRun: z.boolean().optional(),
    }),
    response: creditUses,
  }),
  quarantine: get({
    path: '/Payments/Quarantine',
    effect: 'read',
    can: pages.check.can,
    summary: 'Payments at the provider that do not fit the books and wait for a decision',
    query: listQuery(['receivedAt'], {}),
    response: pageOf(aside),
  }),
  release: post({
    path: '/Payments/Quarantine/:guid',
    effect: 'external',
    can: ['create', 'Payments:Quarantine:Release'],
    needsKey: true,
    message: 'Decision saved.',
    summary:
      'Decides on a payment that was put aside: books it as it was taken, gives it back to the card, ' +
      'or dismisses the notice',
    body: z.strictObject({
      action: z.enum(['book', 'refund', 'dismiss']),
      invoiceGuid: guid.optional(),
      note: maybe(longText(1000)),
    }),
    response: z.object({ payment: payment.nullable() }),
  }),
  clientToken: get({
    path: '/Payments/Token',
    effect: 'read',
    can: ['read', 'Payments:Token'],
    who: 'guest',
    summary: 'What the browser needs to load the payment provider’s script',
    response: z.object({
      provider: z.string(),
      clientToken: z.string(),
      scriptUrl: z.string(),
      currency: z.literal('AUD'),
    }),
  }),
  webhook: post({
    path: '/Payments/Webhooks/:provider',
    effect: 'external',
    unaudited: 'what it leads to is audited where it is booked',
    can: ['create', 'Payments:Webhook'],
    who: 'webhook',
    summary: 'Signed notices of the payment provider',
    body: z.unknown(),
    response: z.object({ received: z.boolean() }),
  }),
  journals: journalEntries,
}
