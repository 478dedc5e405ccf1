import { z } from 'zod'
import { addDays, addMonths, endOfMonth } from './core/dates.ts'
import { anyOf, cents, day, guid, ofBusiness } from './core/common.ts'
import { get } from './core/op.ts'
import { nouns } from './nouns.ts'

const { pages } = nouns.Quotes

export const declineReasons = ['price', 'timing', 'scope', 'competitor', 'not_needed', 'other'] as const
/** Why a quote was lost: what its customer said, or that nobody answered in time. */
export const lostReasons = [...declineReasons, 'expired'] as const
/** What became of the newest sent revision of a quote: accepted is won; declined or expired is lost. */
export const outcomes = ['won', 'lost'] as const

/** By what answered quotes are added up. */
export const outcomeGroups = ['reason', 'owner', 'customer', 'stream', 'jobType', 'month'] as const
export type OutcomeGroup = (typeof outcomeGroups)[number]
/** The key of those that are of none. */
export const ofNone = 'none'
const orNone = z.union([guid, z.literal(ofNone)])

/** What else a list of quotes is narrowed by, so that it shows just what a row of the report adds up. */
export const outcomeFilters = {
  outcome: z.enum(outcomes).optional(),
  lostReason: anyOf(lostReasons).optional(),
  ownerGuid: guid.optional(),
  streamGuid: orNone.optional(),
  jobTypeGuid: orNone.optional(),
  /** The day of the answer; of one that ran out, the day after its last. */
  'answeredOn.gte': day.optional(),
  'answeredOn.lte': day.optional(),
}

const sums = {
  won: z.int(),
  lost: z.int(),
  /** GST included, in cents. */
  wonCents: cents,
  lostCents: cents,
  /** Won ÷ both, half up, in basis points; null where there is no share to speak of. */
  rateBp: z.int().nullable(),
}
const row = z.object({
  /** The guid, the reason or the month (`YYYY-MM`); `none` of those that are of none. */
  key: z.string(),
  /** A name; null where the key says it. */
  label: z.string().nullable(),
  ...sums,
})
export type OutcomeRow = z.infer<typeof row>

export const outcomeOp = get({
  path: '/Quotes/Reports/Outcome',
  effect: 'read',
  can: pages.outcome.can,
  timeoutMs: 20_000,
  summary:
    'Quotes won and lost in a period, by owner, customer, revenue stream, job type, reason or month. A quote with ' +
    'lines of several streams counts in each with what its lines there come to; `reason` lists those that were lost',
  query: z
    .strictObject({ ...ofBusiness, from: day, to: day, by: z.enum(outcomeGroups) })
    .refine(({ from, to }) => from <= to, { path: ['to'], message: 'The last day can’t be before the first.' }),
  response: z.object({
    items: z.array(row),
    /** Each quote once. */
    total: z.object(sums),
    /** False where there are more rows than the 500 with the most quotes. */
    isComplete: z.boolean(),
  }),
})

/** The filters of a list that shows what a row adds up. */
export function quotesOfOutcome(by: OutcomeGroup, { from, to }: { from: string; to: string }, key: string) {
  const within = (first: string, last: string) => ({ 'answeredOn.gte': first, 'answeredOn.lte': last })
  if (by === 'month') {
    const [first, last] = [`${key}-01`, endOfMonth(`${key}-01`)]
    return within(first < from ? from : first, last > to ? to : last)
  }
  if (by === 'reason') return { lostReason: key, outcome: 'lost', ...within(from, to) }
  const field = { owner: 'ownerGuid', customer: 'customerGuid', stream: 'streamGuid', jobType: 'jobTypeGuid' } as const
  return { [field[by]]: key, ...within(from, to) }
}

/** The quarter of the calendar that a day is in, or so many before it; those of the financial year are the same. */
export function quarterOf(today: string, before = 0): { from: string; to: string } {
  const [year, month] = [today.slice(0, 4), Number(today.slice(5, 7))]
  const first = `${year}-${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`
  const from = addMonths(first, -3 * before)
  return { from, to: addDays(addMonths(from, 3), -1) }
}
