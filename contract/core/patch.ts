import { z } from 'zod'
import { version } from './common.ts'

type Sendable<T> =
  T extends z.ZodDefault<infer I extends z.ZodType>
    ? Sendable<I>
    : T extends z.ZodPrefault<infer I extends z.ZodType>
      ? Sendable<I>
      : T extends z.ZodOptional<infer I extends z.ZodType>
        ? Sendable<I>
        : T extends z.ZodType
          ? z.ZodOptional<T>
          : never
type Patch<S extends z.ZodRawShape> = z.ZodObject<
  { version: typeof version } & { -readonly [K in keyof S]: Sendable<S[K]> },
  z.core.$strict
>

/**
 * A field that may be left out and then stays absent: what stands in for it on a new record is taken
 * off, however deep it is wrapped.
 */
function sendable(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodDefault || field instanceof z.ZodPrefault || field instanceof z.ZodOptional)
    return sendable(field.unwrap() as z.ZodType)
  if (field instanceof z.ZodNullable) {
    const inner = field.unwrap() as z.ZodType
    const bare = sendable(inner)
    return (bare instanceof z.ZodOptional && bare.unwrap() === inner ? field : z.nullable(bare)).optional()
  }
  return field.optional()
}

type Part<S extends z.ZodRawShape> = { -readonly [K in keyof S]: Sendable<S[K]> }

const sendables = <S extends z.ZodRawShape>(fields: z.ZodObject<S>): Part<S> =>
  Object.fromEntries(
    Object.entries(fields.shape as unknown as Record<string, z.ZodType>).map(([key, field]) => [key, sendable(field)]),
  ) as Part<S>

/** Any of the fields of a record, none of them filled in by itself. */
export const partOf = <S extends z.ZodRawShape>(fields: z.ZodObject<S>): z.ZodObject<Part<S>, z.core.$strict> =>
  z.strictObject(sendables(fields))

/**
 * The body of a change: every field of a record may be sent, and one that is not sent stays as it is. The `.partial()`
 * of zod keeps defaults, so that a field with one would be set back by every change that does not name it.
 */
export const patchOf = <S extends z.ZodRawShape>(fields: z.ZodObject<S>): Patch<S> =>
  z.strictObject({ version, ...sendables(fields) }) as unknown as Patch<S>
