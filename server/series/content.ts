import type { Selectable } from 'kysely'
import { addDays, daysBetween } from '../../contract/core/dates.ts'
import { isText } from '../../contract/core/money.ts'
import type { Line, LineInput } from '../../contract/lines.ts'
import type { Stage } from '../../contract/stages.ts'
import { risen } from '../../contract/price-rise.ts'
import type { Ctx } from '../core/ctx.ts'
import type { DB } from '../core/db/schema.ts'
import { newGuid } from '../core/guid.ts'
import { fromCatalogue } from '../documents/catalogue-lines.service.ts'
import { lineOf, type LineRow } from '../documents/lines.service.ts'

export type SeriesRow = Selectable<DB['quoteSeries']>
type StoredLine = Parameters<typeof lineOf>[0]

/** The lines of a series as they are kept: rows of a quote's lines, in order. */
export const storedLines = (series: Pick<SeriesRow, 'lines'>): StoredLine[] => series.lines as StoredLine[]
export const linesOf = (series: Pick<SeriesRow, 'lines'>): Line[] => storedLines(series).map(lineOf)
const entered = (series: Pick<SeriesRow, 'lines'>) => linesOf(series).filter((line) => line.parentLineGuid === null)

const parsed = <T>(json: string | null): T | null => (json === null ? null : (JSON.parse(json) as T))
/** Rows of lines as the column holds them. */
export const asContent = (rows: readonly LineRow[]): string =>
  JSON.stringify(
    rows.map((row) => ({
      ...row,
      discount: parsed(row.discount),
      hireRates: parsed(row.hireRates),
      options: parsed(row.options),
    })),
  )

const shifted = (day: string | null, days: number) => (day === null ? null : addDays(day, days))

/** How far the cycle of a day lies from the first one: days of hire move along. */
const shiftTo = (series: Pick<SeriesRow, 'anchorOn'>, on: string) => daysBetween(series.anchorOn, on)

/** The stages of the payments of a quote: those of a day move along. */
export const stagesOn = (series: Pick<SeriesRow, 'anchorOn' | 'schedule'>, on: string): Stage[] | null =>
  series.schedule?.map((stage) =>
    stage.due.type === 'day'
      ? { ...stage, due: { type: 'day', on: addDays(stage.due.on, shiftTo(series, on)) } }
      : stage,
  ) ?? null

/** A line as a new quote is sent it; a price that is left out is the catalogue's. */
function asInput(line: Line, shift: number, unitPriceCents: number | undefined): LineInput {
  const { productGuid, name, description, quantity, unit, answers, discount, gstCode } = line
  return {
    kind: line.kind as LineInput['kind'],
    ...{ productGuid, name, description, quantity, unit, discount, gstCode },
    ...{ quantityMin: line.quantityMin, quantityMax: line.quantityMax, quantityStep: line.quantityStep },
    ...(unitPriceCents === undefined ? {} : { unitPriceCents }),
    hireFrom: shifted(line.hireFrom, shift),
    hireTo: shifted(line.hireTo, shift),
    ...(productGuid ? { answers } : {}),
    ...(line.revenueStreamGuid ? { revenueStreamGuid: line.revenueStreamGuid } : {}),
    isOptional: line.isOptional,
    alternativeGroup: line.alternativeGroup,
    isSelected: line.isSelected,
  }
}

/** A rise of prices as it holds for the lines of a series. */
export interface Rise {
  bp: number
  stepCents: number
  excludedGuids: readonly string[]
}

/** What is sold for a price rises; discounts and texts stay. */
const canRise = (line: Pick<Line, 'kind'>, unitPriceCents: number) =>
  !isText(line) && line.kind !== 'discount' && unitPriceCents > 0

/** A price after rises, one after the other. */
const after = (line: Line, unitPriceCents: number, rises: readonly Rise[]): number =>
  rises.reduce(
    (cents, rise) => (rise.excludedGuids.includes(line.guid) || !canRise(line, cents) ? cents : risen(cents, rise)),
    unitPriceCents,
  )

export interface CycleLines {
  line: Line
  input: LineInput
}

/**
 * The lines of the quote of a day: a price of the last cycle, or one that was entered, stays; others are what the
 * catalogue asks of this customer now. Rises come on top, in their order.
 */
export async function linesOn(ctx: Ctx, series: SeriesRow, on: string, rises: readonly Rise[]): Promise<CycleLines[]> {
  const shift = shiftTo(series, on)
  const lines = entered(series)
  const inputs = lines.map((line) => {
    const isKnown = line.isPriceManual || series.carriedGuids.includes(line.guid) || isText(line)
    return asInput(line, shift, isKnown ? line.unitPriceCents : undefined)
  })
  if (rises.length === 0) return lines.map((line, i) => ({ line, input: inputs[i] as LineInput }))
  const priced = await fromCatalogue(ctx, pricesFor(ctx, series), inputs)
  return lines.map((line, i) => {
    const cents = priced[i]?.unitPriceCents ?? 0
    return { line, input: { ...(inputs[i] as LineInput), unitPriceCents: after(line, cents, rises) } }
  })
}

/** Whose prices count. */
export const pricesFor = (
  { business }: Pick<Ctx, 'business'>,
  series: Pick<SeriesRow, 'customerGuid' | 'priceMode'>,
) => ({
  businessGuid: business.guid,
  gstRegistered: business.gstRegistered,
  customerGuid: series.customerGuid,
  priceMode: series.priceMode,
})

/** The lines of a quote that was made, as those of its series: each under the guid it had there. */
export function carriedFrom(series: SeriesRow, on: string, made: readonly StoredLine[]): StoredLine[] {
  const own = entered(series).map(({ guid }) => guid)
  const back = -shiftTo(series, on)
  const guids = new Map<string, string>()
  for (const row of made) guids.set(row.guid, (row.parentLineGuid === null ? own.shift() : undefined) ?? newGuid())
  return made.map((row) => ({
    ...row,
    guid: guids.get(row.guid) ?? row.guid,
    parentLineGuid: row.parentLineGuid === null ? null : (guids.get(row.parentLineGuid) ?? null),
    hireFrom: shifted(row.hireFrom, back),
    hireTo: shifted(row.hireTo, back),
  }))
}
