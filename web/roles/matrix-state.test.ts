import { describe, expect, test } from 'vitest'
import type { CatalogueSubject } from '../../contract/roles.ts'
import { factsOfKind } from '../access/verdicts.ts'
import {
  changedCells,
  decidingRule,
  matrixOf,
  newRule,
  nextState,
  rulesAt,
  sentRules,
  setCell,
} from './matrix-state.ts'

const catalogue: CatalogueSubject[] = [
  {
    subject: 'Quotes:Preview:All',
    parent: 'Quotes',
    actions: [{ action: 'read', operations: [] }],
    conditions: ['scope:own'],
    statuses: [],
  },
  {
    subject: 'Quotes:Send:Guid',
    parent: 'Quotes',
    actions: [{ action: 'update', operations: [] }],
    conditions: [],
    statuses: [],
  },
  {
    subject: 'Auth:Login',
    parent: 'Auth',
    actions: [{ action: 'read', operations: [] }],
    conditions: [],
    statuses: [],
  },
]
const facts = factsOfKind('staff')
const cellOf = (
  drafts: Parameters<typeof matrixOf>[0],
  subject: string,
  action: 'read' | 'update' | 'delete' | 'manage',
) => {
  const row = matrixOf(drafts, catalogue, facts)
    .flatMap((group) => [group.head, ...group.rows])
    .find((candidate) => candidate.subject === subject)
  if (!row) throw new Error(`no row ${subject}`)
  return row.cells[action]
}

describe('the matrix of a role', () => {
  test('everything comes first, what everybody has comes last', () => {
    expect(matrixOf([], catalogue, facts).map((group) => group.noun)).toEqual(['all', 'Quotes', 'Auth'])
  })

  test('a cell can be set where something asks for it, on the noun as a whole, and everywhere for all actions', () => {
    expect(cellOf([], 'Quotes:Send:Guid', 'update').isMeaningful).toBe(true)
    expect(cellOf([], 'Quotes:Send:Guid', 'delete').isMeaningful).toBe(false)
    expect(cellOf([], 'Quotes', 'update').isMeaningful).toBe(true)
    expect(cellOf([], 'Quotes:Send:Guid', 'manage').isMeaningful).toBe(true)
  })

  test('what the noun allows shows on its parts, unless a denial names the part', () => {
    const allowed = setCell([], 'Quotes', 'update', 'allow', 'staff')
    expect(cellOf(allowed, 'Quotes:Send:Guid', 'update')).toMatchObject({ state: 'none', access: 'all' })
    const denied = setCell(allowed, 'Quotes:Send:Guid', 'update', 'deny', 'staff')
    expect(cellOf(denied, 'Quotes:Send:Guid', 'update')).toMatchObject({ state: 'deny', access: 'none' })
    expect(decidingRule(denied, 'Quotes:Send:Guid', 'update', facts)?.inverted).toBe(true)
  })

  test('a rule for a subject that nothing asks for any more stays visible', () => {
    expect(cellOf([newRule('Quotes:Gone', 'delete', 'staff', false)], 'Quotes:Gone', 'delete').rules).toHaveLength(1)
  })

  test('a cell goes from nothing to allow to deny and back, and a rule keeps what was set on it', () => {
    expect([nextState('none'), nextState('allow'), nextState('deny'), nextState('both')]).toEqual([
      'allow',
      'deny',
      'none',
      'none',
    ])
    const rule = {
      ...newRule('Quotes', 'read', 'staff', false),
      conditions: { scope: 'own' as const },
      priority: 5,
      note: 'mine alone',
    }
    const denied = setCell([rule], 'Quotes', 'read', 'deny', 'staff')
    expect(denied).toEqual([{ ...rule, inverted: true }])
    const gone = setCell(denied, 'Quotes', 'read', 'none', 'staff')
    expect(gone).toEqual([])
    expect(setCell(gone, 'Quotes', 'read', 'allow', 'staff', [rule])).toEqual([rule])
  })

  test('rules of guests begin with what guests must have', () => {
    expect(newRule('Service', 'read', 'guest', false)).toMatchObject({
      conditions: { guestAuthenticationRequired: true },
      apiGuidRequired: true,
    })
  })

  test('what is about to be saved is counted by cell, and sent without what only the screen knows', () => {
    const before = setCell([], 'Quotes', 'read', 'allow', 'staff')
    const after = setCell(setCell(before, 'Quotes', 'read', 'deny', 'staff'), 'Quotes', 'update', 'allow', 'staff')
    expect([...changedCells(before, after)].toSorted()).toEqual(['read Quotes', 'update Quotes'])
    expect(changedCells(before, before).size).toBe(0)
    expect(sentRules(after).every((rule) => !('key' in rule))).toBe(true)
    expect(rulesAt(after, 'Quotes', 'update')).toHaveLength(1)
  })
})
