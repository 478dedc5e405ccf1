import type { calculatorsApi } from '../../contract/calculators.ts'
import { marginOf } from '../../contract/pricing.ts'
import type { Handlers } from '../core/ctx.ts'
import { may } from '../core/http/permission.ts'
import { priceByCatalogue } from '../documents/catalogue-lines.service.ts'
import { priceLines } from '../documents/lines.service.ts'

export const calculators: Handlers<typeof calculatorsApi> = {
  /** Exactly what saving would store, from the very same functions. */
  totals: async (ctx, input) => {
    const { guid: businessGuid, gstRegistered } = ctx.business
    const { lines, customerGuid, ...pricing } = input
    const { priceMode } = pricing
    const found = await priceByCatalogue(ctx, { businessGuid, gstRegistered, customerGuid, priceMode }, lines)
    const priced = priceLines(
      found.map(({ line }) => line),
      { ...pricing, gstRegistered, known: 'any' },
    )
    const seesCosts = may(ctx.actor, 'read', 'Products:Costs')
    const answered = priced.rows.map((row, i) => {
      const { price = null, isPriceManual = true, problems = [] } = found[i] ?? {}
      return {
        ...row,
        ...(priced.amounts[i] ?? {
          netCents: 0,
          gstCents: 0,
          totalCents: 0,
          discountCents: 0,
          isCounted: false,
        }),
        isPriceManual,
        catalogueUnit: (price?.unit ?? null) as 'each' | null,
        discount: found[i]?.line.discount ?? null,
        children: (price?.children ?? []).map((child) => ({ ...child, unit: child.unit as 'each' })),
        durationMin: price?.durationMin ?? 0,
        costCents: seesCosts ? row.costCents : null,
        why: price?.why ?? [],
        problems,
      }
    })
    return { totals: priced.totals, lines: answered, margin: seesCosts ? marginOf(answered) : null }
  },
}
