import type { Updateable } from 'kysely'
import { addDays } from '../../contract/core/dates.ts'
import { invalid, invalidTransition, refuseFields } from '../../contract/core/errors.ts'
import { isText } from '../../contract/core/money.ts'
import type { Input } from '../../contract/core/op.ts'
import { scheduleProblems } from '../../contract/stages.ts'
import type { seriesApi, SeriesEnds } from '../../contract/series.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import type { DB } from '../core/db/schema.ts'
import { newGuid } from '../core/guid.ts'
import { listsIn, namesIn, reachOf } from '../core/reach.ts'
import { asJson, blankToNull, changed, stamp, userOf } from '../core/records.ts'
import { checkParties, needActiveCustomer, partiesAfter } from '../customers/customers.service.ts'
import { fromCatalogue } from '../documents/catalogue-lines.service.ts'
import { oneOf } from '../documents/list-search.service.ts'
import {
  asRow,
  checkProducts,
  priced422,
  priceLines,
  priceNew,
  repriceLines,
  wholeLine,
} from '../documents/lines.service.ts'
import { termsAfter } from '../documents/terms.service.ts'
import { checkJobType } from '../job-types/job-types.service.ts'
import { subjectsOf, timelineWith } from '../timeline/timeline.service.ts'
import { asContent, pricesFor, type SeriesRow, storedLines } from './content.ts'
import { logCycles, makeDue, nextOf, seriesJob } from './cycles.service.ts'
import { cycleDay, dueCycles, dueOn } from './days.ts'
import { planRise, undoRise } from './rises.ts'
import { findLogged, listedSeries, seriesWithin, visibleSeries } from './series.queries.ts'
import { allow, dayOf, facts, lockVisibleSeries, one, sameVersion } from './series.shown.ts'

type Api = typeof seriesApi
type Changes = Updateable<DB['quoteSeries']>

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const reach = await reachOf(ctx, input)
  const page = await pageOf({
    query: listedSeries(ctx),
    found: visibleSeries(ctx),
    lists: listsIn(reach, 'e.businessGuid'),
    anyOf: oneOf('e.status', input.status),
    within: seriesWithin(input),
    input,
    sorts: {
      createdAt: 'e.createdAt',
      title: 'e.title',
      nextOn: { column: 'e.nextOn', nullable: true },
      totalCents: 'e.totalCents',
    },
    guid: 'e.guid',
    defaultSort: '-createdAt',
  })
  return { ...page, items: page.items.map((item) => ({ ...item, businessName: namesIn(reach, item.businessGuid) })) }
}

/** Days that a series is counted from lie about the present: what is to come of it is walked through day by day. */
function checkAnchor(anchorOn: string, day: string) {
  if (anchorOn < addDays(day, -366)) throw invalid('anchorOn', 'Choose a day within the last 12 months.')
  if (anchorOn > addDays(day, 1827)) throw invalid('anchorOn', 'Choose a day within the next five years.')
}
function checkEnds(ends: SeriesEnds, anchorOn: string) {
  if (ends.type === 'until' && ends.on < anchorOn) throw invalid('ends.on', 'Choose the first day or a later one.')
}

async function create(ctx: Ctx, input: Input<Api['create']>) {
  const { business } = ctx
  const { lines: _lines, every, anchorOn, leadDays, ends, depositRule, schedule, discount: _discount, ...rest } = input
  refuseFields(scheduleProblems(schedule ?? []))
  const customerGuid = await checkParties(ctx, business.guid, input)
  await checkProducts(ctx, business.guid, input.lines)
  await checkJobType(ctx, input.jobTypeGuid)
  checkAnchor(anchorOn, today(business, ctx.now))
  checkEnds(ends, anchorOn)
  const priceMode = input.priceMode ?? business.defaultPriceMode
  const lines = await fromCatalogue(ctx, pricesFor(ctx, { customerGuid, priceMode }), input.lines)
  const { pricing, rows, totals } = priceNew(business, { ...input, lines })
  const guid = newGuid()
  const by = userOf(ctx)
  const next = { nextN: 0, nextOn: anchorOn, dueOn: addDays(anchorOn, -leadDays) }
  await ctx.db
    .insertInto('quoteSeries')
    .values({
      ...blankToNull(rest),
      ...totals,
      ...pricing,
      ...next,
      ...{ guid, customerGuid, businessGuid: business.guid, ownerGuid: by, anchorOn, leadDays },
      ...{ everyN: every.n, everyUnit: every.unit, ends: JSON.stringify(ends) },
      lines: asContent(rows),
      schedule: asJson(schedule),
      discount: asJson(pricing.discount),
      depositRule: asJson(depositRule === undefined ? business.defaultDepositRule : depositRule),
      terms: rest.terms === undefined ? business.quoteTerms : rest.terms || null,
      ...{ createdBy: by, updatedBy: by, createdAt: ctx.now, updatedAt: ctx.now },
    })
    .execute()
  ctx.audit({
    action: 'series.created',
    entity: 'Series',
    guid,
    after: { title: input.title, totalCents: totals.totalCents, customerGuid, every, anchorOn },
  })
  return one(ctx, guid)
}

/** Prices the lines as they will be: new ones when they were sent, else those there are. */
async function repriced(ctx: Ctx, before: SeriesRow, input: Input<Api['update']>, customerGuid: string) {
  const { business } = ctx
  const pricing = termsAfter(before, input)
  const stored = storedLines(before)
  if (!input.lines) {
    const { lines, totals } = priced422(() => repriceLines(stored.map(wholeLine), pricing))
    return { pricing, totals, rows: lines.map(asRow), carriedGuids: before.carriedGuids }
  }
  await checkProducts(ctx, business.guid, input.lines, new Set(stored.flatMap((l) => l.productGuid ?? [])))
  const given = pricesFor(ctx, { customerGuid, priceMode: pricing.priceMode })
  const { rows, totals } = priceLines(await fromCatalogue(ctx, given, input.lines, stored), {
    ...pricing,
    gstRegistered: business.gstRegistered,
    known: new Set(stored.map((l) => l.guid)),
  })
  const prices = new Map(stored.map((l) => [l.guid, l.unitPriceCents]))
  const carriedGuids = rows.flatMap((row) =>
    before.carriedGuids.includes(row.guid) && prices.get(row.guid) === row.unitPriceCents ? [row.guid] : [],
  )
  return { pricing, totals, rows, carriedGuids }
}

/** The days after a change. Once there were cycles, those that come are counted anew from a later day. */
async function rescheduled(ctx: Ctx, before: SeriesRow, input: Input<Api['update']>): Promise<Changes> {
  const every = input.every ?? { n: before.everyN, unit: before.everyUnit }
  const isOther = every.n !== before.everyN || every.unit !== before.everyUnit
  const hasBegun = before.nextN > 0
  const anchorOn = input.anchorOn ?? (isOther && hasBegun ? (before.nextOn ?? before.anchorOn) : before.anchorOn)
  const isMoved = isOther || anchorOn !== before.anchorOn
  if (anchorOn !== before.anchorOn) checkAnchor(anchorOn, dayOf(ctx))
  const last = hasBegun ? cycleDay(before, before.nextN - 1) : null
  if (isMoved && last !== null && anchorOn <= last) throw invalid('anchorOn', 'Choose a day after the last quote’s.')
  const ends = input.ends ?? before.ends
  checkEnds(ends, anchorOn)
  const days = {
    ...{ everyN: every.n, everyUnit: every.unit, anchorOn, leadDays: input.leadDays ?? before.leadDays },
    anchorN: isMoved && hasBegun ? before.nextN : before.anchorN,
  }
  const next = await nextOf(ctx, { ...before, ...days, ends })
  if (next.nextOn === null) throw invalid('ends', 'This series would have no quotes left. Cancel it instead.')
  return { ...days, ends: JSON.stringify(ends), ...next }
}

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid, version, lines, discount, depositRule, schedule, every, ends, anchorOn, leadDays, ...rest } = input
  const before = await lockVisibleSeries(ctx, guid)
  await sameVersion(ctx, before, version)
  allow('update', before)
  const parties = partiesAfter(before, input)
  parties.customerGuid = await checkParties(ctx, before.businessGuid, parties, before)
  if (input.jobTypeGuid !== before.jobTypeGuid) await checkJobType(ctx, input.jobTypeGuid)
  const changes: Changes = { ...blankToNull(rest), ...parties }
  refuseFields(scheduleProblems(schedule ?? []))
  if (schedule !== undefined) changes.schedule = asJson(schedule)
  if (depositRule !== undefined) changes.depositRule = asJson(depositRule)
  if (every || ends || anchorOn !== undefined || leadDays !== undefined)
    Object.assign(changes, await rescheduled(ctx, before, input))
  if (lines || discount !== undefined || input.priceMode !== undefined || input.roundingRule !== undefined) {
    const { pricing, totals, rows, carriedGuids } = await repriced(ctx, before, input, parties.customerGuid)
    const content = { lines: asContent(rows), carriedGuids, discount: asJson(pricing.discount) }
    Object.assign(changes, pricing, totals, content)
  }
  const after = await ctx.db
    .updateTable('quoteSeries')
    .set({ ...changes, ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const { lines: _before, ...was } = before
  const { lines: _after, ...is } = after
  const change = changed(was, is)
  ctx.audit({
    action: 'series.updated',
    entity: 'Series',
    guid,
    before: change.before,
    after: { title: after.title, ...change.after, ...(lines ? { lines: lines.length } : {}) },
  })
  return one(ctx, guid)
}

/** What a deed changes beside the status. */
async function consequences(ctx: Ctx, row: SeriesRow, { deed, reason }: Input<Api['status']>): Promise<Changes> {
  if (deed === 'cancel') return { reason: reason ?? null, pausedOn: null, nextOn: null, dueOn: null }
  if (deed === 'pause') return { pausedOn: dayOf(ctx), reason: reason ?? null }
  await needActiveCustomer(ctx.db, row.businessGuid, row.customerGuid)
  if (storedLines(row).every((line) => isText(line))) throw invalid('lines', 'Add at least one line with a price.')
  if (row.pausedOn !== null) {
    // What fell into the pause is not made; what is due today is.
    const due = dueCycles(row, await findLogged(ctx.db, row), addDays(dayOf(ctx), -1))
    const since = row.pausedOn
    await logCycles(
      ctx,
      row,
      due.filter((cycle) => dueOn(row, cycle) >= since),
      'paused',
    )
  }
  return { pausedOn: null, reason: null, ...(await nextOf(ctx, row)) }
}

const events = {
  start: 'series.started',
  pause: 'series.paused',
  resume: 'series.resumed',
  cancel: 'series.cancelled',
} as const

async function status(ctx: Ctx, input: Input<Api['status']>) {
  const row = await lockVisibleSeries(ctx, input.guid)
  const { to } = allow(input.deed, row)
  await sameVersion(ctx, row, input.version)
  const changes = await consequences(ctx, row, input)
  // A pause may have lasted until after the last day.
  const isOver = to === 'active' && changes.nextOn === null
  await ctx.db
    .updateTable('quoteSeries')
    .set({ ...changes, status: isOver ? 'completed' : to, ...stamp(ctx, row.version) })
    .where('guid', '=', row.guid)
    .execute()
  const told = { entity: 'Series', guid: row.guid } as const
  const after = { ...facts(row), status: to, ...(input.reason ? { reason: input.reason } : {}) }
  ctx.audit({ ...told, action: events[input.deed], before: { status: row.status }, after })
  if (isOver) ctx.audit({ ...told, action: 'series.completed', after: { ...facts(row), status: 'completed' } })
  return one(ctx, row.guid)
}

async function run(ctx: Ctx, input: Input<Api['run']>) {
  const row = await lockVisibleSeries(ctx, input.guid)
  allow('run', row)
  await sameVersion(ctx, row, input.version)
  const quotes = await makeDue(ctx, row, { isEarly: true })
  if (quotes.length === 0) throw invalidTransition('This series has no quotes left.')
  return { ...(await one(ctx, row.guid)), quotes }
}

async function timeline(ctx: Ctx, { guid }: Input<Api['timeline']>) {
  const { series } = await one(ctx, guid)
  const quotes = series.cycles.flatMap(({ quote }) => quote ?? [])
  return { items: await timelineWith(ctx, { entity: 'Series', guid }, subjectsOf('Quotes', quotes)) }
}

export const series: Handlers<Api> = {
  list,
  get: (ctx, input) => one(ctx, input.guid),
  timeline,
  create,
  update,
  status,
  run,
  planRise,
  undoRise,
  process: (ctx) => seriesJob.run(ctx.deps, ctx),
  preview: (ctx) => seriesJob.preview(ctx),
  runs: (ctx, input) => seriesJob.runs(ctx, input),
}
