import { Suspense, lazy, useState, type ReactNode } from 'react'

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

const ConfirmForm = lazy(() => import('./confirm-form.tsx').then((module) => ({ default: module.ConfirmForm })))

/** Asks before something that cannot simply be taken back. Its code is fetched when it is first asked. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [isWanted, setWanted] = useState(props.isOpen)
  if (props.isOpen && !isWanted) setWanted(true)
  if (!isWanted) return null
  return (
    <Suspense>
      <ConfirmForm {...props} />
    </Suspense>
  )
}
