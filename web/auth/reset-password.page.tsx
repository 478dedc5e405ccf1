import { Button, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { places } from '../../contract/places.ts'
import { authCall } from '../core/api/session.ts'
import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { FormProblem, LinkFrame, problemOf } from './link-frame.tsx'
import { useLink } from './link-token.ts'
import { leastLength, NewPassword } from './new-password.tsx'

interface Known {
  authID: string
}

/** A new password by the link of a mail: once, within 15 minutes. */
export function Page() {
  const t = useT('auth')
  const link = useLink<Known>('POST /Kernal/Users/Auth/Reset/Check')
  const again = (
    <AppLink to={places.forgotPassword} className="button-link">
      {t('auth:reset.again')}
    </AppLink>
  )
  return (
    <LinkFrame link={link} deadTitle={t('auth:reset.deadTitle')} again={again}>
      {({ authID }) => <Form token={link.token} authID={authID} />}
    </LinkFrame>
  )
}

function Form({ token, authID }: { token: string; authID: string }) {
  const t = useT('auth')
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [wasSent, setSent] = useState(false)
  const [isDone, setDone] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const isDifferent = repeated !== password && (wasSent || repeated !== '')
  const submit = async () => {
    setBusy(true)
    setError(null)
    try {
      await authCall('POST /Kernal/Users/Auth/Reset', { token, password })
      setDone(true)
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  if (isDone)
    return (
      <AuthFrame title={t('auth:reset.doneTitle')} text={t('auth:reset.doneText')}>
        <AppLink to={places.login} className="button-link">
          {t('auth:login.submit')}
        </AppLink>
      </AuthFrame>
    )
  const passwordError = problemOf(error, 'password')
  return (
    <AuthFrame title={t('auth:reset.title')} text={t('auth:reset.text', { name: authID })}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setSent(true)
          if (!isBusy && password === repeated && password.length >= leastLength) void submit()
        }}
      >
        {passwordError ? null : <FormProblem error={error} />}
        <input type="hidden" name="username" autoComplete="username" value={authID} />
        <NewPassword value={password} onChange={setPassword} error={passwordError} wasSent={wasSent} autoFocus />
        <PasswordInput
          label={t('auth:password.repeat')}
          name="repeated"
          value={repeated}
          onChange={(event) => setRepeated(event.currentTarget.value)}
          error={isDifferent ? t('auth:password.different') : null}
          autoComplete="new-password"
          required
          withAsterisk={false}
          maxLength={1024}
          visibilityToggleButtonProps={{ 'aria-label': t('auth:login.showPassword'), tabIndex: 0 }}
        />
        <Button type="submit" fullWidth loading={isBusy} size="md">
          {t('auth:reset.submit')}
        </Button>
      </form>
    </AuthFrame>
  )
}
