import { useLayoutEffect } from 'react'
import { goOnFrom, placeOf } from './kept-focus.ts'

/** Whether somebody is in a field of the page already: what comes later doesn't take the focus from there. */
export const isInField = (): boolean => document.activeElement?.matches('main :is(input, textarea, select)') ?? false

/**
 * What opens over the page gives the focus back to where it was: also when it is taken away whole instead of closing,
 * which the kit's dialogs do not notice. Where that is gone, too, what stood around it has it.
 */
export function useFocusBack(isOpen: boolean) {
  useLayoutEffect(() => {
    if (!isOpen) return
    const before = placeOf(document.activeElement ?? document.body)
    return () => {
      requestAnimationFrame(() => {
        const now = document.activeElement
        // Somebody else has asked for it meanwhile.
        if (now && now !== document.body && !now.closest('[role="dialog"]')) return
        const { element } = before
        if (element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true })
        if (document.activeElement === now) goOnFrom(before)
      })
    }
  }, [isOpen])
}
