import type { Discount } from '../../contract/lines.ts'
import { useT } from '../core/i18n/i18n.ts'
import { isOverWhole } from '../core/ui/amounts.ts'
import { DecimalInput } from '../core/ui/inputs.tsx'
import { readDiscount, writeDiscount } from './discount-text.ts'

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
      write={writeDiscount}
      read={readDiscount}
      problem={(text, comma) => t(isOverWhole(text, comma) ? 'lines:discountOverWhole' : 'lines:notDiscount')}
    />
  )
}
