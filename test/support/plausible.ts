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
