import { sql, type Updateable } from 'kysely'
import { formatPattern } from '../../contract/core/dates.ts'
import type { AppError } from '../../contract/core/errors.ts'
import type { PlanItem } from '../../contract/jobs.ts'
import { seriesApi } from '../../contract/series.ts'
import { type AuditLine, type Ctx, withCtx } from '../core/ctx.ts'
import type { DB } from '../core/db/schema.ts'
import { isRetryable, toAppError } from '../core/http/errors.ts'
import { definePlanned } from '../core/jobs/planned.ts'
import { notify } from '../core/notices.ts'
import { stamp } from '../core/records.ts'
import { createQuote, sendQuote } from '../quotes/quotes.service.ts'
import { carriedFrom, linesOn, stagesOn, type SeriesRow } from './content.ts'
import { type Cycle, dueCycles, dueOn, nextCycles } from './days.ts'
import { type DueMark, findDue, findLogged, findQuote, findQuoteLines, findRises } from './series.queries.ts'
import { allow, dayOf, facts, lockSeries } from './series.shown.ts'

type Changes = Updateable<DB['quoteSeries']>

/** A series prices and sends as the house does, whoever set it off. */
const asHouse = (ctx: Ctx): Ctx => withCtx(ctx, { actor: { kind: 'system', name: 'series' }, rows: 'all' })

/** The sentence that a person reads of a refusal: that of its first field, where one is named. */
const sentenceOf = (error: AppError) => error.fields[0]?.message ?? error.message

/** Writes that cycles have no quote, and why. */
export async function logCycles(ctx: Ctx, series: SeriesRow, cycles: readonly Cycle[], reason: 'catch_up' | 'paused') {
  if (cycles.length === 0) return
  await ctx.db
    .insertInto('seriesCycles')
    .values(cycles.map(({ n, on }) => ({ seriesGuid: series.guid, n, cycleOn: on, reason, madeAt: ctx.now })))
    .execute()
  ctx.audit({
    action: 'series.missed',
    entity: 'Series',
    guid: series.guid,
    after: { title: series.title, count: cycles.length, kind: reason },
  })
}

/** The first open cycle after some were written, as the row keeps it. */
export async function nextOf(ctx: Ctx, series: SeriesRow): Promise<Pick<Changes, 'nextN' | 'nextOn' | 'dueOn'>> {
  const logged = await findLogged(ctx.db, series)
  const [next] = nextCycles(series, logged, 1)
  if (next) return { nextN: next.n, nextOn: next.on, dueOn: dueOn(series, next) }
  return { nextN: Math.max(series.nextN, ...[...logged].map((n) => n + 1)), nextOn: null, dueOn: null }
}

/** Sends a quote as staff do; what stands in the way is told, and it stays a draft. */
async function sendMade(ctx: Ctx, series: SeriesRow, quoteGuid: string, version: number) {
  const lines: AuditLine[] = []
  await sql`savepoint sending`.execute(ctx.db)
  try {
    await sendQuote(withCtx(ctx, { audit: (line) => void lines.push(line) }), { guid: quoteGuid, version })
  } catch (thrown) {
    const error = toAppError(thrown)
    if (isRetryable(thrown) || error.status >= 500) throw thrown
    await sql`rollback to savepoint sending`.execute(ctx.db)
    const reason = sentenceOf(error)
    ctx.audit({
      action: 'series.quote_unsent',
      entity: 'Series',
      guid: series.guid,
      after: { ...facts(series), reason, quoteGuid },
    })
    await notify(ctx, {
      kind: 'series.quote_unsent',
      noun: 'Quotes',
      recordGuid: quoteGuid,
      right: ['update', 'Quotes:Send:Guid'],
      event: `series.quote_unsent:${quoteGuid}`,
      values: { title: series.title, reason },
    })
    return
  }
  await sql`release savepoint sending`.execute(ctx.db)
  for (const line of lines) ctx.audit(line)
}

/** Makes the quote of a cycle, and writes that it is made: both or neither. The series goes on with its prices. */
async function makeCycle(given: Ctx, series: SeriesRow, { n, on }: Cycle) {
  const ctx = asHouse(given)
  const rises = await findRises(ctx.db, series, on)
  const lines = (await linesOn(ctx, series, on, rises)).map(({ input }) => input)
  const { customerGuid, contactGuid, siteGuid, title, priceMode, roundingRule, discount, depositRule } = series
  const { jobTypeGuid, intro, terms, internalNotes, ownerGuid } = series
  const guid = await createQuote(
    ctx,
    {
      ...{ customerGuid, contactGuid, siteGuid, title, priceMode, roundingRule, discount, depositRule },
      ...{ jobTypeGuid, intro, terms, internalNotes, lines },
      schedule: stagesOn(series, on),
    },
    ownerGuid,
  )
  await ctx.db
    .insertInto('seriesCycles')
    .values({ seriesGuid: series.guid, n, cycleOn: on, quoteGuid: guid, madeAt: ctx.now })
    .execute()
  const { version, number: _number, guid: _guid, ...quote } = await findQuote(ctx.db, guid)
  const own = carriedFrom(series, on, await findQuoteLines(ctx.db, guid))
  const { title: _title, ...sums } = quote
  const carriedGuids = own.filter((line) => line.parentLineGuid === null).map((line) => line.guid)
  await ctx.db
    .updateTable('quoteSeries')
    .set({ ...sums, lines: JSON.stringify(own), carriedGuids, madeOn: on })
    .where('guid', '=', series.guid)
    .execute()
  if (series.mode === 'send') await sendMade(ctx, series, guid, version)
  const { number } = await findQuote(ctx.db, guid)
  given.audit({
    action: 'series.quote_made',
    entity: 'Series',
    guid: series.guid,
    after: { title, totalCents: sums.totalCents, number, quoteGuid: guid, n, on },
  })
  return {
    quote: { guid, label: number ?? title },
    series: { ...series, ...sums, lines: own, carriedGuids, madeOn: on },
  }
}

/**
 * Makes what is due of a locked series: the newest of the cycles that were missed, as many as it catches up with; the
 * older ones are logged. Where nothing is due, the next one, if it is wanted ahead of its time.
 */
export async function makeDue(ctx: Ctx, row: SeriesRow, { isEarly = false } = {}) {
  allow('run', row)
  const logged = await findLogged(ctx.db, row)
  const due = dueCycles(row, logged, dayOf(ctx))
  const cycles = due.length > 0 || !isEarly ? due : nextCycles(row, logged, 1)
  const missed = cycles.slice(0, -row.catchUp)
  await logCycles(ctx, row, missed, 'catch_up')
  const quotes: { guid: string; label: string }[] = []
  let series = row
  for (const cycle of cycles.slice(missed.length)) {
    const made = await makeCycle(ctx, series, cycle)
    quotes.push(made.quote)
    series = made.series
  }
  if (cycles.length > 0) {
    const next = await nextOf(ctx, series)
    const isLast = next.nextOn === null
    const status = isLast ? allow('complete', row).to : row.status
    await ctx.db
      .updateTable('quoteSeries')
      .set({ ...next, status, ...stamp(ctx, row.version) })
      .where('guid', '=', row.guid)
      .execute()
    if (isLast)
      ctx.audit({ action: 'series.completed', entity: 'Series', guid: row.guid, after: { ...facts(series), status } })
  }
  return quotes
}

const shownDay = (day: string) => formatPattern(day, 'd-m-Y', { zone: 'UTC', locale: 'en' })

/** What is done with a series that is due, or why nothing is. */
function itemOf(row: Awaited<ReturnType<typeof findDue>>['rows'][number]): PlanItem {
  const item = { key: row.guid, record: { guid: row.guid, label: row.title } }
  if (row.status === 'paused') return { ...item, do: false, reason: 'paused' }
  const due = dueCycles(row, new Set(row.logged), row.today)
  const made = due.slice(-row.catchUp)
  const missed = due.length - made.length
  const days = made.map(({ on }) => shownDay(on)).join(', ')
  const what = made.length === 1 ? 'the quote' : `${made.length} quotes`
  const older = missed > 0 ? ` Log ${missed} missed before.` : ''
  return { ...item, do: true, effect: `Create ${what} “${row.title}” for ${row.customerName}: ${days}.${older}` }
}

/** Stops a series whose quote a rule refused: somebody has to see to it. */
async function fail(ctx: Ctx, guid: string, error: AppError) {
  const series = await lockSeries(ctx, guid)
  if (series.status !== 'active') return
  const reason = sentenceOf(error).slice(0, 400)
  await ctx.db
    .updateTable('quoteSeries')
    .set({ status: allow('fail', series).to, reason, ...stamp(ctx, series.version) })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({
    action: 'series.failed',
    entity: 'Series',
    guid,
    before: { status: series.status },
    after: { ...facts(series), status: 'failed', reason },
  })
  await notify(ctx, {
    kind: 'series.failed',
    noun: 'Series',
    recordGuid: guid,
    right: ['update', 'Quotes:Series:Update:Guid'],
    event: `series.failed:${guid}:${series.version}`,
    values: { title: series.title, reason },
  })
}

/** Looks every hour for what is due, so that each business finds its quotes in the first hour of its day. */
export const seriesJob = definePlanned<DueMark>({
  name: 'recurring-quotes',
  call: seriesApi.process,
  cron: '7 * * * *',
  plan: async (ctx, after, limit) => {
    const { rows, isPartial } = await findDue(ctx.db, ctx.now, after, limit)
    return {
      items: rows.map((row) => ({
        item: itemOf(row),
        mark: { dueOn: row.dueOn, guid: row.guid },
        businessGuid: row.businessGuid,
      })),
      isPartial,
    }
  },
  act: async (ctx, guid) => {
    const series = await lockSeries(ctx, guid)
    if (series.status !== 'active') return false
    return (await makeDue(ctx, series)).length > 0
  },
  refused: fail,
})
