import type { ReactNode } from 'react'
import { whenOpen } from './when-open.tsx'

export interface ConfirmDialogProps {
  isOpen: boolean
  onClose: () => void
  title: string
  children?: ReactNode
  confirmLabel: string
  /** The dialog stays open while this runs, closes when it is done, and shows what went wrong. */
  onConfirm: (reason: string) => unknown
  isDangerous?: boolean
  /** What leaves everything as it is, where “Cancel” would say the deed itself. */
  cancelLabel?: string
  /** Asks for a reason before it can be confirmed. */
  reasonLabel?: string
}

/** Asks before something that cannot simply be taken back. */
export const ConfirmDialog = whenOpen<ConfirmDialogProps>(() =>
  import('./confirm-form.tsx').then((module) => module.ConfirmForm),
)
