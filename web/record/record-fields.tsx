import type { FieldValues } from 'react-hook-form'
import { SwitchField } from '../core/ui/switch-field.tsx'
import { AbnField } from './abn-field.tsx'
import { AddressFields } from './address-fields.tsx'
import { kindOf } from './field-kinds.ts'
import { PlainField, useFieldProps, type RecordFieldProps } from './plain-field.tsx'
import { namesAt, schemaOf } from './record-facts.tsx'

/** A field of a form as its schema has it, of whatever kind. */
export function RecordField<I extends object, V extends FieldValues, O>(props: RecordFieldProps<I, V, O>) {
  const { of, control, name } = props
  const common = useFieldProps(props)
  switch (kindOf(schemaOf(of, name))) {
    case 'abn':
      return <AbnField control={control} name={common.name} label={common.label} />
    case 'address':
      return <AddressFields control={control} name={common.name} isRequired={common.isRequired} />
    case 'switch':
      return <SwitchField {...common} />
    default:
      return <PlainField {...props} />
  }
}

/** The fields of one place, in their order. */
export function RecordFields<I extends object, V extends FieldValues, O>({
  of,
  control,
  place,
}: Pick<RecordFieldProps<I, V, O>, 'of' | 'control'> & { place: string }) {
  return namesAt(of, place).map((name) => <RecordField key={name} of={of} control={control} name={name} />)
}
