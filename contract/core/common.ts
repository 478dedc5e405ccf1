import { z } from 'zod'

/** Largest amount of one document in cents (ten billion dollars): keeps every sum a safe integer. */
export const maxCents = 1_000_000_000_000

// eslint-style control characters never belong in a one-line text; line breaks and tabs may stand in a long one.
// oxlint-disable-next-line no-control-regex -- refusing control characters is the point
export const oneLine = /^[^\u0000-\u001f\u007f]*$/
// oxlint-disable-next-line no-control-regex -- as above, with tab and line breaks allowed
const manyLines = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/
export const noControls = 'Remove line breaks and special characters.'

/** Turns letters around, also those beside it: nobody types it, and it makes one name look like another. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g
const withoutTurning = (typed: string): string => typed.replace(turning, '')

export const guid = z.uuid()
/** A day without time, `YYYY-MM-DD`. */
export const day = z.iso.date()
/** A time of day, `07:30`. */
export const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 07:30.')
/** An instant as the database writes it, with any number of decimals, as ISO 8601 in UTC with milliseconds. */
export const inMilliseconds = (instant: string): string =>
  instant.replace(
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|\+00:00)$/,
    (_, seconds: string, decimals = '') => `${seconds}.${`${String(decimals)}000`.slice(0, 3)}Z`,
  )

/** An instant in UTC, ISO 8601 with exactly three decimals. */
export const timestamp = z.string().overwrite(inMilliseconds)
/** Money in integer cents (AUD), may be negative. */
export const cents = z.int().min(-maxCents).max(maxCents)
/** Money in integer cents (AUD), zero or more. */
export const amountCents = z.int().min(0).max(maxCents)
/** Money in integer cents (AUD), one cent or more. */
export const positiveCents = z.int().min(1, 'Enter $0.01 or more.').max(maxCents)
/** A quantity as decimal text with up to four decimals, above zero. */
export const quantity = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,4})?$/, 'Enter a number above zero, with up to nine digits and four decimals.')
  .refine((q) => /[1-9]/.test(q), 'Enter more than zero.')
/** A rate in basis points: 1000 is 10 %. */
export const basisPoints = z.int().min(0).max(10_000)
export const version = z.int().min(1)

/** A name that programs compare: taken letter for letter, so that a blank around it is refused by its pattern. */
export const exactText = (max: number, pattern: RegExp, message: string) =>
  z.string().min(1, 'This field is required.').max(max, `Use ${max} characters or fewer.`).regex(pattern, message)
/** A one-line text, trimmed, not empty. */
export const text = (max: number, missing = 'This field is required.') =>
  z
    .string()
    .overwrite(withoutTurning)
    .trim()
    .min(1, missing)
    .max(max, `Use ${max} characters or fewer.`)
    .regex(oneLine, noControls)
/** A text of many lines, trimmed; may be empty. */
export const longText = (max: number) =>
  z.string().overwrite(withoutTurning).trim().max(max, `Use ${max} characters or fewer.`).regex(manyLines, noControls)
export const email = z.string().trim().toLowerCase().max(254).pipe(z.email('Enter a valid email address.'))
/**
 * A number to call, as people write it: with words beside it, or several of them. Six digits are the fewest that
 * anybody is called by from elsewhere, as 13 20 00; a number may also be spelled, as 13 TAXI or 1800 FLOWERS.
 */
export const phone = text(40).regex(
  /(?:\d\D*){6}|(?:^|\D)1(?:3|300|800)[\s-]*(?:[a-z][\s-]*){4}/i,
  'Enter a whole phone number, with its area code.',
)

/** Optional on the way in, `null` when not set on the way out. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.nullish()

const pageSizes = [2, 3, 10, 25, 50, 100] as const
const whole = z.coerce.number<string | number>().int()
export const size = whole.refine(
  (n): n is number => (pageSizes as readonly number[]).includes(n),
  `Choose one of: ${pageSizes.join(', ')}.`,
)

/** `field,-field` over allowed fields; `-` is descending. */
const sortText = (fields: readonly string[]) =>
  z
    .string()
    .max(200)
    .refine((s) => s.split(',').every((f) => fields.includes(f.replace(/^-/, ''))), `Use only ${fields.join(', ')}.`)

/** One or more values of an enum, separated by commas. */
export const anyOf = <const V extends readonly string[]>(values: V) =>
  z
    .string()
    .max(400)
    .refine((s) => s.split(',').every((v) => values.includes(v)), `Use only ${values.join(', ')}.`)

/** The query of a list: paging, search, sort and the noun's own filters. An unknown parameter is refused. */
export const listQuery = <F extends z.ZodRawShape>(sorts: readonly [string, ...string[]], filters: F) =>
  z.strictObject({
    search: z.string().trim().max(100).optional(),
    sort: sortText(sorts).optional(),
    size: size.optional(),
    page: whole.min(1).max(10_000).optional(),
    after: z.string().max(1000).optional(),
    ...filters,
  })

/** Of another business the caller works in than the call's, or of all of them together. */
export const ofBusiness = { business: z.union([z.literal('all'), guid]).optional() }
/** Whose a record of a list is: its business, by name. */
export const whose = { businessGuid: guid, businessName: z.string() }

export interface Sort {
  field: string
  descending: boolean
}
export const parseSort = (sort: string): Sort[] =>
  sort.split(',').map((f) => ({ field: f.replace(/^-/, ''), descending: f.startsWith('-') }))

/**
 * `value` is exact up to 4,000. Beyond that, and where a search finds very much, there are more and `isExact` is false.
 */
const total = z.object({ value: z.int(), isExact: z.boolean() })
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), page: z.object({ size: z.int(), total, next: z.string().nullable() }) })
export type Page<T> = {
  items: T[]
  page: { size: number; total: { value: number; isExact: boolean }; next: string | null }
}

export const bulkResult = z.object({ results: z.array(z.object({ guid, ok: z.boolean(), message: z.string() })) })
export const bulkGuids = z.array(guid).min(1, 'Choose at least one.').max(100)
export const archiveInput = z.strictObject({ action: z.enum(['archive', 'restore']), guids: bulkGuids })
/** Filter of a list: the archived ones instead of those in use. */
export const archivedFilter = z.enum(['true', 'false']).optional()

/** What every record carries. */
export const recordShape = {
  guid,
  version,
  createdAt: timestamp,
  updatedAt: timestamp,
  archivedAt: timestamp.nullable(),
}

/** A reference to another record, as lists and previews show it. */
export const reference = z.object({ guid, label: z.string() })
