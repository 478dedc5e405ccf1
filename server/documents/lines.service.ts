import { sql } from 'kysely'
import { isPart, isText, type LineTotals } from '../../contract/core/money.ts'
import { answersOf } from '../../contract/booking-options.ts'
import type { LineOptions } from '../../contract/line-options.ts'
import { AppError, type FieldError, refuseFields } from '../../contract/core/errors.ts'
import { rangeProblems } from '../../contract/quantity-range.ts'
import {
  priceDocument,
  trimQuantity,
  type Discount,
  type Line,
  type LineKind,
  type LineInput,
  type Priced,
} from '../../contract/lines.ts'
import type { HireRates } from '../../contract/hire.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { asJson } from '../core/records.ts'
import type { DocumentLine, LineContent } from './document.ts'
import { type KeptRange, noRange, rangeOf } from './quantity-range.service.ts'
import { readableGuids } from '../row-scope/row-scope.service.ts'

/** What a line took from the catalogue on the day it was priced, and how far its quantity is the customer's. */
export interface Catalogued extends KeptRange {
  parentLineGuid: string | null
  hireFrom: string | null
  hireTo: string | null
  hireRates: HireRates | null
  isPriceManual: boolean
  costCents: number | null
  revenueStreamGuid: string | null
  options: LineOptions | null
  sourceKey: string | null
  showsParts: boolean | null
}
export const uncatalogued: Catalogued = {
  ...noRange,
  parentLineGuid: null,
  hireFrom: null,
  hireTo: null,
  hireRates: null,
  isPriceManual: true,
  costCents: null,
  revenueStreamGuid: null,
  options: null,
  sourceKey: null,
  showsParts: null,
}

/** That part of a stored line. */
export const cataloguedOf = (row: Catalogued): Catalogued => ({
  ...rangeOf(row),
  parentLineGuid: row.parentLineGuid,
  hireFrom: row.hireFrom,
  hireTo: row.hireTo,
  hireRates: row.hireRates,
  isPriceManual: row.isPriceManual,
  costCents: row.costCents,
  revenueStreamGuid: row.revenueStreamGuid,
  options: row.options,
  sourceKey: row.sourceKey,
  showsParts: row.showsParts,
})

/** A line as its row holds it: what is JSON as text. */
export const asRow = <
  L extends { discount: Discount | null; hireRates: HireRates | null; options: LineOptions | null },
>(
  line: L,
): Omit<L, 'discount' | 'hireRates' | 'options'> & Pick<LineRow, 'discount' | 'hireRates' | 'options'> => ({
  ...line,
  discount: asJson(line.discount),
  hireRates: asJson(line.hireRates),
  options: asJson(line.options),
})

/** What was entered on a line and the product it came from, as it is read from the tables. */
export interface EnteredLine extends LineContent, Catalogued {
  productGuid: string | null
}
/** What is sent of a line, with what the catalogue makes of it; lines below it come with it and are never sent. */
export type CataloguedInput = Omit<LineInput, 'kind'> & {
  kind: LineKind
  catalogued?: Catalogued
  children?: readonly CataloguedInput[]
}

interface StoredLine
  extends EnteredLine, Omit<DocumentLine, 'parentLineGuid' | 'sourceKey' | 'showsParts' | 'options' | 'answers'> {
  position: number
}

/** A line as it is written to the tables, without the column that points to its document. */
export interface LineRow extends Omit<StoredLine, 'discount' | 'hireRates' | 'options'> {
  /** JSON text. */
  discount: string | null
  hireRates: string | null
  options: string | null
}

export interface Pricing {
  priceMode: Priced['priceMode']
  roundingRule: Priced['roundingRule']
  discount?: Discount | null | undefined
}

/** The same of a saved document, which has a discount or none. */
export interface Terms extends Pricing {
  discount: Discount | null
}

export interface LineRules extends Pricing {
  /** A business that is not registered charges no GST, whatever the lines say. */
  gstRegistered: boolean
  /** Lines the document has already; a guid outside of them is refused. `any` when nothing is saved. */
  known?: ReadonlySet<string> | 'any'
  /** Orders and invoices are past choosing: no options and no alternatives. */
  withoutChoices?: boolean
}

export interface DocumentTotals {
  subtotalCents: number
  discountCents: number
  gstCents: number
  totalCents: number
}

export interface PricedLines {
  rows: LineRow[]
  /** Per line what is not stored: its discount, and whether it counts. */
  amounts: LineTotals[]
  totals: DocumentTotals & { optionalTotalCents: number }
}

/** Whether the customer may choose for or against a line. */
export const isChoice = (line: { isOptional: boolean; alternativeGroup: string | null }) =>
  line.isOptional || line.alternativeGroup !== null

/** What was entered as rows to store, with every amount, and the totals of the document. */
export function priceLines(input: readonly CataloguedInput[], rules: LineRules): PricedLines {
  check(input, rules)
  const entered = input.map((line) => tidy(line, rules))
  selectOnePerGroup(entered)
  const lines = entered.flatMap((line, i) => withChildren(line, input[i]?.children ?? [], rules))
  const priced = priced422(() => priceDocument({ ...rules, lines }))
  const rows = lines.map((line, i): LineRow => {
    const { netCents = 0, gstCents = 0, totalCents = 0 } = priced.lines[i] ?? {}
    return { ...asRow(line), position: i + 1, netCents, gstCents, totalCents }
  })
  return { rows, amounts: priced.lines, totals: priced.totals }
}

/** Prices a new document; what it does not say of its prices is the business's. */
export function priceNew(
  business: {
    defaultPriceMode: Pricing['priceMode']
    roundingRule: Pricing['roundingRule']
    gstRegistered: boolean
  },
  input: { lines: readonly CataloguedInput[] } & { [K in keyof Pricing]?: Pricing[K] | undefined },
  rules: Pick<LineRules, 'withoutChoices'> = {},
) {
  const pricing: Terms = {
    priceMode: input.priceMode ?? business.defaultPriceMode,
    roundingRule: input.roundingRule ?? business.roundingRule,
    discount: input.discount ?? null,
  }
  return { pricing, ...priceLines(input.lines, { ...pricing, ...rules, gstRegistered: business.gstRegistered }) }
}

type Priceable = Pick<
  Line,
  | 'guid'
  | 'parentLineGuid'
  | 'sourceKey'
  | 'kind'
  | 'quantity'
  | 'unitPriceCents'
  | 'discount'
  | 'gstCode'
  | 'isOptional'
  | 'alternativeGroup'
  | 'isSelected'
>

/** Prices stored lines again, for example after a choice was made. */
export function repriceLines<L extends Priceable>(lines: readonly L[], pricing: Pricing) {
  const priced = priceDocument({
    priceMode: pricing.priceMode,
    roundingRule: pricing.roundingRule,
    discount: pricing.discount,
    lines,
  })
  return {
    lines: lines.map((line, i): L & Pick<Line, 'netCents' | 'gstCents' | 'totalCents'> => {
      const { netCents = 0, gstCents = 0, totalCents = 0 } = priced.lines[i] ?? {}
      return { ...line, netCents, gstCents, totalCents }
    }),
    amounts: priced.lines,
    totals: priced.totals,
  }
}

/** Amounts beyond what a document may hold are the caller's mistake, not ours. */
export function priced422<T>(price: () => T): T {
  try {
    return price()
  } catch (error) {
    if (error instanceof RangeError)
      throw new AppError('VALIDATION_FAILED', undefined, {
        fields: [{ path: 'lines', message: error.message }],
        cause: error,
      })
    throw error
  }
}

const onlyQuotes = { path: 'quantityMin', message: 'Only quotes can leave the quantity to the customer.' }

function check(input: readonly CataloguedInput[], rules: LineRules) {
  const fields: FieldError[] = []
  const seen = new Set<string>()
  input.forEach((line, i) => {
    if (line.guid !== undefined && rules.known !== 'any' && !rules.known?.has(line.guid))
      fields.push({ path: `lines.${i}.guid`, message: 'Choose a line on this document.' })
    if (line.guid !== undefined && rules.known !== 'any' && seen.has(line.guid))
      fields.push({ path: `lines.${i}.guid`, message: 'This is listed twice.' })
    if (line.guid !== undefined) seen.add(line.guid)
    if (line.isOptional && line.alternativeGroup)
      fields.push({ path: `lines.${i}.alternativeGroup`, message: 'Choose either optional or alternative for a line.' })
    if (rules.withoutChoices && (line.isOptional || line.alternativeGroup))
      fields.push({
        path: `lines.${i}.${line.isOptional ? 'isOptional' : 'alternativeGroup'}`,
        message: 'Only quotes can have optional and alternative lines.',
      })
    if (line.quantityMin || line.quantityMax || line.quantityStep)
      for (const { path, message } of rules.withoutChoices ? [onlyQuotes] : rangeProblems(line))
        fields.push({ path: `lines.${i}.${path}`, message })
  })
  refuseFields(fields)
}

function tidy(line: CataloguedInput, rules: LineRules) {
  const heading = isText(line)
  const isOptional = !heading && line.isOptional
  const alternativeGroup = heading ? null : (line.alternativeGroup ?? null)
  return {
    guid: line.guid ?? newGuid(),
    kind: line.kind,
    productGuid: heading ? null : (line.productGuid ?? null),
    name: line.name,
    description: line.description || null,
    quantity: heading ? '1' : line.quantity,
    unit: line.unit as string,
    unitPriceCents: heading ? 0 : (line.unitPriceCents ?? 0),
    discount: heading ? null : (line.discount ?? null),
    gstCode: rules.gstRegistered ? line.gstCode : ('NOT_REGISTERED' as const),
    ...(heading ? uncatalogued : (line.catalogued ?? uncatalogued)),
    ...(heading ? noRange : rangeOf(line)),
    isOptional,
    alternativeGroup,
    isSelected: isOptional || alternativeGroup !== null ? line.isSelected === true : true,
  }
}

type Tidy = ReturnType<typeof tidy>

/** A line and those below it: they are chosen with it. A bundle has the kind of GST of its parts, if that is one. */
function withChildren(line: Tidy, given: readonly CataloguedInput[], rules: LineRules): Tidy[] {
  const { guid: parentLineGuid, isOptional, alternativeGroup, isSelected } = line
  const children = given.map((child): Tidy => ({
    ...tidy(child, rules),
    parentLineGuid,
    isOptional,
    alternativeGroup,
    isSelected,
  }))
  const [code, ...others] = new Set(children.filter(isPart).map(({ gstCode }) => gstCode))
  const isOfOneCode = line.kind === 'bundle' && code !== undefined && others.length === 0
  return [isOfOneCode ? { ...line, gstCode: code } : line, ...children]
}

/** Of alternatives exactly one is chosen: the first that says so, else the first. */
function selectOnePerGroup(lines: { alternativeGroup: string | null; isSelected: boolean }[]) {
  const groups = Map.groupBy(
    lines.filter((l) => l.alternativeGroup !== null),
    (l) => l.alternativeGroup,
  )
  for (const group of groups.values()) {
    const chosen = group.find((l) => l.isSelected) ?? group[0]
    for (const line of group) line.isSelected = line === chosen
  }
}

/**
 * Products on lines are of the catalogue the business works with, in use, and such as the caller may see; those a
 * document had before may stay.
 */
export async function checkProducts(
  ctx: Ctx,
  businessGuid: string,
  lines: readonly Pick<LineInput, 'productGuid'>[],
  before: ReadonlySet<string> = new Set(),
) {
  const asked = [...new Set(lines.flatMap((l) => (l.productGuid && !before.has(l.productGuid) ? [l.productGuid] : [])))]
  if (asked.length === 0) return
  const found = await ctx.db
    .selectFrom('products')
    .select('guid')
    .where('guid', 'in', asked)
    .where('businessGuid', '=', (b) =>
      b.selectFrom('businesses').select('catalogueOf').where('businesses.guid', '=', businessGuid),
    )
    .where('status', '=', 'active')
    .execute()
  const known = await readableGuids(ctx, 'Products', found)
  const fields = lines.flatMap((l, i): FieldError[] =>
    l.productGuid && !before.has(l.productGuid) && !known.has(l.productGuid)
      ? [{ path: `lines.${i}.productGuid`, message: 'We can’t find that product.' }]
      : [],
  )
  refuseFields(fields)
}

/** The questions of a stored line with their answers. */
const questionsOf = (options: LineOptions | null): Pick<Line, 'answers' | 'options' | 'selections'> => ({
  answers: answersOf(options?.selections ?? []),
  options: options?.asked ?? [],
  selections: options?.selections ?? [],
})

/** A stored line as the contract shows it. */
export const lineOf = (row: StoredLine): Line => ({
  guid: row.guid,
  position: row.position,
  kind: row.kind,
  parentLineGuid: row.parentLineGuid,
  sourceKey: row.sourceKey,
  showsParts: row.showsParts,
  productGuid: row.productGuid,
  name: row.name,
  description: row.description,
  quantity: trimQuantity(row.quantity),
  quantityMin: row.quantityMin && trimQuantity(row.quantityMin),
  quantityMax: row.quantityMax && trimQuantity(row.quantityMax),
  quantityStep: row.quantityStep && trimQuantity(row.quantityStep),
  unit: row.unit as Line['unit'],
  unitPriceCents: row.unitPriceCents,
  isPriceManual: row.isPriceManual,
  revenueStreamGuid: row.revenueStreamGuid,
  hireFrom: row.hireFrom,
  hireTo: row.hireTo,
  ...questionsOf(row.options),
  discount: row.discount,
  gstCode: row.gstCode,
  isOptional: row.isOptional,
  alternativeGroup: row.alternativeGroup,
  isSelected: row.isSelected,
  netCents: row.netCents,
  gstCents: row.gstCents,
  totalCents: row.totalCents,
})

/** The same with what it took from the catalogue, as it is copied. */
export const wholeLine = (row: StoredLine) => {
  const { answers: _answers, selections: _selections, ...line } = lineOf(row)
  return { ...line, ...cataloguedOf(row) }
}

const parents = { quote_lines: 'quote_guid', order_lines: 'order_guid', invoice_lines: 'invoice_guid' } as const

/**
 * Sub-select of a document's lines in order, each in the contract's shape; `more` adds columns
 * such as `'quantityInvoiced', …`.
 */
export const linesJson = <L = Line>(table: keyof typeof parents, documentGuid: string, more = sql``) => sql<
  L[]
>`(select coalesce(json_agg(json_build_object(
  'guid', l.guid, 'position', l.position, 'kind', l.kind, 'parentLineGuid', l.parent_line_guid,
  'sourceKey', l.source_key, 'showsParts', l.shows_parts, 'productGuid', l.product_guid, 'name', l.name, 'description',
  l.description, 'quantity', trim_scale(l.quantity)::text, 'quantityMin', trim_scale(l.quantity_min)::text,
  'quantityMax', trim_scale(l.quantity_max)::text, 'quantityStep', trim_scale(l.quantity_step)::text,
  'unit', l.unit, 'unitPriceCents', l.unit_price_cents, 'isPriceManual', l.is_price_manual,
  'revenueStreamGuid', l.revenue_stream_guid, 'hireFrom', l.hire_from, 'hireTo', l.hire_to,
  'options', coalesce(l.options -> 'asked', '[]'), 'selections',
  coalesce(l.options -> 'selections', '[]'), 'answers',
  coalesce((select jsonb_agg(jsonb_build_object('option', given ->> 'optionCode', 'value', given -> 'value'))
  from jsonb_array_elements(l.options -> 'selections') given), '[]'),
  'discount', l.discount, 'gstCode', l.gst_code, 'isOptional',
  l.is_optional, 'alternativeGroup', l.alternative_group,
  'isSelected', l.is_selected, 'netCents', l.net_cents, 'gstCents', l.gst_cents, 'totalCents', l.total_cents${more})
  order by l.position), '[]'::json)
  from ${sql.table(table)} l where ${sql.ref(`l.${parents[table]}`)} = ${sql.ref(documentGuid)})`
