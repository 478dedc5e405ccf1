import { useT } from '../core/i18n/i18n.ts'
import { QuantityInput } from '../core/ui/inputs.tsx'
import type { EditorLine } from './line-state.ts'
import type { TypedRange } from './quantity-range.ts'

export interface RangeFieldsProps {
  range: TypedRange
  problems: EditorLine['problems']
  /** A label with the number of the line. */
  of: (label: string) => string
  onChange: (range: TypedRange) => void
}

/** Between which quantities a customer may choose, and in which steps. */
export function RangeFields({ range, problems, of, onChange }: RangeFieldsProps) {
  const t = useT('lines')
  const field = (name: keyof TypedRange, label: string) => (
    <QuantityInput
      label={label}
      aria-label={of(label)}
      value={range[name]}
      error={problems?.[name]}
      onChange={(value) => onChange({ ...range, [name]: value })}
    />
  )
  return (
    <div className="line-range" role="group" aria-label={of(t('lines:range.title'))}>
      <span className="line-badge">{t('lines:range.title')}</span>
      <div className="line-range-fields">
        {field('quantityMin', t('lines:range.from'))}
        {field('quantityMax', t('lines:range.to'))}
        {field('quantityStep', t('lines:range.step'))}
      </div>
    </div>
  )
}
