import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { useState, type FormEvent, type ReactNode } from 'react'
import { credentialsApi } from '../../contract/credentials.ts'
import { asApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import type { Answer } from '../core/api/types.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

type Secret = Answer<typeof credentialsApi.setupTwoStep>

/** The sentence of the field that is wrong, or of the failure as a whole. */
function useProblem() {
  const text = useErrorText()
  return (error: unknown, path: string) => {
    if (!error) return null
    return asApiError(error).errors.find((field) => field.path === path)?.message ?? text(error)
  }
}

function Step({
  onSubmit,
  action,
  isBusy,
  onCancel,
  children,
}: {
  onSubmit: () => void
  action: string
  isBusy: boolean
  onCancel: (() => void) | null
  children: ReactNode
}) {
  const t = useT('common')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) onSubmit()
  }
  return (
    <form className="stack" onSubmit={submit}>
      {children}
      <div className="row form-actions">
        {onCancel ? (
          <Button variant="default" onClick={onCancel}>
            {t('common:cancel')}
          </Button>
        ) : null}
        <Button type="submit" loading={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  )
}

/** The secret as a picture for the camera, drawn from the one path the server gives, and as letters for the hand. */
function SecretPicture({ secret }: { secret: Secret }) {
  const t = useT('account')
  const { size, quietZone, path } = secret.qr
  return (
    <div className="qr-row">
      <svg
        className="qr"
        viewBox={`${-quietZone} ${-quietZone} ${size} ${size}`}
        role="img"
        aria-label={t('account:twoStep.qr')}
        shapeRendering="crispEdges"
      >
        <path d={path} />
      </svg>
      <div className="stack secret-text">
        <p className="no-margin">{t('account:twoStep.scan')}</p>
        <p className="no-margin muted small">{t('account:twoStep.byHand')}</p>
        <code className="secret">{secret.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
        <p className="no-margin small">
          <a className="link" href={secret.otpauthUrl}>
            {t('account:twoStep.openApp')}
          </a>
        </p>
      </div>
    </div>
  )
}

const steps = ['password', 'scan', 'codes'] as const

/** Password, picture and code, recovery codes: then two-step login is on. */
export function TwoStepSetup({
  login,
  onDone,
  onCancel,
}: {
  login: string
  onDone: () => void
  onCancel: (() => void) | null
}) {
  const t = useT('account')
  const problem = useProblem()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const setup = useWrite(credentialsApi.setupTwoStep)
  const enable = useWrite(credentialsApi.enableTwoStep)
  const secret = setup.data
  const codes = enable.data?.recoveryCodes
  const step = codes ? 'codes' : secret ? 'scan' : 'password'
  return (
    <div className="stack">
      <ol className="setup-steps">
        {steps.map((name) => (
          <li key={name} {...(name === step ? { 'aria-current': 'step' as const } : {})}>
            {t(`account:twoStep.steps.${name}`)}
          </li>
        ))}
      </ol>
      {step === 'password' ? (
        <Step
          onSubmit={() => setup.mutate({ currentPassword: password })}
          action={t('account:twoStep.next')}
          isBusy={setup.isPending}
          onCancel={onCancel}
        >
          <PasswordInput
            label={t('account:password.current')}
            name="currentPassword"
            autoComplete="current-password"
            required
            withAsterisk={false}
            maxLength={1024}
            className="narrow-form"
            value={password}
            error={problem(setup.error, 'currentPassword')}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('account:password.show'), tabIndex: 0 }}
          />
        </Step>
      ) : null}
      {step === 'scan' && secret ? (
        <Step
          onSubmit={() => enable.mutate({ authCode: code.trim() })}
          action={t('account:twoStep.enable')}
          isBusy={enable.isPending}
          onCancel={onCancel}
        >
          <SecretPicture secret={secret} />
          <TextInput
            label={t('account:twoStep.code')}
            description={t('account:twoStep.codeHint')}
            name="authCode"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            withAsterisk={false}
            maxLength={12}
            className="narrow-form"
            value={code}
            error={problem(enable.error, 'authCode')}
            onChange={(event) => setCode(event.currentTarget.value)}
            data-autofocus
          />
        </Step>
      ) : null}
      {codes ? (
        <>
          <Alert variant="light" color="green" role="status">
            {t('account:twoStep.isOn')}
          </Alert>
          <RecoveryCodes codes={codes} login={login} onDone={onDone} />
        </>
      ) : null}
    </div>
  )
}
