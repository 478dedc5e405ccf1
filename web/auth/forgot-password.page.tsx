import { Alert, Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../core/api/client.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { AuthFrame } from './auth-frame.tsx'

/** One answer for logins that are known here and those that are not. */
export function Page() {
  const t = useT('auth')
  const text = useErrorText()
  const [authID, setAuthID] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const submit = async () => {
    setBusy(true)
    setError(null)
    try {
      const reply = await call('POST /Kernal/Users/Auth/Forgot', { authID })
      if (reply.status === 429) setError(reply.data.message ?? '')
      else setDone(true)
    } catch (failure) {
      setError(text(failure))
    }
    setBusy(false)
  }
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
        {isDone ? (
          <Alert variant="light" role="status">
            {t('auth:forgot.done')}
          </Alert>
        ) : null}
        <TextInput label={t('auth:login.authID')} name="authID" autoComplete="username" required withAsterisk={false} autoFocus maxLength={254} value={authID} onChange={(event) => setAuthID(event.currentTarget.value)} />
        <Button type="submit" fullWidth size="md" loading={isBusy}>
          {t('auth:forgot.send')}
        </Button>
        <AppLink to="/login" className="link auth-back">
          {t('auth:forgot.back')}
        </AppLink>
      </form>
    </AuthFrame>
  )
}
