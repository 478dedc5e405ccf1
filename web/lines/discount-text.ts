import type { Discount } from '../../contract/lines.ts'
import { type Comma, parseMoney, parsePercent, typedMoney } from '../core/ui/amounts.ts'

export const writeDiscount = (discount: Discount | null): string =>
  !discount
    ? ''
    : discount.type === 'fixed'
      ? `$${typedMoney(discount.value).replace(/\.00$/, '')}`
      : `${typedMoney(discount.value).replace(/\.?0+$/, '')}%`

/** `10%` is a share, `$50` an amount, a bare number a share; null for none, undefined for what cannot be read. */
export function readDiscount(text: string, comma: Comma): Discount | null | undefined {
  if (!text.trim()) return null
  const type = text.includes('$') ? 'fixed' : 'percent'
  const value = type === 'fixed' ? parseMoney(text, comma) : parsePercent(text, comma)
  if (value === null || value === undefined || value < 0) return undefined
  return value === 0 ? null : { type, value }
}
