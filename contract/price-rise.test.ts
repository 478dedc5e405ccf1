import fc from 'fast-check'
import { expect, test } from 'vitest'
import { risen } from './price-rise.ts'

test('a price rises half up to the cent, then to the step', () => {
  expect(risen(12_345, { bp: 350, stepCents: 1 })).toBe(12_777)
  expect(risen(12_345, { bp: 350, stepCents: 5 })).toBe(12_775)
  expect(risen(100, { bp: 50, stepCents: 1 })).toBe(101)
  expect(risen(10_000, { bp: -1000, stepCents: 100 })).toBe(9000)
  expect(risen(0, { bp: 350, stepCents: 5 })).toBe(0)
  expect(() => risen(999_999_999_999, { bp: 100_000, stepCents: 1 })).toThrow(RangeError)
})

test('whatever the price, it is a whole number of steps and at most half a step and half a cent away', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000_000 }),
      fc.integer({ min: -9900, max: 100_000 }),
      fc.integer({ min: 1, max: 10_000 }),
      (cents, bp, stepCents) => {
        const after = risen(cents, { bp, stepCents })
        expect(after % stepCents).toBe(0)
        expect(Math.abs(after - (cents * (10_000 + bp)) / 10_000)).toBeLessThanOrEqual(stepCents / 2 + 0.5)
      },
    ),
  )
})
