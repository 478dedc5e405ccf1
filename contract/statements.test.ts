import { expect, test } from 'vitest'
import { ageingOf, ageingSum, bucketOf } from './statements.ts'

test.each([
  ['2026-09-30', '2026-09-30', 'currentCents'],
  ['2026-10-01', '2026-09-30', 'currentCents'],
  [null, '2026-09-30', 'currentCents'],
  ['2026-09-29', '2026-09-30', 'd30Cents'],
  ['2026-08-31', '2026-09-30', 'd30Cents'],
  ['2026-08-30', '2026-09-30', 'd60Cents'],
  ['2026-08-01', '2026-09-30', 'd60Cents'],
  ['2026-07-31', '2026-09-30', 'd90Cents'],
  ['2026-07-02', '2026-09-30', 'd90Cents'],
  ['2026-07-01', '2026-09-30', 'olderCents'],
])('due on %s is on %s in %s', (dueOn, on, bucket) => {
  expect(bucketOf(dueOn, on)).toBe(bucket)
})

test('the columns come to the whole', () => {
  const parts = [
    { dueOn: '2026-09-30', cents: 100 },
    { dueOn: '2026-09-01', cents: 20 },
    { dueOn: '2026-01-01', cents: 3 },
  ]
  const sums = ageingOf(parts, '2026-09-30')
  expect(sums).toEqual({ currentCents: 100, d30Cents: 20, d60Cents: 0, d90Cents: 0, olderCents: 3 })
  expect(ageingSum(sums)).toBe(123)
})
