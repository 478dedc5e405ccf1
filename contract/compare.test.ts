import { expect, test } from 'vitest'
import { compareQuotes, type ComparedQuote } from './compare.ts'
import type { Stage } from './stages.ts'

const stages = (bp: number): Stage[] => [
  { label: 'Deposit', amount: { type: 'percent', bp }, due: { type: 'acceptance' } },
  { label: 'Handover', amount: { type: 'rest' }, due: { type: 'completion' } },
]
const revision = (schedule: Stage[] | null): ComparedQuote => ({
  ...{ revision: 0, number: 'Q-1', title: 'Fence', validUntil: null, intro: null, terms: null, discount: null },
  ...{ depositRule: null, totalCents: 110_000, lines: [], schedule },
})
const changed = (before: Stage[] | null, after: Stage[] | null) =>
  compareQuotes(revision(before), revision(after)).document

test('payment stages are compared: other shares, stages that came, stages that went', () => {
  expect(changed(stages(3000), stages(3000))).toEqual([])
  expect(changed(null, null)).toEqual([])
  expect(changed(stages(3000), stages(4000))).toEqual([
    { field: 'schedule', before: JSON.stringify(stages(3000)), after: JSON.stringify(stages(4000)) },
  ])
  expect(changed(null, stages(3000))).toMatchObject([{ field: 'schedule', before: null }])
  expect(changed(stages(3000), null)).toMatchObject([{ field: 'schedule', after: null }])
})
