import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { credentialsApi } from '../../contract/credentials.ts'
import { asApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { Dialog } from '../core/ui/dialog.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import type { OwnUser } from './own-account.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoStepSetup } from './two-step-setup.tsx'

interface AskProps {
  title: string
  text: string
  action: string
  isDangerous?: boolean
  isBusy: boolean
  error: unknown
  onSubmit: (given: { currentPassword: string; authCode: string }) => void
  onClose: () => void
}

/** Asks for password and code before something that protects the account is changed. */
function AskBoth({ title, text, action, isDangerous = false, isBusy, error, onSubmit, onClose }: AskProps) {
  const t = useT('account', 'common')
  const sentence = useErrorText()
  const [currentPassword, setPassword] = useState('')
  const [authCode, setCode] = useState('')
  const fields = error ? asApiError(error).errors : []
  const at = (path: string) => fields.find((field) => field.path === path)?.message
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) onSubmit({ currentPassword, authCode: authCode.trim() })
        }}
      >
        <p className="muted no-margin">{text}</p>
        {error && !fields.length ? (
          <Alert color="red" variant="light" role="alert">
            {sentence(error)}
          </Alert>
        ) : null}
        <PasswordInput
          label={t('account:password.current')}
          name="currentPassword"
          autoComplete="current-password"
          required
          withAsterisk={false}
          maxLength={1024}
          value={currentPassword}
          error={at('currentPassword')}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('account:password.show'), tabIndex: 0 }}
          data-autofocus
        />
        <TextInput
          label={t('account:twoStep.code')}
          description={t('account:twoStep.anyCode')}
          name="authCode"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          maxLength={40}
          value={authCode}
          error={at('authCode')}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <div className="row form-actions">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isBusy} {...(isDangerous ? { className: 'danger-button' } : {})}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Two-step login: off, being set up, or on with its recovery codes. */
export function TwoStepCard({ user, onSetUp }: { user: OwnUser; onSetUp: () => void }) {
  const t = useT('account', 'common')
  const f = useFormat()
  const { isOn, isRequired, recoveryCodesLeft } = user.twoStep
  const [isSettingUp, setSettingUp] = useState(isRequired && !isOn)
  const [asked, setAsked] = useState<'off' | 'codes' | null>(null)
  const disable = useWrite(credentialsApi.disableTwoStep, {
    onSuccess: () => {
      setAsked(null)
      toast.success(t('account:twoStep.isOff'))
    },
  })
  const renew = useWrite(credentialsApi.newRecoveryCodes, { onSuccess: () => setAsked(null) })
  const codes = renew.data?.recoveryCodes
  const chip = (
    <StatusChip
      status={isOn ? 'enabled' : 'disabled'}
      tone={isOn ? 'success' : isRequired ? 'warning' : 'neutral'}
      label={t(isOn ? 'account:twoStep.on' : 'account:twoStep.off')}
    />
  )
  const close = () => {
    setAsked(null)
    disable.reset()
    renew.reset()
  }
  return (
    <Card title={t('account:twoStep.title')} actions={chip}>
      <div className="stack">
        {isRequired && !isOn ? (
          <Alert color="yellow" variant="light" role="status">
            {t('account:twoStep.required')}
          </Alert>
        ) : null}
        <p className="muted no-margin">{t('account:twoStep.text')}</p>
        {isSettingUp ? (
          <TwoStepSetup
            login={user.authID}
            onDone={() => {
              setSettingUp(false)
              onSetUp()
            }}
            onCancel={isRequired && !isOn ? null : () => setSettingUp(false)}
          />
        ) : codes ? (
          <RecoveryCodes codes={codes} login={user.authID} onDone={() => renew.reset()} />
        ) : isOn ? (
          <>
            <p className="no-margin">
              {t('account:recovery.left', { count: recoveryCodesLeft, number: f.number(recoveryCodesLeft) })}{' '}
              {recoveryCodesLeft < 3 ? <span className="strong">{t('account:recovery.few')}</span> : null}
            </p>
            <div className="row">
              <ActionButton variant="default" icon="reload" onClick={() => setAsked('codes')}>
                {t('account:recovery.renew')}
              </ActionButton>
              <ActionButton
                variant="default"
                icon="close"
                disabledReason={isRequired ? t('account:twoStep.cannotOff') : null}
                onClick={() => setAsked('off')}
              >
                {t('account:twoStep.turnOff')}
              </ActionButton>
            </div>
          </>
        ) : (
          <div className="row">
            <ActionButton icon="lock" onClick={() => setSettingUp(true)}>
              {t('account:twoStep.setUp')}
            </ActionButton>
          </div>
        )}
      </div>
      {asked === 'off' ? (
        <AskBoth
          title={t('account:twoStep.turnOff')}
          text={t('account:twoStep.turnOffText')}
          action={t('account:twoStep.turnOff')}
          isDangerous
          isBusy={disable.isPending}
          error={disable.error}
          onSubmit={(given) => disable.mutate(given)}
          onClose={close}
        />
      ) : null}
      {asked === 'codes' ? (
        <AskBoth
          title={t('account:recovery.renew')}
          text={t('account:recovery.renewText')}
          action={t('account:recovery.renew')}
          isBusy={renew.isPending}
          error={renew.error}
          onSubmit={(given) => renew.mutate(given)}
          onClose={close}
        />
      ) : null}
    </Card>
  )
}
