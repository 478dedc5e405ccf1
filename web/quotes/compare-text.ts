import type { Discount } from '../../contract/lines.ts'
import type { Comparison } from '../../contract/negotiation.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import type { Stage } from '../../contract/stages.ts'
import { depositText, discountText, stagesText } from '../lines/terms-text.ts'
import { unitText } from '../lines/unit-text.ts'

type Change = Comparison['document'][number]

const parsed = (value: string): unknown => {
  try {
    return JSON.parse(value)
  } catch {
    return null
  }
}

/** What a field of a comparison is called, and how its values read. */
export function useCompareText() {
  const t = useT('quotes', 'lines', 'common')
  const f = useFormat()
  const say = { t, f }
  const valueOf = (field: string, value: string | null): string => {
    if (value === null) return '–'
    switch (field) {
      case 'quantity':
      case 'quantityMin':
      case 'quantityMax':
        return f.quantity(value)
      case 'unitPriceCents':
        return f.money(Number(value))
      case 'unit':
        return unitText(value, '1')
      case 'gstCode':
        return phraseOr(`lines:gstCodes.${value}`, value)
      case 'validUntil':
      case 'hireFrom':
      case 'hireTo':
        return f.date(value)
      case 'discount':
        return discountText(parsed(value) as Discount | null, say) ?? '–'
      case 'depositRule':
        return depositText(parsed(value) as Discount | null, say)
      case 'schedule':
        return stagesText((parsed(value) as Stage[] | null) ?? [], say)
      case 'isOptional':
        return t(value === 'true' ? 'common:yes' : 'common:no')
      case 'kind':
        return phraseOr(`quotes:compare.kinds.${value}`, value)
      default:
        return value
    }
  }
  return {
    nameOf: (field: string) => phraseOr(`quotes:compare.fields.${field}`, field),
    valueOf: ({ field }: Change, value: string | null) => valueOf(field, value),
  }
}
