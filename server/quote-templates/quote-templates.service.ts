import type { Updateable } from 'kysely'
import { addDays } from '../../contract/core/dates.ts'
import { invalidTransition, notFound, refuseFields } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { Discount } from '../../contract/lines.ts'
import { type QuoteTemplate, type QuoteTemplateInput, quoteTemplatesApi } from '../../contract/quote-templates.ts'
import { scheduleProblems } from '../../contract/stages.ts'
import { archiving, writeArchived } from '../core/bulk.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import type { DB } from '../core/db/schema.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { archivedIf, asJson, blankToNull, changed, firstStamp, holdsText, searchText, stamp } from '../core/records.ts'
import { fromCatalogue } from '../documents/catalogue-lines.service.ts'
import { checkProducts, lineOf, type LineRow, priceLines } from '../documents/lines.service.ts'
import { soleParties } from '../customers/customers.service.ts'
import { termsAfter } from '../documents/terms.service.ts'
import { checkJobType } from '../job-types/job-types.service.ts'
import { one as oneQuote } from '../quotes/quote.service.ts'
import { createQuote } from '../quotes/quotes.service.ts'
import { readableReference } from '../row-scope/row-scope.service.ts'
import { timelineWith } from '../timeline/timeline.service.ts'
import { kept, linesOfQuote, linesOn, stagesOn, type TemplateRow, usedLines } from './content.ts'
import { findTemplate, listedTemplates, lockTemplate, visibleTemplates } from './quote-templates.queries.ts'
import { chosenTemplate, dayOf, mustReadQuote, pricesFor } from './templates.ts'

type Api = typeof quoteTemplatesApi

sayConstraints({ quote_template_name_taken: ['ALREADY_EXISTS', 'Another quote template has this name.', 'name'] })

const parsed = <T>(json: string | null): T | null => (json === null ? null : (JSON.parse(json) as T))
const shownLine = (row: LineRow) =>
  lineOf({
    ...row,
    discount: parsed<Discount>(row.discount),
    hireRates: parsed(row.hireRates),
    options: parsed(row.options),
  })

async function one(ctx: Ctx, guid: string): Promise<{ quoteTemplate: QuoteTemplate }> {
  const row = await findTemplate(ctx, guid)
  if (!row) throw notFound()
  const { business } = ctx
  const on = dayOf(ctx)
  const { priced, missing } = await usedLines(ctx, row, pricesFor(ctx, row.priceMode, null), on)
  const { rows, totals } = priceLines(priced, { ...row, gstRegistered: business.gstRegistered })
  return {
    quoteTemplate: {
      ...row,
      jobType: await readableReference(ctx, 'JobTypes', row.jobType),
      schedule: stagesOn(row, on),
      lines: rows.map(shownLine),
      totals,
      missing,
    },
  }
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  let found = visibleTemplates(ctx)
    .where('t.businessGuid', '=', ctx.business.catalogueOf)
    .where(archivedIf('t', input.archived))
  if (input.jobTypeGuid) found = found.where('t.jobTypeGuid', '=', input.jobTypeGuid)
  return pageOf({
    query: listedTemplates(ctx),
    found,
    within: input.search ? [holdsText(searchText('t'), input.search.toLowerCase())] : [],
    isPlain: true,
    input,
    sorts: { name: 't.name', title: 't.title', createdAt: 't.createdAt' },
    guid: 't.guid',
    defaultSort: 'name',
  })
}

/** Refuses lines that no quote of today could be made of, and keeps them as templates do. */
async function checkedLines(
  ctx: Ctx,
  input: Pick<QuoteTemplateInput, 'lines'> & Pick<TemplateRow, 'priceMode' | 'roundingRule' | 'discount'>,
) {
  const lines = input.lines.map(kept)
  await checkProducts(ctx, ctx.business.guid, lines)
  const priced = await fromCatalogue(ctx, pricesFor(ctx, input.priceMode, null), lines)
  priceLines(priced, { ...input, gstRegistered: ctx.business.gstRegistered })
  return lines
}

/** What a template takes from the business where nothing is said. */
const termsOf = (
  { business }: Ctx,
  input: Partial<Pick<QuoteTemplateInput, 'priceMode' | 'roundingRule' | 'discount'>>,
) => ({
  priceMode: input.priceMode ?? business.defaultPriceMode,
  roundingRule: input.roundingRule ?? business.roundingRule,
  discount: input.discount ?? null,
})

async function insert(ctx: Ctx, input: QuoteTemplateInput, lines: TemplateRow['lines'], copiedFrom?: string) {
  const { lines: _lines, depositRule, schedule, ...rest } = input
  const guid = newGuid()
  const terms = termsOf(ctx, input)
  await ctx.db
    .insertInto('quoteTemplates')
    .values({
      ...blankToNull(rest),
      ...terms,
      discount: asJson(terms.discount),
      depositRule: asJson(depositRule),
      schedule: asJson(schedule),
      lines: JSON.stringify(lines),
      anchoredOn: dayOf(ctx),
      guid,
      businessGuid: ctx.business.catalogueOf,
      ...firstStamp(ctx),
    })
    .execute()
  ctx.audit({
    action: 'quote_template.created',
    entity: 'QuoteTemplates',
    guid,
    after: { name: input.name, ...(copiedFrom ? { copiedFrom } : {}) },
  })
  return one(ctx, guid)
}

async function create(ctx: Ctx, input: Input<Api['create']>) {
  refuseFields(scheduleProblems(input.schedule ?? []))
  await checkJobType(ctx, input.jobTypeGuid)
  return insert(ctx, input, await checkedLines(ctx, { ...input, ...termsOf(ctx, input) }))
}

/** Of a quote everything but whom it is for. What it has of the business's own terms stays the business's. */
async function fromQuote(ctx: Ctx, { guid, name }: Input<Api['fromQuote']>) {
  await mustReadQuote(ctx, guid)
  const { quote } = await oneQuote(ctx, guid)
  await ctx.workFor(quote.businessGuid)
  const { title, priceMode, roundingRule, discount, schedule, jobTypeGuid, intro, internalNotes } = quote
  const lines = await linesOfQuote(ctx, pricesFor(ctx, priceMode, quote.customerGuid), quote.lines)
  return insert(
    ctx,
    {
      ...{ name, title, priceMode, roundingRule, discount, schedule, jobTypeGuid, intro, internalNotes },
      depositRule: quote.depositRule ?? { type: 'none' },
      terms: quote.terms === ctx.business.quoteTerms ? null : quote.terms,
      lines: [],
    },
    lines,
    guid,
  )
}

async function lock(ctx: Ctx, guid: string): Promise<TemplateRow> {
  const row = await lockTemplate(ctx, guid)
  if (!row) throw notFound()
  return row
}

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid, version, lines, discount: _discount, depositRule, schedule, ...rest } = input
  const before = await lock(ctx, guid)
  await checkVersion(before, version, quoteTemplatesApi.get, () => one(ctx, guid))
  if (before.archivedAt !== null) throw invalidTransition('This template is archived. Restore it first.')
  refuseFields(scheduleProblems(schedule ?? []))
  if (input.jobTypeGuid !== before.jobTypeGuid) await checkJobType(ctx, input.jobTypeGuid)
  const on = dayOf(ctx)
  const terms = termsAfter(before, input)
  const changes: Updateable<DB['quoteTemplates']> = {
    ...blankToNull(rest),
    ...terms,
    discount: asJson(terms.discount),
    // Everything is counted from the day of the last change.
    anchoredOn: on,
    lines: JSON.stringify(lines ? await checkedLines(ctx, { lines, ...terms }) : linesOn(before, on)),
    schedule: asJson(schedule === undefined ? stagesOn(before, on) : schedule),
    ...(depositRule === undefined ? {} : { depositRule: asJson(depositRule) }),
  }
  const after = await ctx.db
    .updateTable('quoteTemplates')
    .set({ ...changes, ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const told = ({ lines: _lines, anchoredOn: _on, schedule: _schedule, ...row }: TemplateRow) => row
  const change = changed(told(before), told(after))
  ctx.audit({
    action: 'quote_template.updated',
    entity: 'QuoteTemplates',
    guid,
    before: change.before,
    after: { ...change.after, name: after.name, ...(lines ? { lines: lines.length } : {}) },
  })
  return one(ctx, guid)
}

async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lock(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This template is already archived.' : 'This template isn’t archived.')
  await writeArchived(ctx, 'QuoteTemplates', row, isArchived)
}

/** The job type of a template that is still in use. */
async function jobTypeInUse(ctx: Ctx, guid: string | null) {
  if (!guid) return null
  const row = await ctx.db
    .selectFrom('jobTypes')
    .select('guid')
    .where('guid', '=', guid)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  return row?.guid ?? null
}

/** A draft of a template. What the template leaves open is the business's own. */
async function use(ctx: Ctx, input: Input<Api['use']>) {
  const { templateGuid, customerGuid } = input
  const sole = await soleParties(ctx, customerGuid)
  const { contactGuid = sole.contactGuid, siteGuid = sole.siteGuid } = input
  const row = await chosenTemplate(ctx, templateGuid, 'templateGuid')
  const on = dayOf(ctx)
  const { inputs, missing } = await usedLines(ctx, row, pricesFor(ctx, row.priceMode, customerGuid), on)
  const { priceMode, roundingRule, discount, depositRule, validityDays, intro, terms, internalNotes } = row
  const guid = await createQuote(ctx, {
    ...{ customerGuid, contactGuid, siteGuid, priceMode, roundingRule, discount, intro, internalNotes },
    title: input.title ?? row.title,
    jobTypeGuid: await jobTypeInUse(ctx, row.jobTypeGuid),
    schedule: stagesOn(row, on),
    ...(validityDays === null ? {} : { validUntil: addDays(on, validityDays) }),
    ...(depositRule === null ? {} : { depositRule }),
    ...(terms === null ? {} : { terms }),
    lines: inputs,
  })
  return { ...(await oneQuote(ctx, guid)), missing }
}

export const quoteTemplates: Handlers<Api> = {
  list,
  get: (ctx, input) => one(ctx, input.guid),
  timeline: async (ctx, { guid }) => {
    if (!(await findTemplate(ctx, guid))) throw notFound()
    return { items: await timelineWith(ctx, { entity: 'QuoteTemplates', guid }, []) }
  },
  create,
  fromQuote,
  update,
  ...archiving('QuoteTemplates', setArchived, one),
  use,
}
