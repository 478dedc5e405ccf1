import {
  allocateProportionally,
  compareQuantities,
  scaleCents,
  timesQuantity,
  multiplyQuantities,
  type Discount,
  type GstCode,
  type PriceMode,
} from './core/money.ts'
import { addedKey, feeKey, partKey } from './core/source-keys.ts'
import { chargedDays, hireCharge, inclusiveDays, type HireDays, type HireRates } from './hire.ts'

/** The price of one from a quantity on: every one of them then costs that much. */
export interface Tier {
  /** Decimal text. */
  from: string
  priceCents: number
}
interface BundleItem {
  productGuid: string
  /** How many of it one bundle holds, as decimal text. */
  quantity: string
}
export interface Bundle {
  /** `fixed`: the bundle's own price. `sum`: what its parts cost. `percent`: that, less `bp`. */
  mode: 'fixed' | 'percent' | 'sum'
  bp?: number | null | undefined
  /** Whether customers see the parts, or one line. */
  showParts: boolean
  items: readonly BundleItem[]
}
export type CatalogueKind = 'service' | 'goods' | 'hire' | 'labour' | 'fee' | 'bundle' | 'discount'

/** What prices a product; amounts without GST. */
export interface CatalogueProduct {
  guid: string
  name: string
  kind: CatalogueKind
  unit: string
  gstCode: GstCode
  priceCents: number
  costCents: number | null
  tiers: readonly Tier[]
  hire: HireRates | null
  bundle: Bundle | null
  durationMin: number | null
  revenueStreamGuid: string | null
}

/** What was agreed with a customer. */
export interface PriceAgreement {
  discountBp: number
  /** The customer's list, when it is in use. */
  list: { name: string; items: readonly (Tier & { productGuid: string })[] } | null
}
export const noAgreement: PriceAgreement = { discountBp: 0, list: null }

export const whySteps = ['list', 'tier', 'base', 'hire', 'option', 'bundle', 'discount', 'manual', 'gst'] as const
/** One step towards a price, in order. */
interface Why {
  step: (typeof whySteps)[number]
  /**
   * What tells the step from others like it: the list's name, the quantity a tier begins at, the number of days, the
   * option with its choice, the part of a bundle, the discount in per cent; empty where the step says it all.
   */
  label: string
  /** What the step makes of it (list, tier, base, hire, manual), or adds to it (all others). */
  cents: number
  /** Of a price list: the quantity its price begins at, and what the catalogue asks for so many. */
  from?: string
  insteadOfCents?: number
}
interface PriceProblem {
  /** Below the line, such as `answers.lights` or `hire.to`. */
  path: string
  message: string
}

/** What the answers to a line's booking options come to, without GST; `contract/booking-options.ts` works it out. */
export interface OptionsPrice {
  /** Joins the price of one. */
  unitCents: number
  /** What makes up `unitCents`. */
  steps: readonly { label: string; cents: number }[]
  /** Charged once, as fees below the line. */
  onceFees: readonly { optionCode: string; choiceCode: string; label: string; cents: number }[]
  /** Products that come with it: one below the line each, as many of it as all of the line take. */
  addedProducts: readonly { optionCode: string; productGuid: string; quantity: string }[]
  durationMin: number
  problems: readonly PriceProblem[]
}
/** The answers of one line, waiting for what one costs: choices in basis points are a part of that. */
type PriceOptions = (unitPriceCents: number) => OptionsPrice

const noOptions: OptionsPrice = {
  unitCents: 0,
  steps: [],
  onceFees: [],
  addedProducts: [],
  durationMin: 0,
  problems: [],
}

export interface PriceAsk {
  product: CatalogueProduct
  /** Decimal text. */
  quantity: string
  hire?: HireDays | null | undefined
  /** A price somebody entered, in the document's price mode, instead of the catalogue's. */
  manualCents?: number | null | undefined
  options?: PriceOptions | undefined
}
export interface PriceSetting {
  /** Whatever bundles and options name, by guid; what is missing is left out and said. */
  products: ReadonlyMap<string, CatalogueProduct>
  agreement: PriceAgreement
  priceMode: PriceMode
  /** A business that is not registered charges no GST, whatever products say. */
  gstRegistered: boolean
}

export type CatalogueLineKind = (typeof catalogueLineKinds)[number]
interface CatalogueLine {
  kind: CatalogueLineKind
  productGuid: string | null
  name: string
  unit: string
  gstCode: GstCode
  /** In the document's price mode. */
  unitPriceCents: number
  /** What one costs us; null where nobody said. */
  costCents: number | null
  revenueStreamGuid: string | null
  /** The customer's discount, for lines that have none of their own. */
  discount: Discount | null
}
/** A line below another: a part of a bundle, a fee, a product that came with an option. */
export interface CatalogueChild extends CatalogueLine {
  quantity: string
  /** Where it comes from, so that the same one is known again when it is priced anew. */
  sourceKey: string
}
export interface CataloguePrice extends CatalogueLine {
  children: CatalogueChild[]
  durationMin: number
  why: Why[]
  problems: PriceProblem[]
}

export const catalogueLineKinds = ['item', 'labour', 'hire', 'fee', 'discount', 'bundle'] as const
const lineKinds: Readonly<Record<CatalogueKind, CatalogueLineKind>> = {
  service: 'item',
  goods: 'item',
  hire: 'hire',
  labour: 'labour',
  fee: 'fee',
  bundle: 'bundle',
  discount: 'discount',
}

/** What a line of a product of this kind is. */
export const lineKindOf = (kind: CatalogueKind): CatalogueLineKind => lineKinds[kind]

/** The last one that has begun, whatever their order. */
export function reached<T extends Tier>(tiers: readonly T[], quantity: string): T | undefined {
  let found: T | undefined
  for (const tier of tiers)
    if (compareQuantities(tier.from, quantity) <= 0 && (!found || compareQuantities(tier.from, found.from) > 0))
      found = tier
  return found
}

/** Whether each begins after the one before it. */
export const tierProblem = (tiers: readonly Tier[]): { index: number; message: string } | null => {
  for (const [i, tier] of tiers.entries()) {
    const before = tiers[i - 1]
    if (before && compareQuantities(tier.from, before.from) <= 0)
      return { index: i, message: `Tiers must rise: ${before.from} comes before ${tier.from}.` }
  }
  return null
}

/** Rule 1: the customer's list, else the tier, else the catalogue's price; days of hire by their rates. */
function firstPrice(
  product: CatalogueProduct,
  quantity: string,
  hire: HireDays | null | undefined,
  agreement: PriceAgreement,
): Why {
  if (product.hire && hire) {
    const days = inclusiveDays(hire)
    return { step: 'hire', label: String(chargedDays(product.hire, days)), cents: hireCharge(product.hire, days) }
  }
  const listed = reached(agreement.list?.items.filter((item) => item.productGuid === product.guid) ?? [], quantity)
  const tier = reached(product.tiers, quantity)
  if (listed)
    return {
      step: 'list',
      label: agreement.list?.name ?? '',
      cents: listed.priceCents,
      from: listed.from,
      insteadOfCents: tier?.priceCents ?? product.priceCents,
    }
  if (tier) return { step: 'tier', label: tier.from, cents: tier.priceCents }
  return { step: 'base', label: '', cents: product.priceCents }
}

interface Part {
  product: CatalogueProduct
  quantity: string
  /** What one bundle's worth of it costs on its own. */
  cents: number
}

function partsOf(bundle: Bundle, ask: PriceAsk, { products, agreement }: PriceSetting): Part[] {
  return bundle.items.flatMap(({ productGuid, quantity }) => {
    const product = products.get(productGuid)
    if (!product) return []
    const { cents } = firstPrice(product, multiplyQuantities(ask.quantity, quantity), ask.hire, agreement)
    return [{ product, quantity, cents: timesQuantity(cents, quantity) }]
  })
}

/** Rule 3: what one bundle costs before options. */
function bundlePrice(bundle: Bundle, parts: readonly Part[], ask: PriceAsk, setting: PriceSetting): Why[] {
  if (bundle.mode === 'fixed') return [firstPrice(ask.product, ask.quantity, null, setting.agreement)]
  const each = parts.map(({ product, quantity, cents }): Why => ({
    step: 'bundle',
    label: partName(quantity, product.name),
    cents,
  }))
  const sum = each.reduce((a, { cents }) => a + cents, 0)
  const off = bundle.mode === 'percent' ? scaleCents(sum, bundle.bp ?? 0, 10_000) : 0
  return off === 0 ? each : [...each, { step: 'bundle', label: percentText(bundle.bp ?? 0), cents: -off }]
}

const partName = (quantity: string, name: string) => `${quantity} × ${name}`.slice(0, 200)

/** Basis points as people write per cent: `1250` is `12.5 %`. */
const percentText = (bp: number) => `${bp / 100} %`

/** Shares in proportion; where nothing has a price, the same for all. */
const shares = (cents: number, weights: readonly number[]): number[] =>
  weights.length === 0
    ? []
    : allocateProportionally(cents, weights.some((w) => w !== 0) ? weights : weights.map(() => 1))

const sumOf = (steps: readonly { cents: number }[]) => steps.reduce((sum, { cents }) => sum + cents, 0)

/** Catalogue prices are without GST; a document whose prices include it takes it last. */
function inMode(cents: number, gstCode: GstCode, { priceMode, gstRegistered }: PriceSetting): number {
  return priceMode === 'inclusive' && gstRegistered && gstCode === 'GST' ? scaleCents(cents, 11, 10) : cents
}

/** The discount of a bundle is taken off its parts. */
const discounted: ReadonlySet<string> = new Set(['item', 'labour', 'hire', 'bundle'])

function lineOf(product: CatalogueProduct, unitPriceCents: number, setting: PriceSetting): CatalogueLine {
  const kind = lineKinds[product.kind]
  const { discountBp } = setting.agreement
  return {
    kind,
    productGuid: product.guid,
    name: product.name,
    unit: product.unit,
    gstCode: setting.gstRegistered ? product.gstCode : 'NOT_REGISTERED',
    unitPriceCents,
    costCents: product.costCents,
    revenueStreamGuid: product.revenueStreamGuid,
    discount: discountBp > 0 && discounted.has(kind) ? { type: 'percent', value: discountBp } : null,
  }
}

/** Rule 3: every part takes its share of the price as a line of the bundle's quantity. */
function bundleChildren(parts: readonly Part[], unitCents: number, ask: PriceAsk, setting: PriceSetting) {
  const isManual = typeof ask.manualCents === 'number'
  // A price that was entered is in the document's mode already, so it is shared in that mode.
  const weigh = ({ product, cents }: Part) => (isManual ? inMode(cents, product.gstCode, setting) : cents)
  const given = shares(unitCents, parts.map(weigh))
  return parts.map(({ product, quantity }, i): CatalogueChild => {
    const share = given[i] ?? 0
    const line = lineOf(product, isManual ? share : inMode(share, product.gstCode, setting), setting)
    return {
      ...line,
      discount: null,
      kind: line.kind === 'hire' ? 'hire' : line.kind === 'labour' ? 'labour' : 'item',
      name: partName(quantity, product.name),
      unit: 'each',
      quantity: ask.quantity,
      costCents: product.costCents === null ? null : timesQuantity(product.costCents, quantity),
      sourceKey: partKey(i, product.guid),
    }
  })
}

/** Rule 2's part: fees that are charged once, and products that come along. */
function optionChildren(options: OptionsPrice, ask: PriceAsk, setting: PriceSetting) {
  const problems: PriceProblem[] = []
  const fees = options.onceFees.map(({ optionCode, choiceCode, label, cents }): CatalogueChild => {
    const fee = { ...ask.product, kind: 'fee' as const, name: label, unit: 'each', costCents: null }
    const line = lineOf(fee, inMode(cents, fee.gstCode, setting), setting)
    return { ...line, productGuid: null, quantity: '1', sourceKey: feeKey(optionCode, choiceCode) }
  })
  const added = options.addedProducts.flatMap(({ optionCode, productGuid, quantity }): CatalogueChild[] => {
    const product = setting.products.get(productGuid)
    if (!product) {
      problems.push({ path: `answers.${optionCode}`, message: 'This choice adds a product that is no longer sold.' })
      return []
    }
    const { cents } = firstPrice(product, quantity, ask.hire, setting.agreement)
    const line = lineOf(product, inMode(cents, product.gstCode, setting), setting)
    return [{ ...line, quantity, sourceKey: addedKey(optionCode, productGuid) }]
  })
  return { children: [...fees, ...added], problems }
}

/**
 * What a product costs this customer in this document, line by line, and why (rules 1 to 4). The heading of a bundle
 * shows the price of one; its parts carry the money. Throws a RangeError beyond what a document may hold.
 */
export function priceProduct(ask: PriceAsk, setting: PriceSetting): CataloguePrice {
  const { product } = ask
  const bundle = product.kind === 'bundle' ? product.bundle : null
  const parts = bundle ? partsOf(bundle, ask, setting) : []
  const first = bundle
    ? bundlePrice(bundle, parts, ask, setting)
    : [firstPrice(product, ask.quantity, ask.hire, setting.agreement)]
  const options = ask.options?.(sumOf(first)) ?? noOptions
  const optional: Why[] = options.steps.map(({ label, cents }) => ({ step: 'option', label, cents }))
  const netCents = sumOf(first) + options.unitCents
  const children = bundle ? bundleChildren(parts, ask.manualCents ?? netCents, ask, setting) : []
  const catalogueCents = bundle
    ? children.reduce((sum, child) => sum + child.unitPriceCents, 0)
    : inMode(netCents, product.gstCode, setting)
  const unitPriceCents = ask.manualCents ?? catalogueCents
  const line = lineOf(product, unitPriceCents, setting)
  // The price is for all the days, and so for one of it, whatever time a unit of the product is.
  const unit = first[0]?.step === 'hire' ? 'each' : line.unit
  const why: Why[] = [...first, ...optional]
  if (typeof ask.manualCents === 'number') why.push({ step: 'manual', label: '', cents: ask.manualCents })
  else if (catalogueCents !== netCents) why.push({ step: 'gst', label: '', cents: catalogueCents - netCents })
  if (line.discount)
    why.push({
      step: 'discount',
      label: percentText(line.discount.value),
      cents: -scaleCents(unitPriceCents, line.discount.value, 10_000),
    })
  const more = optionChildren(options, ask, setting)
  return {
    ...line,
    unit,
    costCents: bundle ? null : line.costCents,
    children: [...children, ...more.children],
    durationMin: (product.durationMin ?? 0) + options.durationMin,
    why,
    problems: [...missingParts(bundle, parts), ...options.problems, ...more.problems],
  }
}

const missingParts = (bundle: Bundle | null, parts: readonly Part[]): PriceProblem[] =>
  bundle && parts.length < bundle.items.length
    ? [{ path: 'productGuid', message: 'A part of this bundle is no longer sold.' }]
    : []

export interface Margin {
  cents: number
  /** Of the net, in basis points; null where there is no net to compare with. */
  bp: number | null
}

/**
 * Rule 7: what is left of the net, after every discount, once each line that counts has cost us what it does. Null
 * where no line that counts has a cost.
 */
export function marginOf(
  lines: readonly { netCents: number; costCents: number | null; quantity: string; isCounted: boolean }[],
): Margin | null {
  const counted = lines.filter((line) => line.isCounted)
  if (!counted.some((line) => line.costCents !== null)) return null
  const net = counted.reduce((sum, line) => sum + line.netCents, 0)
  const cost = counted.reduce((sum, line) => sum + timesQuantity(line.costCents ?? 0, line.quantity), 0)
  return { cents: net - cost, bp: net > 0 ? scaleCents(net - cost, 10_000, net) : null }
}
