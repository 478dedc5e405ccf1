import type { calculatorsApi } from '../../contract/calculators.ts'
import { type CatalogueLineKind, marginOf } from '../../contract/pricing.ts'
import { answersOf } from '../../contract/booking-options.ts'
import type { Input } from '../../contract/core/op.ts'
import type { LineInput } from '../../contract/lines.ts'
import type { Handlers } from '../core/ctx.ts'
import { may } from '../core/http/permission.ts'
import { priceByCatalogue } from '../documents/catalogue-lines.service.ts'
import { childrenOf } from '../documents/lines-below.service.ts'
import { priceLines } from '../documents/lines.service.ts'

type Asked = Input<(typeof calculatorsApi)['totals']>['lines'][number]

/** As a line is saved: a price that was not entered is the catalogue's. */
function asked({ hire, isPriceManual, unitPriceCents, ...line }: Asked): LineInput {
  const days = hire ? { hireFrom: hire.from, hireTo: hire.to } : {}
  return { ...line, ...days, unitPriceCents: line.productGuid && isPriceManual === false ? undefined : unitPriceCents }
}

export const calculators: Handlers<typeof calculatorsApi> = {
  /** Exactly what saving would store, from the very same functions. */
  totals: async (ctx, input) => {
    const { guid: businessGuid, gstRegistered } = ctx.business
    const { lines, customerGuid, ...pricing } = input
    const { priceMode } = pricing
    const given = { businessGuid, gstRegistered, customerGuid, priceMode }
    const found = await priceByCatalogue(ctx, given, lines.map(asked))
    const priced = priceLines(
      found.map(({ line }) => line),
      { ...pricing, gstRegistered, known: 'any' },
    )
    const seesCosts = may(ctx.actor, 'read', 'Products:Costs')
    const rows = priced.rows.map((row, i) => ({
      ...row,
      ...(priced.amounts[i] ?? {
        netCents: 0,
        gstCents: 0,
        totalCents: 0,
        discountCents: 0,
        isCounted: false,
      }),
      unit: row.unit as 'each',
      costCents: seesCosts ? row.costCents : null,
    }))
    const below = childrenOf(rows)
    const answered = rows
      .filter((row) => row.parentLineGuid === null)
      .map((row, i) => {
        const { line, price = null, answered: given = null, problems = [] } = found[i] ?? {}
        const options = line?.catalogued?.options ?? null
        const children = (below.get(row.guid) ?? []).map((child, at) => ({
          ...child,
          kind: child.kind as CatalogueLineKind,
          sourceKey: child.sourceKey ?? '',
          discount: line?.children?.[at]?.discount ?? null,
        }))
        return {
          ...row,
          isPriceManual: lines[i]?.isPriceManual ?? found[i]?.isPriceManual ?? true,
          catalogueUnit: (price?.unit ?? null) as 'each' | null,
          discount: line?.discount ?? null,
          children,
          durationMin: price?.durationMin ?? 0,
          why: price?.why ?? [],
          options: options?.asked ?? [],
          visible: given?.visible ?? [],
          answers: line?.answers ?? answersOf(options?.selections ?? []),
          problems: [...problems, ...(given?.missing ?? [])],
        }
      })
    return { totals: priced.totals, lines: answered, margin: seesCosts ? marginOf(rows) : null }
  },
}
