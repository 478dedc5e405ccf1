import type { Comparison } from '../../contract/negotiation.ts'
import type { DepositRule, Discount, Line } from '../../contract/lines.ts'
import type { Format } from '../core/i18n/format.ts'
import type { T } from '../core/i18n/i18n.ts'
import type { Stage } from '../../contract/stages.ts'
import { stagesText } from '../lines/terms-text.ts'

export type ComparedLine = Comparison['lines'][number]

const discountText = (json: string, f: Format): string => {
  const { type, value } = JSON.parse(json) as Discount
  return type === 'percent' ? f.percent(value) : f.money(value)
}
const depositText = (json: string, f: Format): string | null => {
  const rule = JSON.parse(json) as DepositRule
  return rule.type === 'none' ? null : rule.type === 'percent' ? f.percent(rule.value) : f.money(rule.value)
}

/** A value of a comparison as its reader writes it; null where there is none. */
export function comparedText(field: string, value: string | null, f: Format, t: T): string | null {
  if (value === null) return null
  switch (field) {
    case 'quantity':
    case 'quantityMin':
    case 'quantityMax':
      return f.quantity(value)
    case 'unitPriceCents':
      return f.money(Number(value))
    case 'unit':
      return t(`lines:units.${value as Line['unit']}`, { count: 1 })
    case 'discount':
      return discountText(value, f)
    case 'depositRule':
      return depositText(value, f)
    case 'schedule':
      return stagesText(JSON.parse(value) as Stage[], { f, t })
    case 'gstCode':
      return t(`lines:gstCodes.${value as Line['gstCode']}`)
    case 'hireFrom':
    case 'hireTo':
    case 'validUntil':
      return f.date(value)
    case 'isOptional':
      return t(value === 'true' ? 'common:yes' : 'common:no')
    default:
      return value
  }
}

/** Texts that are read from above to below, and not beside each other. */
export const isLongField = (field: string): boolean => ['intro', 'terms', 'description', 'schedule'].includes(field)

/** Kinds are the business's own word for a line. */
export const shownFields = ({ fields }: Pick<ComparedLine, 'fields'>): ComparedLine['fields'] =>
  fields.filter(({ field }) => field !== 'kind')
