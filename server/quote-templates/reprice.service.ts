import { sql } from 'kysely'
import type { Input } from '../../contract/core/op.ts'
import type { Line, LineInput } from '../../contract/lines.ts'
import type { quoteEntriesApi, RepricedLine } from '../../contract/quote-entries.ts'
import type { Quote } from '../../contract/quotes.ts'
import { type Ctx, withCtx } from '../core/ctx.ts'
import { priceByCatalogue } from '../documents/catalogue-lines.service.ts'
import { allow, lockVisibleQuote, one, sameVersion } from '../quotes/quote.service.ts'
import { updateQuote } from '../quotes/quotes.service.ts'
import { soldNow } from './content.ts'
import { entered } from './entered.ts'
import { pricesFor } from './templates.ts'

/** What a line comes to with those below it. */
const sumOf = (lines: readonly Line[], guid: string) =>
  lines
    .filter((line) => line.guid === guid || line.parentLineGuid === guid)
    .reduce((sum, line) => sum + line.totalCents, 0)

const changesOf = (before: readonly Line[], after: readonly Line[]): RepricedLine[] =>
  before.flatMap(({ guid, parentLineGuid, name }) => {
    if (parentLineGuid !== null) return []
    const [beforeCents, afterCents] = [sumOf(before, guid), sumOf(after, guid)]
    return beforeCents === afterCents ? [] : [{ lineGuid: guid, name, beforeCents, afterCents }]
  })

/** The lines that follow the catalogue: those of a product whose price nobody entered by hand. */
async function following(ctx: Ctx, quote: Quote, lines: readonly LineInput[]) {
  const manual = new Set(quote.lines.filter((line) => line.isPriceManual).map((line) => line.guid))
  const all = lines.filter((line) => line.productGuid && !manual.has(line.guid ?? ''))
  const sold = await soldNow(ctx, [...new Set(all.flatMap((line) => line.productGuid ?? []))])
  const open = all.map(({ unitPriceCents: _cents, ...line }): LineInput => line)
  const priced = await priceByCatalogue(ctx, pricesFor(ctx, quote.priceMode, quote.customerGuid), open)
  const can = open.filter((line, i) => sold.has(line.productGuid ?? '') && priced[i]?.problems.length === 0)
  return { can, missing: open.filter((line) => !can.includes(line)).map(({ name }) => name) }
}

/** Does something and takes it back; what it would have been is told. */
async function tried<T>(ctx: Ctx, work: (within: Ctx) => Promise<T>): Promise<T> {
  await sql`savepoint trying`.execute(ctx.db)
  const told = await work(withCtx(ctx, { audit: () => undefined }))
  await sql`rollback to savepoint trying`.execute(ctx.db)
  return told
}

/** Prices a draft by today’s catalogue. What somebody entered by hand stays, and so does what is sold no more. */
export async function repriceQuote(ctx: Ctx, input: Input<(typeof quoteEntriesApi)['reprice']>) {
  const { guid, version, dryRun } = input
  const row = await lockVisibleQuote(ctx, guid)
  await sameVersion(ctx, row, version)
  allow('update', row)
  const { quote } = await one(ctx, guid)
  const lines = entered(quote.lines)
  const { can, missing } = await following(ctx, quote, lines)
  const fresh = new Map(can.map((line) => [line.guid, line]))
  const price = (within: Ctx) =>
    updateQuote(within, { guid, version, lines: lines.map((line) => fresh.get(line.guid) ?? line) })
  const beforeCents = quote.totals.totalCents
  const would = fresh.size > 0 ? (await tried(ctx, price)).quote : quote
  const changes = changesOf(quote.lines, would.lines)
  const told = { changes, beforeCents, afterCents: would.totals.totalCents, missing }
  if (dryRun || changes.length === 0) return { quote, ...told }
  const saved = await price(ctx)
  return { ...saved, ...told }
}
