import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { hasOpenList } from './escape.ts'

export interface DropdownTrigger {
  'aria-expanded': boolean
  'aria-controls': string
  onClick: () => void
}

const reachable = 'a[href],button:not([disabled]),input:not([disabled])'

const marginPx = 8

/**
 * On a phone a button stands anywhere in its row, and a panel that hangs from its end would leave the window; at the
 * foot of the window it opens upwards, where there is room.
 */
function keepInWindow(panel: HTMLElement, box: HTMLElement) {
  panel.style.translate = ''
  const { left, right, top, bottom, height } = panel.getBoundingClientRect()
  const button = box.getBoundingClientRect()
  const over = right - (document.documentElement.clientWidth - marginPx)
  const by = left < marginPx ? marginPx - left : over > 0 ? -over : 0
  const isBelow = bottom > document.documentElement.clientHeight - marginPx
  const above = button.top - (top - button.bottom) - height
  const up = isBelow && above >= marginPx ? above - top : 0
  if (by !== 0 || up !== 0) panel.style.translate = `${by}px ${up}px`
}

/**
 * A panel under its button: choices, small menus. Escape, a click elsewhere or moving on closes it; arrow keys walk
 * through it. Written by hand, because every list has one and the kit's own would add a fifth to the first download.
 */
export function Dropdown({
  button,
  children,
  align = 'end',
}: {
  button: (props: DropdownTrigger) => ReactNode
  children: (close: () => void) => ReactNode
  align?: 'start' | 'end'
}) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    document.querySelector<HTMLElement>(`[aria-controls="${id}"]`)?.focus()
  }
  const onOutside = useEffectEvent((event: Event) => {
    if (!box.current?.contains(event.target as Node)) setOpen(false)
  })
  /** A press on words within gives the focus to what is around them all: nobody left. */
  const onFocus = useEffectEvent((event: FocusEvent) => {
    if (!(event.target as Node).contains(box.current)) onOutside(event)
  })
  useEffect(() => {
    if (!isOpen) return
    document.addEventListener('pointerdown', onOutside)
    document.addEventListener('focusin', onFocus)
    return () => {
      document.removeEventListener('pointerdown', onOutside)
      document.removeEventListener('focusin', onFocus)
    }
  }, [isOpen])
  useLayoutEffect(() => {
    const panel = isOpen ? box.current?.querySelector<HTMLElement>('.dropdown-panel') : null
    if (panel && box.current) keepInWindow(panel, box.current)
  }, [isOpen])
  const onKey = (event: KeyboardEvent) => {
    // Escape in a list that is open within closes that list alone.
    if (event.key === 'Escape' && isOpen && !event.defaultPrevented && !hasOpenList(event.target)) {
      event.preventDefault()
      event.stopPropagation()
      close()
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (!step || !isOpen) return
    const stops = [...(box.current?.querySelectorAll<HTMLElement>(`.dropdown-panel :is(${reachable})`) ?? [])]
    const next = stops.at((stops.indexOf(document.activeElement as HTMLElement) + step) % stops.length)
    event.preventDefault()
    next?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys are those of the controls inside
    <div className="dropdown" ref={box} onKeyDown={onKey}>
      {button({ 'aria-expanded': isOpen, 'aria-controls': id, onClick: () => setOpen(!isOpen) })}
      <div id={id} className="dropdown-panel" data-align={align} hidden={!isOpen}>
        {isOpen ? children(close) : null}
      </div>
    </div>
  )
}
