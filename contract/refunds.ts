import { z } from 'zod'
import { text } from './core/common.ts'

export const refundReasons = [
  'duplicate',
  'cancelled',
  'quality',
  'price_adjustment',
  'goodwill',
  'deposit_return',
  'fraud',
  'other',
] as const
export type RefundReason = (typeof refundReasons)[number]
export const refundReasonOf = (code: string): RefundReason => refundReasons.find((known) => known === code) ?? 'other'

/**
 * What giving money back does to its invoice. `price_reduced` lowers the price: an adjustment note, and nothing more is
 * owing. `money_back` leaves the price: the payment is taken off the invoice, which owes it again.
 */
export const refundEffects = ['price_reduced', 'money_back'] as const
export type RefundEffect = (typeof refundEffects)[number]
/** Money that should not have come, was not the payer's to give, or was only held. */
const moneyBack: readonly RefundReason[] = ['duplicate', 'fraud', 'deposit_return']
/** What a refund does where nobody says: by its reason. */
export const defaultEffect = (reason: string): RefundEffect =>
  moneyBack.some((one) => one === reason) ? 'money_back' : 'price_reduced'
/** Reasons that gave money back without a note before a refund said itself what it does. */
export const reopenedOnce: readonly RefundReason[] = ['duplicate', 'fraud']

/** How the money goes: the way it came, to a bank account, or in cash. */
export const refundMethods = ['original', 'bank', 'cash'] as const
export type RefundMethod = (typeof refundMethods)[number]

/** The bank account that a refund goes to. It is kept sealed. */
export const payee = z.strictObject({
  accountName: text(80),
  bsb: z.string().regex(/^\d{3}-?\d{3}$/, 'Enter six digits.'),
  accountNumber: z.string().regex(/^\d{4,9}$/, 'Enter four to nine digits.'),
})
export type Payee = z.infer<typeof payee>
/** The same for whoever looks on: of the number the last three digits. */
export const shownPayee = z.object({ accountName: z.string(), bsb: z.string(), accountNumber: z.string() })
export const masked = ({ accountName, bsb, accountNumber }: Payee): Payee => ({
  accountName,
  bsb: bsb.replace(/^(\d{3})-?(\d{3})$/, '$1-$2'),
  accountNumber: `••••${accountNumber.slice(-3)}`,
})
