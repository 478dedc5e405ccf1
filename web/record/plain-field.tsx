import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { useT } from '../core/i18n/i18n.ts'
import { DateField, MoneyField, NumberField, SelectField, TextAreaField, TextField } from '../core/ui/fields.tsx'
import { choicesOf, isRequired, kindOf, maxDigitsOf, maxLengthOf } from './field-kinds.ts'
import { schemaOf, type FieldRow, type Fields } from './record-facts.tsx'

export interface RecordFieldProps<I extends object, V extends FieldValues, O> {
  of: Fields<I>
  control: Control<V, unknown, O>
  name: keyof I & string
  /** Where the record stands in the form, when it is a part of one: `contacts.0`. */
  at?: string
  isDisabled?: boolean
  /** Where a form asks for more than the record needs. */
  isRequired?: boolean
  /** Another hint than usual. */
  hint?: string
  /** The first field of a dialog. */
  autoFocus?: boolean
  /** What a browser knows of the person who types. */
  autoComplete?: string
}

/** What a field is given, whatever draws it. */
export function useFieldProps<I extends object, V extends FieldValues, O>({
  of,
  control,
  name,
  at,
  isDisabled = false,
  isRequired: isAskedFor,
  hint,
}: RecordFieldProps<I, V, O>) {
  const t = useT('common')
  const row = of.rows[name] as FieldRow
  const description = hint ?? (row.hint ? t(row.hint) : undefined)
  return {
    control,
    name: (at ? `${at}.${name}` : name) as FieldPath<V>,
    label: t(row.label),
    isRequired: isAskedFor ?? isRequired(schemaOf(of, name)),
    isDisabled,
    ...(description ? { description } : {}),
  }
}

/**
 * A field of a form as its schema has it: what may be typed, how much, and whether it may stay empty. An ABN, an
 * address and a switch are a `RecordField`: the editors of documents have none and need not fetch them.
 */
export function PlainField<I extends object, V extends FieldValues, O>(props: RecordFieldProps<I, V, O>) {
  const { of, name, autoFocus, autoComplete } = props
  const schema = schemaOf(of, name)
  const common = useFieldProps(props)
  const maxLength = maxLengthOf(schema)
  const length = maxLength ? { maxLength } : {}
  const line = {
    ...common,
    ...length,
    ...(autoFocus ? { autoFocus } : {}),
    ...(autoComplete ? { autoComplete } : {}),
  }
  switch (kindOf(schema)) {
    case 'choice': {
      const words = (of.rows[name] as FieldRow).words
      const options = choicesOf(schema).map((value) => ({ value, label: words?.(value) ?? value }))
      return <SelectField {...common} options={options} isClearable={schema.safeParse(null).success} />
    }
    case 'day':
      return <DateField {...common} />
    case 'money':
      return <MoneyField {...common} />
    case 'number':
      return <NumberField {...common} maxDigits={maxDigitsOf(schema) ?? 6} />
    case 'text':
      return <TextAreaField {...common} {...length} rows={4} />
    case 'email':
      return <TextField {...line} type="email" inputMode="email" />
    case 'phone':
      return <TextField {...line} type="tel" inputMode="tel" />
    default:
      return <TextField {...line} />
  }
}
