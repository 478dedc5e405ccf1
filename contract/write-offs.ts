import { z } from 'zod'
import { big, divideRounded, small } from './core/cents.ts'
import { cents, day, guid, longText, maybe, positiveCents, version } from './core/common.ts'

export const writeOffReasons = ['bad_debt', 'small_difference', 'other'] as const
export type WriteOffReason = (typeof writeOffReasons)[number]

/** A part of an invoice that nobody will pay, or, with `isRecovery`, such a part that is owed again. */
export const writeOff = z.object({
  guid,
  on: day,
  cents,
  gstCents: cents,
  reasonCode: z.enum(writeOffReasons),
  note: z.string().nullable(),
  isRecovery: z.boolean(),
})

export const writeOffInput = z.strictObject({
  version,
  /** All that is owing when not given. */
  cents: positiveCents.optional(),
  reasonCode: z.enum(writeOffReasons),
  note: maybe(longText(1000)),
  /** The day it is posted on; today when not given. */
  on: day.optional(),
})

export const recoverInput = z.strictObject({
  version,
  /** All that is written off when not given. */
  cents: positiveCents.optional(),
  on: day.optional(),
})

/** How an invoice stands, less its adjustment notes; in cents. */
export interface OwedState {
  totalCents: number
  gstCents: number
  /** Received less refunded. */
  paidCents: number
  writtenOffCents: number
  writtenOffGstCents: number
}

const shareOf = (part: number, gst: number, whole: number): number =>
  whole <= 0 ? 0 : small(divideRounded(big(part) * big(Math.max(gst, 0)), big(whole)))

/**
 * The GST of what is written off: its share of the invoice, half up. What clears the invoice takes the GST that neither
 * the money nor earlier parts have taken (GST Act s 21-5: the taxable share of a bad debt).
 */
export function writeOffGst(state: OwedState, cents: number): number {
  const { totalCents, paidCents, writtenOffCents, writtenOffGstCents } = state
  const gstCents = Math.max(state.gstCents, 0)
  const restCents = Math.max(gstCents - shareOf(paidCents, gstCents, totalCents) - writtenOffGstCents, 0)
  const isCleared = cents === totalCents - paidCents - writtenOffCents
  return Math.min(isCleared ? restCents : Math.min(shareOf(cents, gstCents, totalCents), restCents), cents)
}

/** What is left of a part that was written off; in cents. */
export interface WrittenPart {
  guid: string
  leftCents: number
  leftGstCents: number
}

export interface Recovery {
  guid: string
  cents: number
  gstCents: number
}

/** Takes parts back, the newest first; with the last cent of a part goes the GST that is left of it. */
export function recoveries(newestFirst: readonly WrittenPart[], cents: number): Recovery[] {
  const taken: Recovery[] = []
  let openCents = cents
  for (const part of newestFirst) {
    const takes = Math.min(part.leftCents, openCents)
    if (takes <= 0) continue
    taken.push({ guid: part.guid, cents: takes, gstCents: shareOf(takes, part.leftGstCents, part.leftCents) })
    openCents -= takes
  }
  return taken
}
