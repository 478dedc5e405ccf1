import { useEffect, useEffectEvent } from 'react'

/** What lies over the page now, the topmost last: Escape is for that one. */
const layers: symbol[] = []

/** Whether a key is for a field whose list is shown; some fields call themselves open without having one. */
export function hasOpenList(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || target.getAttribute('aria-expanded') !== 'true') return false
  const list = document.getElementById(target.getAttribute('aria-controls') ?? '')
  return target.getAttribute('role') === 'combobox' && list !== null && list.checkVisibility()
}

/** Closes a dialog or sheet by Escape, unless the key was for something within it: a list, a calendar, a menu. */
export function useEscape(isOpen: boolean, close: () => void) {
  const closing = useEffectEvent(close)
  useEffect(() => {
    if (!isOpen) return
    const layer = Symbol('layer')
    layers.push(layer)
    let isForList = false
    // Before the list has closed, and after everything within has had the key.
    const look = (event: KeyboardEvent) => {
      isForList = hasOpenList(event.target)
    }
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || isForList || layers.at(-1) !== layer)
        return
      event.preventDefault()
      closing()
    }
    window.addEventListener('keydown', look, true)
    window.addEventListener('keydown', leave)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      window.removeEventListener('keydown', look, true)
      window.removeEventListener('keydown', leave)
    }
  }, [isOpen])
}
