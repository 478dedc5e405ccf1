import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { overlay, openOverlay, closeOverlay, typeAhead } from '../layout/overlays.ts'
import { usePages } from '../layout/use-pages.ts'
import { useGo } from '../ui/params.ts'
import { isWriting, letterKeys, letterOf } from './keys.ts'

/** The second of two keys is waited for this long. */
const waitMs = 2000

const isDialogOpen = () => document.querySelector('dialog[open], [role=dialog], [aria-modal=true]') !== null

/**
 * Ctrl or ⌘ with K opens the palette everywhere; `?` the sheet; two letters one after the
 * other lead to pages and actions.
 */
export function useShortcuts() {
  const { navigation, commands } = usePages()
  const go = useGo()
  const first = useRef<{ letter: string; at: number } | null>(null)
  const targets = new Map([
    ...navigation.map((page) => [page.nav.keys, page.path]),
    ...commands.map((page) => [page.command.keys, page.path]),
  ] as [string | undefined, string][])
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing) return
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && letterOf(event) === 'k') {
      event.preventDefault()
      if (overlay.get() === 'palette') closeOverlay()
      else if (!isDialogOpen() || overlay.get()) openOverlay('palette')
      return
    }
    if (overlay.get() === 'palette' && !isDialogOpen() && event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      return typeAhead(event.key)
    }
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.defaultPrevented ||
      !letterKeys.get() ||
      isWriting(event.target) ||
      isDialogOpen()
    )
      return
    if (event.key === '?') return openOverlay('shortcuts')
    const letter = letterOf(event)
    const before = first.current && event.timeStamp - first.current.at < waitMs ? first.current.letter : ''
    first.current = letter ? { letter, at: event.timeStamp } : null
    const path = targets.get(`${before} ${letter}`)
    if (!path) return
    event.preventDefault()
    first.current = null
    void go(path)
  })
  // Before the page is seen: an effect after the painting would miss whoever is quick.
  useLayoutEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
