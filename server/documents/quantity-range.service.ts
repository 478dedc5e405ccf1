import type { Line } from '../../contract/lines.ts'

/** Between which quantities a customer may choose, in steps counted from the least; all null where he may not. */
export type KeptRange = Pick<Line, 'quantityMin' | 'quantityMax' | 'quantityStep'>
export const noRange: KeptRange = { quantityMin: null, quantityMax: null, quantityStep: null }
/** The range that was sent or is stored; a step that is not said is one. */
export const rangeOf = ({
  quantityMin,
  quantityMax,
  quantityStep,
}: { [K in keyof KeptRange]?: string | null | undefined }) =>
  quantityMin && quantityMax ? { quantityMin, quantityMax, quantityStep: quantityStep ?? '1' } : noRange
