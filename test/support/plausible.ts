import { randomUUID } from 'node:crypto'
import { z } from 'zod'

export const unknownGuid = '01890000-0000-7000-8000-000000000000'

export type Schema = {
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  type?: string
  format?: string
  enum?: unknown[]
  items?: Schema
  required?: string[]
  minimum?: number
}
export const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
export const namesOf = (schema: Schema): string[] => [
  ...new Set([...Object.keys(schema.properties ?? {}), ...(schema.anyOf ?? []).flatMap(namesOf)]),
]

/** A value that the schema's shape allows, so that junk in one field meets whatever lies behind the others. */
export function plausible(schema: Schema): unknown {
  if (schema.anyOf?.[0]) return plausible(schema.anyOf[0])
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'object')
    return Object.fromEntries((schema.required ?? []).map((name) => [name, plausible(schema.properties?.[name] ?? {})]))
  if (schema.type === 'array') return schema.items ? [plausible(schema.items)] : []
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (schema.type === 'boolean') return false
  if (schema.format === 'uuid') return unknownGuid
  if (schema.format === 'date') return '2026-07-01'
  return schema.format === 'email' ? 'a@b.example' : '1'
}

/** Bodies of what is agreed and talked about that get past their schema, so that the record itself is asked for. */
export const talkBodies: Readonly<Record<string, object>> = {
  '/Orders/Changes/:guid': { version: 1, title: 'x', actions: [{ kind: 'add', line: { name: 'x' } }] },
  '/Orders/Changes/Preview/:guid': { actions: [{ kind: 'add', line: { name: 'x' } }] },
  '/Orders/Changes/Send/:guid': { version: 1, changeGuid: randomUUID() },
  '/Orders/Changes/Record/:guid': { version: 1, changeGuid: randomUUID(), method: 'phone', name: 'x' },
  'PATCH /Orders/Changes/:guid': { version: 1, changeGuid: randomUUID() },
  '/Orders/Changes/Cancel/:guid': { version: 1, changeGuid: randomUUID() },
  '/Quotes/Answer/:guid': { version: 1, answers: [{ askGuid: randomUUID(), outcome: 'declined' }] },
  '/Quotes/Answer/Preview/:guid': { answers: [] },
  '/Orders/Hire/:guid': { version: 1, items: [{ lineGuid: randomUUID(), on: '2026-01-01' }] },
  '/Orders/HireBill/:guid': { version: 1, through: '2026-01-01' },
}
