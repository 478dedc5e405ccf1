import { TextInput, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useController, type Control, type FieldPath, type FieldValues } from 'react-hook-form'
import { type Language, languageFacts } from '../../../contract/core/languages.ts'
import { ChoiceInput } from './choice-input.tsx'
import { DateInput } from './date-input.tsx'
import { MoneyInput } from './inputs.tsx'
import { selectWhole } from './select-whole.ts'

/** What every field of a form takes: the form's `control`, the path of the value, and words. */
export interface FieldProps<T extends FieldValues, C = unknown, O = T> {
  control: Control<T, C, O>
  name: FieldPath<T>
  label: string
  description?: ReactNode
  isRequired?: boolean
  isDisabled?: boolean
  placeholder?: string
}

export function useField<T extends FieldValues, C, O>({
  control,
  name,
  label,
  description,
  isRequired = false,
  isDisabled = false,
  placeholder,
}: FieldProps<T, C, O>) {
  const { field, fieldState } = useController({ control: control as unknown as Control<T>, name })
  return {
    value: field.value as unknown,
    set: field.onChange as (value: unknown) => void,
    common: {
      ref: field.ref,
      name,
      label,
      description,
      required: isRequired,
      disabled: isDisabled,
      ...(placeholder ? { placeholder } : {}),
      onBlur: field.onBlur,
      error: fieldState.error?.message ?? null,
      // The form checks itself and says what is wrong in its own words.
      'aria-required': isRequired,
    },
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

export interface TextFieldProps {
  type?: 'text' | 'email' | 'tel' | 'url' | 'password'
  autoComplete?: string
  maxLength?: number
  inputMode?: 'text' | 'email' | 'tel' | 'numeric'
  autoFocus?: boolean
  /** What is typed is in this language, whichever the page is in. */
  language?: Language
}

/** Reads in the direction of its language. */
const inLanguage = (language: Language | undefined) =>
  language ? { lang: language, dir: languageFacts[language].direction } : {}

export function TextField<T extends FieldValues, C, O>({
  type = 'text',
  autoComplete = 'off',
  maxLength,
  inputMode,
  autoFocus,
  language,
  ...props
}: FieldProps<T, C, O> & TextFieldProps) {
  const { value, set, common } = useField(props)
  const extra = {
    ...inLanguage(language),
    ...(maxLength ? { maxLength } : {}),
    ...(inputMode ? { inputMode } : {}),
    ...(autoFocus ? { 'data-autofocus': true } : {}),
  }
  return (
    <TextInput
      {...common}
      {...extra}
      type={type}
      autoComplete={autoComplete}
      value={textOf(value)}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

export function TextAreaField<T extends FieldValues, C, O>({
  rows = 3,
  maxLength,
  language,
  ...props
}: FieldProps<T, C, O> & { rows?: number; maxLength?: number; language?: Language }) {
  const { value, set, common } = useField(props)
  return (
    <Textarea
      {...common}
      {...inLanguage(language)}
      autosize
      minRows={rows}
      maxRows={14}
      {...(maxLength ? { maxLength } : {})}
      value={textOf(value)}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

/** Money in integer cents, or null. */
export function MoneyField<T extends FieldValues, C, O>(props: FieldProps<T, C, O>) {
  const { value, set, common } = useField(props)
  return <MoneyInput {...common} value={typeof value === 'number' ? value : null} onChange={set} />
}

/** A whole number, or null. */
export function NumberField<T extends FieldValues, C, O>({
  maxDigits = 6,
  ...props
}: FieldProps<T, C, O> & { maxDigits?: number }) {
  const { value, set, common } = useField(props)
  const change = (text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, maxDigits)
    set(digits ? Number(digits) : null)
  }
  return (
    <TextInput
      {...selectWhole}
      {...common}
      inputMode="numeric"
      autoComplete="off"
      classNames={{ input: 'amount-input' }}
      value={typeof value === 'number' ? String(value) : ''}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}

export interface Option {
  value: string
  label: string
  disabled?: boolean
}

export interface SelectFieldProps {
  options: readonly Option[]
  /** May be emptied; the value is then null. */
  isClearable?: boolean
}

export function SelectField<T extends FieldValues, C, O>({
  options,
  isClearable = false,
  ...props
}: FieldProps<T, C, O> & SelectFieldProps) {
  const { value, set, common } = useField(props)
  return (
    <ChoiceInput
      {...common}
      data={options}
      value={typeof value === 'string' ? value : null}
      onChange={set}
      clearable={isClearable}
    />
  )
}

/** A day as `YYYY-MM-DD`, or null. */
export function DateField<T extends FieldValues, C, O>({
  min,
  max,
  ...props
}: FieldProps<T, C, O> & { min?: string; max?: string }) {
  const { value, set, common } = useField(props)
  return (
    <DateInput
      {...common}
      {...(min ? { min } : {})}
      {...(max ? { max } : {})}
      value={textOf(value)}
      onChange={(day) => set(day || null)}
    />
  )
}
