import { z } from 'zod'
import {
  amountCents,
  anyOf,
  cents,
  day,
  guid,
  listQuery,
  maybe,
  ofBusiness,
  pageOf,
  recordShape,
} from './core/common.ts'
import { reference, text, timestamp, version, whose } from './core/common.ts'
import { exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { every } from './core/recurrence.ts'
import { leadsFrom, type Transitions } from './core/transitions.ts'
import { timeline } from './customers.ts'
import { partiesShape, termsShape } from './documents.ts'
import { cronOps } from './jobs.ts'
import { depositRule, line, quoteTotals } from './lines.ts'
import { nouns } from './nouns.ts'
import { quoteDisplayStatuses, quoteInput } from './quotes.ts'
import { schedule } from './stages.ts'

const { pages } = nouns.Series

export const seriesStatuses = nouns.Series.statuses
export type SeriesStatus = (typeof seriesStatuses)[number]

/** Which deeds lead where; completing and failing are the job's. */
export const seriesTransitions = {
  start: { from: ['draft'], to: 'active' },
  pause: { from: ['active'], to: 'paused' },
  resume: { from: ['paused', 'failed'], to: 'active' },
  cancel: { from: ['draft', 'active', 'paused', 'failed'], to: 'cancelled' },
  complete: { from: ['active'], to: 'completed' },
  fail: { from: ['active'], to: 'failed' },
  run: { from: ['active'] },
  update: { from: ['draft', 'active', 'paused', 'failed'] },
} as const satisfies Transitions<SeriesStatus>
/** What a person may do with the status of one. */
const seriesDeeds = ['start', 'pause', 'resume', 'cancel'] as const
export type SeriesDeed = (typeof seriesDeeds)[number]
/** Those whose prices can rise: the others make no quote any more. */
export const isSeriesLive = (status: string): boolean => leadsFrom(seriesTransitions, 'update', status)

const seriesEnds = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('never') }),
  /** Cycles of which none was made count, too. */
  z.strictObject({ type: z.literal('count'), n: z.int().min(1, 'Enter 1 or more.').max(1000, 'Enter 1,000 or less.') }),
  z.strictObject({ type: z.literal('until'), on: day }),
])
export type SeriesEnds = z.infer<typeof seriesEnds>
const seriesModes = ['draft', 'send'] as const
/** Why a cycle has no quote. */
const cycleReasons = ['catch_up', 'paused'] as const

const scheduleFields = {
  every: every.default({ n: 1, unit: 'month' }),
  /** The day of the first cycle, from which all others are counted. */
  anchorOn: day,
  /** How many days before its day a quote is made. */
  leadDays: z.int().min(0, 'Enter 0 or more.').max(365, 'Enter 365 or less.').default(0),
  ends: seriesEnds.default({ type: 'never' }),
  mode: z.enum(seriesModes).default('draft'),
  /** How many of the quotes that were missed are made later. */
  catchUp: z.int().min(1, 'Enter 1 or more.').max(12, 'Enter 12 or less.').default(1),
}
/** A quote as it repeats. It has no last day of its own: each quote takes that of the business. */
export const seriesInput = quoteInput.omit({ validUntil: true }).extend(scheduleFields)
export type SeriesInput = z.output<typeof seriesInput>

const cycle = z.object({
  /** Counted from 0. */
  n: z.int(),
  on: day,
  madeAt: timestamp,
  quote: reference.extend({ displayStatus: z.enum(quoteDisplayStatuses), totalCents: cents }).nullable(),
  reason: z.enum(cycleReasons).nullable(),
})
const rise = z.object({
  guid,
  /** What was planned together has one guid, by which it is undone. */
  riseGuid: guid,
  fromOn: day,
  bp: z.int(),
  stepCents: z.int(),
  excludedGuids: z.array(guid),
  beforeCents: cents,
  afterCents: cents,
  createdAt: timestamp,
  undoneAt: timestamp.nullable(),
  /** A quote has been made with it, so that it can't be undone. */
  isUsed: z.boolean(),
})
const { archivedAt: _archived, ...kept } = recordShape
const series = z.object({
  ...kept,
  title: z.string(),
  status: z.enum(seriesStatuses),
  ...partiesShape,
  ...termsShape,
  depositRule: depositRule.nullable(),
  schedule: schedule.nullable(),
  jobTypeGuid: guid.nullable(),
  jobType: reference.nullable(),
  intro: z.string().nullable(),
  terms: z.string().nullable(),
  internalNotes: z.string().nullable(),
  /** As the next quote would have them, before rises that are still to come. */
  lines: z.array(line),
  totals: quoteTotals,
  every,
  anchorOn: day,
  leadDays: z.int(),
  ends: seriesEnds,
  mode: z.enum(seriesModes),
  catchUp: z.int(),
  /** The days of the next cycles, five at most. */
  next: z.array(day),
  /** The day on which the next quote is made. */
  dueOn: day.nullable(),
  /** Why it failed or was cancelled. */
  reason: z.string().nullable(),
  /** The newest fifty. */
  cycles: z.array(cycle),
  cycleCount: z.int(),
  rises: z.array(rise),
})
export type Series = z.infer<typeof series>

const seriesListItem = z.object({
  guid,
  ...whose,
  version: z.int(),
  title: z.string(),
  customerGuid: guid,
  customerName: z.string(),
  status: z.enum(seriesStatuses),
  every,
  mode: z.enum(seriesModes),
  nextOn: day.nullable(),
  dueOn: day.nullable(),
  totalCents: cents,
  createdAt: timestamp,
})

const one = z.object({ series })
const list = get({
  path: '/Quotes/Series',
  effect: 'read',
  can: pages.list.can,
  summary: 'Quotes that repeat, with the day of the next',
  query: listQuery(['createdAt', 'title', 'nextOn', 'totalCents'], {
    ...ofBusiness,
    status: anyOf(seriesStatuses).optional(),
    customerGuid: guid.optional(),
    'dueOn.gte': day.optional(),
    'dueOn.lte': day.optional(),
  }),
  response: pageOf(seriesListItem),
})

/** What it takes to plan a rise: rises of the contract's own products are `priceRise` of price-rise.ts. */
const riseInput = z.strictObject({
  seriesGuids: z.array(guid).min(1, 'Choose at least one.').max(500, 'Choose up to 500.'),
  bp: z
    .int()
    .min(-9000)
    .max(9000)
    .refine((bp) => bp !== 0, 'Enter a percentage other than 0.'),
  /** Cents. */
  step: z.int().min(1, 'Enter $0.01 or more.').max(10_000, 'Enter $100.00 or less.').default(1),
  /** The first day of a cycle that it holds for. */
  fromOn: day,
  /** Lines of these series whose price stays. */
  excludeLines: z.array(guid).max(2000).default([]),
  dryRun: z.boolean().default(false),
})
/** Why the prices of a series can't rise; the web has the words. */
const riseRefusals = ['ended', 'made', 'planned', 'unpriced', 'tooMuch'] as const
const risenLine = z.object({ guid, name: z.string(), beforeCents: cents, afterCents: cents, isExcluded: z.boolean() })
const riseItem = z.object({
  seriesGuid: guid,
  title: z.string(),
  customerName: z.string(),
  /** The first quote that has it; null where none follows. */
  firstOn: day.nullable(),
  /** What that quote comes to, GST included, with the rises before this one, and with it. */
  beforeCents: amountCents,
  afterCents: amountCents,
  lines: z.array(risenLine),
  refusal: z.enum(riseRefusals).nullable(),
})
export type RiseItem = z.infer<typeof riseItem>
const plannedRise = z.object({
  guid,
  fromOn: day,
  bp: z.int(),
  step: z.int(),
  count: z.int(),
  undoneAt: timestamp.nullable(),
})
export type PlannedRise = z.infer<typeof plannedRise>

const change = pages.edit.can

const cron = cronOps({
  path: '/Cron/Process/Recurring/Quotes',
  can: ['manage', 'Cron:Recurring:Quotes'],
  message: 'Recurring quotes processed.',
  summary: 'Makes the quotes of series that are due, within 15 seconds',
})

export const seriesApi = {
  list,
  export: exportOf(list, {
    title: 'Title',
    customerName: 'Customer',
    status: 'Status',
    nextOn: 'Next',
    dueOn: 'Made on',
    totalCents: 'Price',
    createdAt: 'Created',
    businessName: 'Business',
  }),
  get: get({
    path: '/Quotes/Series/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One series with its next days, its cycles and its rises',
    response: one,
  }),
  timeline: get({
    path: '/Quotes/Series/Timeline/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'What happened with a series',
    response: timeline,
  }),
  create: post({
    path: '/Quotes/Series',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Series created.',
    summary: 'Makes a series of quotes as a draft',
    body: seriesInput,
    response: one,
  }),
  update: patch({
    path: '/Quotes/Series/:guid',
    effect: 'write',
    can: change,
    message: 'Series saved.',
    summary: 'Changes what the next quotes of a series are made of; lines are replaced as a whole when sent',
    body: patchOf(seriesInput),
    response: one,
  }),
  status: post({
    path: '/Quotes/Series/Status/:guid',
    effect: 'write',
    can: change,
    message: 'Series saved.',
    summary: 'Starts, pauses, resumes or cancels a series',
    body: z.strictObject({ version, deed: z.enum(seriesDeeds), reason: maybe(text(400)) }),
    response: one,
  }),
  run: post({
    path: '/Quotes/Series/Run/:guid',
    effect: 'write',
    can: change,
    message: 'Quote created.',
    summary: 'Makes the quotes that are due now; where none is, the next one ahead of its time',
    body: z.strictObject({ version }),
    response: one.extend({ quotes: z.array(reference) }),
  }),
  planRise: post({
    path: '/Quotes/PriceRise',
    effect: 'write',
    can: pages.rise.can,
    message: 'Price rise planned.',
    summary: 'Plans a rise of the prices of many series; with `dryRun` tells what it would do',
    unaudited: 'a dry run changes nothing; a rise that is planned has a line for each series',
    body: riseInput,
    response: z.object({ rise: plannedRise.nullable(), items: z.array(riseItem) }),
  }),
  undoRise: post({
    path: '/Quotes/PriceRise/Undo/:guid',
    effect: 'write',
    can: pages.rise.can,
    message: 'Price rise undone.',
    summary: 'Takes a planned rise back, as long as no quote was made with it',
    response: z.object({ rise: plannedRise }),
  }),
  process: cron.run,
  preview: cron.preview,
  runs: cron.runs,
}
