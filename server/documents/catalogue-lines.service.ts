import { sql } from 'kysely'
import { AppError, type FieldError, refuseFields } from '../../contract/core/errors.ts'
import { centsToDecimal, isPart, isText, type PriceMode } from '../../contract/core/money.ts'
import { isFeeKey, isPartKey } from '../../contract/core/source-keys.ts'
import { inclusiveDays, type HireDays } from '../../contract/hire.ts'
import { trimQuantity, type LineInput, type LineKind } from '../../contract/lines.ts'
import { answersOf, type OfferedOption } from '../../contract/booking-options.ts'
import { priceAnswered, priceFrozen } from '../../contract/line-options.ts'
import type { OptionsResult } from '../../contract/option-answers.ts'
import {
  noAgreement,
  type CatalogueChild,
  type CataloguePrice,
  type CatalogueProduct,
  type PriceAgreement,
} from '../../contract/pricing.ts'
import type { Ctx } from '../core/ctx.ts'
import { keeperOf } from '../core/family.ts'
import { may } from '../core/http/permission.ts'
import { filterReadableReferences } from '../row-scope/row-scope.service.ts'
import { childrenOf, inputOf } from './lines-below.service.ts'
import { checkStreams, inStream } from './line-streams.service.ts'
import {
  askedOf,
  broughtBy,
  givenAnswers,
  isAnsweredAlike,
  keptOptions,
  nameAnswers,
  stamped,
  withChosen,
} from './line-options.service.ts'
import {
  cataloguedOf,
  type Catalogued,
  type CataloguedInput,
  type EnteredLine,
  priced422,
  uncatalogued,
} from './lines.service.ts'

/** Whose prices count, and how the document states them. */
export interface PricesFor {
  businessGuid: string
  gstRegistered: boolean
  customerGuid: string | null | undefined
  priceMode: PriceMode
}
/** The longest hire that is priced: ten years. */
const maxHireDays = 3660

const productColumns = [
  'guid',
  'name',
  'kind',
  'unit',
  'gstCode',
  'priceCents',
  'costCents',
  'tiers',
  'hire',
  'bundle',
  'durationMin',
  'revenueStreamGuid',
] as const

/** What was agreed with a customer by a business. */
async function agreementWith(ctx: Ctx, given: PricesFor, productGuids: readonly string[]): Promise<PriceAgreement> {
  if (!given.customerGuid) return noAgreement
  const row = await ctx.db
    .selectFrom('customerTerms as t')
    .leftJoin('priceLists as l', (join) =>
      join.onRef('l.guid', '=', 't.priceListGuid').on('l.isActive', '=', true).on('l.archivedAt', 'is', null),
    )
    .select(['t.discountBp', 'l.name'])
    .select(
      sql<NonNullable<PriceAgreement['list']>['items']>`(select coalesce(json_agg(json_build_object('productGuid',
      i.product_guid, 'from', trim_scale(i.from_quantity)::text, 'priceCents', i.price_cents)), '[]'::json)
      from price_list_items i where i.price_list_guid = l.guid and i.product_guid = any(${productGuids}::uuid[]))`.as(
        'items',
      ),
    )
    .where('t.businessGuid', '=', given.businessGuid)
    .where('t.customerGuid', '=', keeperOf(given.customerGuid))
    .executeTakeFirst()
  if (!row) return noAgreement
  return { discountBp: row.discountBp, list: row.name === null ? null : { name: row.name, items: row.items } }
}

interface Offered {
  products: Map<string, CatalogueProduct>
  /** What each product asks, in order. */
  asked: Map<string, OfferedOption[]>
}

/**
 * The products of these guids that the caller may read, with their questions, the parts of bundles, and what choices
 * bring along; two statements at most.
 */
async function productsOf(ctx: Ctx, guids: readonly string[]): Promise<Offered> {
  const read = (wanted: readonly string[]) =>
    ctx.db.selectFrom('products as p').select(productColumns).where('p.guid', 'in', wanted)
  const rows = await read(guids).select(askedOf('p.guid').as('asked')).execute()
  const found = await filterReadableReferences(ctx, 'Products', rows)
  const asked = new Map(found.map((product) => [product.guid, product.asked]))
  const parts = new Set(
    found.flatMap(({ bundle, asked: questions }) => [
      ...(bundle?.items.map((item) => item.productGuid) ?? []),
      ...broughtBy(questions),
    ]),
  )
  const more = parts.size > 0 ? await read([...parts]).execute() : []
  const sold = found.map(({ asked: _asked, ...product }): CatalogueProduct => product)
  return { products: new Map([...more, ...sold].map((product) => [product.guid, product])), asked }
}

/** The days of hire of a line; null when there are none or they make no sense, which is told. */
function hireOf(line: Pick<LineInput, 'hireFrom' | 'hireTo'>, problems: FieldError[]): HireDays | null {
  const { hireFrom: from, hireTo: to } = line
  if (!from && !to) return null
  if (!from) problems.push({ path: 'hireFrom', message: 'Choose the first day.' })
  if (!to) problems.push({ path: 'hireTo', message: 'Choose the last day.' })
  if (!from || !to) return null
  const days = inclusiveDays({ from, to })
  if (days < 1) problems.push({ path: 'hireTo', message: 'The last day can’t be before the first.' })
  if (days > maxHireDays) problems.push({ path: 'hireTo', message: 'A hire can last ten years at most.' })
  return days < 1 || days > maxHireDays ? null : { from, to }
}

/** A line priced by the catalogue. */
export interface FromCatalogue {
  line: CataloguedInput
  /** Null for lines of no product. */
  price: CataloguePrice | null
  /** What the catalogue asks for one, whatever was entered. */
  listedCents: number | null
  isPriceManual: boolean
  /** What is asked of the line, and what its answers come to; null where nothing is. */
  answered: OptionsResult | null
  problems: FieldError[]
}

/** What the product is decides it, where it is more than a thing that is sold. */
const kindOf = (line: LineInput, price: CataloguePrice): LineKind =>
  [line.kind, price.kind].some((kind) => kind === 'bundle' || kind === 'discount') ? price.kind : line.kind

/** A line below another as it is stored; a product that comes along is hired for the days of its line. */
export function childLine(
  child: CatalogueChild,
  hire: HireDays | null,
  products: ReadonlyMap<string, CatalogueProduct>,
): CataloguedInput {
  const rates = child.productGuid ? (products.get(child.productGuid)?.hire ?? null) : null
  const days = child.kind === 'hire' && !isPartKey(child.sourceKey) && rates ? hire : null
  const { kind, productGuid, name, quantity, unitPriceCents, discount, gstCode } = child
  return {
    ...{ kind, productGuid, name, quantity, unitPriceCents, discount, gstCode },
    unit: child.unit as LineInput['unit'],
    isOptional: false,
    catalogued: {
      ...uncatalogued,
      hireFrom: days?.from ?? null,
      hireTo: days?.to ?? null,
      hireRates: days ? rates : null,
      isPriceManual: false,
      costCents: child.costCents,
      revenueStreamGuid: child.revenueStreamGuid,
      sourceKey: child.sourceKey,
    },
  }
}

/** Prices lines by the catalogue, as far as they are of products; whatever is wrong with them is told, not thrown. */
export async function priceByCatalogue(
  ctx: Ctx,
  given: PricesFor,
  lines: readonly LineInput[],
  before: ReadonlyMap<string, EnteredLine> = new Map(),
): Promise<FromCatalogue[]> {
  const guids = [...new Set(lines.flatMap((line) => line.productGuid ?? []))]
  const { products, asked: askedBy }: Offered =
    guids.length > 0 ? await productsOf(ctx, guids) : { products: new Map(), asked: new Map() }
  const agreement = products.size > 0 ? await agreementWith(ctx, given, [...products.keys()]) : noAgreement
  const { priceMode, gstRegistered } = given
  const found = lines.map((line): FromCatalogue => {
    const problems: FieldError[] = []
    const hire = hireOf(line, problems)
    const product = line.productGuid ? products.get(line.productGuid) : undefined
    const own = { ...uncatalogued, hireFrom: hire?.from ?? null, hireTo: hire?.to ?? null }
    if (!product || isText(line)) {
      if (!product && line.productGuid) problems.push({ path: 'productGuid', message: 'We can’t find that product.' })
      else if (line.kind === 'bundle') problems.push({ path: 'name', message: 'Choose a bundle from the catalogue.' })
      const price = { price: null, listedCents: null, isPriceManual: true, answered: null }
      return { line: { ...line, catalogued: own }, ...price, problems }
    }
    const was = line.guid ? before.get(line.guid) : undefined
    const had = was?.productGuid === product.guid ? was.options : null
    const asked = withChosen(askedBy.get(product.guid) ?? [], had)
    const questions = { asked, answers: givenAnswers(line.answers, asked, had) }
    const ask = { product, quantity: line.quantity, hire }
    const setting = { products, agreement, priceMode, gstRegistered }
    const { price: listed, answered } = priced422(() => priceAnswered(ask, questions, setting))
    const isPriceManual = line.unitPriceCents !== undefined && line.unitPriceCents !== listed.unitPriceCents
    const { price } = isPriceManual
      ? priced422(() => priceAnswered({ ...ask, manualCents: line.unitPriceCents }, questions, setting))
      : { price: listed }
    const kind = kindOf(line, price)
    const catalogued: Catalogued = {
      ...own,
      hireRates: hire ? product.hire : null,
      isPriceManual,
      costCents: price.costCents,
      revenueStreamGuid: product.revenueStreamGuid,
      showsParts: kind === 'bundle' ? (product.bundle?.showParts ?? null) : null,
      options: keptOptions(ctx, { asked, answered, before: had, product, products, agreement }),
    }
    const discount = line.discount === undefined ? price.discount : line.discount
    const isAgreed = JSON.stringify(discount) === JSON.stringify(price.discount)
    // Where the price is left to the catalogue its unit goes with it, unless another than the product's was chosen.
    const isUnitOwn = line.unitPriceCents !== undefined || line.unit !== product.unit
    const unit = isUnitOwn ? line.unit : (price.unit as LineInput['unit'])
    const children = price.children.map((child) => childLine(child, hire, products))
    return {
      line: { ...line, kind, unit, unitPriceCents: price.unitPriceCents, discount, catalogued, children },
      // A discount of the line's own takes the place of the customer's, which is no reason of its price then.
      price: isAgreed ? price : { ...price, why: price.why.filter(({ step }) => step !== 'discount') },
      listedCents: listed.unitPriceCents,
      isPriceManual,
      answered: asked.length > 0 ? answered : null,
      problems: [...problems, ...price.problems],
    }
  })
  const unknown = await nameAnswers(
    ctx,
    found.map(({ line }) => ({ options: line.catalogued?.options ?? null })),
  )
  return found.map((one, i) => ({ ...one, problems: [...one.problems, ...(unknown[i] ?? [])] }))
}

const isSameHire = (sent: LineInput, stored: EnteredLine) =>
  (sent.hireFrom ?? null) === stored.hireFrom && (sent.hireTo ?? null) === stored.hireTo

/** What a document had: its lines, and of an order how much of them is invoiced. */
type Before = EnteredLine & { quantityInvoiced?: string }

/** A line that is as it was keeps its price, whatever the catalogue says today. */
const isKept = (sent: LineInput, stored: Before | undefined, isDivided: boolean): stored is Before =>
  stored !== undefined &&
  (sent.productGuid ?? null) === stored.productGuid &&
  sent.unitPriceCents === stored.unitPriceCents &&
  isAnsweredAlike(sent.answers, stored.options) &&
  isSameHire(sent, stored) &&
  (stored.isPriceManual ||
    trimQuantity(sent.quantity) === trimQuantity(stored.quantity) ||
    // What lies below a line that is invoiced in part is on invoices and stays.
    (isDivided && Number(stored.quantityInvoiced ?? 0) > 0))

/** What the answers of a line that is kept come to for another quantity of it; null where nothing changes. */
function answeredFor(ctx: Ctx, { options, hireFrom, hireTo, ...was }: Before, quantity: string) {
  if (!options || trimQuantity(quantity) === trimQuantity(was.quantity)) return null
  const hire = hireFrom && hireTo ? { from: hireFrom, to: hireTo } : null
  const asWas = { answers: answersOf(options.selections), quantity }
  const { price, answered } = priced422(() =>
    priceFrozen({ ...was, hire, options }, asWas, { priceMode: 'exclusive', gstRegistered: true }),
  )
  return {
    options: { ...options, selections: stamped(ctx, answered.selections, options) },
    quantities: new Map(price.children.map((child) => [child.sourceKey, child.quantity])),
  }
}

/** A line that is kept, with what lies below it: as many of it as of the line, except what is charged once. */
function keptLine(ctx: Ctx, sent: LineInput, was: Before, below: readonly Before[]): CataloguedInput {
  const isFixed = was.productGuid !== null && [sent.kind, was.kind].some((k) => k === 'bundle' || k === 'discount')
  const now = answeredFor(ctx, was, sent.quantity)
  const quantityOf = (child: Before) => {
    if (isPart(child)) return sent.quantity
    const isOnce = was.options !== null || isFeeKey(child.sourceKey)
    return now?.quantities.get(child.sourceKey ?? '') ?? (isOnce ? child.quantity : sent.quantity)
  }
  return {
    ...sent,
    kind: isFixed ? was.kind : sent.kind,
    catalogued: { ...cataloguedOf(was), ...(now && { options: now.options }) },
    children: isText(sent)
      ? []
      : below.map((child) => ({
          ...inputOf(child),
          quantity: quantityOf(child),
        })),
  }
}

/** Children that were there before keep their guids: what made them tells which they are. */
function knownAgain(line: CataloguedInput, below: readonly Before[]): CataloguedInput {
  if (!line.children || below.length === 0) return line
  const left = Map.groupBy(below, (child) => child.sourceKey)
  const children = line.children.map((child) => {
    const guid = left.get(child.catalogued?.sourceKey ?? null)?.shift()?.guid
    return guid ? { ...child, guid } : child
  })
  return { ...line, children }
}

/**
 * The lines as they are saved, each with those below it: a price that is left out is the catalogue's, and another than
 * that needs the right to set prices. Lines of no product cost what was entered.
 */
export async function fromCatalogue(
  ctx: Ctx,
  given: PricesFor,
  sent: readonly LineInput[],
  before: readonly Before[] = [],
): Promise<CataloguedInput[]> {
  const stored = new Map(before.flatMap((line) => (line.parentLineGuid === null ? [[line.guid, line]] : [])))
  const children = childrenOf(before)
  const belowOf = (line: LineInput) => children.get(line.guid ?? null) ?? []
  const kept = sent.map((line) => {
    const was = line.guid ? stored.get(line.guid) : undefined
    const below = belowOf(line)
    return isKept(line, was, below.length > 0) ? keptLine(ctx, line, was, below) : null
  })
  const fresh = sent.filter((_, i) => kept[i] === null)
  const priced = await priceByCatalogue(ctx, given, fresh, stored)
  const fields: FieldError[] = []
  const setsPrices = may(ctx.actor, 'update', 'Quotes:Price')
  let refused: FieldError | undefined
  let next = 0
  const lines = sent.map((line, i) => {
    const same = kept[i]
    if (same) return same
    const one = priced[next++]
    if (!one) throw new Error('a line was not priced')
    // Whether a product may be chosen is checked with the others of the document.
    for (const { path, message } of one.problems)
      if (path !== 'productGuid' || one.price) fields.push({ path: `lines.${i}.${path}`, message })
    if (one.listedCents !== null && one.isPriceManual && !setsPrices) refused ??= ofCatalogue(i, one.listedCents)
    return knownAgain(one.line, belowOf(line))
  })
  refuseFields(fields)
  if (refused) throw new AppError('FORBIDDEN', refused.message, { fields: [refused] })
  await checkStreams(ctx, given.businessGuid, sent, new Set(before.map((line) => line.revenueStreamGuid)))
  return lines.map((line, i) => inStream(line, sent[i], stored.get(sent[i]?.guid ?? '')))
}

/** The catalogue's price of a line that has another. */
const ofCatalogue = (index: number, listedCents: number): FieldError => ({
  path: `lines.${index}.unitPriceCents`,
  message: `Your role uses catalogue prices. This line is $${centsToDecimal(listedCents)}.`,
})
