import { Alert, Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { places } from '../../contract/places.ts'
import { authCall } from '../core/api/session.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { AuthFrame } from './auth-frame.tsx'

/** One answer for known and unknown logins: it says nothing about who is known here. */
export function Page() {
  const t = useT('auth')
  const text = useErrorText()
  const [authID, setAuthID] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isSent, setSent] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const submit = async () => {
    setBusy(true)
    setError(null)
    try {
      await authCall('POST /Kernal/Users/Auth/Forgot', { authID })
      setSent(true)
    } catch (failure) {
      setError(text(failure))
    }
    setBusy(false)
  }
  const back = (
    <AppLink to={places.login} className={isSent ? 'button-link' : 'link auth-back'}>
      {t('auth:forgot.back')}
    </AppLink>
  )
  if (isSent)
    return (
      <AuthFrame title={t('auth:forgot.sentTitle')} text={t('auth:forgot.sentText')}>
        {back}
      </AuthFrame>
    )
  return (
    <AuthFrame title={t('auth:forgot.title')} text={t('auth:forgot.text')}>
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
        <TextInput
          label={t('auth:login.authID')}
          name="authID"
          value={authID}
          onChange={(event) => setAuthID(event.currentTarget.value)}
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          maxLength={254}
        />
        <Button type="submit" fullWidth loading={isBusy} size="md">
          {t('auth:forgot.submit')}
        </Button>
        {back}
      </form>
    </AuthFrame>
  )
}
