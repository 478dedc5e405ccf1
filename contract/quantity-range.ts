import type { FieldError } from './core/errors.ts'
import { quantityUnits } from './core/cents.ts'

/** Decimal texts; a step that is not said is one. */
interface GivenRange {
  quantity: string
  quantityMin?: string | null | undefined
  quantityMax?: string | null | undefined
  quantityStep?: string | null | undefined
}
export interface QuantityRange {
  quantityMin: string
  quantityMax: string
  quantityStep: string
}

const isOnStep = (quantity: string, { quantityMin, quantityStep }: Omit<QuantityRange, 'quantityMax'>) =>
  (quantityUnits(quantity) - quantityUnits(quantityMin)) % quantityUnits(quantityStep) === 0n

/** What is wrong with what a line says of its customer's choice, by the line's fields. */
export function rangeProblems({ quantity, quantityMin, quantityMax, quantityStep }: GivenRange): FieldError[] {
  if (!quantityMin) return [{ path: 'quantityMin', message: 'Enter the smallest quantity.' }]
  if (!quantityMax) return [{ path: 'quantityMax', message: 'Enter the largest quantity.' }]
  if (quantityUnits(quantityMax) <= quantityUnits(quantityMin))
    return [{ path: 'quantityMax', message: 'Enter more than the smallest quantity.' }]
  const range = { quantityMin, quantityMax, quantityStep: quantityStep ?? '1' }
  if (!isOnStep(quantityMax, range))
    return [
      { path: 'quantityStep', message: 'The largest quantity must be a whole number of steps from the smallest.' },
    ]
  return isWithin(quantity, range)
    ? []
    : [{ path: 'quantity', message: 'Enter a quantity that the customer may choose.' }]
}

/** Whether a customer may choose this many: the least and some steps, and no more than the most. */
export const isWithin = (quantity: string, range: QuantityRange): boolean =>
  quantityUnits(quantity) >= quantityUnits(range.quantityMin) &&
  quantityUnits(quantity) <= quantityUnits(range.quantityMax) &&
  isOnStep(quantity, range)

/** The range of a line, if it has one. */
export const rangeOfLine = ({
  quantityMin,
  quantityMax,
  quantityStep,
}: Omit<GivenRange, 'quantity'>): QuantityRange | null =>
  quantityMin && quantityMax && quantityStep ? { quantityMin, quantityMax, quantityStep } : null
