import type { ReactNode } from 'react'
import { useErrorText } from '../core/i18n/errors.ts'
import { DialogForm } from '../core/ui/confirm-form.tsx'

export interface AskDialogProps {
  title: string
  action: string
  onAsk: () => void
  onClose: () => void
  children: ReactNode
  isBusy: boolean
  /** Nothing can be sent yet. */
  isBlocked?: boolean
  /** What came back from the last try. */
  error: unknown
}

/** A question over the page with a few fields of its own. */
export function AskDialog({ onAsk, error, ...shown }: AskDialogProps) {
  const text = useErrorText()
  return <DialogForm isOpen onSubmit={onAsk} problem={error ? text(error) : null} {...shown} />
}
