import { expect, test } from 'vitest'
import type { Ask } from '../../contract/negotiation.ts'
import type { Quote } from '../../contract/quotes.ts'
import { noMark, pricedAnswers, problemsByAsk, sentAnswers, whyNoRevision, type Mark } from './answer-state.ts'

const ask = (guid: string, kind: Ask['kind'], more: Partial<Ask> = {}): Ask => ({
  guid,
  kind,
  revision: 0,
  lineGuid: 'l',
  originLineGuid: 'l',
  lineName: 'Gate',
  text: null,
  quantity: kind === 'quantity' ? '20' : null,
  effectCents: kind === 'comment' ? null : 100,
  at: '2026-11-20T00:00:00.000Z',
  answer: null,
  ...more,
})
const mark = (outcome: Mark['outcome'], more: Partial<Mark> = {}): Mark => ({ ...noMark, outcome, ...more })
const quoteOf = (asks: Ask[], more: Partial<Quote> = {}) =>
  ({ status: 'changes_requested', revision: 0, nextRevisionGuid: null, asks, ...more }) as Quote
const asks = [ask('more', 'quantity'), ask('drop', 'drop'), ask('word', 'comment')]

test('what is marked is sent in the order of the requests; a comment by its text alone', () => {
  const marks = {
    word: { ...noMark, text: ' To the left. ' },
    more: mark('countered', { quantity: '18', text: 'Two too many' }),
    drop: mark(null, { text: 'not decided yet' }),
    gone: mark('agreed'),
  }
  expect(sentAnswers(asks, marks)).toEqual([
    { askGuid: 'more', outcome: 'countered', text: 'Two too many', quantity: '18' },
    { askGuid: 'word', outcome: 'agreed', text: 'To the left.' },
  ])
})

test('what was typed for a counter is not sent once it is agreed', () => {
  expect(sentAnswers(asks, { more: mark('agreed', { quantity: '18', unitPriceCents: 5 }) })).toEqual([
    { askGuid: 'more', outcome: 'agreed' },
  ])
})

test('priced is what has an effect: no words, no comments, no counter that offers nothing yet', () => {
  const marks = {
    more: mark('countered'),
    drop: mark('agreed', { text: 'Gone' }),
    word: { ...noMark, text: 'To the left.' },
  }
  expect(pricedAnswers(asks, marks)).toEqual([{ askGuid: 'drop', outcome: 'agreed' }])
  expect(pricedAnswers(asks, { more: mark('countered', { unitPriceCents: 0 }) })).toEqual([
    { askGuid: 'more', outcome: 'countered', unitPriceCents: 0 },
  ])
})

test.each<[string, Ask[], Record<string, Mark>, Partial<Quote>, string | null]>([
  ['while one is left', asks, { more: mark('agreed') }, {}, 'hasRequests'],
  ['not by comments', asks, { more: mark('agreed'), drop: mark('declined') }, {}, null],
  ['of nothing but declined ones', asks, { more: mark('declined'), drop: mark('declined') }, {}, 'nothingAgreed'],
  ['twice', asks, { more: mark('agreed'), drop: mark('agreed') }, { nextRevisionGuid: 'n' }, 'revisedAlready'],
  [
    'of what was agreed before',
    [
      ask('more', 'quantity', {
        answer: { outcome: 'agreed', text: null, quantity: null, unitPriceCents: null, by: 'Olivia', at: '' },
      }),
    ],
    {},
    {},
    null,
  ],
])('a revision is refused %s', (_when, open, marks, more, why) => {
  expect(whyNoRevision(quoteOf(open, more), marks)).toBe(why)
})

test('problems find the request they were sent for', () => {
  const sent = sentAnswers(asks, { drop: mark('agreed'), more: mark('countered', { quantity: '0' }) })
  expect(
    problemsByAsk(sent, [
      { path: 'answers.0.quantity', message: 'Too few.' },
      { path: 'answers.1.askGuid', message: 'Withdrawn.' },
      { path: 'answers', message: 'None.' },
    ]),
  ).toEqual({ more: { quantity: 'Too few.' }, drop: { askGuid: 'Withdrawn.' } })
})
