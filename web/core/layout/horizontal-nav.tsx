import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'
import { useT } from '../i18n/i18n.ts'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icons.ts'
import { NavEntry, useNavigation, type GroupOfPages } from './nav-list.tsx'
import type { NavGroup } from './route.ts'
import type { NavPage } from './use-pages.ts'

const iconOf: Record<NavGroup, IconName> = {
  home: 'dashboard',
  apps: 'apps',
  accounting: 'journal',
  setup: 'settings',
  dev: 'dev',
  pages: 'cards',
  layouts: 'note',
}

const stopsIn = (place: Element | null | undefined, selector: string) => [
  ...(place?.querySelectorAll<HTMLElement>(selector) ?? []),
]

/** The next of some controls, going round at the ends. */
const nextOf = (stops: HTMLElement[], step: number) =>
  stops.at((stops.indexOf(document.activeElement as HTMLElement) + step) % stops.length)

/**
 * The navigation above the page, as a disclosure navigation: each group is a button that shows its links. Arrow keys
 * walk along the buttons (mirrored from right to left) and down into the links; Tab goes through both; Escape closes.
 */
export function HorizontalNav() {
  const t = useT('shell')
  const { navigation, here } = useNavigation()
  const [open, setOpen] = useState<NavGroup | null>(null)
  const box = useRef<HTMLElement>(null)
  const onOutside = useEffectEvent((event: Event) => {
    if (!box.current?.contains(event.target as Node)) setOpen(null)
  })
  useEffect(() => {
    if (!open) return
    document.addEventListener('pointerdown', onOutside)
    document.addEventListener('focusin', onOutside)
    return () => {
      document.removeEventListener('pointerdown', onOutside)
      document.removeEventListener('focusin', onOutside)
    }
  }, [open])
  const onKey = (event: KeyboardEvent) => {
    const target = moveBy(event, box.current, () => setOpen(null))
    if (!target) return
    event.preventDefault()
    target.focus()
  }
  return (
    // The keys are those of the controls inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <nav ref={box} aria-label={t('shell:navigation')} className="top-nav no-print" onKeyDown={onKey}>
      <ul className="top-nav-bar">
        {navigation.map((group) =>
          group.group === 'home' ? (
            group.entries.map((page) => (
              <li key={page.path}>
                <NavEntry page={page} isHere={page === here} onMove={() => setOpen(null)} />
              </li>
            ))
          ) : (
            <Fold
              key={group.group}
              of={group}
              here={here}
              isOpen={open === group.group}
              onToggle={() => setOpen(open === group.group ? null : group.group)}
              onOpen={() => setOpen(group.group)}
              onClose={() => setOpen(null)}
            />
          ),
        )}
      </ul>
    </nav>
  )
}

/** The control that an arrow key, Home, End or Escape leads to, if any. */
function moveBy(event: KeyboardEvent, box: HTMLElement | null, close: () => void): HTMLElement | undefined {
  const focused = document.activeElement as HTMLElement
  const panel = focused.closest('.top-nav-panel')
  const button = panel?.parentElement?.querySelector<HTMLElement>('.top-nav-button')
  if (event.key === 'Escape') {
    close()
    return button ?? focused
  }
  const isRtl = getComputedStyle(box ?? focused).direction === 'rtl'
  const along = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  const down = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const tops = stopsIn(box, '.top-nav-bar > li > :is(a, button)')
  if (!panel) {
    if (along) return nextOf(tops, isRtl ? -along : along)
    if (event.key === 'Home') return tops[0]
    if (event.key === 'End') return tops.at(-1)
    return down > 0 ? stopsIn(focused.parentElement, '.top-nav-panel a')[0] : undefined
  }
  const links = stopsIn(panel, 'a')
  if (event.key === 'Home') return links[0]
  if (event.key === 'End') return links.at(-1)
  if (down) return down < 0 && focused === links[0] ? (button ?? undefined) : nextOf(links, down)
  if (!along || !button) return undefined
  close()
  const step = isRtl ? -along : along
  return tops.at((tops.indexOf(button) + step) % tops.length)
}

interface FoldProps {
  of: GroupOfPages
  here: NavPage | undefined
  isOpen: boolean
  onToggle: () => void
  onOpen: () => void
  onClose: () => void
}

function Fold({ of: { group, entries }, here, isOpen, onToggle, onOpen, onClose }: FoldProps) {
  const t = useT('shell')
  const list = useRef<HTMLUListElement>(null)
  const id = `top-nav-${group}`
  const onDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || isOpen) return
    event.preventDefault()
    event.stopPropagation()
    onOpen()
    // The links are there once the list is shown.
    requestAnimationFrame(() => list.current?.querySelector('a')?.focus())
  }
  return (
    <li>
      <button
        type="button"
        className="nav-entry top-nav-button"
        data-here={here?.nav.group === group}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
        onKeyDown={onDown}
      >
        <span className="nav-icon">
          <Icon name={iconOf[group]} size={20} />
        </span>
        <span>{t(`shell:group.${group}`)}</span>
        <span className="top-nav-arrow" aria-hidden="true">
          <Icon name="down" size={16} />
        </span>
      </button>
      <ul id={id} ref={list} className="top-nav-panel" hidden={!isOpen}>
        {entries.map((page) => (
          <li key={page.path}>
            <NavEntry page={page} isHere={page === here} onMove={onClose} />
          </li>
        ))}
      </ul>
    </li>
  )
}
