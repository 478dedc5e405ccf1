import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Control, useFieldArray, useFormState, useWatch } from 'react-hook-form'
import { mostSteps } from '../../contract/reminders.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { parseWhole } from '../core/ui/amounts.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { SelectField, useField } from '../core/ui/fields.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { ParsedInput } from '../core/ui/parsed-input.tsx'
import { selectWhole } from '../core/ui/select-whole.ts'
import type { AutomaticInput, AutomaticValues } from './policy-fields.ts'

type FormControl = Control<AutomaticValues, unknown, AutomaticInput>

export interface StepTemplate {
  guid: string
  name: string
  isDefault: boolean
}

/** The days on which reminders go out, each with its template. */
export function LadderSteps({
  control,
  templates,
  isDisabled,
}: {
  control: FormControl
  templates: readonly StepTemplate[]
  isDisabled: boolean
}) {
  const t = useT('reminders')
  const f = useFormat()
  const { fields, append, remove } = useFieldArray({ control, name: 'steps' })
  const steps = useWatch({ control, name: 'steps' })
  const { errors } = useFormState({ control, name: 'steps' })
  const problem = errors.steps?.message ?? errors.steps?.root?.message
  const usual = (templates.find(({ isDefault }) => isDefault) ?? templates[0])?.guid ?? null
  const isFull = fields.length >= mostSteps
  return (
    <div className="stack">
      <div>
        <h3 className="ladder-heading">{t('reminders:ladder.steps')}</h3>
        <p className="muted small no-margin">{t('reminders:ladder.stepsHint')}</p>
      </div>
      {fields.length ? null : <p className="muted no-margin">{t('reminders:ladder.none')}</p>}
      {problem ? (
        <p className="field-error no-margin" role="alert">
          {problem}
        </p>
      ) : null}
      {templates.length ? null : <p className="muted no-margin">{t('reminders:ladder.noTemplates')}</p>}
      {fields.map((field, index) => (
        <div
          key={field.id}
          className="ladder-step"
          role="group"
          aria-label={t('reminders:ladder.step', { position: f.number(index + 1) })}
        >
          <Days control={control} index={index} isDisabled={isDisabled} />
          <SelectField
            control={control}
            name={`steps.${index}.templateGuid`}
            label={t('reminders:ladder.template')}
            options={templates.map(({ guid, name }) => ({ value: guid, label: name }))}
            isRequired
          />
          <IconTool
            icon="delete"
            isDisabled={isDisabled}
            label={t('reminders:ladder.remove', { position: f.number(index + 1) })}
            onClick={() => remove(index)}
          />
        </div>
      ))}
      {isDisabled ? null : isFull ? (
        <p className="muted small no-margin">{t('reminders:ladder.most', { count: mostSteps })}</p>
      ) : (
        <div>
          <Button
            variant="light"
            leftSection={<Icon name="create" size={18} />}
            onClick={() => append({ days: nextDay(steps), templateGuid: usual })}
          >
            {t('reminders:ladder.add')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** A week after the last step. */
const nextDay = (steps: AutomaticValues['steps']) =>
  Math.min(Math.max(...steps.map(({ days }) => days ?? 0), 0) + 7, 365)

/** A number of days, and on which side of the due day. */
function Days({ control, index, isDisabled }: { control: FormControl; index: number; isDisabled: boolean }) {
  const t = useT('reminders')
  const { value, set, common } = useField({ control, name: `steps.${index}.days`, label: t('reminders:ladder.days') })
  const days = typeof value === 'number' ? value : null
  const [isBefore, setBefore] = useState(days !== null && days < 0)
  // Zero has no sign.
  const signed = (count: number, before: boolean) => (before && count > 0 ? -count : count)
  return (
    <>
      <ParsedInput<number | null>
        {...selectWhole}
        {...common}
        inputMode="numeric"
        classNames={{ input: 'amount-input' }}
        value={days}
        write={(count) => (count === null ? '' : String(Math.abs(count)))}
        read={parseWhole}
        nothing={null}
        problem={t('reminders:ladder.notDays')}
        onChange={(count) => set(count === null ? null : signed(count, isBefore))}
      />
      <ChoiceInput
        label={t('reminders:ladder.when')}
        data={[
          { value: 'before', label: t('reminders:ladder.before') },
          { value: 'after', label: t('reminders:ladder.after') },
        ]}
        value={isBefore ? 'before' : 'after'}
        disabled={isDisabled}
        onChange={(side) => {
          setBefore(side === 'before')
          if (days !== null) set(signed(Math.abs(days), side === 'before'))
        }}
      />
    </>
  )
}
