import { Button, Switch, TextInput } from '@mantine/core'
import { useFieldArray, useWatch, type Control, type FieldPath, type UseFormReturn } from 'react-hook-form'
import { productsApi } from '../../contract/products.ts'
import { optionPers } from '../../contract/booking-options.ts'
import type { BookingOptionInput } from '../../contract/booking-options-api.ts'
import { useT } from '../core/i18n/i18n.ts'
import { SelectField, TextField, useField } from '../core/ui/fields.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { MoneyInput, PercentInput } from '../core/ui/inputs.tsx'
import { LookupInput } from '../core/ui/lookup.tsx'
import { SwitchField } from '../core/ui/switch-field.tsx'
import { emptyChoice, type OptionValues } from './option-fields.tsx'
import { codeOf, perText } from './option-words.ts'
import { WordingFields } from './wording-fields.tsx'

type Form = UseFormReturn<OptionValues, unknown, BookingOptionInput>
type FormControl = Control<OptionValues, unknown, BookingOptionInput>

/** The choices of a question, in the order they are shown in. */
export function ChoicesEditor({
  form,
  isDisabled,
  added,
}: {
  form: Form
  isDisabled: boolean
  /** The products that choices bring along, by name. */
  added: readonly { guid: string; label: string }[]
}) {
  const t = useT('options')
  const { control } = form
  const { fields, append, remove, move } = useFieldArray({ control, name: 'choices' })
  const choices = useWatch({ control, name: 'choices' })
  const input = useWatch({ control, name: 'input' })
  const isList = input === 'single' || input === 'multi'
  const nameOf = (index: number) => choices[index]?.label.en.trim() || t('options:choiceOf', { position: index + 1 })
  const setDefault = (index: number, isDefault: boolean) =>
    choices.forEach((_choice, i) => {
      if (i === index) form.setValue(`choices.${i}.isDefault`, isDefault, { shouldDirty: true })
      else if (isDefault && input === 'single') form.setValue(`choices.${i}.isDefault`, false, { shouldDirty: true })
    })
  return (
    <div className="stack">
      {fields.map((field, index) => (
        <div
          key={field.id}
          className="choice-group"
          role="group"
          aria-label={isList ? nameOf(index) : perText('price')}
        >
          {isList ? (
            <div className="row spread">
              <span className="strong">{nameOf(index)}</span>
              {isDisabled ? null : (
                <span className="row choice-tools">
                  <IconTool
                    icon="up"
                    label={t('options:up', { name: nameOf(index) })}
                    isDisabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  />
                  <IconTool
                    icon="down"
                    label={t('options:down', { name: nameOf(index) })}
                    isDisabled={index === fields.length - 1}
                    onClick={() => move(index, index + 1)}
                  />
                  <IconTool
                    icon="delete"
                    label={t('options:remove', { name: nameOf(index) })}
                    isDisabled={fields.length === 1}
                    onClick={() => remove(index)}
                  />
                </span>
              )}
            </div>
          ) : null}
          {isList ? <ChoiceName form={form} index={index} /> : null}
          <ChoicePrice control={control} index={index} added={added} />
          <div className="row choice-switches">
            <Switch
              label={t('options:default')}
              checked={choices[index]?.isDefault ?? false}
              onChange={(event) => setDefault(index, event.currentTarget.checked)}
            />
            {isList ? (
              <SwitchField control={control} name={`choices.${index}.isActive`} label={t('options:offered')} />
            ) : null}
          </div>
        </div>
      ))}
      {isList && !isDisabled && fields.length < 50 ? (
        <div>
          <Button variant="light" leftSection={<Icon name="create" size={18} />} onClick={() => append(emptyChoice())}>
            {t('options:addChoice')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** Until somebody writes the code, it follows the name. */
function ChoiceName({ form, index }: { form: Form; index: number }) {
  const t = useT('options')
  const { control } = form
  const followName = () => {
    const { code, label } = form.getValues(`choices.${index}`)
    if (!code && label.en)
      form.setValue(`choices.${index}.code`, codeOf(label.en), { shouldDirty: true, shouldValidate: true })
  }
  return (
    <div className="choice-name" onBlur={followName}>
      <WordingFields
        control={control}
        name={`choices.${index}.label`}
        label={t('options:choiceLabel')}
        maxLength={120}
        isRequired
      />
      <TextField control={control} name={`choices.${index}.code`} label={t('options:code')} maxLength={40} isRequired />
    </div>
  )
}

interface PriceProps {
  control: FormControl
  index: number
  added: readonly { guid: string; label: string }[]
}

function ChoicePrice({ control, index, added }: PriceProps) {
  const t = useT('options')
  return (
    <div className="choice-price-fields">
      <CentsField control={control} name={`choices.${index}.cents`} label={t('options:adds')} />
      <PercentField control={control} name={`choices.${index}.bp`} label={t('options:share')} />
      <SelectField
        control={control}
        name={`choices.${index}.per`}
        label={t('options:per')}
        options={optionPers.map((value) => ({ value, label: perText(value) }))}
      />
      <MinutesField control={control} name={`choices.${index}.durationMin`} label={t('options:minutesField')} />
      <AddedProduct control={control} index={index} added={added} />
    </div>
  )
}

interface Place {
  control: FormControl
  name: FieldPath<OptionValues>
  label: string
}
const numberOr0 = (value: unknown) => (typeof value === 'number' ? value : 0)

/** What is left empty adds nothing. */
function CentsField(props: Place) {
  const { value, set, common } = useField(props)
  return <MoneyInput {...common} value={numberOr0(value)} onChange={(cents) => set(cents ?? 0)} />
}

function PercentField(props: Place) {
  const { value, set, common } = useField(props)
  return <PercentInput {...common} value={numberOr0(value)} onChange={(bp) => set(bp ?? 0)} />
}

function MinutesField(props: Place) {
  const { value, set, common } = useField(props)
  return (
    <TextInput
      {...common}
      inputMode="numeric"
      autoComplete="off"
      classNames={{ input: 'amount-input' }}
      value={String(numberOr0(value))}
      onChange={(event) => set(Number(event.currentTarget.value.replace(/\D/g, '').slice(0, 5)))}
    />
  )
}

function AddedProduct({ control, index, added }: PriceProps) {
  const t = useT('options')
  const name = `choices.${index}.addProductGuid` as const
  const { value, set, common } = useField({ control, name, label: t('options:addsProduct') })
  const guid = typeof value === 'string' && value !== '' ? value : null
  const known = added.find((product) => product.guid === guid)
  return (
    <div className="choice-product">
      <LookupInput
        op={productsApi.list}
        option={(product) => ({ value: product.guid, label: product.name })}
        chosen={known ? { value: known.guid, label: known.label } : null}
        value={guid}
        onChange={set}
        label={common.label}
        error={common.error}
        disabled={common.disabled}
      />
      {guid ? <IconTool icon="close" label={t('options:noProduct')} onClick={() => set('')} /> : null}
    </div>
  )
}
