import { Suspense, useLayoutEffect, type ReactNode } from 'react'
import { LoadingLines } from './states.tsx'

const closeButton = '.mantine-Modal-close, .mantine-Drawer-close'

/**
 * What stands in a window over the page. While phrases or code of a part of it are fetched, it alone waits, and not the
 * page below, which would lose the place of its focus. What asks for the focus has it once it is there, unless somebody
 * has gone on meanwhile.
 */
export const DialogBody = ({ children }: { children: ReactNode }) => (
  <Suspense fallback={<LoadingLines lines={4} />}>
    {children}
    <FocusOnceThere />
  </Suspense>
)

function FocusOnceThere() {
  useLayoutEffect(() => {
    const now = document.activeElement
    if (!now?.matches(closeButton)) return
    now.closest('[role="dialog"]')?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [])
  return null
}
