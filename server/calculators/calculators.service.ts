import type { calculatorsApi } from '../../contract/calculators.ts'
import type { Handlers } from '../core/ctx.ts'
import { priceLines } from '../documents/lines.service.ts'

export const calculators: Handlers<typeof calculatorsApi> = {
  /** Exactly what saving would store, from the very same function. */
  totals: async (ctx, input) => {
    const { gstRegistered } = ctx.business
    const { lines, ...pricing } = input
    const priced = priceLines(lines, { ...pricing, gstRegistered, known: 'any' })
    return { totals: priced.totals, lines: priced.amounts }
  },
}
