import { z } from 'zod'
import { archivingOps } from './core/archiving.ts'
import { answerOf } from './core/answer.ts'
import {
  guid,
  listQuery,
  longText,
  maybe,
  pageOf,
  quantity,
  recordShape,
  reference,
  text,
  archivedFilter,
  timestamp,
} from './core/common.ts'
import { exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { textProblem } from './core/text-problem.ts'
import { depositRule } from './lines.ts'
import { nouns } from './nouns.ts'
import { productListItem } from './products.ts'
import type { TemplateKind } from './template-variables.ts'

const { pages } = nouns.JobTypes

/** What a kind of job says on the pages of its customers, each text with the record it is filled from. */
export const jobStrings = {
  title: 'job',
  description: 'job',
  crew: 'order',
  quoteHeading: 'quote',
  quoteText: 'quote',
  orderHeading: 'order',
  orderText: 'order',
  invoiceHeading: 'invoice',
  invoiceText: 'invoice',
} as const satisfies Readonly<Record<string, TemplateKind>>
export type JobString = keyof typeof jobStrings
export const jobStringKeys = Object.keys(jobStrings) as JobString[]

const template = z.strictObject({ en: longText(4000), fr: maybe(longText(4000)), ar: maybe(longText(4000)) })
const strings = z.strictObject(
  Object.fromEntries(jobStringKeys.map((key) => [key, maybe(template)])) as Record<
    JobString,
    ReturnType<typeof maybe<typeof template>>
  >,
)
export type JobStrings = z.infer<typeof strings>

const maxMinutes = 10_080
const minutes = z.int().min(0).max(maxMinutes)
const jobTypeFields = {
  name: text(120),
  durationMin: minutes.default(60),
  bufferBeforeMin: minutes.default(0),
  bufferAfterMin: minutes.default(0),
  checklist: z
    .array(z.strictObject({ code: text(40), label: text(200), required: z.boolean().default(false) }))
    .max(50)
    .default([]),
  /** What such a job usually needs. */
  lines: z
    .array(z.strictObject({ productGuid: guid, quantity }))
    .max(50)
    .default([]),
  /** The booking options that are asked for the job as a whole, in order. */
  optionGuids: z.array(guid).max(40).default([]),
  depositRule: maybe(depositRule),
  strings: strings.prefault({}),
}
export const jobTypeInput = z.strictObject(jobTypeFields)
export type JobTypeInput = z.infer<typeof jobTypeInput>

const jobType = z.object({
  ...recordShape,
  /** The business whose catalogue it is in. */
  businessGuid: guid,
  ...answerOf(jobTypeFields),
  /** The products of its lines, by name. */
  products: z.array(reference),
})
export type JobType = z.infer<typeof jobType>
const jobTypeItem = z.object({
  guid,
  name: z.string(),
  durationMin: z.int(),
  lineCount: z.int(),
  optionCount: z.int(),
  lastUsedAt: timestamp.nullable(),
  createdAt: timestamp,
  archivedAt: timestamp.nullable(),
})

const problem = textProblem.extend({ part: z.string(), record: reference.nullable() })
export type StringProblem = z.infer<typeof problem>
const filled = z.object({
  strings: z.record(z.string(), z.object({ en: z.string(), fr: z.string(), ar: z.string() })),
  problems: z.array(problem),
})
export type FilledStrings = z.infer<typeof filled>

/** What a document of a kind of job begins with. */
const jobDefaults = z.object({
  guid,
  name: z.string(),
  lines: z.array(
    z.object({
      quantity: z.string(),
      product: productListItem.pick({
        guid: true,
        name: true,
        kind: true,
        description: true,
        unit: true,
        priceCents: true,
        gstCode: true,
      }),
    }),
  ),
  /** Products that can’t be chosen any more, by name. */
  missing: z.array(z.string()),
  depositRule: depositRule.nullable(),
  /** Filled for the customer, in the language the customer reads. */
  title: z.string(),
  intro: z.string(),
})
export type JobDefaults = z.infer<typeof jobDefaults>

const one = z.object({ jobType })
const list = get({
  path: '/JobTypes',
  effect: 'read',
  can: pages.list.can,
  summary: 'Kinds of jobs with their defaults',
  query: listQuery(['name', 'createdAt'], { archived: archivedFilter }),
  response: pageOf(jobTypeItem),
})
export const jobTypesApi = {
  list,
  export: exportOf(list, {
    name: 'Name',
    durationMin: 'Minutes',
    lineCount: 'Lines',
    optionCount: 'Options',
    lastUsedAt: 'Last used',
  }),
  get: get({
    path: '/JobTypes/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One kind of job',
    response: one,
  }),
  create: post({
    path: '/JobTypes',
    effect: 'write',
    can: ['create', 'JobTypes:Create'],
    status: 201,
    message: 'Job type created.',
    summary: 'Makes a kind of job',
    body: jobTypeInput,
    response: one,
  }),
  update: patch({
    path: '/JobTypes/:guid',
    effect: 'write',
    can: ['update', 'JobTypes:Update:Guid'],
    message: 'Job type saved.',
    summary: 'Changes a kind of job; a text that cannot be filled is refused',
    body: patchOf(jobTypeInput),
    response: one,
  }),
  ...archivingOps('JobTypes', 'a job type', one),
  defaults: get({
    path: '/JobTypes/Defaults/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'What a new document of a kind of job begins with: lines, deposit, and wording for its customer',
    query: z.strictObject({ customerGuid: guid.optional(), siteGuid: guid.optional() }),
    response: z.object({ defaults: jobDefaults }),
  }),
  strings: get({
    path: '/JobTypes/Strings/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'The texts of a kind of job in every language, filled from a record or from an example',
    query: z.strictObject({ record: guid.optional() }),
    response: filled,
  }),
  tryStrings: post({
    path: '/JobTypes/Strings/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'The same for texts that are not saved yet',
    body: z.strictObject({ strings: strings.prefault({}), record: guid.optional() }),
    response: filled,
  }),
}
