import { Input, Select, Switch } from '@mantine/core'
import { useId, useState } from 'react'
import { localDay } from '../../contract/core/dates.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateInput, TimeInput } from '../core/ui/date-input.tsx'
import type { ComposeErrors, ComposeValues } from './compose-values.ts'

interface ScheduleFieldsProps {
  values: ComposeValues
  errors: ComposeErrors
  onChange: (change: Partial<ComposeValues>) => void
  /** A scheduled message stays one; only drafts and new ones choose. */
  isFixed: boolean
}

const zonesWith = (own: string) =>
  [...new Set([own, ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  }))

/** When it goes: at once, or at a time on the clock of a zone. */
export function ScheduleFields({ values, errors, onChange, isFixed }: ScheduleFieldsProps) {
  const t = useT('compose')
  const { isLater, day, minutes, timeZone } = values
  const [zones] = useState(() => zonesWith(timeZone))
  const problem = useId()
  const [today] = useState(() => localDay(new Date().toISOString(), timeZone))
  return (
    <div className="stack" style={{ '--gap': '0.75rem' } as React.CSSProperties}>
      {isFixed ? null : (
        <Switch
          label={t('compose:later')}
          checked={isLater}
          onChange={(event) => onChange({ isLater: event.currentTarget.checked })}
        />
      )}
      {isLater ? (
        <div className="compose-when">
          <div className="compose-pair" role="group" {...(errors.scheduledFor ? { 'aria-describedby': problem } : {})}>
            <DateInput
              label={t('compose:day')}
              required
              value={day}
              min={today}
              onChange={(next) => onChange({ day: next })}
              error={Boolean(errors.scheduledFor)}
            />
            <TimeInput
              label={t('compose:time')}
              required
              value={minutes}
              onChange={(next) => onChange({ minutes: next })}
              error={Boolean(errors.scheduledFor)}
            />
            {errors.scheduledFor ? (
              <Input.Error id={problem} role="alert">
                {errors.scheduledFor}
              </Input.Error>
            ) : null}
          </div>
          <Select
            label={t('compose:zone')}
            data={zones}
            value={timeZone}
            searchable
            allowDeselect={false}
            onChange={(zone) => (zone ? onChange({ timeZone: zone }) : undefined)}
            error={errors.timeZone}
          />
        </div>
      ) : null}
    </div>
  )
}
