import { z } from 'zod'

/** What was checked on its way in is only text on its way out: an older record may break a younger rule. */
type Plain<T> = T extends z.ZodString | z.ZodPipe ? z.ZodString : T
type Shown<T> =
  T extends z.ZodOptional<infer I>
    ? Shown<I>
    : T extends z.ZodDefault<infer I>
      ? Shown<I>
      : T extends z.ZodNullable<infer I>
        ? z.ZodNullable<Plain<I> extends z.ZodType ? Plain<I> : never>
        : Plain<T>

function shown(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return shown(field.unwrap() as z.ZodType)
  if (field instanceof z.ZodNullable) return z.nullable(shown(field.unwrap() as z.ZodType))
  return field instanceof z.ZodString || field instanceof z.ZodPipe ? z.string() : field
}

/**
 * The fields of a record as answers show them, made from how they are entered: each is there,
 * and `null` where it is empty.
 */
export const answerOf = <S extends z.ZodRawShape>(fields: S): { [K in keyof S]: Shown<S[K]> } =>
  Object.fromEntries(
    Object.entries(fields as unknown as Record<string, z.ZodType>).map(([name, field]) => [name, shown(field)]),
  ) as { [K in keyof S]: Shown<S[K]> }
