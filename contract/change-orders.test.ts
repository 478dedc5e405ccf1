import { describe, expect, test } from 'vitest'
import { actionProblems, actionsOf, applyActions, changedLines, type ChangeAction } from './change-orders.ts'
import type { LineKind } from './lines.ts'

const lineOf = (guid: string, more: Partial<ReturnType<typeof plain>> = {}) => ({ ...plain(guid), ...more })
const plain = (guid: string) => ({
  guid,
  kind: 'item' as LineKind,
  parentLineGuid: null as string | null,
  name: guid,
  description: null,
  unit: 'each',
  quantity: '10.0000',
  unitPriceCents: 100,
  totalCents: 1_100,
  quantityInvoiced: '0.0000',
})
const change = (more: object): ChangeAction => ({ kind: 'change', lineGuid: 'a', ...more }) as ChangeAction
const remove = (lineGuid: string): ChangeAction => ({ kind: 'remove', lineGuid })
const add = { kind: 'add', line: { name: 'new', quantity: '2', unitPriceCents: 50 } } as ChangeAction

describe('what is other between two states', () => {
  const before = [
    lineOf('a'),
    lineOf('b'),
    lineOf('b1', { parentLineGuid: 'b', totalCents: 100 }),
    lineOf('s', { kind: 'text' }),
  ]
  test('is nothing where only words and places are', () =>
    expect(
      changedLines(
        before,
        [...before].reverse().map((line) => ({ ...line, name: 'other' })),
      ),
    ).toEqual([]))
  test('is told of a line with what lies below it', () =>
    expect(
      changedLines(before, [
        lineOf('b', { quantity: '12', totalCents: 1_320 }),
        lineOf('b1', { parentLineGuid: 'b', totalCents: 120 }),
        lineOf('c'),
      ]),
    ).toMatchObject([
      { kind: 'remove', lineGuid: 'a', before: { quantity: '10', totalCents: 1_100 }, after: null },
      { kind: 'change', lineGuid: 'b', before: { totalCents: 1_200 }, after: { quantity: '12', totalCents: 1_440 } },
      { kind: 'add', lineGuid: 'c', before: null, after: { totalCents: 1_100 } },
    ]))
  test('is said as actions', () =>
    expect(actionsOf(changedLines([lineOf('a'), lineOf('b')], [lineOf('a', { unitPriceCents: 90 })]))).toEqual([
      { kind: 'remove', lineGuid: 'b' },
      { kind: 'change', lineGuid: 'a', unitPriceCents: 90 },
    ]))
})

test('actions change, take away and add, and leave all else alone', () => {
  const lines = [lineOf('a'), lineOf('b'), lineOf('c')]
  const after = applyActions(lines, [add, remove('b'), change({ quantity: '4' })], ({ name }) => lineOf(name))
  expect(after.map(({ guid, quantity, unitPriceCents }) => [guid, quantity, unitPriceCents])).toEqual([
    ['a', '4', 100],
    ['c', '10.0000', 100],
    ['new', '10.0000', 100],
  ])
})

describe('actions are refused', () => {
  const lines = [lineOf('a', { quantityInvoiced: '7.0000' }), lineOf('b'), lineOf('b1', { parentLineGuid: 'b' })]
  test.each([
    [change({ quantity: '6' }), 'actions.0.quantity', '7 of 10 are already invoiced. Choose 7 or more.'],
    [change({ quantity: '10' }), 'actions.0.quantity', 'Enter another quantity or price.'],
    [
      change({ unitPriceCents: 99 }),
      'actions.0.unitPriceCents',
      'Part of this line is invoiced, so this can’t be changed. Add another line instead.',
    ],
    [remove('a'), 'actions.0.lineGuid', '“a” is already invoiced and can’t be removed.'],
    [remove('b1'), 'actions.0.lineGuid', 'Choose a line of this order.'],
    [remove('x'), 'actions.0.lineGuid', 'Choose a line of this order.'],
  ])('%o', (action, path, message) => expect(actionProblems([action], lines)).toEqual([{ path, message }]))
  test('for a line that is named twice', () =>
    expect(
      actionProblems([remove('b'), { ...change({ quantity: '1' }), lineGuid: 'b' } as ChangeAction], lines),
    ).toEqual([{ path: 'actions.1.lineGuid', message: 'This is listed twice.' }]))
  test('and not as far as nothing is taken away', () =>
    expect(actionProblems([change({ quantity: '7' }), remove('b'), add], lines)).toEqual([]))
})
