import { Alert, Button, Group, Modal, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useErrorText } from '../i18n/errors.ts'
import { useT } from '../i18n/i18n.ts'

export interface ConfirmDialogProps {
  isOpen: boolean
  onClose: () => void
  title: string
  children?: ReactNode
  confirmLabel: string
  /** The dialog stays open while this runs, closes when it is done, and shows what went wrong. */
  onConfirm: (reason: string) => unknown
  isDangerous?: boolean
  /** Asks for a reason before it can be confirmed. */
  reasonLabel?: string
}

/** Asks before something that cannot simply be taken back. */
export function ConfirmDialog({ isOpen, onClose, title, children, confirmLabel, onConfirm, isDangerous = false, reasonLabel }: ConfirmDialogProps) {
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
