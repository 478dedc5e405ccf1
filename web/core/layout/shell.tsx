import './shell.css'
import { useMediaQuery } from '@mantine/hooks'
import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, lazy, useEffect, useRef, useState } from 'react'
import { authFlags, useAuth } from '../api/auth-state.ts'
import { queryClient } from '../api/hooks.ts'
import { useLive } from '../api/live.ts'
import { appTitle, appVersion } from '../config.ts'
import { useT } from '../i18n/i18n.ts'
import { useLayoutSettings } from '../theme/settings.ts'
import { Brand } from './brand.tsx'
import { Navbar } from './navbar.tsx'
import { floatingId } from './floating.ts'
import { NavList } from './nav-list.tsx'
import { ScrollTop } from './scroll-top.tsx'

const thisYear = new Date().getFullYear()

const NavDrawer = lazy(() => import('./nav-drawer.tsx').then((module) => ({ default: module.NavDrawer })))

/** Moves the focus to the new page, so that a screen reader starts there and Tab goes on from there. */
function useFocusOnMove() {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (s) => s.resolvedLocation?.pathname })
  const known = useRef(path)
  useEffect(() => {
    if (known.current !== undefined && known.current !== path) main.current?.focus({ preventScroll: true })
    known.current = path
  }, [path])
  return main
}

/** The frame of every staff page: navigation, navbar, page, footer. Below 976 px the navigation lies over the page. */
export function Shell() {
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
    </QueryClientProvider>
  )
}

function Frame() {
  const t = useT('shell')
  const layout = useLayoutSettings()
  const isOverlay = useMediaQuery('(max-width: 975.98px)', undefined, { getInitialValueInEffect: false })
  const [isNavOpen, setNavOpen] = useState(false)
  // Fetched when it is first opened, kept afterwards so that it can close gracefully.
  const [wasNavOpen, setWasNavOpen] = useState(false)
  const main = useFocusOnMove()
  useLive(authFlags(useAuth()).isUser)
  const close = () => setNavOpen(false)
  const open = () => {
    setWasNavOpen(true)
    setNavOpen(true)
  }
  return (
    <div className="shell" data-collapsed={!isOverlay && layout.isNavCollapsed} data-width={layout.contentWidth}>
      <a className="skip-link no-print" href="#main">
        {t('shell:skip')}
      </a>
      {isOverlay ? (
        <Suspense>
          {wasNavOpen ? <NavDrawer isOpen={isNavOpen} onClose={close} /> : null}
        </Suspense>
      ) : (
        <aside className="sidebar no-print">
          <div className="nav-head">
            <Brand />
          </div>
          <NavList />
        </aside>
      )}
      <div className="shell-body">
        <Navbar isOverlay={Boolean(isOverlay)} onOpenNav={open} />
        <main id="main" ref={main} tabIndex={-1} className="shell-main">
          <Outlet />
          <div id={floatingId} />
        </main>
        <footer className="shell-footer no-print">
          <span>{t('shell:footer', { year: thisYear, name: appTitle })}</span>
          <span className="muted">{t('shell:version', { version: appVersion })}</span>
        </footer>
      </div>
      <ScrollTop />
    </div>
  )
}
