import { Alert, Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { logIn } from '../core/api/session.ts'
import { appTitle } from '../core/config.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { safeTarget } from '../core/layout/target.ts'
import { AppLink } from '../core/ui/link.tsx'
import { AuthFrame } from './auth-frame.tsx'

// This page must be light: it does without the form library and the schemas.
export function Page() {
  const t = useT('auth')
  const text = useErrorText()
  const router = useRouter()
  const { to } = useSearch({ strict: false }) as { to?: string }
  const [values, setValues] = useState({ authID: '', authPassword: '' })
  const [rememberMe, setRememberMe] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const password = useRef<HTMLInputElement>(null)

  const submit = async () => {
    setBusy(true)
    setError(null)
    try {
      await logIn({ ...values, rememberMe })
      await router.invalidate()
      await router.navigate({ href: safeTarget(to), replace: true })
    } catch (failure) {
      setError(text(failure))
      password.current?.select()
    }
    setBusy(false)
  }
  const field = (name: keyof typeof values) => ({ name, value: values[name], onChange: (event: { currentTarget: HTMLInputElement }) => setValues({ ...values, [name]: event.currentTarget.value }) })
  return (
    <AuthFrame title={t('auth:login.welcome', { name: appTitle })} text={t('auth:login.text')}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void submit()
        }}
      >
        {error ? (
          <Alert color="red" variant="light" role="alert">
            {error}
          </Alert>
        ) : null}
        <TextInput {...field('authID')} label={t('auth:login.authID')} autoComplete="username" required withAsterisk={false} autoFocus maxLength={254} />
        <PasswordInput {...field('authPassword')} ref={password} label={t('auth:login.authPassword')} autoComplete="current-password" required withAsterisk={false} maxLength={200} visibilityToggleButtonProps={{ 'aria-label': t('auth:login.showPassword'), tabIndex: 0 }} />
        <div className="row spread">
          <Checkbox label={t('auth:login.remember')} checked={rememberMe} onChange={(event) => setRememberMe(event.currentTarget.checked)} />
          <AppLink to="/forgot-password">{t('auth:login.forgot')}</AppLink>
        </div>
        <Button type="submit" fullWidth loading={isBusy} size="md">
          {t('auth:login.submit')}
        </Button>
      </form>
    </AuthFrame>
  )
}
