import { Select } from '@mantine/core'
import { memo } from 'react'
import { gstCodes, units, type GstCode } from '../../contract/lines.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import type { Unit } from './line-state.ts'

// A list is made when it opens: a hundred lines would else hold two hundred of them.
const atStart = { width: 'max-content', position: 'bottom-start', keepMounted: false } as const
const atEnd = { width: 'max-content', position: 'bottom-end', keepMounted: false } as const

interface ChoiceProps<V> {
  label: string
  /** Its name with the number of the line. */
  spoken: string
  value: V
  onChange: (value: V) => void
}

export const UnitChoice = memo(function UnitChoice({ label, spoken, value, onChange }: ChoiceProps<Unit>) {
  useT('lines')
  return (
    <Select
      className="line-unit"
      label={label}
      aria-label={spoken}
      data={units.map((unit) => ({ value: unit, label: phraseOr(`lines:units.${unit}`, unit) }))}
      value={value}
      allowDeselect={false}
      comboboxProps={atStart}
      onChange={(unit) => onChange(units.find((known) => known === unit) ?? 'each')}
    />
  )
})

export const GstChoice = memo(function GstChoice({ label, spoken, value, onChange, isDisabled }: ChoiceProps<GstCode> & { isDisabled: boolean }) {
  useT('lines')
  return (
    <Select
      className="line-gst"
      label={label}
      aria-label={spoken}
      data={gstCodes.map((code) => ({ value: code, label: phraseOr(`lines:gstCodes.${code}`, code) }))}
      value={value}
      allowDeselect={false}
      disabled={isDisabled}
      comboboxProps={atEnd}
      onChange={(code) => onChange(gstCodes.find((known) => known === code) ?? 'GST')}
    />
  )
})
