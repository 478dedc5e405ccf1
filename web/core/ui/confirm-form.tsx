import { Alert, Button, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useWholeErrorText } from '../i18n/errors.ts'
import { useT } from '../i18n/i18n.ts'
import { beginAtField } from './dialog-start.ts'
import { Dialog, DialogActions } from './dialog.tsx'
import type { ConfirmDialogProps } from './confirm-dialog.tsx'

export interface DialogFormProps {
  isOpen: boolean
  title: string
  action: string
  onSubmit: () => void
  onClose: () => void
  children?: ReactNode
  isBusy: boolean
  /** Nothing can be sent yet. */
  isBlocked?: boolean
  isDangerous?: boolean
  /** What leaves everything as it is, where “Cancel” would say the deed itself. */
  cancelLabel?: string
  /** What came back from the last try, in words; it stands above the buttons. */
  problem: string | null
}

/** A question over the page: cancel, or do it. */
export function DialogForm({
  isOpen,
  title,
  action,
  onSubmit,
  onClose,
  children,
  isBusy,
  isBlocked = false,
  isDangerous = false,
  cancelLabel,
  problem,
}: DialogFormProps) {
  const t = useT('common')
  return (
    <Dialog isOpen={isOpen} isBusy={isBusy} onClose={onClose} title={title}>
      <form
        ref={beginAtField}
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBlocked) onSubmit()
        }}
      >
        {children}
        {problem === null ? null : (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            {cancelLabel ?? t('common:cancel')}
          </Button>
          <Button
            type="submit"
            loading={isBusy}
            disabled={isBlocked}
            {...(isDangerous ? { className: 'danger-button' } : {})}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export function ConfirmForm({
  isOpen,
  onClose,
  title,
  children,
  confirmLabel,
  onConfirm,
  isDangerous = false,
  cancelLabel,
  reasonLabel,
}: ConfirmDialogProps) {
  const text = useWholeErrorText()
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
    <DialogForm
      isOpen={isOpen}
      title={title}
      action={confirmLabel}
      onSubmit={() => void confirm()}
      onClose={onClose}
      isBusy={isBusy}
      isBlocked={Boolean(reasonLabel) && !reason.trim()}
      isDangerous={isDangerous}
      {...(cancelLabel ? { cancelLabel } : {})}
      problem={error ? text(error) : null}
    >
      {children ? <div>{children}</div> : null}
      {reasonLabel ? (
        <TextInput
          label={reasonLabel}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          required
          maxLength={400}
        />
      ) : null}
    </DialogForm>
  )
}
