import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { states, type Address } from '../../contract/core/address.ts'
import { useT } from '../core/i18n/i18n.ts'
import { SelectField, TextField } from '../core/ui/fields.tsx'
import './record.css'

export interface AddressValues {
  line1: string
  line2: string
  suburb: string
  state: string | null
  postcode: string
}
export const emptyAddress: AddressValues = { line1: '', line2: '', suburb: '', state: null, postcode: '' }
export const addressValues = (address: Address | null): AddressValues =>
  address ? { ...address, line2: address.line2 ?? '' } : emptyAddress

/** An Australian address; `name` is its place in the form. */
export function AddressFields<T extends FieldValues, O>({
  control,
  name,
  isRequired = false,
}: {
  control: Control<T, unknown, O>
  name: string
  /** No address at all won't do. */
  isRequired?: boolean
}) {
  const t = useT('record')
  const whole = { isRequired }
  const at = (field: string) => `${name}.${field}` as FieldPath<T>
  return (
    <div className="stack">
      <TextField control={control} name={at('line1')} label={t('record:address.line1')} maxLength={120} {...whole} />
      <TextField control={control} name={at('line2')} label={t('record:address.line2')} maxLength={120} />
      <div className="address-row">
        <TextField control={control} name={at('suburb')} label={t('record:address.suburb')} maxLength={80} {...whole} />
        <SelectField
          control={control}
          name={at('state')}
          label={t('record:address.state')}
          isClearable
          {...whole}
          options={states.map((state) => ({ value: state, label: state }))}
        />
        <TextField
          control={control}
          name={at('postcode')}
          label={t('record:address.postcode')}
          inputMode="numeric"
          maxLength={4}
          {...whole}
        />
      </div>
    </div>
  )
}
