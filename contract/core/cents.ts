import { maxCents } from './common.ts'

const quantityText = /^(-?)(\d{1,9})(?:\.(\d{1,4}))?$/
/** Quantities are whole numbers of a ten-thousandth. */
export const quantityScale = 10_000n

export function big(cents: number): bigint {
  if (!Number.isSafeInteger(cents)) throw new RangeError('An amount must be a whole number of cents')
  return BigInt(cents)
}

export function small(cents: bigint): number {
  const n = Number(cents)
  if (n > maxCents || n < -maxCents) throw new RangeError('An amount is larger than a document may hold')
  return n === 0 ? 0 : n
}

/** Half away from zero, so that a credit is the exact mirror of its charge; the divisor is positive. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const magnitude = dividend < 0n ? -dividend : dividend
  const rounded = (2n * magnitude + divisor) / (2n * divisor)
  return dividend < 0n ? -rounded : rounded
}

export function quantityUnits(quantity: string): bigint {
  const parts = quantityText.exec(quantity)
  if (!parts) throw new RangeError('A quantity must be a number with up to four decimals')
  const units = BigInt((parts[2] ?? '0') + (parts[3] ?? '').padEnd(4, '0'))
  return parts[1] ? -units : units
}

const floorDivide = (dividend: bigint, divisor: bigint) =>
  dividend >= 0n ? dividend / divisor : -((-dividend + divisor - 1n) / divisor)

/**
 * Splits `total` into whole parts near `numerators[i] / divisor`: each is rounded down and the cents
 * left over go to the largest remainders, the first of equals first. The exact quotients must add up to
 * less than one away from `total`.
 */
export function largestRemainder(total: bigint, numerators: readonly bigint[], divisor: bigint): bigint[] {
  const parts = numerators.map((n) => floorDivide(n, divisor))
  let left = total
  for (const part of parts) left -= part
  if (left === 0n) return parts
  const order = numerators
    .map((n, i) => ({ i, remainder: n - (parts[i] ?? 0n) * divisor }))
    .sort((a, b) => (a.remainder === b.remainder ? a.i - b.i : a.remainder < b.remainder ? 1 : -1))
  for (const { i } of order.slice(0, Number(left))) parts[i] = (parts[i] ?? 0n) + 1n
  return parts
}

export function allocate(cents: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((a, w) => a + w, 0n)
  if (cents === 0n) return weights.map(() => 0n)
  if (sum === 0n) throw new RangeError('There is nothing to allocate to')
  const magnitude = cents < 0n ? -cents : cents
  const positive = sum < 0n ? weights.map((w) => -w) : weights
  const parts = largestRemainder(
    magnitude,
    positive.map((w) => w * magnitude),
    sum < 0n ? -sum : sum,
  )
  return cents < 0n ? parts.map((p) => -p) : parts
}

/** In proportion to the weights; where there are none, the same for all. */
export const fairly = (cents: bigint, weights: readonly bigint[]): bigint[] =>
  allocate(cents, weights.some((w) => w !== 0n) ? weights : weights.map(() => 1n))
