import { z } from 'zod'
import { cents } from './core/common.ts'
import { allocateProportionally } from './core/money.ts'
import { type GstCode, gstCodes } from './lines.ts'

/** An amount of one kind of GST. */
export const codeAmount = z.object({ gstCode: z.enum(gstCodes), netCents: cents, gstCents: cents })
export type CodeAmount = z.infer<typeof codeAmount>
/** How much of each kind of GST is given back, GST included. */
export type Given = Partial<Record<GstCode, number>>

export const totalOf = ({ netCents, gstCents }: CodeAmount) => netCents + gstCents

/** Half up; all above or equal zero. */
export const share = (cents: bigint, part: bigint, whole: bigint) =>
  whole === 0n ? 0n : (2n * cents * part + whole) / (2n * whole)

/** A part of an amount of one kind, with its part of the GST: with the whole of it goes all the GST there is. */
export function partOf(amount: CodeAmount, cents: number): CodeAmount {
  const gstCents = Number(share(BigInt(amount.gstCents), BigInt(cents), BigInt(totalOf(amount))))
  return { gstCode: amount.gstCode, netCents: cents - gstCents, gstCents }
}

/**
 * An amount by kind of GST: as it was chosen, else by proportion of what is left. Whoever gives back the
 * last of it gives back all the GST there is. No part is ever below zero, except where the whole of an
 * invoice with reductions goes back.
 */
export function givenBack(left: readonly CodeAmount[], amountCents: number, given: Given | null): CodeAmount[] {
  const leftCents = left.reduce((sum, part) => sum + totalOf(part), 0)
  const isWhole = amountCents === leftCents && left.every((part) => part.gstCents >= 0)
  if (isWhole) return left.filter((part) => totalOf(part) !== 0)
  const parts = left.filter((part) => totalOf(part) > 0)
  const chosen = parts.map((part) => Math.min(given?.[part.gstCode] ?? 0, totalOf(part)))
  const rest = amountCents - chosen.reduce((sum, cents) => sum + cents, 0)
  const room = parts.map((part, i) => totalOf(part) - (chosen[i] ?? 0))
  const shares = rest > 0 ? allocateProportionally(rest, room) : room.map(() => 0)
  return parts.flatMap((part, i) => {
    const cents = (chosen[i] ?? 0) + (shares[i] ?? 0)
    return cents > 0
      ? [
          partOf(
            { ...part, gstCents: Math.max(part.gstCents, 0), netCents: totalOf(part) - Math.max(part.gstCents, 0) },
            cents,
          ),
        ]
      : []
  })
}
