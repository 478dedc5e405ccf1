import { phraseOr } from '../core/i18n/i18n.ts'

/** The unit of a quantity as it is said with it: `1 hour`, `2 hours`. */
export const unitText = (unit: string, quantity: string): string =>
  phraseOr(`lines:units.${unit}`, unit, { count: Number(quantity) || 0 })
