import type { Line, LineInput } from '../../contract/lines.ts'

/** The lines that were entered, as an editor sends them back. */
export const entered = (lines: readonly Line[]): LineInput[] =>
  lines
    .filter((line) => line.parentLineGuid === null)
    .map((line) => {
      const { guid, productGuid, name, description, quantity, unit, unitPriceCents, discount, gstCode } = line
      const { quantityMin, quantityMax, quantityStep, hireFrom, hireTo, answers, revenueStreamGuid } = line
      const { isOptional, alternativeGroup, isSelected } = line
      return {
        kind: line.kind as LineInput['kind'],
        ...{ guid, productGuid, name, description, quantity, unit, unitPriceCents, discount, gstCode },
        ...{ quantityMin, quantityMax, quantityStep, hireFrom, hireTo, revenueStreamGuid },
        ...{ isOptional, alternativeGroup, isSelected },
        ...(productGuid ? { answers } : {}),
      }
    })
