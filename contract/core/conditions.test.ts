import fc from 'fast-check'
import { expect, test } from 'vitest'
import { condition, type Condition, type Known, leavesOf, maxLeaves, meets, valueAt } from './conditions.ts'

const known: Known = {
  values: { number: 'O-7', totalCents: 500_001, note: '', count: 3 },
  facts: {
    customer: { name: 'Café Noir', email: null },
    order: { total: 500_000, scheduledOn: '2026-04-07', lines: [] },
  },
}
const says = (one: Condition) => meets(one, known)
const leaf = (path: string, is: string, value?: unknown) =>
  ({ path, is, ...(value === undefined ? {} : { value }) }) as Condition

test.each([
  ['total', 'above', 500_000, true],
  ['total', 'above', 500_001, false],
  ['total', 'atLeast', 500_001, true],
  ['order.total', 'above', 500_000, false],
  ['order.total', 'atMost', 500_000, true],
  ['order.total', 'below', 500_000, false],
  ['order.total', 'equals', 500_000, true],
  ['order.total', 'notEquals', 500_000, false],
  ['count', 'oneOf', [1, 3], true],
  ['count', 'oneOf', [1, 2], false],
  ['customer.name', 'equals', 'CAFÉ NOIR', true],
  ['customer.name', 'equals', 'cafe\u0301 noir', true],
  ['customer.name', 'contains', 'NOIR', true],
  ['customer.name', 'notEquals', 'Acme', true],
  ['customer.name', 'above', 5, false],
  ['order.scheduledOn', 'above', '2026-04-06', true],
  ['order.scheduledOn', 'below', '2026-04-07', false],
  ['order.scheduledOn', 'atMost', '2026-04-07', true],
  ['customer.email', 'isEmpty', undefined, true],
  ['customer.email', 'notEquals', 'a@b.example', false],
  ['note', 'isEmpty', undefined, true],
  ['order.lines', 'isEmpty', undefined, true],
  ['number', 'isNotEmpty', undefined, true],
  ['customer.constructor', 'isEmpty', undefined, true],
  ['toString', 'isEmpty', undefined, true],
  ['number.length', 'isEmpty', undefined, true],
])('%s %s %j: %s', (path, is, value, expected) => {
  expect(says(leaf(path, is, value))).toBe(expected)
})

test('an amount that is missing is not above anything, and that is not so', () => {
  const isAbove = leaf('total', 'above', 500_000)
  const nothing: Known = { values: {}, facts: null }
  expect(meets(isAbove, nothing)).toBe(false)
  expect(meets({ not: isAbove }, nothing)).toBe(true)
  expect(valueAt('customer.name', nothing)).toBeUndefined()
})

const leaves = fc.constantFrom<Condition>(
  leaf('total', 'above', 1),
  leaf('total', 'below', 1),
  leaf('gone', 'isEmpty'),
  leaf('gone', 'equals', 'x'),
  leaf('customer.name', 'contains', 'é'),
)
const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaves,
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('tree').map((not) => ({ not })),
  ),
}))

test('groups keep the laws of logic', () => {
  fc.assert(
    fc.property(tree, tree, (a, b) => {
      expect(says({ not: { not: a } })).toBe(says(a))
      expect(says({ not: { all: [a, b] } })).toBe(says({ any: [{ not: a }, { not: b }] }))
      expect(says({ all: [a, b] })).toBe(says({ all: [b, a] }))
      expect(says({ any: [a, { not: a }] })).toBe(true)
    }),
  )
})

test('what is missing meets nothing but that it is', () => {
  const asked = ['equals', 'notEquals', 'above', 'atLeast', 'below', 'atMost', 'contains', 'oneOf', 'isNotEmpty']
  const missing = fc.constantFrom<unknown>(undefined, null, '', [])
  fc.assert(
    fc.property(
      missing,
      fc.constantFrom(...asked),
      fc.oneof(fc.string(), fc.integer(), fc.boolean()),
      (gone, is, value) => {
        const here: Known = { values: { reason: gone }, facts: null }
        expect(meets(leaf('reason', is, value), here)).toBe(false)
        expect(meets(leaf('reason', 'isEmpty'), here)).toBe(true)
      },
    ),
  )
})

const nested = (groups: number): unknown => (groups === 0 ? leaf('total', 'above', 1) : { not: nested(groups - 1) })
const refused = (value: unknown) => {
  const read = condition.safeParse(value)
  return read.success ? null : read.error.issues.map(({ path, message }) => [path.join('.'), message])
}

test('what is read is what was written, and each mistake is said at its place', () => {
  fc.assert(
    fc.property(tree, (one) => {
      const read = condition.safeParse(one)
      if (read.success) expect(read.data).toEqual(one)
    }),
  )
  expect(condition.parse(nested(4))).toEqual(nested(4))
  expect(refused(nested(5))).toEqual([['not.not.not.not', 'Use up to 4 levels of groups.']])
  expect(refused({ all: [leaf('total', 'above', 1), { path: 'total', is: 'like', value: 1 }] })?.[0]?.[0]).toBe(
    'all.1.is',
  )
  expect(refused({ any: [] })).toEqual([['any', 'Add a condition.']])
  expect(refused({ all: [leaf('total', 'above', 1)], any: [] })).not.toBeNull()
  expect(refused({ path: 'total', is: 'isEmpty', value: 1 })).not.toBeNull()
  expect(refused('total > 1')).not.toBeNull()
  const many = (count: number) => ({ all: [{ any: Array.from({ length: count }, () => leaf('a', 'isEmpty')) }] })
  expect(leavesOf(condition.parse(many(maxLeaves)))).toHaveLength(maxLeaves)
  expect(refused({ all: [many(maxLeaves), leaf('b', 'isEmpty')] })).toEqual([['', 'Use 50 conditions or fewer.']])
  // Deeper than any stack: read no further than it may go.
  expect(refused(JSON.parse(`${'{"not":'.repeat(20_000)}1${'}'.repeat(20_000)}`))).not.toBeNull()
})
