import { z } from 'zod'
import { archivingOps } from './core/archiving.ts'
import {
  archivedFilter,
  guid,
  listQuery,
  maybe,
  pageOf,
  recordShape,
  reference,
  text,
  timestamp,
} from './core/common.ts'
import { exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { timeline } from './customers.ts'
import { partiesInput, termsShape } from './documents.ts'
import { depositRule, line, lineInput, quoteTotals } from './lines.ts'
import { nouns } from './nouns.ts'
import { oneQuote, quoteInput } from './quotes.ts'
import { schedule } from './stages.ts'

const { pages } = nouns.QuoteTemplates
const subject = 'Quotes:Templates'

/** Days from the day a quote is made; none: as the business has it. */
const validityDays = z.int().min(1, 'Enter 1 or more.').max(365, 'Enter 365 or less.')

/**
 * A quote without whom it is for. Lines of a product have no price of their own: the catalogue has it on the day the
 * template is used. Days of hire and of payments keep their distance from that day.
 */
export const quoteTemplateInput = quoteInput
  .omit({ customerGuid: true, contactGuid: true, siteGuid: true, validUntil: true, lines: true })
  .extend({
    name: text(120),
    validityDays: maybe(validityDays),
    lines: z
      .array(lineInput.omit({ guid: true }))
      .max(500)
      .default([]),
  })
export type QuoteTemplateInput = z.output<typeof quoteTemplateInput>

const quoteTemplate = z.object({
  ...recordShape,
  /** The business whose catalogue it is of. */
  businessGuid: guid,
  name: z.string(),
  /** What quotes are called that are made of it. */
  title: z.string(),
  ...termsShape,
  validityDays: z.int().nullable(),
  depositRule: depositRule.nullable(),
  schedule: schedule.nullable(),
  jobTypeGuid: guid.nullable(),
  jobType: reference.nullable(),
  intro: z.string().nullable(),
  terms: z.string().nullable(),
  internalNotes: z.string().nullable(),
  /** As a quote that is made today would have them, at the catalogue's prices for everybody. */
  lines: z.array(line),
  totals: quoteTotals,
  /** Lines that a quote would be made without, by name: their product is sold no more, or asks something else now. */
  missing: z.array(z.string()),
})
export type QuoteTemplate = z.infer<typeof quoteTemplate>

const item = z.object({
  guid,
  version: z.int(),
  name: z.string(),
  title: z.string(),
  jobTypeName: z.string().nullable(),
  lineCount: z.int(),
  validityDays: z.int().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  archivedAt: timestamp.nullable(),
})

const one = z.object({ quoteTemplate })
const list = get({
  path: '/Quotes/Templates',
  effect: 'read',
  can: pages.list.can,
  summary: 'Templates that quotes are made of',
  query: listQuery(['name', 'title', 'createdAt'], { jobTypeGuid: guid.optional(), archived: archivedFilter }),
  response: pageOf(item),
})
export const quoteTemplatesApi = {
  list,
  export: exportOf(list, {
    name: 'Name',
    title: 'Title',
    jobTypeName: 'Job type',
    lineCount: 'Lines',
    validityDays: 'Validity (days)',
    createdAt: 'Created',
  }),
  get: get({
    path: '/Quotes/Templates/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One quote template, priced as a quote of today would be',
    response: one,
  }),
  timeline: get({
    path: '/Quotes/Templates/Timeline/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'What happened with a quote template',
    response: timeline,
  }),
  create: post({
    path: '/Quotes/Templates',
    effect: 'write',
    can: ['create', `${subject}:Create`],
    status: 201,
    message: 'Quote template created.',
    summary: 'Makes a quote template',
    body: quoteTemplateInput,
    response: one,
  }),
  fromQuote: post({
    path: '/Quotes/Templates/FromQuote/:guid',
    effect: 'write',
    can: ['create', `${subject}:Create`],
    status: 201,
    message: 'Quote template created.',
    summary: 'Makes a quote template of what a quote says, without whom it is for',
    body: z.strictObject({ name: text(120) }),
    response: one,
  }),
  update: patch({
    path: '/Quotes/Templates/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Quote template saved.',
    summary: 'Changes a quote template; lines are replaced as a whole when sent. Quotes made of it stay as they are',
    body: patchOf(quoteTemplateInput),
    response: one,
  }),
  ...archivingOps('Quotes/Templates', 'a template', one, subject),
  use: post({
    path: '/Quotes/FromTemplate',
    effect: 'write',
    can: nouns.Quotes.pages.add.can,
    status: 201,
    message: 'Quote created.',
    summary: 'Makes a draft quote of a template, at today’s prices for this customer',
    body: z.strictObject({
      templateGuid: guid,
      ...partiesInput,
      /** The template’s own where it is left out. */
      title: partiesInput.title.optional(),
    }),
    response: oneQuote.extend({
      /** Lines of the template that the quote is without, by name. */
      missing: z.array(z.string()),
    }),
  }),
}
