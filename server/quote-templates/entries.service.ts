import { AppError, type FieldError, invalid } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { LineInput } from '../../contract/lines.ts'
import { lineKindOf } from '../../contract/pricing.ts'
import { rangeOfLine, rangeProblems } from '../../contract/quantity-range.ts'
import type { Entry, quoteEntriesApi } from '../../contract/quote-entries.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { soleParties } from '../customers/customers.service.ts'
import type { PricesFor } from '../documents/catalogue-lines.service.ts'
import { allow, lockVisibleQuote, one, sameVersion } from '../quotes/quote.service.ts'
import { createQuote, updateQuote } from '../quotes/quotes.service.ts'
import { filterReadableReferences } from '../row-scope/row-scope.service.ts'
import { entered } from './entered.ts'
import { repriceQuote } from './reprice.service.ts'
import { chosenTemplate, linesOfTemplate, mustReadQuote, pricesFor } from './templates.ts'

type Api = typeof quoteEntriesApi

/** Lines of products, at the catalogue’s price; the range that a product leaves its customer comes along if it fits. */
async function linesOfProducts(ctx: Ctx, guids: readonly string[], quantity: string, paths: readonly string[]) {
  const rows = await ctx.db
    .selectFrom('products')
    .select(['guid', 'name', 'kind', 'description', 'unit', 'gstCode', 'quantityMin', 'quantityMax', 'quantityStep'])
    .where('guid', 'in', guids)
    .where('businessGuid', '=', ctx.business.catalogueOf)
    .where('status', '=', 'active')
    .execute()
  const known = new Map((await filterReadableReferences(ctx, 'Products', rows)).map((row) => [row.guid, row]))
  return guids.map((guid, i): LineInput => {
    const product = known.get(guid)
    if (!product) throw invalid(paths[i] ?? '', 'We can’t find that product.')
    const { quantityMin, quantityMax, quantityStep } = product
    const range = rangeOfLine({ quantityMin, quantityMax, quantityStep: quantityStep ?? '1' })
    return {
      kind: lineKindOf(product.kind),
      productGuid: guid,
      name: product.name,
      description: product.description,
      quantity,
      unit: product.unit as LineInput['unit'],
      gstCode: product.gstCode,
      isOptional: false,
      ...(range && rangeProblems({ quantity, ...range }).length === 0 ? range : {}),
    }
  })
}

interface Prepared {
  lines: LineInput[]
  missing: string[]
  /** Where of the entry the field of one of its lines was sent. */
  pathOf: (index: number, field: string) => string
}

const sole = (path: string) => () => path
const ofProduct: Readonly<Record<string, string>> = { hireFrom: 'entry.hire.from', hireTo: 'entry.hire.to' }

/** What an entry puts into a quote that has these lines. */
async function prepare(ctx: Ctx, entry: Entry, given: PricesFor, before: readonly LineInput[]): Promise<Prepared> {
  switch (entry.type) {
    case 'line':
      return { lines: [entry.line], missing: [], pathOf: (_, field) => `entry.line.${field}` }
    case 'section': {
      const line: LineInput = {
        ...{ kind: 'section', name: entry.name, quantity: '1', unit: 'each', gstCode: 'GST', isOptional: false },
      }
      return { lines: [line], missing: [], pathOf: sole('entry.name') }
    }
    case 'product': {
      const { productGuid, quantity, answers, hire } = entry
      const lines = await linesOfProducts(ctx, [productGuid], quantity, ['entry.productGuid'])
      const more = { ...(answers ? { answers } : {}), ...(hire ? { hireFrom: hire.from, hireTo: hire.to } : {}) }
      return {
        lines: lines.map((line) => ({ ...line, ...more })),
        missing: [],
        pathOf: (_, field) => ofProduct[field] ?? `entry.${field}`,
      }
    }
    case 'alternative': {
      const { group, productGuids } = entry
      const isThere = before.some((line) => line.alternativeGroup === group)
      if (!isThere && productGuids.length < 2) throw invalid('entry.productGuids', 'Choose at least two products.')
      const paths = productGuids.map((_, i) => `entry.productGuids.${i}`)
      const lines = await linesOfProducts(ctx, productGuids, '1', paths)
      return {
        lines: lines.map((line) => ({ ...line, alternativeGroup: group })),
        missing: [],
        pathOf: (index) => paths[index] ?? 'entry.productGuids',
      }
    }
    case 'template': {
      const path = 'entry.templateGuid'
      const row = await chosenTemplate(ctx, entry.templateGuid, path)
      const { inputs, missing } = await linesOfTemplate(ctx, row, given, path)
      return { lines: inputs, missing, pathOf: sole(path) }
    }
  }
}

/** What is wrong with the lines of an entry is told where it was sent; `at` is where they begin. */
async function saidOf<T>({ lines, pathOf }: Prepared, at: number, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof AppError) || error.fields.length === 0) throw error
    const fields = error.fields.map(({ path, message }): FieldError => {
      const [, index, field] = /^lines\.(\d+)\.(.+)$/.exec(path) ?? []
      const own = index === undefined ? -1 : Number(index) - at
      if (field !== undefined && own >= 0 && own < lines.length) return { path: pathOf(own, field), message }
      return { path: path.startsWith('lines') ? 'entry' : path, message }
    })
    throw new AppError(error.code, error.message, { fields, data: error.data, cause: error })
  }
}

const most = 500

/** Where an entry goes: to the end, where it says, or to the alternatives that it belongs to. */
function placeOf(entry: Entry, position: number | undefined, before: readonly LineInput[]): number {
  if (position !== undefined) {
    if (position > before.length + 1)
      throw invalid('position', before.length > 0 ? `Choose 1 to ${before.length + 1}.` : 'Choose 1.')
    return position - 1
  }
  const last = entry.type === 'alternative' ? before.findLastIndex((l) => l.alternativeGroup === entry.group) : -1
  return last < 0 ? before.length : last + 1
}

async function add(ctx: Ctx, { guid, version, position, entry }: Input<Api['add']>) {
  await mustReadQuote(ctx, guid)
  const row = await lockVisibleQuote(ctx, guid)
  await sameVersion(ctx, row, version)
  allow('update', row)
  const { quote } = await one(ctx, guid)
  const before = entered(quote.lines)
  const at = placeOf(entry, position, before)
  const prepared = await prepare(ctx, entry, pricesFor(ctx, row.priceMode, row.customerGuid), before)
  if (before.length + prepared.lines.length > most) throw invalid('entry', `A quote can have up to ${most} lines.`)
  const lines = before.toSpliced(at, 0, ...prepared.lines)
  const saved = await saidOf(prepared, at, () => updateQuote(ctx, { guid, version, lines }))
  return { ...saved, missing: prepared.missing }
}

async function begin(ctx: Ctx, { customerGuid, title, entry }: Input<Api['begin']>) {
  const prepared = await prepare(ctx, entry, pricesFor(ctx, ctx.business.defaultPriceMode, customerGuid), [])
  const parties = { customerGuid, ...(await soleParties(ctx, customerGuid)) }
  const guid = await saidOf(prepared, 0, () => createQuote(ctx, { ...parties, title, lines: prepared.lines }))
  return { ...(await one(ctx, guid)), missing: prepared.missing }
}

export const quoteEntries: Handlers<Api> = { add, begin, reprice: repriceQuote }
