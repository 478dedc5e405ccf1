import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useT } from '../i18n/i18n.ts'
import { DialogBody } from './dialog-body.tsx'
import { useEscape } from './escape.ts'
import { useFocusBack } from './focus-back.ts'
import { unbroken } from './unbroken.tsx'

export interface DialogProps {
  isOpen?: boolean
  /** While it works it stays. */
  isBusy?: boolean
  /** Shows what is not seen again: only its own button closes it, neither Escape nor a click beside it. */
  isKept?: boolean
  title: ReactNode
  /** `wide` has room for two columns. */
  size?: 'md' | 'lg' | 'xl' | 'wide'
  onClose: () => void
  children: ReactNode
}

const stay = () => undefined

/** A window over the page: Escape closes it, and the focus goes back to where it was. */
export function Dialog({
  isOpen = true,
  isBusy = false,
  isKept = false,
  title,
  size = 'md',
  onClose,
  children,
}: DialogProps) {
  const t = useT('common')
  const close = isBusy || isKept ? stay : onClose
  useFocusBack(isOpen)
  useEscape(isOpen, close)
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      closeOnEscape={false}
      withCloseButton={!isKept}
      title={unbroken(title)}
      size={size === 'wide' ? '76rem' : size}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <DialogBody>{children}</DialogBody>
    </Modal>
  )
}

/** The buttons of a dialog, in reach however long it is. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className="row dialog-actions">{children}</div>
)
