import { z } from 'zod'
import { anyOf, cents, day, guid, listQuery, longText, maybe, pageOf, positiveCents, reference, text, timestamp } from './core/common.ts'
import { exportOf, get, post } from './core/op.ts'

export const paymentMethods = ['card', 'apple_pay', 'google_pay', 'bank_transfer', 'payid', 'bpay', 'direct_debit', 'cash', 'cheque', 'other'] as const
/** Methods a person may record by hand; cards and wallets come from the provider alone. */
export const manualMethods = ['bank_transfer', 'payid', 'bpay', 'direct_debit', 'cash', 'cheque', 'other'] as const
export const attemptStatuses = ['processing', 'requires_action', 'succeeded', 'failed'] as const
export const refundReasons = ['duplicate', 'cancelled', 'quality', 'price_adjustment', 'goodwill', 'deposit_return', 'fraud', 'other'] as const
/** Money that should not have come, or was not the payer's to give, goes back without changing the price: the invoice owes it again. */
export const reopensInvoice = (reason: string): boolean => reason === 'duplicate' || reason === 'fraud'

export const card = z.object({ brand: z.string(), last4: z.string(), expMonth: z.int(), expYear: z.int(), wallet: z.string().nullish() })

export const payment = z.object({
  guid,
  number: z.string(),
  customerGuid: guid,
  customerName: z.string(),
  method: z.enum(paymentMethods),
  status: z.enum(['succeeded', 'partially_refunded', 'refunded']),
  amountCents: cents,
  refundedCents: cents,
  unallocatedCents: cents,
  receivedOn: day,
  reference: z.string().nullable(),
  note: z.string().nullable(),
  card: card.nullable(),
  allocations: z.array(z.object({ invoiceGuid: guid, invoiceNumber: z.string().nullable(), cents, refundableCents: cents })),
  refunds: z.array(z.object({ guid, number: z.string(), amountCents: cents, reasonCode: z.enum(refundReasons), note: z.string().nullable(), createdAt: timestamp, adjustmentNote: reference.nullable() })),
  createdAt: timestamp,
})
export type Payment = z.infer<typeof payment>
export const paymentListItem = z.object({ guid, number: z.string(), customerGuid: guid, customerName: z.string(), method: z.enum(paymentMethods), amountCents: cents, refundedCents: cents, receivedOn: day, reference: z.string().nullable(), invoices: z.string(), createdAt: timestamp })
export const paymentColumns = { number: 'Number', receivedOn: 'Received', customerName: 'Customer', method: 'Method', reference: 'Reference', invoices: 'Invoices', amountCents: 'Amount', refundedCents: 'Refunded' }

export const refund = z.object({ guid, number: z.string().nullable(), status: z.enum(['processing', 'succeeded', 'failed']), paymentGuid: guid, amountCents: cents, gstCents: cents, reasonCode: z.enum(refundReasons), note: z.string().nullable(), createdAt: timestamp })
export const journalEntry = z.object({ guid, at: timestamp, postedOn: day, source: z.string(), narrative: z.string(), lines: z.array(z.object({ account: z.string(), accountName: z.string(), debitCents: cents, creditCents: cents })) })

const list = get({
  path: '/Payments',
  effect: 'read',
  can: ['read', 'Payments:Preview:All'],
  summary: 'Payments received',
  query: listQuery(['createdAt', 'receivedOn', 'number', 'amountCents'], { method: anyOf(paymentMethods).optional(), customerGuid: guid.optional(), 'receivedOn.gte': day.optional(), 'receivedOn.lte': day.optional() }),
  response: pageOf(paymentListItem),
})
export const paymentsApi = {
  list,
  export: exportOf(list, paymentColumns),
  get: get({ path: '/Payments/:guid', effect: 'read', can: ['read', 'Payments:Preview:Guid'], summary: 'One payment with its allocations and refunds', response: z.object({ payment }) }),
  create: post({
    path: '/Payments',
    effect: 'write',
    can: ['create', 'Payments:Create'],
    needsKey: true,
    status: 201,
    message: 'Payment recorded.',
    summary: 'Records money that came in by transfer, cash or cheque and allocates it to invoices of one customer; what is not allocated is kept as the customer’s credit. Without any allocation it names the customer.',
    body: z.strictObject({ customerGuid: guid.optional(), method: z.enum(manualMethods), receivedOn: day, amountCents: positiveCents, reference: maybe(text(80)), note: maybe(longText(1000)), allocations: z.array(z.strictObject({ invoiceGuid: guid, cents: positiveCents })).max(100) }),
    response: z.object({ payment }),
  }),
  refund: post({
    path: '/Payments/Refunds',
    effect: 'external',
    can: ['create', 'Invoices:Refund:Guid'],
    needsKey: true,
    status: 201,
    message: 'Payment refunded.',
    summary:
      'Gives money back. The adjustment note has a line for each kind of GST: of the lines that are named, else by proportion; money paid twice or not authorised goes back without one, and the invoice owes it again. Cards are refunded at the provider; other methods are recorded as paid back by hand.',
    body: z.strictObject({ paymentGuid: guid, invoiceGuid: guid.optional(), amountCents: positiveCents, reasonCode: z.enum(refundReasons), note: maybe(longText(1000)), lines: z.array(z.strictObject({ lineGuid: guid, cents: positiveCents })).min(1).max(500).optional(), method: z.enum(manualMethods).optional() }),
    response: z.object({ refund, adjustmentNote: reference.nullable(), payment }),
  }),
  clientToken: get({ path: '/Payments/Token', effect: 'read', can: ['read', 'Payments:Token'], who: 'guest', summary: 'What the browser needs to load the payment provider’s script', response: z.object({ provider: z.string(), clientToken: z.string(), scriptUrl: z.string(), currency: z.literal('AUD') }) }),
  webhook: post({ path: '/Payments/Webhooks/:provider', effect: 'external', unaudited: 'what it leads to is audited where it is booked', can: ['create', 'Payments:Webhook'], who: 'webhook', summary: 'Signed notices of the payment provider', body: z.unknown(), response: z.object({ received: z.boolean() }) }),
  journals: get({ path: '/Dev/BankingJournals', effect: 'read', can: ['read', 'Payments:Journals'], summary: 'Journal entries, newest first', query: listQuery(['createdAt'], {}), response: pageOf(journalEntry) }),
}
