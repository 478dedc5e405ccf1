import { z } from 'zod'
import { cents, guid, reference, timestamp } from './core/common.ts'

/** Why a payment at the provider could not be booked by itself. */
export const asideReasons = [
  'unknown_charge',
  'not_ours',
  'differs',
  'refunded_unbooked',
  'refunded_more',
  'refused',
] as const
export const aside = z.object({
  guid,
  receivedAt: timestamp,
  provider: z.string(),
  providerPaymentId: z.string().nullable(),
  reason: z.enum(asideReasons),
  /** The sentence of a rule that refused it. */
  detail: z.string().nullable(),
  status: z.string().nullable(),
  amountCents: cents.nullable(),
  refundedCents: cents.nullable(),
  /** What was to be paid. */
  expectedCents: cents.nullable(),
  reference: z.string().nullable(),
  invoice: reference.nullable(),
  customerName: z.string().nullable(),
  /** Whether the money can still be booked or given back as a whole. */
  isOpen: z.boolean(),
})
