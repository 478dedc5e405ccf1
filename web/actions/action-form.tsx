import { useEffect, useState } from 'react'
import { useController, useFormState, useWatch, type Control } from 'react-hook-form'
import { eventName } from '../../contract/action-sentence.ts'
import {
  type Action,
  type ActionChoices,
  actionEvents,
  actionInput,
  type ActionInput,
  actionLimits,
} from '../../contract/actions.ts'
import { fieldsOf } from '../../contract/event-fields.ts'
import { events, isEvent } from '../../contract/events.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { parseWhole } from '../core/ui/amounts.ts'
import { Card } from '../core/ui/card.tsx'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { TextField, useField } from '../core/ui/fields.tsx'
import { FormError } from '../core/ui/form-card.tsx'
import { ParsedInput } from '../core/ui/parsed-input.tsx'
import { useSaveKey } from '../core/ui/save-key.ts'
import { SearchChoice } from '../core/ui/search-choice.tsx'
import { useUnsaved } from '../core/ui/unsaved.tsx'
import { saveChanges, type SaveRecord } from '../record/record-form.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { type ActionValues, namesIn, sentenceOf } from './action-values.ts'
import { ConditionEditor } from './condition-editor.tsx'
import { capital, type Problems } from './conditions.ts'
import { DryRun } from './dry-run.tsx'
import { EffectEditor, type EffectsProblems } from './effect-editor.tsx'
import './actions.css'

interface FormProps {
  defaults: ActionValues
  choices: ActionChoices
  saveLabel: string
  save: SaveRecord<ActionInput>
  isReadOnly?: boolean
  /** The action that is edited: what it would have done can be done for real. */
  of?: Action
  /** Whether what is on screen is not what is saved. */
  onDirty?: (isDirty: boolean) => void
}

type Controls = Control<ActionValues, unknown, ActionInput>

/** An action as it reads: when, if, after, then; beside it the sentence it makes, and what it would have done. */
export function ActionForm({ defaults, choices, saveLabel, save, isReadOnly = false, of, onDirty }: FormProps) {
  const t = useT('actions', 'record')
  const form = useSchemaForm<ActionValues, ActionInput>(actionInput, defaults)
  const { control } = form
  const { isDirty, isSubmitting, isSubmitSuccessful } = useFormState({ control })
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty])
  const unsaved = useUnsaved(isDirty && !isSubmitting && !isSubmitSuccessful)
  const submit = form.handleSubmit(
    (input) => saveChanges(form, input, (changes) => save(input, changes)),
    () => form.setError('root.server', { type: 'fields', message: t('record:lookAgain') }),
  )
  const saveKey = useSaveKey(isReadOnly)
  return (
    <form noValidate ref={saveKey} onSubmit={(event) => void submit(event)}>
      {unsaved}
      <fieldset className="plain-fieldset with-rail action-form" disabled={isReadOnly}>
        <div className="stack cards">
          <FormError control={form.control} at="head" />
          <Card title={t('actions:when')}>
            <div className="stack">
              <TextField control={control} name="name" label={t('actions:name')} maxLength={80} isRequired autoFocus />
              <EventField control={control} />
            </div>
          </Card>
          <Card title={t('actions:if')}>
            <ConditionsField control={control} />
          </Card>
          <Card title={t('actions:after')}>
            <DelayField control={control} />
          </Card>
          <Card title={t('actions:then')}>
            <EffectsField control={control} choices={choices} />
          </Card>
        </div>
        <div className="stack record-rail">
          <Card title={t('actions:sentence')}>
            <div className="stack">
              <Sentence control={control} choices={choices} />
              {isReadOnly ? null : (
                <ActionButton type="submit" icon="save" loading={isSubmitting} fullWidth>
                  {saveLabel}
                </ActionButton>
              )}
              <FormError control={form.control} at="button" />
              {isDirty && !isReadOnly ? <p className="muted small no-margin">{t('record:unsaved')}</p> : null}
            </div>
          </Card>
          <DryRun read={() => form.getValues()} {...(of ? { of } : {})} />
        </div>
      </fieldset>
    </form>
  )
}

function Sentence({ control, choices }: { control: Controls; choices: ActionChoices }) {
  const t = useT('actions')
  useLanguage()
  const values = useWatch({ control }) as ActionValues
  if (!values.eventKey && values.effects.length === 0) return <p className="muted no-margin">{t('actions:begin')}</p>
  return (
    <p className="no-margin action-sentence" aria-live="polite">
      <bdi>{sentenceOf(values, namesIn(choices))}</bdi>
    </p>
  )
}

function EventField({ control }: { control: Controls }) {
  const t = useT('actions')
  const language = useLanguage()
  const { value, set, common } = useField({ control, name: 'eventKey', label: t('actions:event'), isRequired: true })
  const data = actionEvents
    .map((value) => ({ value, label: capital(eventName(value, language)) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  return (
    <SearchChoice
      {...common}
      placeholder={t('actions:chooseEvent')}
      data={data}
      value={typeof value === 'string' ? value : null}
      onChange={set}
      nothingFoundMessage={t('actions:noEvent')}
    />
  )
}

const nounOf = (eventKey: string | null) => (eventKey && isEvent(eventKey) ? events[eventKey].noun : null)

function ConditionsField({ control }: { control: Controls }) {
  const eventKey = useWatch({ control, name: 'eventKey' })
  const { field, fieldState } = useController({ control, name: 'conditions' })
  return (
    <ConditionEditor
      value={field.value}
      onChange={field.onChange}
      fields={eventKey && isEvent(eventKey) ? fieldsOf(eventKey) : []}
      problems={fieldState.error as Problems | undefined}
    />
  )
}

const units = { minutes: 1, hours: 60, days: 1440 } as const
type Unit = keyof typeof units
/** The largest unit that says so many minutes as a whole number. */
const unitOf = (minutes: number): Unit =>
  minutes > 0 && minutes % units.days === 0 ? 'days' : minutes > 0 && minutes % units.hours === 0 ? 'hours' : 'minutes'

/** Nothing typed is no delay. */
const readCount = (text: string): number | undefined => {
  const count = parseWhole(text)
  return count === null ? 0 : count
}

/** How long it waits: a number and a unit. There is no delay while what is typed is no whole number. */
function DelayField({ control }: { control: Controls }) {
  const t = useT('actions')
  const {
    value,
    set: write,
    common,
  } = useField({
    control,
    name: 'delayMinutes',
    label: t('actions:wait'),
    description: t('actions:waitHint'),
  })
  const f = useFormat()
  const minutes = typeof value === 'number' ? value : null
  const [unit, setUnit] = useState<Unit>(() => unitOf(minutes ?? 0))
  const count = minutes === null ? null : Math.floor(minutes / units[unit])
  const set = (next: number | null, of: Unit) => write(next === null ? null : next * units[of])
  const most = actionLimits.delayMinutes
  const tooLong =
    minutes !== null && minutes > most ? t(`actions:upTo.${unit}`, { limit: f.number(most / units[unit]) }) : null
  return (
    <div className="action-delay">
      <ParsedInput<number | null>
        {...common}
        inputMode="numeric"
        value={count}
        placeholder="0"
        write={(number) => (number ? String(number) : '')}
        read={readCount}
        nothing={null}
        problem={t('actions:notWhole')}
        error={tooLong ?? common.error}
        onChange={(next) => set(next, unit)}
      />
      <ChoiceInput
        label={t('actions:unit')}
        data={(Object.keys(units) as Unit[]).map((value) => ({ value, label: t(`actions:units.${value}`) }))}
        value={unit}
        onChange={(chosen) => {
          const next = (Object.keys(units) as Unit[]).find((one) => one === chosen) ?? 'minutes'
          setUnit(next)
          set(count, next)
        }}
      />
    </div>
  )
}

function EffectsField({ control, choices }: { control: Controls; choices: ActionChoices }) {
  const eventKey = useWatch({ control, name: 'eventKey' })
  const { field, fieldState } = useController({ control, name: 'effects' })
  return (
    <EffectEditor
      value={field.value}
      onChange={field.onChange}
      noun={nounOf(eventKey)}
      choices={choices}
      problems={fieldState.error as unknown as EffectsProblems | undefined}
    />
  )
}
