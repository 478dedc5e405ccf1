import { expect, test } from 'vitest'
import { evenInstalments, fillInstalments, overdueOf } from './instalments.ts'

const plan = [
  { label: 'First', dueOn: '2026-07-31', cents: 40_000 },
  { label: 'Second', dueOn: '2026-08-31', cents: 40_000 },
  { label: 'Third', dueOn: '2026-09-30', cents: 30_000 },
]

test.each([
  [0, [0, 0, 0]],
  [39_999, [39_999, 0, 0]],
  [50_000, [40_000, 10_000, 0]],
  [110_000, [40_000, 40_000, 30_000]],
  [-5, [0, 0, 0]],
])('%i settled fills the oldest first', (settled, paid) => {
  expect(fillInstalments(plan, settled).map(({ paidCents }) => paidCents)).toEqual(paid)
})

test.each([
  ['2026-07-31', 0, 0],
  ['2026-08-01', 0, 40_000],
  ['2026-08-01', 15_000, 25_000],
  ['2026-09-01', 50_000, 30_000],
  ['2026-10-01', 110_000, 0],
  ['2026-10-01', 0, 110_000],
])('on %s, with %i settled, %i is overdue', (today, settled, overdue) => {
  expect(overdueOf(fillInstalments(plan, settled), today)).toBe(overdue)
})

test('parts that are alike come to the whole', () => {
  expect(evenInstalments(100, 3, '2026-11-26')).toEqual([
    { dueOn: '2026-11-26', cents: 33 },
    { dueOn: '2026-12-26', cents: 33 },
    { dueOn: '2027-01-26', cents: 34 },
  ])
  expect(evenInstalments(100, 1, '2026-11-26').map(({ cents }) => cents)).toEqual([100])
  expect(evenInstalments(100, 3, '2026-12-31').map(({ dueOn }) => dueOn)).toEqual([
    '2026-12-31',
    '2027-01-31',
    '2027-02-28',
  ])
  for (const count of [1, 2, 7, 36])
    expect(evenInstalments(99_999, count, '2026-11-26').reduce((sum, { cents }) => sum + cents, 0)).toBe(99_999)
})
