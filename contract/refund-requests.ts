import { z } from 'zod'
import {
  anyOf,
  cents,
  guid,
  listQuery,
  longText,
  maybe,
  ofBusiness,
  pageOf,
  reference,
  timestamp,
  whose,
} from './core/common.ts'
import { get, post } from './core/op.ts'
import { refundAnswer } from './payments.ts'
import { refundRequests } from './places.ts'
import { refundEffects, refundReasons, shownPayee } from './refunds.ts'

/** As a request is kept: until somebody has decided, and what was decided. */
const requestDecisions = ['requested', 'approved', 'declined', 'cancelled', 'expired'] as const
export type RequestDecision = (typeof requestDecisions)[number]
/** As it is shown: what was approved wears what became of the money. */
export const requestStatuses = [
  'requested',
  'processing',
  'succeeded',
  'failed',
  'declined',
  'cancelled',
  'expired',
] as const
/** Days after which a request that nobody decided on is gone. */
export const daysToDecide = 7

/**
 * Whether a refund asks for somebody else: with it, what one person gives back to one customer in 24 hours comes to
 * more than the limit. In cents.
 */
export const asksSomebody = (givenCents: number, cents: number, limitCents: number): boolean =>
  givenCents + cents > limitCents

const refundRequest = z.object({
  guid,
  ...whose,
  createdAt: timestamp,
  requestedBy: z.string(),
  /** Asked by the caller, who can't approve it. */
  isOwn: z.boolean(),
  payment: reference,
  invoice: reference.nullable(),
  customerGuid: guid,
  customerName: z.string(),
  amountCents: cents,
  reasonCode: z.enum(refundReasons),
  effect: z.enum(refundEffects).nullable(),
  payee: shownPayee.nullable(),
  note: z.string().nullable(),
  status: z.enum(requestStatuses),
  decidedBy: z.string().nullable(),
  decidedAt: timestamp.nullable(),
  decisionNote: z.string().nullable(),
})
export type RefundRequest = z.infer<typeof refundRequest>
const one = z.object({ request: refundRequest })

export const refundRequestsApi = {
  list: get({
    path: '/Payments/Refunds',
    effect: 'read',
    can: refundRequests.can,
    summary: 'Refunds that somebody else must approve, and what was decided',
    query: listQuery(['createdAt', 'amountCents'], { ...ofBusiness, status: anyOf(requestStatuses).optional() }),
    response: pageOf(refundRequest),
  }),
  approve: post({
    path: '/Payments/Refunds/Approve/:guid',
    effect: 'external',
    can: ['create', 'Invoices:Refund:Approve'],
    needsKey: true,
    message: 'Refund approved.',
    summary: 'Gives back what somebody else has asked for, if it can still be given back',
    response: refundAnswer,
  }),
  decline: post({
    path: '/Payments/Refunds/Decline/:guid',
    effect: 'write',
    can: ['create', 'Invoices:Refund:Approve'],
    message: 'Refund declined.',
    summary: 'Declines a refund that somebody else has asked for',
    body: z.strictObject({ reason: maybe(longText(400)) }),
    response: one,
  }),
  cancel: post({
    path: '/Payments/Refunds/Cancel/:guid',
    effect: 'write',
    can: ['create', 'Invoices:Refund:Guid'],
    message: 'Request cancelled.',
    summary: 'Takes the caller’s own request for a refund back',
    response: one,
  }),
}
