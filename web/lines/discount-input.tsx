import type { Discount } from '../../contract/lines.ts'
import { useT } from '../core/i18n/i18n.ts'
import { parseMoney, parsePercent, typedMoney } from '../core/ui/amounts.ts'
import { DecimalInput } from '../core/ui/inputs.tsx'

const write = (discount: Discount | null) =>
  !discount
    ? ''
    : discount.type === 'fixed'
      ? `$${typedMoney(discount.value).replace(/\.00$/, '')}`
      : `${typedMoney(discount.value).replace(/\.?0+$/, '')}%`

/** `10%` is a share, `$50` an amount, a bare number a share. */
function read(text: string, isCommaDecimal: boolean): Discount | null | undefined {
  if (!text.trim()) return null
  if (text.includes('$')) {
    const cents = parseMoney(text, isCommaDecimal)
    return cents === null || cents === undefined || cents < 0
      ? undefined
      : cents === 0
        ? null
        : { type: 'fixed', value: cents }
  }
  const share = parsePercent(text, isCommaDecimal)
  return share === null || share === undefined ? undefined : share === 0 ? null : { type: 'percent', value: share }
}

export interface DiscountInputProps {
  value: Discount | null
  onChange: (value: Discount | null) => void
  label: string
  /** A longer name where the same label stands many times. */
  spoken?: string
  className?: string
}

/** A discount typed as people write it: `10%` or `$50`. */
export function DiscountInput({ value, onChange, label, spoken, className }: DiscountInputProps) {
  const t = useT('lines')
  return (
    <DecimalInput
      {...(className ? { className } : {})}
      {...(spoken ? { 'aria-label': spoken } : {})}
      label={label}
      placeholder={t('lines:discountPlaceholder')}
      value={value}
      onChange={onChange}
      write={write}
      read={read}
      problem={t('lines:notDiscount')}
    />
  )
}
