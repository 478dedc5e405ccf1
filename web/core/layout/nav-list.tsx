import { Link, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useT } from '../i18n/i18n.ts'
import { dropStored, readStored, writeStored } from '../storage.ts'
import { Icon } from '../ui/icon.tsx'
import type { NavGroup } from './route.ts'
import { entryOf, usePages, type NavPage } from './use-pages.ts'

const groups = ['home', 'apps', 'accounting', 'setup', 'dev', 'pages', 'layouts'] as const satisfies readonly NavGroup[]
/** Closed until somebody opens them. */
const quiet: readonly NavGroup[] = ['pages', 'layouts']

export interface GroupOfPages {
  group: NavGroup
  entries: NavPage[]
  isQuiet: boolean
}

/**
 * The permitted pages in their groups, without groups that would be empty, and the entry of
 * the page in front of the user.
 */
export function useNavigation(): { navigation: GroupOfPages[]; here: NavPage | undefined } {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const { navigation } = usePages()
  const grouped = groups.map((group) => ({
    group,
    entries: navigation.filter((page) => page.nav.group === group),
    isQuiet: quiet.includes(group),
  }))
  return { navigation: grouped.filter(({ entries }) => entries.length > 0), here: entryOf(navigation, path) }
}

/** The navigation beside the page and in its overlay. */
export function NavList({ onMove }: { onMove?: () => void }) {
  const t = useT('shell')
  const { navigation, here } = useNavigation()
  return (
    <nav aria-label={t('shell:navigation')} className="nav-list">
      {navigation.map((group) => (
        <Group key={group.group} of={group} here={here} onMove={onMove} />
      ))}
    </nav>
  )
}

interface GroupProps {
  of: GroupOfPages
  here: NavPage | undefined
  onMove: (() => void) | undefined
}

function Group({ of: { group, entries, isQuiet }, here, onMove }: GroupProps) {
  const t = useT('shell')
  const [wasOpened, setOpened] = useState(() => readStored(`nav.${group}`) !== null)
  const isOpen = !isQuiet || wasOpened
  const id = `nav-${group}`
  const toggle = () => {
    setOpened(!wasOpened)
    if (wasOpened) dropStored(`nav.${group}`)
    else writeStored(`nav.${group}`, true)
  }
  const heading = <span>{t(`shell:group.${group}`)}</span>
  return (
    <div className="nav-group">
      {group === 'home' ? null : isQuiet ? (
        <button
          type="button"
          className="nav-heading nav-fold"
          id={id}
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          onClick={toggle}
        >
          {heading}
          <Icon name="down" size={16} />
        </button>
      ) : (
        <p className="nav-heading" id={id}>
          {heading}
        </p>
      )}
      <ul id={`${id}-list`} hidden={!isOpen} {...(group === 'home' ? {} : { 'aria-labelledby': id })}>
        {entries.map((page) => (
          <li key={page.path}>
            <NavEntry page={page} isHere={page === here} onMove={onMove} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** One page. It is lit on all pages of its area, and current on its own. */
export function NavEntry({
  page,
  isHere,
  onMove,
}: {
  page: NavPage
  isHere: boolean
  onMove?: (() => void) | undefined
}) {
  const t = useT('shell')
  return (
    <Link
      to={page.path}
      search={{}}
      className="nav-entry"
      data-here={isHere}
      activeProps={{ 'aria-current': 'page' }}
      onClick={() => onMove?.()}
    >
      <span className="nav-icon">
        <Icon name={page.nav.icon} size={22} />
      </span>
      <span className="nav-label">{t(page.nav.label)}</span>
    </Link>
  )
}
