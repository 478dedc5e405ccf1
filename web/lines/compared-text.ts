import type { DepositRule, Discount, Line } from '../../contract/lines.ts'
import type { Stage } from '../../contract/stages.ts'
import type { Say } from '../record/record-facts.tsx'
import { depositText, discountText, stagesText } from './terms-text.ts'

/** A value of a comparison of two revisions as its reader writes it; null where there is none. */
export function comparedText(field: string, value: string | null, say: Say): string | null {
  if (value === null) return null
  const { t, f } = say
  switch (field) {
    case 'quantity':
    case 'quantityMin':
    case 'quantityMax':
      return f.quantity(value)
    case 'unitPriceCents':
      return f.money(Number(value))
    case 'unit':
      return t(`lines:units.${value as Line['unit']}`, { count: 1 })
    case 'gstCode':
      return t(`lines:gstCodes.${value as Line['gstCode']}`)
    case 'discount':
      return discountText(JSON.parse(value) as Discount | null, say)
    case 'depositRule':
      return depositText(JSON.parse(value) as DepositRule | null, say)
    case 'schedule':
      return stagesText(JSON.parse(value) as Stage[], say)
    case 'validUntil':
    case 'hireFrom':
    case 'hireTo':
      return f.date(value)
    case 'isOptional':
      return t(value === 'true' ? 'common:yes' : 'common:no')
    default:
      return value
  }
}
