import { TextInput, type TextInputProps } from '@mantine/core'
import { selectWhole } from '../core/ui/select-whole.ts'

interface WholeInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** Zero while it is empty: nothing here may be zero. */
  value: number
  onChange: (value: number | null) => void
}

/** A whole number of up to four digits. */
export const WholeInput = ({ value, onChange, ...props }: WholeInputProps) => (
  <TextInput
    {...selectWhole}
    {...props}
    inputMode="numeric"
    autoComplete="off"
    classNames={{ input: 'amount-input' }}
    value={value > 0 ? String(value) : ''}
    onChange={(event) => {
      const digits = event.currentTarget.value.replace(/\D/g, '').slice(0, 4)
      onChange(digits ? Number(digits) : null)
    }}
  />
)
