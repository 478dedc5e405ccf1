import { describe, expect, it } from 'vitest'
import { scaleOf } from './scale.ts'

describe('the scale of the months', () => {
  it.each([
    [0, 400],
    [1, 400],
    [399, 400],
    [5_634_300, 8_000_000],
    [8_000_001, 10_000_000],
    [9_999_999, 10_000_000],
  ])('of %i cents reaches %i in four equal steps', (largest, top) => {
    const scale = scaleOf(largest)
    expect(scale).toHaveLength(5)
    expect([scale[0], scale[4]]).toEqual([0, top])
    expect(new Set(scale).size).toBe(5)
  })
})
