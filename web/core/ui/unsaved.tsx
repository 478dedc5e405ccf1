import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { whenOpen } from './when-open.tsx'

export interface UnsavedDialogProps {
  isOpen: boolean
  onClose: () => void
  onLeave: () => void
}

const load = () => import('./unsaved-dialog.tsx').then((module) => module.UnsavedDialog)
const UnsavedDialog = whenOpen<UnsavedDialogProps>(load)

/**
 * Warns before changes are lost, by a link, the back button or closing the tab. Render what it returns. `isOff` lets
 * the page move on by itself after saving.
 */
export function useUnsaved(isDirty: boolean, isOff?: () => boolean) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && !isOff?.() && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty && !isOff?.(),
    withResolver: true,
  })
  // Ready before it is needed: without a connection it could not be fetched any more.
  useEffect(() => {
    if (isDirty) void load().catch(() => undefined)
  }, [isDirty])
  return (
    <UnsavedDialog
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      onLeave={() => blocker.proceed?.()}
    />
  )
}
