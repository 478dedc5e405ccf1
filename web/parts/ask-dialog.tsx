import { Alert, Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'

export interface AskDialogProps {
  title: string
  action: string
  onAsk: () => void
  onClose: () => void
  children: ReactNode
  isBusy: boolean
  /** Nothing can be sent yet. */
  isBlocked?: boolean
  /** What came back from the last try; it stands above the buttons. */
  error: unknown
  size?: 'md' | 'lg'
}

/** A question over the page with a few fields of its own: cancel, or do it. */
export function AskDialog({ title, action, onAsk, onClose, children, isBusy, isBlocked = false, error, size = 'md' }: AskDialogProps) {
  const t = useT('common')
  const text = useErrorText()
  return (
    <Modal opened onClose={isBusy ? () => undefined : onClose} title={title} size={size} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBlocked) onAsk()
        }}
      >
        {children}
        {error ? (
          <Alert color="red" variant="light" role="alert">
            {text(error)}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isBusy} disabled={isBlocked}>
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
