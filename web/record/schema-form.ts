import {
  set,
  useForm,
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
} from 'react-hook-form'
import { z } from 'zod'
import { zodSentence } from '../../contract/core/sentences.ts'
import { phrase } from '../core/i18n/i18n.ts'
import { sentenceCase } from '../core/i18n/sentence-case.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { coreOf } from './field-kinds.ts'

type Plain = Record<string, unknown>
const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)
const isBlank = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (isPlain(value) && Object.values(value).every(isBlank))

/** What was left empty is sent as null where the schema takes null, so that an untouched address is no address. */
function tidied(schema: z.ZodType, value: unknown): unknown {
  if (isBlank(value) && schema.safeParse(null).success) return null
  const core = coreOf(schema)
  if (Array.isArray(value) && core instanceof z.ZodArray)
    return value.map((item) => tidied(core.element as z.ZodType, item))
  if (!isPlain(value) || !(core instanceof z.ZodObject)) return value
  const shape = core.shape as Record<string, z.ZodType>
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, shape[key] ? tidied(shape[key], field) : field]),
  )
}

/** The contract's own words for what is wrong, as a sentence; what is missing is said in the user's language. */
function wordsOf(issue: z.core.$ZodIssue, given: unknown): string {
  const at = issue.path.reduce<unknown>((value, key) => (value as Plain | undefined)?.[key as string], given)
  return isBlank(at) ? phrase('record:required') : sentenceCase(inLanguage(issue.message))
}

function resolverOf<T extends FieldValues, O>(schema: z.ZodType<O>): Resolver<T, unknown, O> {
  return ((values: T) => {
    const tidy = tidied(schema, values)
    const parsed = schema.safeParse(tidy, { error: zodSentence })
    if (parsed.success) return { values: parsed.data, errors: {} }
    const errors: FieldErrors = {}
    for (const issue of parsed.error.issues.toReversed())
      set(errors, issue.path.join('.'), { type: issue.code, message: wordsOf(issue, tidy) })
    return { values: {}, errors }
  }) as Resolver<T, unknown, O>
}

/**
 * A form checked by a schema of the contract. `T` is what the fields hold: texts may be empty
 * where the schema wants null.
 */
export const useSchemaForm = <T extends FieldValues, O>(
  schema: z.ZodType<O>,
  defaults: T,
): UseFormReturn<T, unknown, O> =>
  useForm<T, unknown, O>({
    resolver: resolverOf<T, O>(schema),
    defaultValues: defaults as DefaultValues<T>,
    mode: 'onTouched',
  })
