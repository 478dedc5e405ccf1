import { z } from 'zod'
import { gstBases } from './businesses.ts'
import { codeAmount, type Given, givenBack, totalOf } from './code-amounts.ts'
import { cents, guid } from './core/common.ts'
import { shareOf } from './gst-state.ts'
import type { RefundEffect } from './refunds.ts'

/** How an invoice stands before money of it is given back, in cents. */
export const refundBasis = z.object({
  invoiceGuid: guid,
  invoiceNumber: z.string(),
  gstBasis: z.enum(gstBases),
  /** Less notes. */
  totalCents: cents,
  gstCents: cents,
  /** Less refunds. */
  paidCents: cents,
  balanceCents: cents,
  /** What can be given back, by kind of GST. */
  left: z.array(codeAmount),
  /** Of a deposit what no invoice has credited: it goes back first, while there is enough of it. */
  waiting: z.array(codeAmount).nullable(),
})
export type RefundBasis = z.infer<typeof refundBasis>

/** What goes back of an invoice, by kind of GST. */
export const leftFor = ({ left, waiting }: Pick<RefundBasis, 'left' | 'waiting'>, amountCents: number) =>
  waiting && waiting.reduce((sum, part) => sum + totalOf(part), 0) >= amountCents ? waiting : left

/** By how much the GST that is reported falls, and what the invoice owes afterwards. */
export interface RefundOutcome {
  gstCents: number
  owingCents: number
}

/**
 * What each way of giving money back comes to, before it is done. On the cash basis what is received counts, so money
 * that goes back takes its GST along either way.
 */
export function refundOutcomes(
  basis: RefundBasis,
  amountCents: number,
  given: Given | null,
): Record<RefundEffect, RefundOutcome> {
  const { totalCents, gstCents, paidCents, balanceCents } = basis
  const noteGst = givenBack(leftFor(basis, amountCents), amountCents, given).reduce(
    (sum, part) => sum + part.gstCents,
    0,
  )
  const isCash = basis.gstBasis === 'cash'
  const before = shareOf(paidCents, gstCents, totalCents)
  const after = (gst: number, total: number) => shareOf(paidCents - amountCents, gst, total)
  return {
    price_reduced: {
      gstCents: isCash ? before - after(gstCents - noteGst, totalCents - amountCents) : noteGst,
      owingCents: balanceCents,
    },
    money_back: {
      gstCents: isCash ? before - after(gstCents, totalCents) : 0,
      owingCents: balanceCents + amountCents,
    },
  }
}
