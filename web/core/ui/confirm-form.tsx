import { Alert, Button, Group, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useErrorText } from '../i18n/errors.ts'
import { useT } from '../i18n/i18n.ts'
import type { ConfirmDialogProps } from './confirm-dialog.tsx'

export function ConfirmForm({ isOpen, onClose, title, children, confirmLabel, onConfirm, isDangerous = false, reasonLabel }: ConfirmDialogProps) {
  const t = useT('common')
  const text = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [reason, setReason] = useState('')
  const confirm = async () => {
    setBusy(true)
    setError(null)
    try {
      await onConfirm(reason.trim())
      setReason('')
      onClose()
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return (
    <Modal opened={isOpen} onClose={isBusy ? () => undefined : onClose} title={title} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
        {children ? <div>{children}</div> : null}
        {reasonLabel ? <TextInput label={reasonLabel} value={reason} onChange={(event) => setReason(event.currentTarget.value)} required maxLength={400} data-autofocus /> : null}
        {error ? (
          <Alert color="red" role="alert" variant="light">
            {text(error)}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isBusy} disabled={Boolean(reasonLabel) && !reason.trim()} {...(isDangerous ? { className: 'danger-button' } : {})}>
            {confirmLabel}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
