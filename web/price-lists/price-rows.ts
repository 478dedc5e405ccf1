import { trimQuantity } from '../../contract/lines.ts'
import { maxListItems, repeatedItems, type ListedProduct, type PriceListItem } from '../../contract/price-lists.ts'
import { reached } from '../../contract/pricing.ts'
import { type Comma, parseMoney, parseQuantity, typedMoney } from '../core/ui/amounts.ts'

export const columns = ['product', 'from', 'price'] as const
export type Column = (typeof columns)[number]

/** Why a text means no product, or what is wrong with a number; `server` is said by the server. */
export type RowProblem =
  | { column: Column; key: 'unknown' | 'several' | 'required' | 'notQuantity' | 'notMoney' | 'belowZero' | 'unmatched' }
  | { column: Column; key: 'repeated'; row: number }
  | { column: Column; key: 'server'; message: string }

/** A row as it is typed: what can’t be read stays as it stands. */
export interface PriceRow {
  key: string
  product: ListedProduct | null
  /** What was typed or pasted for the product. */
  text: string
  from: string
  price: string
  /** How many products its text may mean; null until it was looked up. */
  found: number | null
  /** Said of it when it was last saved. */
  refused?: { column: Column; message: string } | undefined
}

let made = 0
export const emptyRow = (): PriceRow => ({
  key: `r${++made}`,
  product: null,
  text: '',
  from: '',
  price: '',
  found: null,
})
export const isEmpty = ({ product, text, from, price }: PriceRow) =>
  product === null && !text.trim() && !from.trim() && !price.trim()

const local = (typed: string, comma: Comma) => (comma === 'decimals' ? typed.replace('.', ',') : typed)
const writtenPrice = (cents: number, comma: Comma) => local(typedMoney(cents), comma)

export function rowsOf(
  { items, products }: { items: readonly PriceListItem[]; products: readonly ListedProduct[] },
  comma: Comma,
): PriceRow[] {
  const known = new Map(products.map((product) => [product.guid, product]))
  return items.map(({ productGuid, from, priceCents }) => {
    const product = known.get(productGuid) ?? namedProduct(productGuid, '…')
    return {
      ...emptyRow(),
      product,
      text: product.name,
      from: local(from, comma),
      price: writtenPrice(priceCents, comma),
      found: 1,
    }
  })
}

/** A product of which the name is known alone: one that is not read yet, or that the reader may not see. */
export const namedProduct = (guid: string, name: string): ListedProduct => ({
  guid,
  sku: null,
  name,
  kind: 'service',
  unit: 'each',
  priceCents: 0,
  tiers: [],
  archivedAt: null,
  isPricedByParts: true,
})

interface Read {
  from: string | undefined
  cents: number | null | undefined
}
const readings = new WeakMap<PriceRow, { comma: Comma; read: Read }>()
/** What the numbers of a row say; nothing typed from is 1. */
export function readRow(row: PriceRow, comma: Comma): Read {
  const known = readings.get(row)
  if (known?.comma === comma) return known.read
  const from = row.from.trim() ? parseQuantity(row.from, comma) : '1'
  const read = { from: from && trimQuantity(from), cents: parseMoney(row.price, comma) }
  readings.set(row, { comma, read })
  return read
}

/** What the catalogue asks at the quantity of a row; null where it has no price to compare with. */
export function cataloguePrice(row: PriceRow, comma: Comma): number | null {
  const { product } = row
  const { from } = readRow(row, comma)
  if (!product || product.isPricedByParts || !from) return null
  return reached(product.tiers, from)?.priceCents ?? product.priceCents
}

function ownProblem(row: PriceRow, comma: Comma): RowProblem | null {
  if (row.refused) return { column: row.refused.column, key: 'server', message: row.refused.message }
  if (!row.product) {
    if (!row.text.trim()) return { column: 'product', key: 'required' }
    return { column: 'product', key: row.found === null ? 'unmatched' : row.found > 1 ? 'several' : 'unknown' }
  }
  const { from, cents } = readRow(row, comma)
  if (from === undefined || !/[1-9]/.test(from)) return { column: 'from', key: 'notQuantity' }
  if (cents === undefined) return { column: 'price', key: 'notMoney' }
  if (cents === null) return { column: 'price', key: 'required' }
  return cents < 0 ? { column: 'price', key: 'belowZero' } : null
}

/** What is wrong, by the key of its row; an empty row is nothing at all. */
export function rowProblems(rows: readonly PriceRow[], comma: Comma): Map<string, RowProblem> {
  const problems = new Map<string, RowProblem>()
  const whole: { key: string; row: number; productGuid: string; from: string }[] = []
  for (const [index, row] of rows.entries()) {
    if (isEmpty(row)) continue
    const problem = ownProblem(row, comma)
    if (problem) problems.set(row.key, problem)
    const { from } = readRow(row, comma)
    if (row.product && from) whole.push({ key: row.key, row: index + 1, productGuid: row.product.guid, from })
  }
  for (const [again, first] of repeatedItems(whole)) {
    const [later, before] = [whole[again], whole[first]]
    if (later && before && !problems.has(later.key))
      problems.set(later.key, { column: 'from', key: 'repeated', row: before.row })
  }
  return problems
}

/** The prices as they are sent, with the rows they stand in. */
export function sentItems(rows: readonly PriceRow[], comma: Comma): { items: PriceListItem[]; keys: string[] } {
  const kept = rows.flatMap((row) => {
    const { from, cents } = readRow(row, comma)
    return row.product && from && typeof cents === 'number'
      ? [{ key: row.key, item: { productGuid: row.product.guid, from, priceCents: cents } }]
      : []
  })
  return { items: kept.map(({ item }) => item), keys: kept.map(({ key }) => key) }
}

/** The cells of what a spreadsheet puts on the clipboard; a cell with breaks or tabs stands in quotes. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/gy
  let found = cell.exec(text)
  while (found) {
    const [, quoted, bare, end] = found
    rows
      .at(-1)
      ?.push((quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"')).replaceAll(/\s+/g, ' ').trim())
    if (end === '') break
    if (end !== '\t') rows.push([])
    found = cell.exec(text)
  }
  return rows.filter((row) => row.some((one) => one !== ''))
}

/** A row with its price as all are written; what is no amount stays as it stands. */
export function withPrice(row: PriceRow, comma: Comma): PriceRow {
  const { cents } = readRow(row, comma)
  return typeof cents === 'number' ? { ...row, price: writtenPrice(cents, comma) } : row
}

export interface Pasted {
  rows: PriceRow[]
  /** Keys of the rows that were filled, in their order. */
  keys: string[]
  /** More columns than there is room for were left out. */
  isCut: boolean
}

/** Which columns cells fill: two from the product on are product and price, as lists mostly have them. */
function columnsFor(width: number, at: Column): readonly Column[] {
  if (at === 'product') return width === 1 ? ['product'] : width === 2 ? ['product', 'price'] : columns
  return at === 'from' ? (width === 1 ? ['from'] : ['from', 'price']) : ['price']
}

/** Fills cells from a row and column on, over what is there; null where there are more rows than a list may have. */
export function paste(
  rows: readonly PriceRow[],
  at: { index: number; column: Column },
  cells: readonly string[][],
): Pasted | null {
  const width = Math.max(...cells.map((row) => row.length))
  const filled = columnsFor(width, at.column)
  if (at.index + cells.length > maxListItems) return null
  const next = [...rows]
  const keys: string[] = []
  for (const [i, given] of cells.entries()) {
    const row: PriceRow = { ...(next[at.index + i] ?? emptyRow()), refused: undefined }
    // A row of product and price among rows of three is one still: its second cell is no quantity.
    const ownColumns = given.length === 2 ? columnsFor(2, at.column) : filled
    if (ownColumns.length < filled.length) row.from = ''
    for (const [c, column] of ownColumns.entries()) {
      const text = given[c] ?? ''
      if (column !== 'product') row[column] = text
      else if (text !== row.product?.name) Object.assign(row, { text, product: null, found: null })
    }
    next[at.index + i] = row
    keys.push(row.key)
  }
  return { rows: next, keys, isCut: width > filled.length }
}

/** Whether the first of pasted rows is a heading: its price is no amount, and its product was not found. */
export const isHeading = (row: PriceRow, comma: Comma): boolean =>
  row.product === null && row.text !== '' && row.price.trim() !== '' && readRow(row, comma).cents === undefined
