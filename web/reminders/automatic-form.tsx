import { Checkbox } from '@mantine/core'
import { type Control, type FieldPath, useController } from 'react-hook-form'
import { clockOf, parseTime } from '../../contract/core/times.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { localeOf } from '../core/i18n/languages.ts'
import { Card } from '../core/ui/card.tsx'
import { TimeInput } from '../core/ui/date-input.tsx'
import { DateField, MoneyField, useField } from '../core/ui/fields.tsx'
import { SwitchField } from '../core/ui/switch-field.tsx'
import { RecordForm, type SaveRecord } from '../record/record-form.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { LadderSteps, type StepTemplate } from './ladder-steps.tsx'
import { type AutomaticInput, automaticInput, type AutomaticValues, weekdayText } from './policy-fields.ts'
import './reminders.css'

type FormControl = Control<AutomaticValues, unknown, AutomaticInput>

interface AutomaticFormProps {
  values: AutomaticValues
  templates: readonly StepTemplate[]
  save: SaveRecord<AutomaticInput>
  isReadOnly: boolean
}

/** When reminders, welcome emails and follow-ups go out. */
export function AutomaticForm({ values, templates, save, isReadOnly }: AutomaticFormProps) {
  const t = useT('reminders')
  const form = useSchemaForm<AutomaticValues, AutomaticInput>(automaticInput, values)
  const { control } = form
  return (
    <RecordForm
      form={form}
      save={save}
      saveLabel={t('reminders:save')}
      isReadOnly={isReadOnly}
      rail={isReadOnly ? <p className="muted no-margin">{t('reminders:readOnly')}</p> : null}
    >
      <Card title={t('reminders:ladder.title')}>
        <div className="stack">
          <SwitchField
            control={control}
            name="isOn"
            label={t('reminders:ladder.isOn')}
            description={t('reminders:ladder.isOnHint')}
          />
          <div className="grid-3 form-grid">
            <DateField
              control={control}
              name="startsOn"
              label={t('reminders:ladder.startsOn')}
              description={t('reminders:ladder.startsOnHint')}
              isRequired
            />
            <MoneyField
              control={control}
              name="minimumCents"
              label={t('reminders:ladder.minimum')}
              description={t('reminders:ladder.minimumHint')}
              isRequired
            />
            <ClockField control={control} name="sendAt" label={t('reminders:ladder.sendAt')} />
          </div>
          <LadderSteps control={control} templates={templates} isDisabled={isReadOnly} />
        </div>
      </Card>
      <Card title={t('reminders:quiet.title')}>
        <div className="stack">
          <p className="muted no-margin">{t('reminders:quiet.hint')}</p>
          <div className="grid-2 form-grid">
            <ClockField control={control} name="quiet.from" label={t('reminders:quiet.from')} />
            <ClockField control={control} name="quiet.to" label={t('reminders:quiet.to')} />
          </div>
          <Weekdays control={control} />
          <SwitchField control={control} name="quiet.holidays" label={t('reminders:quiet.holidays')} />
        </div>
      </Card>
      <Card title={t('reminders:bookings.title')}>
        <div className="stack">
          <SwitchField
            control={control}
            name="sendsWelcome"
            label={t('reminders:bookings.welcome')}
            description={t('reminders:bookings.welcomeHint')}
          />
          <SwitchField
            control={control}
            name="sendsFollowUps"
            label={t('reminders:bookings.followUps')}
            description={t('reminders:bookings.followUpsHint')}
          />
        </div>
      </Card>
    </RecordForm>
  )
}

interface ClockFieldProps {
  control: FormControl
  name: FieldPath<AutomaticValues>
  label: string
}

/** A time of day, kept as `07:30`. */
function ClockField({ control, name, label }: ClockFieldProps) {
  const { value, set, common } = useField({ control, name, label, isRequired: true })
  const minutes = typeof value === 'string' ? (parseTime(value) ?? null) : null
  return <TimeInput {...common} value={minutes} onChange={(at) => set(at === null ? '' : clockOf(at))} />
}

const week = [1, 2, 3, 4, 5, 6, 7]

function Weekdays({ control }: { control: FormControl }) {
  const t = useT('reminders')
  const locale = localeOf(useLanguage())
  const { field, fieldState } = useController({ control, name: 'quiet.weekdays' })
  return (
    <Checkbox.Group
      label={t('reminders:quiet.weekdays')}
      value={field.value.map(String)}
      onChange={(days) => field.onChange(days.map(Number).toSorted((a, b) => a - b))}
      error={fieldState.error?.message}
    >
      <div className="quiet-days">
        {week.map((weekday) => (
          <Checkbox key={weekday} value={String(weekday)} label={weekdayText(weekday, locale)} />
        ))}
      </div>
    </Checkbox.Group>
  )
}
