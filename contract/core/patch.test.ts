import { expect, test } from 'vitest'
import { z } from 'zod'
import { operations } from '../api.ts'
import { maybe } from './common.ts'
import { patchOf } from './patch.ts'

const changes = operations.filter(({ op }) => op.method === 'PATCH')
const shapeOf = (schema: z.ZodType) =>
  schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {}

/** The object inside a field that may be sent in parts, such as preferences. */
const partsOf = (field: z.ZodType): z.ZodType | null => {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) return partsOf(field.unwrap() as z.ZodType)
  return field instanceof z.ZodObject && field.safeParse({}).success ? field : null
}

/** The least that a change has to say. */
const leastOf = (shape: Record<string, z.ZodType>) => {
  if ('changeGuid' in shape) return { version: 1, changeGuid: '01890000-0000-7000-8000-000000000000' }
  if ('invoiceGuids' in shape) return { invoiceGuids: ['01890000-0000-7000-8000-000000000000'], templateGuid: null }
  if ('count' in shape) return { action: 'stop', count: 1 }
  if ('isPaused' in shape) return { name: 'hire', isPaused: true }
  if ('version' in shape) return { version: 1 }
  return 'subject' in shape ? { subject: 'Quotes:Preview:All' } : { kinds: [] }
}
/** The same change of many records has to name one of the fields that may be set, and fills in none of them. */
const fillsNone = ({ set }: Record<string, z.ZodType>) =>
  set instanceof z.ZodObject &&
  Object.values(set.shape as Record<string, z.ZodType>).every((field) => field.safeParse(undefined).data === undefined)

test('a change that names no field changes none, in any operation', () => {
  const filled = changes.flatMap(({ noun, name, op }) => {
    const shape = shapeOf(op.body)
    const least = leastOf(shape)
    const whole = op.body.safeParse(least)
    const parts = Object.entries(shape).flatMap(([field, schema]) => {
      const inner = partsOf(schema)
      return inner && Object.keys(inner.parse({}) as object).length > 0 ? [`${noun}.${name} ${field}`] : []
    })
    const isEmpty =
      'rows' in shape ? fillsNone(shape) : whole.success && JSON.stringify(whole.data) === JSON.stringify(least)
    return isEmpty ? parts : [`${noun}.${name}`, ...parts]
  })
  expect(filled).toEqual([])
  expect(changes.length).toBeGreaterThan(10)
})

test('a change can name every field of the record it is made with, and its version is asked for', () => {
  const fields = z.strictObject({
    name: z.string(),
    kind: z.enum(['a', 'b']).default('a'),
    deep: maybe(z.string().default('x')),
    list: z.array(z.int()).prefault([1]),
    note: maybe(z.string()),
  })
  const change = patchOf(fields)
  expect(change.parse({ version: 3 })).toEqual({ version: 3 })
  expect(change.parse({ version: 3, kind: 'b', deep: null, list: [], note: null })).toEqual({
    version: 3,
    kind: 'b',
    deep: null,
    list: [],
    note: null,
  })
  expect(change.safeParse({ name: 'x' }).success).toBe(false)
  expect(change.safeParse({ version: 3, other: 1 }).success).toBe(false)
})
