import { TextInput } from '@mantine/core'
import { useController, type Control, type FieldPath, type FieldValues } from 'react-hook-form'
import { formatAbn, isValidAbn, normaliseAbn } from '../../contract/core/abn.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import './record.css'

const abnDigits = 11

/** An ABN, checked by its check digits while it is typed. */
export function AbnField<T extends FieldValues, O>({
  control,
  name,
  label,
}: {
  control: Control<T, unknown, O>
  name: FieldPath<T>
  label: string
}) {
  const t = useT('record')
  const {
    field: { ref, value, onChange, onBlur },
    fieldState,
  } = useController({ control: control as unknown as Control<T>, name })
  const given: unknown = value
  const typed = typeof given === 'string' ? given : ''
  const digits = normaliseAbn(typed)
  const isValid = isValidAbn(digits)
  const isWrong = !isValid && (digits.length >= abnDigits || /\D/.test(digits))
  const missing = abnDigits - digits.length
  const hint = isValid
    ? t('record:abn.valid')
    : digits && missing > 0 && !isWrong
      ? t('record:abn.missing', { count: missing })
      : t('record:abn.hint')
  return (
    <TextInput
      ref={ref}
      name={name}
      label={label}
      inputMode="numeric"
      autoComplete="off"
      maxLength={20}
      value={typed}
      error={isWrong ? t('record:abn.invalid') : (fieldState.error?.message ?? null)}
      description={
        <span className={isValid ? 'abn-valid' : ''} aria-live="polite">
          {isValid ? <Icon name="check" size={14} /> : null}
          {hint}
        </span>
      }
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => {
        if (isValid) onChange(formatAbn(digits))
        onBlur()
      }}
    />
  )
}
