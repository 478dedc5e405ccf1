import { expect, test } from 'vitest'
import { asksSomebody } from './refund-requests.ts'

/** In cents: what was given back before, each refund of one day in its turn, and whether it asks. */
const days = [
  {
    limit: 100_000,
    refunds: [
      [60_000, false],
      [40_000, false],
      [1, true],
    ],
  },
  { limit: 100_000, refunds: [[100_001, true]] },
  { limit: 0, refunds: [[1, true]] },
] as const

test.each(days)('with a limit of $limit, what is beyond it asks', ({ limit, refunds }) => {
  let given = 0
  for (const [cents, asks] of refunds) {
    expect([cents, asksSomebody(given, cents, limit)]).toEqual([cents, asks])
    given += cents
  }
})
