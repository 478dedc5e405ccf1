import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../core/i18n/i18n.ts'

/** As the server asks for. */
export const leastLength = 10

/** A password to be set: says what is asked for before the server has to. */
export function NewPassword({
  value,
  onChange,
  error,
  wasSent,
  autoFocus = false,
}: {
  value: string
  onChange: (value: string) => void
  error: string | null
  /** The form was sent once: what is missing is said from then on. */
  wasSent: boolean
  autoFocus?: boolean
}) {
  const t = useT('auth')
  const [wasLeft, setLeft] = useState(false)
  const isShort = value.length < leastLength && (wasSent || (wasLeft && value !== ''))
  return (
    <PasswordInput
      label={t('auth:password.label')}
      description={t('auth:password.hint', { count: leastLength })}
      name="password"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => setLeft(true)}
      error={error ?? (isShort ? t('auth:password.short', { count: leastLength }) : null)}
      autoComplete="new-password"
      required
      withAsterisk={false}
      autoFocus={autoFocus}
      maxLength={1024}
      visibilityToggleButtonProps={{ 'aria-label': t('auth:login.showPassword'), tabIndex: 0 }}
    />
  )
}
