import { z } from 'zod'
import { address } from '../../contract/core/address.ts'
import { abn, acn } from '../../contract/core/abn.ts'
import { amountCents, cents, day, email, phone, positiveCents } from '../../contract/core/common.ts'

/** How a value is typed and read. `own` are those that their noun draws itself. */
export type FieldKind =
  | 'line'
  | 'text'
  | 'email'
  | 'phone'
  | 'abn'
  | 'address'
  | 'day'
  | 'money'
  | 'number'
  | 'choice'
  | 'switch'
  | 'own'

/** The schema inside optional, nullable and default ones. */
export function coreOf(schema: z.ZodType): z.ZodType {
  const { innerType } = schema.def as { innerType?: z.ZodType }
  return innerType ? coreOf(innerType) : schema
}

const named = new Map<z.ZodType, FieldKind>([
  [abn, 'abn'],
  [acn, 'line'],
  [email, 'email'],
  [phone, 'phone'],
  [address, 'address'],
  [day, 'day'],
  [cents, 'money'],
  [amountCents, 'money'],
  [positiveCents, 'money'],
])
/** A text that takes line breaks and more than this is typed into an area. */
const longerThanLine = 200

/** The kind of a field, from its schema alone. */
export function kindOf(schema: z.ZodType): FieldKind {
  const core = coreOf(schema)
  const known = named.get(core)
  if (known) return known
  if (core instanceof z.ZodEnum) return 'choice'
  if (core instanceof z.ZodBoolean) return 'switch'
  if (core instanceof z.ZodNumber) return 'number'
  if (core instanceof z.ZodUnion && !(core instanceof z.ZodDiscriminatedUnion))
    return kindOf(core.options[0] as z.ZodType)
  if (!(core instanceof z.ZodString)) return 'own'
  return core.safeParse('a\na').success && (maxLengthOf(core) ?? 0) > longerThanLine ? 'text' : 'line'
}

/**
 * The bound that a check of the schema sets. What zod says of it by itself is not in the browser: see `vite.config.ts`.
 */
function boundOf(schema: z.ZodType, kind: 'max_length' | 'less_than'): number | undefined {
  const bounds = (schema.def.checks ?? []).flatMap((check) => {
    const def = check._zod.def as { check: string; maximum?: number; value?: number }
    return def.check === kind ? [Number(def.maximum ?? def.value)] : []
  })
  return bounds.length ? Math.min(...bounds) : undefined
}

/** The most characters a text may have, where the schema says so. */
export function maxLengthOf(schema: z.ZodType): number | undefined {
  const core = coreOf(schema)
  if (core instanceof z.ZodPipe) return maxLengthOf(core.in as z.ZodType)
  if (core instanceof z.ZodUnion) return maxLengthOf(core.options[0] as z.ZodType)
  return boundOf(core, 'max_length')
}

/** How many digits the largest number has. */
export function maxDigitsOf(schema: z.ZodType): number | undefined {
  const most = boundOf(coreOf(schema), 'less_than')
  return most === undefined ? undefined : String(most).length
}

export const choicesOf = (schema: z.ZodType): string[] => {
  const core = coreOf(schema)
  return core instanceof z.ZodEnum ? core.options.map(String) : []
}

/** Whether a record cannot be without it. */
export const isRequired = (schema: z.ZodType): boolean =>
  ![undefined, null, ''].some((nothing) => schema.safeParse(nothing).success)
