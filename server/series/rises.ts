import { addDays } from '../../contract/core/dates.ts'
import { conflict, invalid, invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input, Returned } from '../../contract/core/op.ts'
import { isSeriesLive, type RiseItem, type seriesApi } from '../../contract/series.ts'
import { type Ctx, withCtx } from '../core/ctx.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { newGuid } from '../core/guid.ts'
import { userOf } from '../core/records.ts'
import { fromCatalogue } from '../documents/catalogue-lines.service.ts'
import { priceLines } from '../documents/lines.service.ts'
import { type CycleLines, linesOn, pricesFor, type Rise, type SeriesRow } from './content.ts'
import { nextCycles } from './days.ts'
import { findLogged, findRises, visibleSeries } from './series.queries.ts'
import { dayOf } from './series.shown.ts'

type Api = typeof seriesApi
type Plan = Input<Api['planRise']>

const cannotFind = 'We can’t find that series.'
const used = 'This rise has been used, so it can’t be undone.'
sayConstraints({ series_rise_once_a_day: ['CONFLICT', 'A price rise from this day has already been planned.'] })

/** The series of a plan that the caller may change, in the order of their guids; locked where something is written. */
async function seriesOf(ctx: Ctx, guids: readonly string[], isLocked: boolean): Promise<SeriesRow[]> {
  const found = visibleSeries(ctx).selectAll('e').where('e.guid', 'in', guids).orderBy('e.guid')
  return (isLocked ? found.forUpdate('e') : found).execute()
}

const totalOf = async (ctx: Ctx, series: SeriesRow, lines: readonly CycleLines[]): Promise<number> => {
  const inputs = lines.map(({ input }) => input)
  const { priceMode, roundingRule, discount } = series
  const { gstRegistered } = ctx.business
  return priceLines(await fromCatalogue(ctx, pricesFor(ctx, series), inputs), {
    ...{ priceMode, roundingRule, discount, gstRegistered },
  }).totals.totalCents
}

/** What a rise would do to one series, with why not. */
async function itemOf(
  given: Ctx,
  series: SeriesRow,
  rise: Rise & { fromOn: string },
  customerName: string,
): Promise<RiseItem> {
  await given.workFor(series.businessGuid)
  const ctx = withCtx(given, { actor: { kind: 'system', name: 'series' }, rows: 'all' })
  const { guid: seriesGuid, title } = series
  const item = {
    seriesGuid,
    title,
    customerName,
    firstOn: null,
    beforeCents: series.totalCents,
    afterCents: series.totalCents,
    lines: [],
  }
  if (!isSeriesLive(series.status)) return { ...item, refusal: 'ended' }
  if (series.madeOn !== null && series.madeOn >= rise.fromOn) return { ...item, refusal: 'made' }
  const [first] = nextCycles(series, await findLogged(ctx.db, series), 1, rise.fromOn)
  if (!first) return { ...item, refusal: 'ended' }
  const earlier = await findRises(ctx.db, series, first.on)
  if (earlier.some(({ fromOn }) => fromOn === rise.fromOn)) return { ...item, firstOn: first.on, refusal: 'planned' }
  const inOrder = [...earlier, rise].toSorted((a, b) => (a.fromOn < b.fromOn ? -1 : 1))
  // A rise by nothing fills in what the catalogue asks.
  const before = await linesOn(ctx, series, first.on, earlier.length > 0 ? earlier : [{ ...rise, bp: 0, stepCents: 1 }])
  const after = await raisedOrNull(() => linesOn(ctx, series, first.on, inOrder))
  if (!after) return { ...item, firstOn: first.on, refusal: 'tooMuch' }
  const lines = before.flatMap(({ line, input }, i) => {
    const [beforeCents, afterCents] = [input.unitPriceCents ?? 0, after[i]?.input.unitPriceCents ?? 0]
    const isExcluded = rise.excludedGuids.includes(line.guid)
    return beforeCents === afterCents && !isExcluded
      ? []
      : [{ guid: line.guid, name: line.name, beforeCents, afterCents, isExcluded }]
  })
  const beforeCents = await totalOf(ctx, series, before)
  const afterCents = (await raisedOrNull(() => totalOf(ctx, series, after))) ?? null
  const known = { ...item, firstOn: first.on, beforeCents, lines }
  if (afterCents === null) return { ...known, refusal: 'tooMuch' }
  const isSame = lines.every((line) => line.beforeCents === line.afterCents)
  return { ...known, afterCents, refusal: isSame ? 'unpriced' : null }
}

/** Prices beyond what a document may hold are told, not thrown. */
async function raisedOrNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RangeError || (error instanceof Error && error.cause instanceof RangeError)) return null
    throw error
  }
}

const namesOf = async (ctx: Ctx, rows: readonly SeriesRow[]) => {
  const named = await ctx.db
    .selectFrom('parties')
    .select(['memberGuid', 'displayName'])
    .where('memberGuid', 'in', [...new Set(rows.map((row) => row.customerGuid))])
    .execute()
  return new Map(named.map((row) => [row.memberGuid, row.displayName]))
}

export async function planRise(ctx: Ctx, input: Plan): Promise<Returned<Api['planRise']>> {
  const { seriesGuids, bp, step, fromOn, excludeLines, dryRun } = input
  const asked = [...new Set(seriesGuids)]
  const rows = await seriesOf(ctx, asked, !dryRun)
  const known = new Map(rows.map((row) => [row.guid, row]))
  const missing = asked.findIndex((guid) => !known.has(guid))
  if (missing >= 0) throw invalid(`seriesGuids.${missing}`, cannotFind)
  if (fromOn > addDays(dayOf(ctx), 1827)) throw invalid('fromOn', 'Choose a day within the next five years.')
  const names = await namesOf(ctx, rows)
  const rise = { bp, stepCents: step, fromOn, excludedGuids: excludeLines }
  const items: RiseItem[] = []
  for (const row of rows) items.push(await itemOf(ctx, row, rise, names.get(row.customerGuid) ?? ''))
  const taken = items.filter((item) => item.refusal === null)
  const inTurn = asked.flatMap((guid) => items.find((item) => item.seriesGuid === guid) ?? [])
  if (dryRun) return { rise: null, items: inTurn }
  if (taken.length === 0) throw conflict('The prices of these series can’t rise from this day.')
  const guid = newGuid()
  await ctx.db
    .insertInto('seriesRises')
    .values(
      taken.map(({ seriesGuid, lines, beforeCents, afterCents }) => ({
        riseGuid: guid,
        businessGuid: known.get(seriesGuid)?.businessGuid ?? '',
        seriesGuid,
        ...{ fromOn, bp, stepCents: step, beforeCents, afterCents },
        excludedGuids: lines.flatMap((line) => (line.isExcluded ? [line.guid] : [])),
        createdAt: ctx.now,
        createdBy: userOf(ctx),
      })),
    )
    .execute()
  await tell(
    ctx,
    taken.map((item) => item.seriesGuid),
  )
  for (const { seriesGuid, title, afterCents } of taken)
    ctx.audit({
      action: 'series.rise_planned',
      entity: 'Series',
      guid: seriesGuid,
      after: { title, totalCents: afterCents, riseGuid: guid, fromOn, bp, step },
    })
  return { rise: { guid, fromOn, bp, step, count: taken.length, undoneAt: null }, items: inTurn }
}

/** Open pages of these series read them anew. */
const tell = (ctx: Ctx, guids: readonly string[]) =>
  ctx.db.updateTable('quoteSeries').set({ updatedAt: ctx.now }).where('guid', 'in', guids).execute()

export async function undoRise(ctx: Ctx, { guid }: Input<Api['undoRise']>): Promise<Returned<Api['undoRise']>> {
  const rises = await ctx.db.selectFrom('seriesRises').selectAll().where('riseGuid', '=', guid).execute()
  const [first] = rises
  if (!first) throw notFound()
  const rows = await seriesOf(
    ctx,
    rises.map((rise) => rise.seriesGuid),
    true,
  )
  // Whoever may not see all of its series may not know of the rise.
  if (rows.length < rises.length) throw notFound()
  // Read under the lock: of two who undo it, the later finds it undone.
  const { undoneAt } = await ctx.db
    .selectFrom('seriesRises')
    .select('undoneAt')
    .where('guid', '=', first.guid)
    .executeTakeFirstOrThrow()
  if (undoneAt !== null) throw invalidTransition('This rise has already been undone.')
  if (rows.some(({ madeOn }) => madeOn !== null && madeOn >= first.fromOn)) throw conflict(used)
  await ctx.db
    .updateTable('seriesRises')
    .set({ undoneAt: ctx.now, undoneBy: userOf(ctx) })
    .where('riseGuid', '=', guid)
    .execute()
  await tell(
    ctx,
    rows.map((row) => row.guid),
  )
  for (const { guid: seriesGuid, title, totalCents } of rows)
    ctx.audit({
      action: 'series.rise_undone',
      entity: 'Series',
      guid: seriesGuid,
      after: { title, totalCents, riseGuid: guid, fromOn: first.fromOn },
    })
  const { fromOn, bp, stepCents: step } = first
  return { rise: { guid, fromOn, bp, step, count: rises.length, undoneAt: ctx.now.toISOString() } }
}
