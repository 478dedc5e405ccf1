import { invalid, notFound } from '../../contract/core/errors.ts'
import type { PriceMode } from '../../contract/core/money.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx } from '../core/ctx.ts'
import type { PricesFor } from '../documents/catalogue-lines.service.ts'
import { readableGuids } from '../row-scope/row-scope.service.ts'
import { type TemplateRow, usedLines } from './content.ts'

export const dayOf = (ctx: Ctx) => today(ctx.business, ctx.now)

export const pricesFor = ({ business }: Ctx, priceMode: PriceMode, customerGuid: string | null): PricesFor => ({
  businessGuid: business.guid,
  gstRegistered: business.gstRegistered,
  customerGuid,
  priceMode,
})

/** Whoever copies a quote, or adds to it, reads it: the right to the deed alone tells of no quote. */
export async function mustReadQuote(ctx: Ctx, guid: string): Promise<void> {
  const known = await readableGuids(ctx, 'Quotes', [{ guid }])
  if (!known.has(guid)) throw notFound()
}

/** A template of this catalogue that the caller may read and that is in use; `path` is where it was chosen. */
export async function chosenTemplate(ctx: Ctx, guid: string, path: string): Promise<TemplateRow> {
  const row = await ctx.db
    .selectFrom('quoteTemplates')
    .selectAll()
    .where('guid', '=', guid)
    .where('businessGuid', '=', ctx.business.catalogueOf)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  const known = await readableGuids(ctx, 'QuoteTemplates', row ? [row] : [])
  if (!row || !known.has(guid)) throw invalid(path, 'We can’t find that template.')
  return row
}

/** Its lines for a document of a customer that is made today; there must be some. */
export async function linesOfTemplate(ctx: Ctx, row: TemplateRow, given: PricesFor, path: string) {
  const used = await usedLines(ctx, row, given, dayOf(ctx))
  if (used.inputs.length === 0)
    throw invalid(
      path,
      row.lines.length > 0 ? 'Nothing in this template can be quoted any more.' : 'This template has no lines.',
    )
  return used
}
