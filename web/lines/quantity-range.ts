import { trimQuantity } from '../../contract/lines.ts'
import { isWithin, rangeOfLine, rangeProblems, type QuantityRange } from '../../contract/quantity-range.ts'

/** Decimal texts as they are typed: any of them may be empty. */
export type TypedRange = Readonly<QuantityRange>
type Kept = { readonly [K in keyof QuantityRange]: string | null }
/** What a product says of its quantities. */
export type ProductRange = Partial<Kept>

/** What a line begins with when its quantity is left to the customer: at least what is quoted. */
export const firstRange = (quantity: string): TypedRange => ({
  quantityMin: quantity,
  quantityMax: '',
  quantityStep: '1',
})

export function savedRange(line: Kept): TypedRange | null {
  const range = rangeOfLine(line)
  return (
    range && {
      quantityMin: trimQuantity(range.quantityMin),
      quantityMax: trimQuantity(range.quantityMax),
      quantityStep: trimQuantity(range.quantityStep),
    }
  )
}

export const sentRange = (range: TypedRange | null) =>
  range
    ? {
        quantityMin: range.quantityMin || null,
        quantityMax: range.quantityMax || null,
        quantityStep: range.quantityStep || null,
      }
    : {}

/** What a line takes over of its product's quantities: a range the customer may choose in, and a quantity within. */
export function rangeOfProduct(
  quantity: string,
  product: ProductRange,
): { range: TypedRange | null; quantity?: string } {
  const { quantityMin = null, quantityMax = null, quantityStep } = product
  const range = savedRange({ quantityMin, quantityMax, quantityStep: quantityStep ?? '1' })
  if (!range || rangeProblems({ ...range, quantity: range.quantityMin }).length > 0) return { range: null }
  const fits = /^\d+(\.\d+)?$/.test(quantity) && isWithin(quantity, range)
  return { range, ...(fits ? {} : { quantity: range.quantityMin }) }
}
