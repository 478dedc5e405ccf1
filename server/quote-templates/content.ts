import type { Selectable } from 'kysely'
import { addDays, daysBetween } from '../../contract/core/dates.ts'
import { isText, scaleCents } from '../../contract/core/money.ts'
import type { Line } from '../../contract/lines.ts'
import type { QuoteTemplateInput } from '../../contract/quote-templates.ts'
import type { Stage } from '../../contract/stages.ts'
import type { Ctx } from '../core/ctx.ts'
import type { DB } from '../core/db/schema.ts'
import { priceByCatalogue, type PricesFor } from '../documents/catalogue-lines.service.ts'
import type { CataloguedInput } from '../documents/lines.service.ts'
import { isSameDiscount } from '../documents/terms.service.ts'
import { readableGuids } from '../row-scope/row-scope.service.ts'
import { entered } from './entered.ts'

export type TemplateRow = Selectable<DB['quoteTemplates']>
type TemplateLine = QuoteTemplateInput['lines'][number]

const shifted = (day: string | null | undefined, days: number) => (day ? addDays(day, days) : null)

/** Days of hire keep their distance from the day a template is used. */
export const linesOn = ({ lines, anchoredOn }: Pick<TemplateRow, 'lines' | 'anchoredOn'>, on: string): TemplateLine[] =>
  lines.map((line) => ({
    ...line,
    hireFrom: shifted(line.hireFrom, daysBetween(anchoredOn, on)),
    hireTo: shifted(line.hireTo, daysBetween(anchoredOn, on)),
  }))

/** The stages of payments with a day of their own do so, too. */
export const stagesOn = (
  { schedule, anchoredOn }: Pick<TemplateRow, 'schedule' | 'anchoredOn'>,
  on: string,
): Stage[] | null =>
  schedule?.map((stage) =>
    stage.due.type === 'day'
      ? { ...stage, due: { type: 'day', on: addDays(stage.due.on, daysBetween(anchoredOn, on)) } }
      : stage,
  ) ?? null

/** A line as a template keeps it: what the catalogue knows of a product is asked anew each time. */
export function kept(line: TemplateLine): TemplateLine {
  const { unitPriceCents, discount, revenueStreamGuid, ...rest } = line
  if (!line.productGuid || isText(line))
    return { ...line, productGuid: null, ...(unitPriceCents === undefined ? { unitPriceCents: 0 } : {}) }
  return { ...rest, ...(discount ? { discount } : {}), ...(revenueStreamGuid ? { revenueStreamGuid } : {}) }
}

/** The lines of a quote as a template keeps them: without the discount that was agreed with its customer alone. */
export async function linesOfQuote(ctx: Ctx, given: PricesFor, lines: readonly Line[]): Promise<TemplateLine[]> {
  const inputs = entered(lines).map(({ guid: _guid, ...line }): TemplateLine => line)
  const agreed = await priceByCatalogue(
    ctx,
    given,
    inputs.map(({ discount: _discount, ...line }) => line),
  )
  return inputs.map((line, i) => {
    const { discount, ...rest } = line
    const isAgreed = line.productGuid && isSameDiscount(agreed[i]?.line.discount, discount)
    return kept(isAgreed ? rest : line)
  })
}

/** Free lines say their price as the template does; a document may say prices otherwise. */
function restated(line: TemplateLine, from: TemplateRow['priceMode'], to: PricesFor): TemplateLine {
  const { unitPriceCents } = line
  if (unitPriceCents === undefined || from === to.priceMode || line.gstCode !== 'GST' || !to.gstRegistered) return line
  const [numerator, denominator] = to.priceMode === 'inclusive' ? [11, 10] : [10, 11]
  return { ...line, unitPriceCents: scaleCents(unitPriceCents, numerator, denominator) }
}

/** Products that can be quoted now, among those the caller may read. */
export async function soldNow(ctx: Ctx, guids: readonly string[]): Promise<ReadonlySet<string>> {
  if (guids.length === 0) return new Set()
  const rows = await ctx.db
    .selectFrom('products')
    .select('guid')
    .where('guid', 'in', guids)
    .where('businessGuid', '=', ctx.business.catalogueOf)
    .where('status', '=', 'active')
    .execute()
  return readableGuids(ctx, 'Products', rows)
}

interface UsedLines {
  /** As they are sent for a document. */
  inputs: TemplateLine[]
  /** The same as the catalogue prices them now. */
  priced: CataloguedInput[]
  /** Lines that are left out, by name. */
  missing: string[]
}

/**
 * The lines of a template for a document that is made today. One whose product is sold no more is left out; answers
 * that no longer fit what the product asks give way to those that are selected by default.
 */
export async function usedLines(ctx: Ctx, row: TemplateRow, given: PricesFor, on: string): Promise<UsedLines> {
  const lines = linesOn(row, on).map((line) => restated(line, row.priceMode, given))
  const known = await soldNow(ctx, [...new Set(lines.flatMap((line) => line.productGuid ?? []))])
  const sold = lines.filter((line) => !line.productGuid || known.has(line.productGuid))
  const first = await priceByCatalogue(ctx, given, sold)
  const inputs = sold.map((line, i) => {
    if (!first[i]?.problems.length || !line.answers) return line
    const { answers: _answers, ...rest } = line
    return rest
  })
  const isAnsweredAnew = inputs.some((line, i) => line !== sold[i])
  const priced = isAnsweredAnew ? await priceByCatalogue(ctx, given, inputs) : first
  const fits = (i: number) => priced[i]?.problems.length === 0
  const left = sold.filter((_, i) => !fits(i))
  return {
    inputs: inputs.filter((_, i) => fits(i)),
    priced: priced.filter((_, i) => fits(i)).map(({ line }) => line),
    missing: lines.filter((line) => !sold.includes(line) || left.includes(line)).map(({ name }) => name),
  }
}
