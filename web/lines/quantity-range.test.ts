import { expect, test } from 'vitest'
import { newLine, ofProduct, sentLines, changed, withProblems, type EditorLine } from './line-state.ts'
import { firstRange, rangeOfProduct } from './quantity-range.ts'

const product = {
  guid: 'p',
  name: 'Hoarding type A',
  kind: 'goods',
  description: null,
  unit: 'm',
  gstCode: 'GST',
  priceCents: 14_800,
  quantityMin: '10',
  quantityMax: '14',
  quantityStep: '0.5',
} as const
const line = (more: Partial<EditorLine> = {}): EditorLine => ({ ...newLine(), name: 'Hoarding', ...more })

test.each([
  ['1', { quantityMin: '10', quantityMax: '14', quantityStep: '0.5' }, '10'],
  ['12.5', { quantityMin: '10', quantityMax: '14', quantityStep: '0.5' }, undefined],
  ['12.3', { quantityMin: '10', quantityMax: '14', quantityStep: '0.5' }, '10'],
  ['', { quantityMin: '10', quantityMax: '14', quantityStep: null }, '10'],
])('a product’s quantities become the customer’s choice: of %s', (quantity, of, becomes) => {
  const taken = rangeOfProduct(quantity, of)
  expect(taken.range?.quantityMax).toBe('14')
  expect(taken.quantity).toBe(becomes)
})

test.each([
  ['no most', { quantityMin: '10', quantityMax: null, quantityStep: null }],
  ['the least is the most', { quantityMin: '10', quantityMax: '10', quantityStep: null }],
  ['no whole steps between them', { quantityMin: '1', quantityMax: '2', quantityStep: '0.3' }],
  ['nothing', {}],
])('and nothing where there is %s', (_what, of) => {
  expect(rangeOfProduct('1', of)).toEqual({ range: null })
})

test('only quotes take it over, and it is sent as three fields or none', () => {
  expect(ofProduct(line(), product, 'exclusive', true)).not.toHaveProperty('range')
  const chosen = line(ofProduct(line(), product, 'exclusive', true, true))
  expect(sentLines([chosen])[0]).toMatchObject({
    quantity: '10',
    quantityMin: '10',
    quantityMax: '14',
    quantityStep: '0.5',
  })
  expect(sentLines([line()])[0]).not.toHaveProperty('quantityMin')
  expect(sentLines([line({ range: firstRange('2') })])[0]).toMatchObject({ quantityMin: '2', quantityMax: null })
})

test('what is wrong with it stands at its field until the range changes', () => {
  const [wrong] = withProblems(
    [line({ range: firstRange('2') })],
    [{ path: 'lines.0.quantityMax', message: 'Enter the largest quantity.' }],
  )
  expect(wrong?.problems).toEqual({ quantityMax: 'Enter the largest quantity.' })
  expect(changed(wrong as EditorLine, { name: 'Other' }).problems).toEqual(wrong?.problems)
  expect(changed(wrong as EditorLine, { range: { ...firstRange('2'), quantityMax: '4' } }).problems).toEqual({})
})
