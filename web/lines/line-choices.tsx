import { memo } from 'react'
import { gstCodes, units, type GstCode } from '../../contract/lines.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import type { Unit } from './line-state.ts'
import { unitText } from './unit-text.ts'

interface ChoiceProps<V> {
  label: string
  /** Its name with the number of the line. */
  spoken: string
  value: V
  onChange: (value: V) => void
}

export const UnitChoice = memo(function UnitChoice({
  spoken,
  quantity,
  onChange,
  ...rest
}: ChoiceProps<Unit> & { quantity: string }) {
  useT('lines')
  return (
    <ChoiceInput
      {...rest}
      aria-label={spoken}
      className="line-unit"
      minWidth={140}
      data={units.map((unit) => ({ value: unit, label: unitText(unit, quantity) }))}
      onChange={(unit) => onChange(units.find((known) => known === unit) ?? 'each')}
    />
  )
})

export const GstChoice = memo(function GstChoice({
  spoken,
  isDisabled,
  onChange,
  ...rest
}: ChoiceProps<GstCode> & { isDisabled: boolean }) {
  useT('lines')
  return (
    <ChoiceInput
      {...rest}
      aria-label={spoken}
      disabled={isDisabled}
      className="line-gst"
      minWidth={140}
      data={gstCodes.map((code) => ({ value: code, label: phraseOr(`lines:gstCodes.${code}`, code) }))}
      onChange={(code) => onChange(gstCodes.find((known) => known === code) ?? 'GST')}
    />
  )
})
