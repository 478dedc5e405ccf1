import { describe, expect, test } from 'vitest'
import { endStages, moveStages, scheduleProblems, stageAmounts, stageState, type Stage } from './stages.ts'

const percent = (bp: number) => ({ amount: { type: 'percent' as const, bp } })
const rest = { amount: { type: 'rest' as const } }

describe('the amounts of stages', () => {
  test.each([
    [1_000_001, [percent(3_333), percent(3_333), rest], [333_300, 333_300, 333_401]],
    [10_000, [{ amount: { type: 'fixed' as const, cents: 12_000 } }, percent(5_000), rest], [10_000, 0, 0]],
    [0, [percent(5_000), rest], [0, 0]],
    [101, [percent(5_000), rest], [51, 50]],
  ])('of %i', (total, stages, amounts) => expect(stageAmounts(stages, total)).toEqual(amounts))

  test('add up to the total, whatever they ask for', () => {
    for (let n = 0; n < 2_000; n++) {
      const total = (n * 7919) % 1_000_003
      const stages = [percent(1 + ((n * 31) % 10_000)), { amount: { type: 'fixed' as const, cents: 1 + n } }, rest]
      const amounts = stageAmounts(stages, total)
      expect(amounts.reduce((a, b) => a + b, 0)).toBe(total)
      expect(amounts.every((cents) => cents >= 0)).toBe(true)
    }
  })
})

describe('stages that an order moves', () => {
  const of = (...cents: number[]) => cents.map((one, i) => ({ cents: one, isBilled: i === 0 }))
  test.each([
    [of(300_000, 300_000, 400_000), -500_000, [300_000, 200_000, 0]],
    [of(300_000, 300_000, 400_000), 50_000, [300_000, 300_000, 450_000]],
    [of(300_000, 300_000, 400_000), -700_000, [300_000, 0, 0]],
    [of(300_000, 300_000, 400_000), -700_001, null],
    [of(300_000), 100, null],
    [of(300_000), 0, [300_000]],
  ])('%o by %i', (stages, delta, moved) => expect(moveStages(stages, delta)).toEqual(moved))
})

test.each([
  [0, [300_000, 0, 0]],
  [350_000, [300_000, 50_000, 0]],
])('the stages of an order that ended early at %i', (total, ended) => {
  const stages = [300_000, 300_000, 400_000].map((cents, i) => ({ cents, isBilled: i === 0 }))
  expect(endStages(stages, total)).toEqual(ended)
})

test('a stage is ready by its day, the start or the completion, and again after a void', () => {
  const order = { startedAt: null, completedAt: null }
  const state = (due: Stage['due'], more: object = {}, of = order) =>
    stageState({ cents: 100, due, invoice: null, ...more }, of, '2026-05-02')
  expect(state({ type: 'acceptance' })).toBe('ready')
  expect([
    state({ type: 'start' }),
    state({ type: 'start' }, {}, { ...order, startedAt: '2026-05-01T00:00:00Z' } as never),
  ]).toEqual(['upcoming', 'ready'])
  expect([state({ type: 'day', on: '2026-05-02' }), state({ type: 'day', on: '2026-05-03' })]).toEqual([
    'ready',
    'upcoming',
  ])
  expect(state({ type: 'start' }, { cents: 0 })).toBe('included')
  expect(state({ type: 'start' }, { invoice: { status: 'draft', balanceCents: 100 } })).toBe('drafted')
  expect(state({ type: 'start' }, { invoice: { status: 'issued', balanceCents: 1 } })).toBe('issued')
  expect(state({ type: 'start' }, { invoice: { status: 'issued', balanceCents: 0 } })).toBe('paid')
})

test('a schedule ends with the rest and begins with what is due on acceptance, if anything is', () => {
  const stage = (amount: Stage['amount'], due: Stage['due']): Stage => ({ label: 'A', amount, due })
  const half: Stage['amount'] = { type: 'percent', bp: 5_000 }
  const last: Stage['amount'] = { type: 'rest' }
  expect(scheduleProblems([stage(half, { type: 'acceptance' }), stage(last, { type: 'completion' })])).toEqual([])
  expect(scheduleProblems([stage(half, { type: 'start' }), stage(half, { type: 'acceptance' })])).toMatchObject([
    { path: 'schedule.1.amount', message: 'The last stage takes the rest.' },
  ])
  expect(scheduleProblems([stage(last, { type: 'start' }), stage(last, { type: 'completion' })])).toMatchObject([
    { path: 'schedule.0.amount' },
  ])
  expect(
    scheduleProblems([
      stage(half, { type: 'day', on: '2026-05-03' }),
      stage(half, { type: 'day', on: '2026-05-02' }),
      stage(last, { type: 'completion' }),
    ]),
  ).toMatchObject([{ path: 'schedule.1.due' }])
})
