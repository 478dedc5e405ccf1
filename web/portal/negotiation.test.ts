import { describe, expect, test } from 'vitest'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { answersFor, movedOf, nothingChosen, rangedLines, withAnswered } from './kept-choice.ts'
import { stepped } from './quantity-steps.ts'
import {
  asksOf,
  noChoice,
  quantityProblem,
  type Request,
  type ServiceAsk,
  updateSince,
  withRequest,
} from './requests.ts'
import type { ServiceLine } from './shown-lines.ts'

const range = { quantityMin: '10', quantityMax: '14', quantityStep: '0.5' }
const line = (guid: string, more: Partial<ServiceLine> = {}): ServiceLine => ({
  guid,
  originLineGuid: null,
  position: 1,
  kind: 'item',
  parentLineGuid: null,
  sourceKey: null,
  showsParts: null,
  name: guid,
  description: null,
  quantity: '10.0000',
  quantityMin: null,
  quantityMax: null,
  quantityStep: null,
  unit: 'm',
  unitPriceCents: 14_800,
  hireFrom: null,
  hireTo: null,
  discount: null,
  gstCode: 'GST',
  isOptional: false,
  alternativeGroup: null,
  isSelected: true,
  netCents: 0,
  gstCents: 0,
  totalCents: 0,
  ...more,
})

describe('a quantity that is moved', () => {
  test.each([
    ['10', 1, '10.5'],
    ['10.0000', -1, '10'],
    ['13.5', 1, '14'],
    ['14', 1, '14'],
    ['14', -1, '13.5'],
    ['10.25', 1, '10.5'],
    ['10.25', -1, '10'],
    ['3', 1, '10'],
    ['20', -1, '14'],
    ['20', 1, '14'],
  ] as const)('goes from %s by %i to %s', (from, direction, to) => {
    expect(stepped(range, from, direction)).toBe(to)
  })

  test('is sent of lines that are bought and were moved', () => {
    const lines = [
      line('fence', range),
      line('gate'),
      line('banner', { ...range, isOptional: true, isSelected: false }),
      line('same', range),
    ]
    const kept = { ...nothingChosen, quantities: { fence: '12', gate: '3', banner: '11', same: '10' } }
    expect(movedOf(lines, new Set(), kept)).toEqual([{ lineGuid: 'fence', quantity: '12' }])
    expect(rangedLines(lines, new Set(['banner'])).map(({ guid }) => guid)).toEqual(['fence', 'banner', 'same'])
  })

  test('stays with its line through a revision, and goes with its range', () => {
    const kept = { ...nothingChosen, quantities: { fence: '12' } }
    const revised = line('fence-1', { ...range, originLineGuid: 'fence' })
    expect(movedOf([revised], new Set(), kept)).toEqual([{ lineGuid: 'fence-1', quantity: '12' }])
    expect(movedOf([{ ...revised, quantityMin: null }], new Set(), kept)).toEqual([])
  })
})

describe('answers to the questions of a line', () => {
  const question = (code: string) => ({
    ...{ code, label: { en: code }, help: null, input: 'single' as const },
    ...{ required: false, choices: [] },
  })
  const answer = (option: string, code: string) => ({ option, value: { code } })
  const offer = (lines: ServiceLine[], codes: string[], answers: ReturnType<typeof answer>[]) => ({
    lines,
    questions: [
      { lineGuid: lines[0]?.guid ?? '', asked: codes.map(question), visible: codes, answers },
    ] as unknown as ServiceQuote['questions'],
  })
  const first = offer([line('tent')], ['size', 'lights'], [answer('lights', 'yes')])
  const asking = first.questions[0] as ServiceQuote['questions'][number]
  // He chose a size and wants no lights.
  const kept = withAnswered(nothingChosen, line('tent'), asking, [answer('size', 'large')])
  const revised = line('tent-1', { originLineGuid: 'tent' })

  test('are as offered until he answers, and then his: what he cleared stays cleared', () => {
    expect(answersFor(first, nothingChosen)).toEqual([{ lineGuid: 'tent', answers: [answer('lights', 'yes')] }])
    expect(answersFor(first, kept)).toEqual([{ lineGuid: 'tent', answers: [answer('size', 'large')] }])
  })

  test('stay through a revision, where a question that is new is answered as it is offered', () => {
    const now = offer([revised], ['size', 'lights', 'floor'], [answer('lights', 'yes'), answer('floor', 'wood')])
    const both = [answer('size', 'large'), answer('floor', 'wood')]
    expect(answersFor(now, kept)).toEqual([{ lineGuid: 'tent-1', answers: both }])
    expect(answersFor(offer([revised], ['floor'], [answer('floor', 'wood')]), kept)).toEqual([
      { lineGuid: 'tent-1', answers: [answer('floor', 'wood')] },
    ])
    // Kept before the questions were: his answers are all there is.
    expect(answersFor(now, { ...kept, asked: {} })).toEqual([
      { lineGuid: 'tent-1', answers: [answer('size', 'large')] },
    ])
  })
})

describe('requests', () => {
  const drop: Request = { origin: 'fence', kind: 'drop', text: '' }
  const more: Request = { origin: 'fence', kind: 'quantity', quantity: '20', text: 'Corner' }
  const comment: Request = { origin: 'fence', kind: 'comment', text: 'Which colour?' }

  test('of a line: the last counter-offer takes the place of the first, comments stay', () => {
    expect([more, comment, drop].reduce<Request[]>(withRequest, [])).toEqual([comment, drop])
    const gate: Request = { ...drop, origin: 'gate' }
    expect([more, gate].reduce<Request[]>(withRequest, [])).toEqual([more, gate])
  })

  test('are sent of lines as they are now, and not of those that are gone', () => {
    const lines = [line('fence-1', { originLineGuid: 'fence' })]
    expect(asksOf([comment, more, drop, { ...drop, origin: 'gate' }], lines, noChoice)).toEqual([
      { kind: 'comment', lineGuid: 'fence-1', text: 'Which colour?' },
      { kind: 'quantity', lineGuid: 'fence-1', quantity: '20', text: 'Corner' },
      { kind: 'drop', lineGuid: 'fence-1' },
    ])
  })

  test('take along what was chosen where something waits, and not beside a comment alone', () => {
    const lines = [line('gate-1', { originLineGuid: 'gate' }), line('fence-1', { originLineGuid: 'fence' })]
    const moved = { moved: [{ lineGuid: 'fence-1', quantity: '12' }], words: '+ Lights' }
    const gate: Request = { ...drop, origin: 'gate' }
    expect(asksOf([gate], lines, moved)).toEqual([
      { kind: 'drop', lineGuid: 'gate-1' },
      { kind: 'quantity', lineGuid: 'fence-1', quantity: '12' },
      { kind: 'comment', text: '+ Lights' },
    ])
    expect(asksOf([comment], lines, moved)).toHaveLength(1)
    expect(asksOf([gate, more], lines, { ...moved, words: '' })).toHaveLength(2)
  })

  test.each([
    ['', 'missing'],
    ['0', 'missing'],
    ['12.5', 'yours'],
    ['12.25', null],
    ['20', null],
  ] as const)('for %s are %s where 10 to 14 can be chosen', (quantity, problem) => {
    expect(quantityProblem(line('fence', range), quantity, false)).toBe(problem)
    expect(quantityProblem(line('fence', range), quantity, true)).toBe(problem === 'yours' ? null : problem)
  })
  test('for as many as are offered ask for nothing', () => {
    expect(quantityProblem(line('gate'), '10', false)).toBe('same')
  })
})

describe('what happened to a quote while it was read', () => {
  const ask = (guid: string, outcome: NonNullable<ServiceAsk['answer']>['outcome'] | null): ServiceAsk => ({
    guid,
    revision: 0,
    lineGuid: null,
    lineName: null,
    kind: 'drop',
    text: null,
    quantity: null,
    effectCents: null,
    at: '2026-07-01T00:00:00Z',
    answer: outcome && { outcome, text: null, quantity: null, unitPriceCents: null, at: '2026-07-02T00:00:00Z' },
  })
  const quote = (documentSha256: string, revision: number, asks: ServiceAsk[]) =>
    ({ status: 'sent', documentSha256, revision, asks }) as unknown as ServiceQuote
  const before = quote('a', 0, [ask('1', null), ask('2', 'declined')])

  test('is nothing, nor what he did himself', () => {
    expect(updateSince(before, before)).toBeNull()
    expect(updateSince(before, quote('a', 0, [ask('1', 'withdrawn'), ask('2', 'declined'), ask('3', null)]))).toBeNull()
  })
  test('is an answer, also to what he asked since', () => {
    const now = quote('a', 0, [ask('1', 'agreed'), ask('2', 'declined'), ask('3', 'countered')])
    expect(updateSince(before, now)).toEqual({ revision: null, answered: 2 })
  })
  test('is a revision', () => {
    expect(updateSince(before, quote('b', 1, before.asks))).toEqual({ revision: 1, answered: 0 })
  })
})
