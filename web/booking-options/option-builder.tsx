import { Tabs } from '@mantine/core'
import { useState } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import {
  optionAnswerers,
  optionInputs,
  onlyChoice,
  type OptionDefinition,
  type VisibleWhen,
  type Wording,
} from '../../contract/booking-options.ts'
import { bookingOptionInput, bookingOptionsApi, type BookingOptionInput } from '../../contract/booking-options-api.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { SelectField, TextField, useField } from '../core/ui/fields.tsx'
import { FormError } from '../core/ui/form-card.tsx'
import { useSaveKey } from '../core/ui/save-key.ts'
import { SwitchField } from '../core/ui/switch-field.tsx'
import { useUnsaved } from '../core/ui/unsaved.tsx'
import { saveChanges, type SaveRecord } from '../record/record-form.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { ChoicesEditor } from './choices-editor.tsx'
import { emptyChoice, type OptionValues } from './option-fields.tsx'
import { answererText, codeOf, inputText } from './option-words.ts'
import { TryIt } from './try-it.tsx'
import { WhenEditor } from './when-editor.tsx'
import { WordingFields } from './wording-fields.tsx'
import './booking-options.css'

export interface OptionBuilderProps {
  guid?: string
  defaults: OptionValues
  added: readonly { guid: string; label: string }[]
  save: SaveRecord<BookingOptionInput>
  saveLabel: string
  isReadOnly?: boolean
}

/** The choices an input begins with: lists keep theirs, a yes and a number have one, texts and days have none. */
function choicesFor(input: OptionValues['input'], before: OptionValues['choices']): OptionValues['choices'] {
  if (input === 'boolean') return [{ ...emptyChoice(onlyChoice.boolean, 'Yes') }]
  if (input === 'quantity') return [{ ...emptyChoice(onlyChoice.quantity, 'Each') }]
  if (input !== 'single' && input !== 'multi') return []
  const kept = before.filter(({ code }) => code !== onlyChoice.boolean && code !== onlyChoice.quantity)
  return kept.length ? kept : [emptyChoice()]
}

/** The fields of a form hold texts where the schema has names. */
const asTyped = (typed: object) => typed as OptionDefinition

/** Words typed so far: those of a language that are still empty are said in English. */
const asWording = (typed: OptionValues['label'], unnamed: string): Wording => ({
  en: typed.en || unnamed,
  ...(typed.fr ? { fr: typed.fr } : {}),
  ...(typed.ar ? { ar: typed.ar } : {}),
})

/** What is typed so far as a question, complete enough to be tried. */
const asDefinition = (values: OptionValues, unnamed: string) =>
  asTyped({
    code: values.code || codeOf(values.label.en) || 'new',
    label: asWording(values.label, unnamed),
    help: values.help.en ? asWording(values.help, '') : null,
    input: values.input,
    required: values.required,
    answeredBy: values.answeredBy,
    choices: values.choices.map((choice, i) => ({
      ...choice,
      code: choice.code || codeOf(choice.label.en) || `choice-${i + 1}`,
      label: asWording(choice.label, unnamed),
      cents: choice.cents ?? 0,
      bp: choice.bp ?? 0,
      durationMin: choice.durationMin ?? 0,
    })),
    visibleWhen: values.visibleWhen,
  })

/** The builder of an option beside its live trial. */
export function OptionBuilder({ guid, defaults, added, save, saveLabel, isReadOnly = false }: OptionBuilderProps) {
  const t = useT('options', 'record')
  const [tab, setTab] = useState<string | null>('build')
  const form = useSchemaForm<OptionValues, BookingOptionInput>(bookingOptionInput, defaults)
  const { control } = form
  const { isDirty, isSubmitting, isSubmitSuccessful } = useFormState({ control })
  const unsaved = useUnsaved(isDirty && !isSubmitting && !isSubmitSuccessful)
  const submit = form.handleSubmit(
    (input) => saveChanges(form, input, (changes) => save(input, changes)),
    () => form.setError('root.server', { type: 'fields', message: t('record:lookAgain') }),
  )
  const saveKey = useSaveKey(isReadOnly)
  const others = useRead(bookingOptionsApi.list, { size: 100, sort: 'name' })
  const known = (others.data?.items ?? []).filter((other) => other.guid !== guid)
  const values = useWatch({ control }) as OptionValues
  return (
    <div className="builder" data-tab={tab}>
      <Tabs className="builder-tabs" value={tab} onChange={setTab}>
        <Tabs.List>
          <Tabs.Tab value="build">{t('options:builder')}</Tabs.Tab>
          <Tabs.Tab value="try">{t('options:try.title')}</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      <div className="with-rail">
        <form noValidate ref={saveKey} className="builder-form" onSubmit={(event) => void submit(event)}>
          {unsaved}
          <fieldset className="plain-fieldset" disabled={isReadOnly}>
            <div className="stack cards">
              <FormError control={control} />
              <Card title={t('options:question')}>
                <QuestionFields form={form} isNew={guid === undefined} />
              </Card>
              {values.choices.length ? (
                <Card
                  title={
                    values.input === 'single' || values.input === 'multi' ? t('options:choices') : t('options:price')
                  }
                >
                  <div className="stack">
                    <ChoicesError form={form} />
                    <ChoicesEditor form={form} isDisabled={isReadOnly} added={added} />
                  </div>
                </Card>
              ) : null}
              <Card title={t('options:when.heading')}>
                <When form={form} others={known} isDisabled={isReadOnly} />
              </Card>
              {isReadOnly ? null : (
                <div className="row">
                  <ActionButton type="submit" icon="save" loading={isSubmitting}>
                    {saveLabel}
                  </ActionButton>
                  {isDirty ? <span className="muted small">{t('record:unsaved')}</span> : null}
                </div>
              )}
            </div>
          </fieldset>
        </form>
        <div className="record-rail builder-try">
          <Card title={t('options:try.title')}>
            <TryIt option={asDefinition(values, t('options:unnamed'))} others={known} />
          </Card>
        </div>
      </div>
    </div>
  )
}

type Form = ReturnType<typeof useSchemaForm<OptionValues, BookingOptionInput>>

function QuestionFields({ form, isNew }: { form: Form; isNew: boolean }) {
  const t = useT('options')
  const { control } = form
  const followName = () => {
    const { code, label } = form.getValues()
    if (isNew && !code && label.en) form.setValue('code', codeOf(label.en), { shouldDirty: true, shouldValidate: true })
  }
  return (
    <div className="stack">
      <div onBlur={followName}>
        <WordingFields control={control} name="label" label={t('options:label')} maxLength={120} isRequired />
      </div>
      <div className="grid-2 form-grid">
        <TextField
          control={control}
          name="code"
          label={t('options:code')}
          description={t('options:codeHint')}
          maxLength={40}
          isRequired
        />
        <InputField form={form} />
      </div>
      <WordingFields control={control} name="help" label={t('options:help')} maxLength={400} />
      <div className="grid-2 form-grid">
        <SelectField
          control={control}
          name="answeredBy"
          label={t('options:answeredBy')}
          options={optionAnswerers.map((value) => ({ value, label: answererText(value) }))}
        />
        <div className="builder-switch">
          <SwitchField control={control} name="required" label={t('options:required')} />
        </div>
      </div>
    </div>
  )
}

/** Another input has other choices. */
function InputField({ form }: { form: Form }) {
  const t = useT('options')
  const { value, set, common } = useField({ control: form.control, name: 'input', label: t('options:input') })
  return (
    <ChoiceInput
      {...common}
      description={t('options:inputHint')}
      data={optionInputs.map((one) => ({ value: one, label: inputText(one) }))}
      value={value as string}
      onChange={(input) => {
        const chosen = optionInputs.find((one) => one === input)
        if (!chosen || chosen === value) return
        set(chosen)
        form.setValue('choices', choicesFor(chosen, form.getValues('choices')), { shouldDirty: true })
      }}
    />
  )
}

function ChoicesError({ form }: { form: Form }) {
  const { errors } = useFormState({ control: form.control, name: 'choices' })
  const message = errors.choices?.message ?? errors.choices?.root?.message
  return message ? <p className="question-error small no-margin">{message}</p> : null
}

/** The first sentence in the errors of a field, however deep it stands. */
function firstMessage(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null
  const { message } = error as { message?: unknown }
  if (typeof message === 'string' && message) return message
  for (const inner of Object.values(error)) {
    const found = firstMessage(inner)
    if (found) return found
  }
  return null
}

function When({ form, others, isDisabled }: { form: Form; others: readonly OptionDefinition[]; isDisabled: boolean }) {
  const t = useT('options')
  const { value, set } = useField({ control: form.control, name: 'visibleWhen', label: t('options:when.title') })
  const { errors } = useFormState({ control: form.control })
  return (
    <WhenEditor
      value={(value as VisibleWhen | null) ?? null}
      onChange={set}
      others={others}
      error={firstMessage(errors.visibleWhen)}
      isDisabled={isDisabled}
    />
  )
}
