import { z } from 'zod'
import type { Address } from '../../contract/core/address.ts'
import { formatAbn } from '../../contract/core/abn.ts'
import type { AddressValues } from './address-fields.tsx'
import { coreOf, kindOf } from './field-kinds.ts'

type Value<V> = V extends Address
  ? AddressValues
  : V extends readonly (infer E)[]
    ? E extends object
      ? ItemValues<E>[]
      : E[]
    : V extends boolean
      ? boolean
      : V extends string
        ? string
        : V extends number
          ? number | null
          : V extends object
            ? V
            : never
type ItemValues<E> = FormValues<Omit<E, 'guid'>> & { guid?: string }
/** What the fields of a form hold for a record: texts may be empty where the record has none. */
export type FormValues<I> = { [K in keyof I]-?: Value<NonNullable<I[K]>> }

/** What stands in a field for a value of the record, or for none. */
function valueOf(schema: z.ZodType, given: unknown): unknown {
  const core = coreOf(schema)
  const standIn = given === undefined ? schema.safeParse(undefined) : null
  const value = standIn ? (standIn.success ? (standIn.data ?? null) : null) : given
  if (core instanceof z.ZodArray)
    return ((value ?? []) as unknown[]).map((item) => valueOf(core.element as z.ZodType, item))
  if (core instanceof z.ZodObject) return shapeValues(core, (value ?? {}) as Record<string, unknown>)
  const kind = kindOf(schema)
  if (kind === 'abn') return formatAbn((value as string | null) ?? '')
  if (kind === 'switch') return value ?? false
  return value ?? (['line', 'text', 'email', 'phone'].includes(kind) ? '' : null)
}

const shapeValues = (object: z.ZodObject, record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(object.shape)
      .filter(([name]) => name !== 'guid' || record[name] !== undefined)
      .map(([name, field]) => [name, valueOf(field as z.ZodType, record[name])]),
  )

/** The fields of a form, filled from a record; without one, with what the schema has for a new record. */
export const formValues = <I>(schema: z.ZodType<I>, record: object = {}): FormValues<I> =>
  shapeValues(coreOf(schema) as z.ZodObject, record as Record<string, unknown>) as FormValues<I>
