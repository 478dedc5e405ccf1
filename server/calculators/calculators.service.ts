import type { calculatorsApi } from '../../contract/calculators.ts'
import { currentBusiness } from '../businesses/businesses.service.ts'
import type { Handlers } from '../core/ctx.ts'
import { priceLines } from '../lines/lines.service.ts'

export const calculators: Handlers<typeof calculatorsApi> = {
  /** Exactly what saving would store, from the very same function. */
  totals: async (ctx, input) => {
    const { gstRegistered } = await currentBusiness(ctx.db)
    const { lines, ...pricing } = input
    const priced = priceLines(lines, { ...pricing, gstRegistered, known: 'any' })
    return { totals: priced.totals, lines: priced.amounts }
  },
}
