import { z } from 'zod'
import { text } from './common.ts'
import { zodSentence } from './sentences.ts'

/** How a value is held against another one, and which questions need no other one. */
const comparisons = ['equals', 'notEquals', 'above', 'atLeast', 'below', 'atMost', 'contains', 'oneOf'] as const
export const emptiness = ['isEmpty', 'isNotEmpty'] as const
export type Comparison = (typeof comparisons)[number]
export type Emptiness = (typeof emptiness)[number]

/** Groups stand in each other this deep, and this many questions are asked in all. */
export const maxNesting = 4
export const maxLeaves = 50

const single = z.union([text(200), z.number(), z.boolean()])
const comparison = z.strictObject({
  path: text(80),
  is: z.enum(comparisons),
  value: z.union([single, z.array(single).min(1, 'Enter one or more values.').max(50)]),
})
const existence = z.strictObject({ path: text(80), is: z.enum(emptiness) })
export type ComparisonLeaf = z.output<typeof comparison>
export type Leaf = ComparisonLeaf | z.output<typeof existence>
export type Condition = { all: Condition[] } | { any: Condition[] } | { not: Condition } | Leaf

export const isLeaf = (condition: Condition): condition is Leaf => 'path' in condition
/** What stands directly in a group. */
export const partsOf = (condition: Condition): Condition[] => {
  if ('all' in condition) return condition.all
  if ('any' in condition) return condition.any
  return 'not' in condition ? [condition.not] : []
}
export const leavesOf = (condition: Condition): Leaf[] =>
  isLeaf(condition) ? [condition] : partsOf(condition).flatMap(leavesOf)

/** What a condition may look like where so many groups may still stand in each other. */
function shapeOf(depth: number, value: object): z.ZodType {
  const nested = depth > 0 ? level(depth - 1) : z.never()
  const isGroup = 'all' in value || 'any' in value || 'not' in value
  if (isGroup && depth === 0) return z.never(`Use up to ${maxNesting} levels of groups.`)
  if ('all' in value) return z.strictObject({ all: z.array(nested).min(1, 'Add a condition.').max(maxLeaves) })
  if ('any' in value) return z.strictObject({ any: z.array(nested).min(1, 'Add a condition.').max(maxLeaves) })
  if ('not' in value) return z.strictObject({ not: nested })
  return emptiness.some((one) => 'is' in value && value.is === one) ? existence : comparison
}

/** Read by hand: what is wrong is said at its place, not of every shape that it could have had. */
const level = (depth: number) =>
  z.unknown().transform((value, ctx): Condition => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const read = (isObject ? shapeOf(depth, value) : z.strictObject({})).safeParse(value, {
      error: zodSentence,
    })
    if (read.success) return read.data as Condition
    for (const { path, message } of read.error.issues) ctx.addIssue({ code: 'custom', path, message })
    return z.NEVER
  })

/**
 * When something holds: groups of `all`, `any` and `not`, and questions about single values. Money is cents.
 */
export const condition = level(maxNesting).refine(
  (read) => leavesOf(read).length <= maxLeaves,
  `Use ${maxLeaves} conditions or fewer.`,
)

/** What is known when the question is asked: what the log says of an event, and what its record said then. */
export interface Known {
  readonly values: Readonly<Record<string, unknown>>
  readonly facts: object | null
}

const own = (from: unknown, name: string): unknown =>
  typeof from === 'object' && from !== null && Object.hasOwn(from, name)
    ? (from as Record<string, unknown>)[name]
    : undefined

/** Values have names of one word, amounts without their cents: `total` is `totalCents`. Facts have dots. */
export function valueAt(path: string, { values, facts }: Known): unknown {
  const names = path.split('.')
  const [first = ''] = names
  if (names.length === 1) return own(values, first) ?? own(values, `${first}Cents`) ?? own(facts, first)
  return names.reduce(own, facts as unknown)
}

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const plain = (value: unknown): string => String(value).normalize('NFC').toLowerCase()

/** Below zero, zero or above, as the first is less, equal or more; null where the two cannot be held together. */
function order(actual: unknown, wanted: unknown): number | null {
  if (typeof wanted === 'number') {
    const number = typeof actual === 'string' && actual.trim() !== '' ? Number(actual) : actual
    return typeof number === 'number' && Number.isFinite(number) ? number - wanted : null
  }
  if (typeof wanted === 'boolean') return typeof actual === 'boolean' ? Number(actual) - Number(wanted) : null
  if (typeof actual === 'object') return null
  const [a, b] = [plain(actual), plain(wanted)]
  if (a === b) return 0
  return a < b ? -1 : 1
}

const holds: Readonly<Record<Comparison, (actual: unknown, wanted: unknown) => boolean>> = {
  equals: (actual, wanted) => order(actual, wanted) === 0,
  notEquals: (actual, wanted) => order(actual, wanted) !== 0,
  above: (actual, wanted) => (order(actual, wanted) ?? 0) > 0,
  atLeast: (actual, wanted) => (order(actual, wanted) ?? -1) >= 0,
  below: (actual, wanted) => (order(actual, wanted) ?? 0) < 0,
  atMost: (actual, wanted) => (order(actual, wanted) ?? 1) <= 0,
  contains: (actual, wanted) => plain(actual).includes(plain(wanted)),
  oneOf: (actual, wanted) => [wanted].flat().some((one) => order(actual, one) === 0),
}

function meetsLeaf(leaf: Leaf, known: Known): boolean {
  const actual = valueAt(leaf.path, known)
  if (leaf.is === 'isEmpty') return isMissing(actual)
  if (isMissing(actual)) return false
  return !('value' in leaf) || holds[leaf.is](actual, leaf.value)
}

/** Whether a condition holds. A value that is missing meets `isEmpty` alone. */
export function meets(condition: Condition, known: Known): boolean {
  if ('all' in condition) return condition.all.every((part) => meets(part, known))
  if ('any' in condition) return condition.any.some((part) => meets(part, known))
  return 'not' in condition ? !meets(condition.not, known) : meetsLeaf(condition, known)
}
