import type { Updateable } from 'kysely'
import type { z } from 'zod'
import { addDays } from '../../contract/core/dates.ts'
import type { Input } from '../../contract/core/op.ts'
import type { quotesApi } from '../../contract/quotes.ts'
import { scheduleProblems } from '../../contract/stages.ts'
import { today } from '../businesses/businesses.service.ts'
import type { BusinessRow } from '../core/business.ts'
import type { Ctx } from '../core/ctx.ts'
import type { Quotes } from '../core/db/schema-business.ts'
import { newGuid } from '../core/guid.ts'
import { asJson, blankToNull, changed, firstStamp, stamp, userOf } from '../core/records.ts'
import { checkParties, needActiveCustomer, partiesAfter } from '../customers/customers.service.ts'
import { fromCatalogue } from '../documents/catalogue-lines.service.ts'
import { carryFiles } from '../files/files.service.ts'
import { attachAnswered } from '../documents/line-options.service.ts'
import { renewed } from '../documents/lines-below.service.ts'
import {
  asRow,
  checkProducts,
  wholeLine,
  priced422,
  priceLines,
  priceNew,
  repriceLines,
} from '../documents/lines.service.ts'
import { termsAfter } from '../documents/terms.service.ts'
import { checkJobType } from '../job-types/job-types.service.ts'
import { findLines, findNextRevision, replaceLines, type QuoteRow } from './quotes.queries.ts'
import { copyTags } from '../tags/tags.service.ts'
import { marginColumns } from './margin.ts'
import { allow, facts, lockVisibleQuote, one, sameVersion } from './quote.service.ts'
import { invalid, invalidTransition, refuseFields } from '../../contract/core/errors.ts'

type Api = typeof quotesApi
type NewQuote = z.output<Api['create']['body']>

/** A quote can be accepted on its last day, and so that day is to come when it is chosen. */
function mustBeToCome(validUntil: string | null | undefined, business: BusinessRow, now: Date) {
  if (validUntil && validUntil < today(business, now)) throw invalid('validUntil', 'Choose today or a later date.')
}

/** Makes a draft of whoever makes it, or of another owner; what is not said comes from the business. */
export async function createQuote(ctx: Ctx, input: NewQuote, owner = userOf(ctx)): Promise<string> {
  const { business } = ctx
  const customerGuid = await checkParties(ctx, business.guid, input)
  await checkProducts(ctx, business.guid, input.lines)
  mustBeToCome(input.validUntil, business, ctx.now)
  refuseFields(scheduleProblems(input.schedule ?? []))
  await checkJobType(ctx, input.jobTypeGuid)
  const { lines: _lines, depositRule, schedule, ...rest } = input
  const lines = await fromCatalogue(
    ctx,
    {
      businessGuid: business.guid,
      gstRegistered: business.gstRegistered,
      customerGuid,
      priceMode: input.priceMode ?? business.defaultPriceMode,
    },
    input.lines,
  )
  const { pricing, rows, amounts, totals } = priceNew(business, { ...input, lines })
  const guid = newGuid()
  await ctx.db
    .insertInto('quotes')
    .values({
      ...blankToNull(rest),
      ...totals,
      ...marginColumns({ rows, amounts }),
      ...pricing,
      guid,
      customerGuid,
      businessGuid: business.guid,
      ownerGuid: owner,
      discount: asJson(pricing.discount),
      depositRule: asJson(depositRule === undefined ? business.defaultDepositRule : depositRule),
      schedule: asJson(schedule),
      terms: rest.terms === undefined ? business.quoteTerms : rest.terms || null,
      ...firstStamp(ctx),
    })
    .execute()
  await replaceLines(ctx.db, guid, rows)
  await attachAnswered(ctx, 'Quotes', guid, rows)
  ctx.audit({
    action: 'quote.created',
    entity: 'Quotes',
    guid,
    after: { title: input.title, totalCents: totals.totalCents, customerGuid },
  })
  return guid
}

/** Prices the draft as it will be: new lines when they were sent, else those it has. */
async function repriced(ctx: Ctx, business: BusinessRow, before: QuoteRow, input: Input<Api['update']>) {
  const pricing = termsAfter(before, input)
  const stored = await findLines(ctx.db, before.guid)
  if (input.lines) {
    await checkProducts(ctx, business.guid, input.lines, new Set(stored.flatMap((l) => l.productGuid ?? [])))
    const { guid: businessGuid, gstRegistered } = business
    const customerGuid = input.customerGuid ?? before.customerGuid
    const given = { businessGuid, gstRegistered, customerGuid, priceMode: pricing.priceMode }
    return {
      pricing,
      ...priceLines(await fromCatalogue(ctx, given, input.lines, stored), {
        ...pricing,
        gstRegistered: business.gstRegistered,
        known: new Set(stored.map((l) => l.guid)),
      }),
    }
  }
  const { lines, amounts, totals } = priced422(() => repriceLines(stored.map(wholeLine), pricing))
  return { pricing, totals, amounts, rows: lines.map(asRow) }
}

export async function updateQuote(ctx: Ctx, input: Input<Api['update']>) {
  const { guid, version, lines, discount, depositRule, schedule, ...rest } = input
  const before = await lockVisibleQuote(ctx, guid)
  await sameVersion(ctx, before, version)
  allow('update', before)
  const { business } = ctx
  const parties = partiesAfter(before, input)
  parties.customerGuid = await checkParties(ctx, business.guid, parties, before)
  refuseFields(scheduleProblems(schedule ?? []))
  if (rest.validUntil !== before.validUntil) mustBeToCome(rest.validUntil, business, ctx.now)
  if (input.jobTypeGuid !== before.jobTypeGuid) await checkJobType(ctx, input.jobTypeGuid)
  const changes: Updateable<Quotes> = { ...blankToNull(rest), ...parties }
  if (depositRule !== undefined) changes.depositRule = asJson(depositRule)
  if (schedule !== undefined) changes.schedule = asJson(schedule)
  if (
    lines !== undefined ||
    discount !== undefined ||
    input.priceMode !== undefined ||
    input.roundingRule !== undefined
  ) {
    const { pricing, totals, amounts, rows } = await repriced(ctx, business, before, input)
    Object.assign(changes, pricing, totals, marginColumns({ rows, amounts }), { discount: asJson(pricing.discount) })
    await replaceLines(ctx.db, guid, rows)
    await attachAnswered(ctx, 'Quotes', guid, rows)
  }
  const {
    snapshot: _snapshot,
    marginCents: _marginCents,
    marginBp: _marginBp,
    ...after
  } = await ctx.db
    .updateTable('quotes')
    .set({ ...changes, ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const change = changed(before, after)
  ctx.audit({
    action: 'quote.updated',
    entity: 'Quotes',
    guid,
    before: change.before,
    after: { number: after.number, title: after.title, ...change.after, ...(lines ? { lines: lines.length } : {}) },
  })
  return one(ctx, guid)
}

type CopiedLine = ReturnType<typeof wholeLine>
type Origin = Pick<QuoteRow, 'number' | 'revision' | 'previousRevisionGuid'>

/** A new draft with the same content and lines of its own, to be answered as long from today as the business says. */
async function copy(ctx: Ctx, from: QuoteRow, origin: Origin, changed?: readonly CopiedLine[]): Promise<string> {
  const guid = newGuid()
  const { business } = ctx
  const by = userOf(ctx)
  const {
    customerGuid,
    contactGuid,
    siteGuid,
    businessGuid,
    title,
    priceMode,
    roundingRule,
    intro,
    terms,
    internalNotes,
    jobTypeGuid,
    subtotalCents,
    discountCents,
    gstCents,
    totalCents,
    optionalTotalCents,
    marginCents,
    marginBp,
  } = from
  await ctx.db
    .insertInto('quotes')
    .values({
      ...{
        guid,
        businessGuid,
        customerGuid,
        contactGuid,
        siteGuid,
        title,
        priceMode,
        roundingRule,
        intro,
        terms,
        internalNotes,
        jobTypeGuid,
        ...origin,
      },
      ...{ subtotalCents, discountCents, gstCents, totalCents, optionalTotalCents, marginCents, marginBp },
      discount: asJson(from.discount),
      depositRule: asJson(from.depositRule),
      schedule: asJson(from.schedule),
      validUntil: addDays(today(business, ctx.now), business.defaultValidityDays),
      ownerGuid: by,
      ...firstStamp(ctx),
    })
    .execute()
  const stored = await findLines(ctx.db, from.guid)
  const isRevision = origin.previousRevisionGuid !== null
  const origins = new Map(stored.map((line) => [line.guid, isRevision ? (line.originLineGuid ?? line.guid) : null]))
  const lines = changed ?? stored.map(wholeLine)
  const copied = lines.map((line) => ({ ...line, originLineGuid: origins.get(line.guid) ?? null }))
  await replaceLines(ctx.db, guid, renewed(copied).map(asRow))
  await attachAnswered(ctx, 'Quotes', guid, lines)
  return guid
}

export async function duplicateQuote(ctx: Ctx, input: Input<Api['duplicate']>) {
  const from = await lockVisibleQuote(ctx, input.guid)
  const customerGuid = await checkParties(ctx, from.businessGuid, { customerGuid: from.customerGuid })
  const guid = await copy(ctx, { ...from, customerGuid }, { number: null, revision: 0, previousRevisionGuid: null })
  ctx.audit({
    action: 'quote.created',
    entity: 'Quotes',
    guid,
    after: { title: from.title, totalCents: from.totalCents, copiedFrom: from.guid },
  })
  return one(ctx, guid)
}

/**
 * The next revision keeps the number; the quote it revises stays in force until the revision is sent. The quote is
 * locked by the caller. `changed` are its lines where they are others than before, which are priced here.
 */
export async function makeRevision(ctx: Ctx, from: QuoteRow, changed?: readonly CopiedLine[]): Promise<string> {
  if (await findNextRevision(ctx.db, from.guid)) throw invalidTransition('This quote already has a revision.')
  await needActiveCustomer(ctx.db, from.businessGuid, from.customerGuid)
  // Revisions that were cancelled or archived keep theirs: number and revision together name one document.
  const { last } = await ctx.db
    .selectFrom('quotes')
    .select((eb) => eb.fn.max('revision').as('last'))
    .where('businessGuid', '=', from.businessGuid)
    .where('number', '=', from.number)
    .executeTakeFirstOrThrow()
  const priced = changed && priced422(() => repriceLines(changed, from))
  const origin = {
    number: from.number,
    revision: (last ?? from.revision) + 1,
    previousRevisionGuid: from.guid,
  }
  const margin = priced && marginColumns({ rows: priced.lines, amounts: priced.amounts })
  const guid = await copy(ctx, { ...from, ...priced?.totals, ...margin }, origin, priced?.lines)
  await copyTags(ctx, 'Quotes', from, guid)
  await carryFiles(ctx, { noun: 'Quotes', guid: from.guid }, { noun: 'Quotes', guid })
  ctx.audit({ action: 'quote.created', entity: 'Quotes', guid, after: { ...facts(from), revisionOf: from.guid } })
  return guid
}

/** Archived quotes are out of the way; the customer's link of one rests until it is restored. */
export async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lockVisibleQuote(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This quote is already archived.' : 'This quote isn’t archived.')
  const previous = isArchived ? null : row.previousRevisionGuid
  if (previous && row.status !== 'cancelled' && (await findNextRevision(ctx.db, previous)))
    throw invalidTransition('A newer revision has replaced this quote.')
  await ctx.db
    .updateTable('quotes')
    .set({ archivedAt: isArchived ? ctx.now : null, ...stamp(ctx, row.version) })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({ action: isArchived ? 'quote.archived' : 'quote.restored', entity: 'Quotes', guid, after: facts(row) })
}
