import { Alert, Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { places, settingsPath } from '../../contract/places.ts'
import { asApiError } from '../core/api/error.ts'
import { logIn } from '../core/api/session.ts'
import { appTitle } from '../core/config.ts'
import { refusalText, useErrorText } from '../core/i18n/errors.ts'
import { showLanguage, useT } from '../core/i18n/i18n.ts'
import { startLanguage } from '../core/i18n/languages.ts'
import { notice } from '../core/layout/notice.ts'
import { safeTarget } from '../core/layout/safe-target.ts'
import { useStore } from '../core/store.ts'
import { AppLink } from '../core/ui/link.tsx'
import { AuthFrame } from './auth-frame.tsx'

const securityPage = settingsPath('security')

/** Why the visitor was sent here, if he was. */
function useNotice() {
  const reason = useStore(notice)
  const t = useT('auth', 'errors')
  useEffect(() => () => notice.set(null), [])
  if (reason === null) return null
  if (reason === 'ENDED') return t('auth:login.ended')
  if (reason !== 'BLOCKED') return refusalText(reason)
  return (
    <>
      <strong className="block">{refusalText('INSUFFICIENT')}</strong>
      {t('auth:login.blocked')}
    </>
  )
}

// This page must be light: it does without the form library and the schemas.
export function Page() {
  const t = useT('auth')
  const text = useErrorText()
  const router = useRouter()
  const reason = useNotice()
  const { to } = useSearch({ strict: false }) as { to?: string }
  const [values, setValues] = useState({ authID: '', authPassword: '', authCode: '' })
  const [rememberMe, setRememberMe] = useState(false)
  const [asksCode, setAsksCode] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  const submit = async () => {
    setBusy(true)
    setError(null)
    notice.set(null)
    try {
      const { authCode, ...login } = values
      const { mustSetUpTwoStep } = await logIn({
        ...login,
        ...(authCode.trim() ? { authCode: authCode.trim() } : {}),
        rememberMe,
      })
      // The account's, where nobody chose one in this browser.
      await showLanguage(startLanguage())
      await router.navigate({ href: mustSetUpTwoStep ? securityPage : safeTarget(to), replace: true })
    } catch (failure) {
      const isFirstAsking = asApiError(failure).error === 'TWO_STEP_REQUIRED' && !asksCode
      if (asApiError(failure).error === 'TWO_STEP_REQUIRED') setAsksCode(true)
      if (!isFirstAsking) setError(text(failure))
    }
    setBusy(false)
  }
  const field = (name: keyof typeof values) => ({
    name,
    value: values[name],
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
    required: true,
    withAsterisk: false,
  })
  const startOver = () => {
    setAsksCode(false)
    setError(null)
    setValues({ ...values, authCode: '', authPassword: '' })
  }
  return (
    <AuthFrame
      title={asksCode ? t('auth:twoStep.title') : t('auth:login.welcome', { name: appTitle })}
      text={asksCode ? t('auth:twoStep.text') : t('auth:login.text')}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void submit()
        }}
      >
        {error || reason ? (
          <Alert color={error ? 'red' : 'yellow'} variant="light" role="alert">
            {error ?? reason}
          </Alert>
        ) : null}
        {asksCode ? (
          <>
            <TextInput
              {...field('authCode')}
              label={t('auth:twoStep.code')}
              description={t('auth:twoStep.hint')}
              autoComplete="one-time-code"
              autoFocus
              maxLength={40}
            />
            <Button type="submit" fullWidth loading={isBusy} size="md">
              {t('auth:twoStep.submit')}
            </Button>
            <button type="button" className="link auth-back" onClick={startOver}>
              {t('auth:twoStep.back')}
            </button>
          </>
        ) : (
          <>
            <TextInput
              {...field('authID')}
              label={t('auth:login.authID')}
              autoComplete="username"
              autoFocus
              maxLength={254}
            />
            <PasswordInput
              {...field('authPassword')}
              label={t('auth:login.authPassword')}
              autoComplete="current-password"
              maxLength={1024}
              visibilityToggleButtonProps={{ 'aria-label': t('auth:login.showPassword'), tabIndex: 0 }}
            />
            <div className="row spread">
              <Checkbox
                label={t('auth:login.remember')}
                checked={rememberMe}
                onChange={(event) => setRememberMe(event.currentTarget.checked)}
              />
              <AppLink to={places.forgotPassword}>{t('auth:login.forgot')}</AppLink>
            </div>
            <Button type="submit" fullWidth loading={isBusy} size="md">
              {t('auth:login.submit')}
            </Button>
          </>
        )}
      </form>
    </AuthFrame>
  )
}
