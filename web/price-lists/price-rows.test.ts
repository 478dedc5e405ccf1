import { expect, test } from 'vitest'
import type { ListedProduct } from '../../contract/price-lists.ts'
import {
  cataloguePrice,
  cellsOf,
  emptyRow,
  isHeading,
  paste,
  type PriceRow,
  rowProblems,
  rowsOf,
  sentItems,
} from './price-rows.ts'

const product = (guid: string, more: Partial<ListedProduct> = {}): ListedProduct => ({
  guid,
  sku: null,
  name: `Product ${guid}`,
  kind: 'goods',
  unit: 'each',
  priceCents: 78_000,
  tiers: [],
  archivedAt: null,
  isPricedByParts: false,
  ...more,
})
const row = (more: Partial<PriceRow>): PriceRow => ({ ...emptyRow(), found: 1, ...more })

test('What a spreadsheet copies is read cell by cell, with quotes and breaks inside them', () => {
  expect(cellsOf('MAR-66\t700\r\nLIG-1\t"1,234.50"\r\n')).toEqual([
    ['MAR-66', '700'],
    ['LIG-1', '1,234.50'],
  ])
  expect(cellsOf('"Marquee\n6 m ""Big"""\t3\t740\n\n\t\t\nLights\t\t9')).toEqual([
    ['Marquee 6 m "Big"', '3', '740'],
    ['Lights', '', '9'],
  ])
})

test('Two columns are product and price, three have the quantity between, and more are told', () => {
  const filled = (cells: string[][], column: 'product' | 'from' | 'price' = 'product') =>
    paste([], { index: 0, column }, cells)?.rows.map(({ text, from, price }) => [text, from, price])
  expect(filled([['MAR-66', '700']])).toEqual([['MAR-66', '', '700']])
  expect(filled([['MAR-66', '3', '740']])).toEqual([['MAR-66', '3', '740']])
  const mixed = [
    ['MAR-66', '700'],
    ['MAR-66', '3', '680'],
    ['TENT', '', '90'],
  ]
  expect(filled(mixed)).toEqual([['MAR-66', '', '700'], mixed[1], mixed[2]])
  expect(filled([['3', '740'], ['9']], 'from')).toEqual([
    ['', '3', '740'],
    ['', '9', ''],
  ])
  expect(filled([['740']], 'price')).toEqual([['', '', '740']])
  expect(paste([], { index: 0, column: 'product' }, [['a', '1', '2', 'note']])?.isCut).toBe(true)
})

test('Pasting fills over what is there, keeps what it does not name, and never goes beyond 5,000', () => {
  const first = row({ product: product('a'), text: 'Product a', price: '1' })
  const pasted = paste([first], { index: 0, column: 'price' }, [['2'], ['3']])
  expect(pasted?.rows).toMatchObject([
    { key: first.key, product: { guid: 'a' }, price: '2' },
    { product: null, price: '3' },
  ])
  expect(paste([], { index: 4999, column: 'price' }, [['1']])?.rows).toHaveLength(5000)
  expect(paste([], { index: 4999, column: 'price' }, [['1'], ['2']])).toBeNull()
})

test('A heading is told from a row whose product is not known', () => {
  expect(isHeading(row({ text: 'Product', price: 'Price' }), 'groups')).toBe(true)
  expect(isHeading(row({ text: 'MAR-99', price: '700' }), 'groups')).toBe(false)
  expect(isHeading(row({ product: product('a'), text: 'a', price: 'tba' }), 'groups')).toBe(false)
})

test('What is wrong is said at its row and column, and an empty row is nothing', () => {
  const a = product('a')
  const rows = [
    row({ product: a, from: '3', price: '700' }),
    row({}),
    row({ text: 'Nobody', found: 0, price: '1' }),
    row({ text: 'Many', found: 2, price: '1' }),
    row({ price: '1' }),
    row({ product: a, from: 'x', price: '1' }),
    row({ product: a, from: '5', price: 'tba' }),
    row({ product: a, from: '6', price: '' }),
    row({ product: a, from: '7', price: '-1' }),
    row({ product: a, from: '3.0', price: '9' }),
    row({ product: a, from: '8', price: '1', refused: { column: 'product', message: 'Gone.' } }),
  ]
  const problems = rowProblems(rows, 'groups')
  const said = rows.map(({ key }) => problems.get(key) ?? null)
  expect(said.map((one) => one && [one.column, one.key])).toEqual([
    null,
    null,
    ['product', 'unknown'],
    ['product', 'several'],
    ['product', 'required'],
    ['from', 'notQuantity'],
    ['price', 'notMoney'],
    ['price', 'required'],
    ['price', 'belowZero'],
    ['from', 'repeated'],
    ['product', 'server'],
  ])
  expect(said[9]).toMatchObject({ row: 1 })
})

test('Rows are what was saved, and are sent as they were, in every language', () => {
  const items = [
    { productGuid: 'a', from: '2.5', priceCents: 123_450 },
    { productGuid: 'gone', from: '1', priceCents: 0 },
  ]
  for (const comma of ['groups', 'decimals', 'either'] as const) {
    const rows = rowsOf({ items, products: [product('a')] }, comma)
    expect(rowProblems(rows, comma).size).toBe(0)
    expect(sentItems([...rows, emptyRow()], comma).items).toEqual(items)
  }
})

test('A price is compared with what the catalogue asks at its quantity', () => {
  const tiered = product('a', { tiers: [{ from: '3', priceCents: 74_000 }] })
  expect(cataloguePrice(row({ product: tiered, from: '4' }), 'groups')).toBe(74_000)
  expect(cataloguePrice(row({ product: tiered }), 'groups')).toBe(78_000)
  expect(cataloguePrice(row({ product: product('b', { isPricedByParts: true }) }), 'groups')).toBeNull()
})
