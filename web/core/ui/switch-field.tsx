import { Switch } from '@mantine/core'
import type { FieldValues } from 'react-hook-form'
import { useField, type FieldProps } from './fields.tsx'

// Beside the other fields, because the editors of documents have no switch and need not fetch one.

export function SwitchField<T extends FieldValues, C, O>(props: FieldProps<T, C, O>) {
  const { value, set, common } = useField(props)
  const {
    required: _required,
    'aria-required': _ariaRequired,
    placeholder: _placeholder,
    ...rest
  } = { placeholder: undefined, ...common }
  return <Switch {...rest} checked={value === true} onChange={(event) => set(event.currentTarget.checked)} />
}
