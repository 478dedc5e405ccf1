import { localDay } from '../../contract/core/dates.ts'
import { invalidTransition, notFound } from '../../contract/core/errors.ts'
import { leadsFrom } from '../../contract/core/transitions.ts'
import { type Series, seriesApi, type SeriesStatus, seriesTransitions } from '../../contract/series.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { checkVersion } from '../core/db/rows.ts'
import { filterReadableReferences } from '../row-scope/row-scope.service.ts'
import { linesOf, type SeriesRow } from './content.ts'
import { nextCycles } from './days.ts'
import { findSeries, type FoundSeries, rowForUpdate, visibleRowForUpdate } from './series.queries.ts'

/** Days of the next cycles that are told. */
const shownDays = 5

/** Cycles of a series that rests are left out until the day it is. */
const nextDays = (row: FoundSeries, day: string): string[] => {
  if (!leadsFrom(seriesTransitions, 'update', row.status)) return []
  const from = row.status === 'paused' ? day : ''
  return nextCycles(row, new Set(row.logged), shownDays, from).map(({ on }) => on)
}

async function shown(ctx: Ctx, row: FoundSeries): Promise<Series> {
  const { everyN, everyUnit, subtotalCents, discountCents, gstCents, totalCents, optionalTotalCents, ...rest } = row
  const zone = await ctx.db
    .selectFrom('businesses')
    .select('timeZone')
    .where('guid', '=', row.businessGuid)
    .executeTakeFirstOrThrow()
  const quotes = await filterReadableReferences(
    ctx,
    'Quotes',
    row.cycles.flatMap(({ quote }) => quote ?? []),
  )
  const readable = new Set(quotes.map(({ guid }) => guid))
  return {
    ...rest,
    lines: linesOf(row),
    totals: { subtotalCents, discountCents, gstCents, totalCents, optionalTotalCents },
    every: { n: everyN, unit: everyUnit },
    next: nextDays(row, localDay(ctx.now.toISOString(), zone.timeZone)),
    dueOn: ['draft', 'active'].includes(row.status) ? row.dueOn : null,
    cycles: row.cycles.map((cycle) => ({
      ...cycle,
      quote: cycle.quote && readable.has(cycle.quote.guid) ? cycle.quote : null,
    })),
  }
}

export async function one(ctx: Ctx, guid: string): Promise<{ series: Series }> {
  const row = await findSeries(ctx, guid)
  if (!row) throw notFound()
  return { series: await shown(ctx, row) }
}

/** How a series stands, as the sentence that refuses what it does not allow. */
const refusalFor: Record<SeriesStatus, string> = {
  draft: 'This series hasn’t been started yet.',
  active: 'This series is already active.',
  paused: 'This series is paused.',
  completed: 'This series has ended.',
  cancelled: 'This series was cancelled.',
  failed: 'This series has stopped. Resume it first.',
}
type Deed = keyof typeof seriesTransitions

/** Refuses a deed that the status does not allow; what the contract's table says of it. */
export function allow<D extends Deed>(deed: D, { status }: Pick<SeriesRow, 'status'>): (typeof seriesTransitions)[D] {
  if (!leadsFrom(seriesTransitions, deed, status)) throw invalidTransition(refusalFor[status])
  return seriesTransitions[deed]
}

/** Locks a series; what is done to it is done for its business. */
export async function lockSeries(ctx: Ctx, guid: string): Promise<SeriesRow> {
  const row = await rowForUpdate(ctx.db, guid)
  if (!row) throw notFound()
  await ctx.workFor(row.businessGuid)
  return row
}
export async function lockVisibleSeries(ctx: Ctx, guid: string): Promise<SeriesRow> {
  const row = await visibleRowForUpdate(ctx, guid)
  if (!row) throw notFound()
  await ctx.workFor(row.businessGuid)
  return row
}

export const sameVersion = (ctx: Ctx, row: SeriesRow, version: number) =>
  checkVersion(row, version, seriesApi.get, () => one(ctx, row.guid))

export const dayOf = (ctx: Ctx) => today(ctx.business, ctx.now)

/** What the timeline says of a series. */
export const facts = (row: Pick<SeriesRow, 'title' | 'totalCents'>) => ({
  title: row.title,
  totalCents: row.totalCents,
})
