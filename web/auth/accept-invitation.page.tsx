import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { places } from '../../contract/places.ts'
import { authCall } from '../core/api/session.ts'
import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { FormProblem, LinkFrame, problemOf } from './link-frame.tsx'
import { useLink } from './link-token.ts'
import { leastLength, NewPassword } from './new-password.tsx'

interface Invitation {
  authID: string
  firstName: string
  lastName: string
  roleName: string
  invitedBy: string
  businessName: string
  asksForTwoStep: boolean
}

/** An invitation by mail becomes a login: once, within 72 hours. */
export function Page() {
  const t = useT('auth')
  const link = useLink<Invitation>('POST /Kernal/Users/Auth/Invitations/Check')
  return (
    <LinkFrame
      link={link}
      deadTitle={t('auth:invited.deadTitle')}
      again={<p className="no-margin">{t('auth:invited.deadHelp')}</p>}
    >
      {(invitation) => <Form token={link.token} invitation={invitation} />}
    </LinkFrame>
  )
}

function Form({ token, invitation }: { token: string; invitation: Invitation }) {
  const t = useT('auth')
  const [values, setValues] = useState({ firstName: invitation.firstName, lastName: invitation.lastName, password: '' })
  const [isBusy, setBusy] = useState(false)
  const [wasSent, setSent] = useState(false)
  const [isDone, setDone] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const names = ['firstName', 'lastName'] as const
  const firstEmpty = names.find((name) => !invitation[name]) ?? 'password'
  const submit = async () => {
    setBusy(true)
    setError(null)
    try {
      await authCall('POST /Kernal/Users/Auth/Invitations/Accept', { token, ...values })
      setDone(true)
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  if (isDone)
    return (
      <AuthFrame
        title={t('auth:invited.doneTitle', { name: values.firstName })}
        text={t(invitation.asksForTwoStep ? 'auth:invited.doneTwoStep' : 'auth:invited.doneText', {
          name: invitation.authID,
        })}
      >
        <AppLink to={places.login} className="button-link">
          {t('auth:login.submit')}
        </AppLink>
      </AuthFrame>
    )
  const onField = ['firstName', 'lastName', 'password'].some((path) => problemOf(error, path))
  const field = (name: (typeof names)[number]) => ({
    name,
    value: values[name],
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
    error: problemOf(error, name),
    maxLength: 80,
    autoFocus: name === firstEmpty,
  })
  return (
    <AuthFrame
      title={t('auth:invited.title', { name: invitation.businessName })}
      text={t('auth:invited.text', { by: invitation.invitedBy, role: invitation.roleName, login: invitation.authID })}
    >
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setSent(true)
          if (!isBusy && values.password.length >= leastLength) void submit()
        }}
      >
        {onField ? null : <FormProblem error={error} />}
        <input type="hidden" name="username" autoComplete="username" value={invitation.authID} />
        <TextInput
          {...field('firstName')}
          label={t('auth:invited.firstName')}
          autoComplete="given-name"
          required
          withAsterisk={false}
        />
        <TextInput {...field('lastName')} label={t('auth:invited.lastName')} autoComplete="family-name" />
        <NewPassword
          value={values.password}
          onChange={(password) => setValues({ ...values, password })}
          error={problemOf(error, 'password')}
          wasSent={wasSent}
          autoFocus={firstEmpty === 'password'}
        />
        <Button type="submit" fullWidth loading={isBusy} size="md">
          {t('auth:invited.submit')}
        </Button>
      </form>
    </AuthFrame>
  )
}
