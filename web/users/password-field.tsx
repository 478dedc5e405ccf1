import { Button, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { useController, type Control, type FieldPath, type FieldValues } from 'react-hook-form'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import './users.css'

// Without letters and digits that look alike.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

function randomPassword(): string {
  // 248 is the largest multiple of 31 in a byte: what is above would favour the first letters.
  const fair = alphabet.length * Math.floor(256 / alphabet.length)
  const letter = (): string => {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
    return byte < fair ? (alphabet[byte % alphabet.length] ?? '') : letter()
  }
  return Array.from({ length: groups }, () => Array.from({ length: groupLength }, letter).join('')).join('-')
}

/** A password for somebody else: typed, or made up and shown so that it can be handed over. */
export function PasswordField<T extends FieldValues, O>({
  control,
  name,
  label,
  description,
}: {
  control: Control<T, unknown, O>
  name: FieldPath<T>
  label: string
  description: string
}) {
  const t = useT('people')
  const {
    field: { ref, value, onChange, onBlur },
    fieldState,
  } = useController({ control: control as unknown as Control<T>, name })
  const [isShown, setShown] = useState(false)
  return (
    <div className="row password-row">
      <PasswordInput
        ref={ref}
        name={name}
        label={label}
        description={description}
        required
        autoComplete="new-password"
        value={(value as string | undefined) ?? ''}
        error={fieldState.error?.message}
        visible={isShown}
        onVisibilityChange={setShown}
        visibilityToggleButtonProps={{ 'aria-label': t('people:password.show') }}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onBlur}
        style={{ flex: '1 1 16rem' }}
      />
      <Button
        variant="default"
        leftSection={<Icon name="reload" size={18} />}
        onClick={() => {
          onChange(randomPassword())
          setShown(true)
        }}
      >
        {t('people:password.suggest')}
      </Button>
    </div>
  )
}
