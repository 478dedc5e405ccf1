import { z } from 'zod'
import { maxCents } from './core/common.ts'

/** A change of prices in basis points of each, rounded half up to the cent and then to a whole number of steps. */
export const priceRise = z.strictObject({
  bp: z
    .int()
    .min(-9900)
    .max(100_000)
    .refine((bp) => bp !== 0, 'Enter a percentage other than 0.'),
  /** Cents. */
  stepCents: z.int().min(1, 'Enter $0.01 or more.').max(10_000, 'Enter $100.00 or less.'),
})
export type PriceRise = z.infer<typeof priceRise>

/** Half up; a price is never negative. */
const divideHalfUp = (dividend: bigint, divisor: bigint) => (2n * dividend + divisor) / (2n * divisor)

/** A price after a rise. Throws a RangeError beyond what a price may be. */
export function risen(priceCents: number, { bp, stepCents }: PriceRise): number {
  const cents = divideHalfUp(BigInt(priceCents) * BigInt(10_000 + bp), 10_000n)
  const stepped = Number(divideHalfUp(cents, BigInt(stepCents))) * stepCents
  if (stepped > maxCents) throw new RangeError('An amount is larger than a document may hold')
  return stepped
}
