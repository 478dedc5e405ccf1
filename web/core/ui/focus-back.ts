import { useLayoutEffect } from 'react'

const focus = (element: Element | null) => element instanceof HTMLElement && element.focus({ preventScroll: true })

/** Whether somebody is in a field of the page already: what comes later doesn't take the focus from there. */
export const isInField = (): boolean => document.activeElement?.matches('main :is(input, textarea, select)') ?? false

/**
 * What opens over the page gives the focus back to where it was: also when it is taken away whole instead of closing,
 * which the kit's dialogs do not notice. Where that is gone, too, the page itself has it.
 */
export function useFocusBack(isOpen: boolean) {
  useLayoutEffect(() => {
    if (!isOpen) return
    const before = document.activeElement
    return () => {
      requestAnimationFrame(() => {
        const now = document.activeElement
        // Somebody else has asked for it meanwhile.
        if (now && now !== document.body && !now.closest('[role="dialog"]')) return
        focus(before?.isConnected && before !== document.body ? before : document.querySelector('main'))
      })
    }
  }, [isOpen])
}
