import './shell.css'
import { useMediaQuery } from '@mantine/hooks'
import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, lazy, useEffect, useRef, useState } from 'react'
import { authFlags, useAuth } from '../api/auth-state.ts'
import { queryClient } from '../api/hooks.ts'
import { beginLive, useLive } from '../api/live.ts'
import { appTitle, appVersion } from '../config.ts'
import { useT } from '../i18n/i18n.ts'
import { useShortcuts } from '../palette/use-shortcuts.ts'
import { useStore } from '../store.ts'
import { useLayoutSettings, useThemeSettings } from '../theme/settings.ts'
import { Brand } from './brand.tsx'
import { Navbar } from './navbar.tsx'
import { floatingId } from './floating.ts'
import { NavList } from './nav-list.tsx'
import { OneBusiness } from './one-business.tsx'
import { overlay } from './overlays.ts'
import { SessionBanners } from './session-banners.tsx'

const thisYear = new Date().getFullYear()

const loadPalette = () => import('../palette/palette.tsx')
const NavDrawer = lazy(() => import('./nav-drawer.tsx').then((module) => ({ default: module.NavDrawer })))
const HorizontalNav = lazy(() => import('./horizontal-nav.tsx').then((module) => ({ default: module.HorizontalNav })))
const overlays = {
  palette: lazy(() => loadPalette().then((module) => ({ default: module.Palette }))),
  shortcuts: lazy(() => import('../palette/shortcuts.tsx').then((module) => ({ default: module.Shortcuts }))),
  customiser: lazy(() => import('./customiser.tsx').then((module) => ({ default: module.Customiser }))),
  maintenance: lazy(() => import('./maintenance-dialog.tsx').then((module) => ({ default: module.MaintenanceDialog }))),
  'stored-files': lazy(() =>
    import('./stored-files-dialog.tsx').then((module) => ({ default: module.StoredFilesDialog })),
  ),
  hold: lazy(() => import('./hold-dialog.tsx').then((module) => ({ default: module.HoldDialog }))),
}

/** Moves the focus to the new page, so that a screen reader starts there and Tab goes on from there. */
function useFocusOnMove() {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (s) => s.resolvedLocation?.pathname })
  const known = useRef(path)
  useEffect(() => {
    // A page may begin elsewhere, such as in its first field.
    const isTaken = document.activeElement?.matches('main :is([data-autofocus], [contenteditable])') ?? false
    if (known.current !== undefined && known.current !== path && !isTaken) main.current?.focus({ preventScroll: true })
    known.current = path
  }, [path])
  return main
}

/**
 * Fetched when the hand goes there, or to the keys that open it: the palette opens at once,
 * and nobody fetches it in vain.
 */
function usePaletteAhead() {
  useEffect(() => {
    const stop = new AbortController()
    const fetchIt = () => {
      stop.abort()
      loadPalette().catch(() => undefined)
    }
    const isNear = (event: Event) => event.target instanceof Element && event.target.closest('.search-button') !== null
    for (const kind of ['pointerover', 'focusin'])
      document.addEventListener(kind, (event) => isNear(event) && fetchIt(), { signal: stop.signal, passive: true })
    document.addEventListener('keydown', (event) => (event.key === 'Control' || event.key === 'Meta') && fetchIt(), {
      signal: stop.signal,
    })
    return () => stop.abort()
  }, [])
}

function Overlays() {
  const name = useStore(overlay)
  useEffect(() => () => overlay.set(null), [])
  if (!name) return null
  const Shown = overlays[name]
  return (
    <Suspense>
      <Shown />
    </Suspense>
  )
}

/** The frame of every staff page: navigation, navbar, page, footer. Below 976 px the navigation lies over the page. */
export function Shell() {
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
    </QueryClientProvider>
  )
}

Shell.beginReads = beginLive

function Frame() {
  const t = useT('shell')
  const layout = useLayoutSettings()
  const theme = useThemeSettings()
  const isOverlay = Boolean(useMediaQuery('(max-width: 975.98px)', undefined, { getInitialValueInEffect: false }))
  const [isNavOpen, setNavOpen] = useState(false)
  // Fetched when it is first opened, kept afterwards so that it can close gracefully.
  const [wasNavOpen, setWasNavOpen] = useState(false)
  const main = useFocusOnMove()
  useLive(authFlags(useAuth()).isUser)
  useShortcuts()
  usePaletteAhead()
  const open = () => {
    setWasNavOpen(true)
    setNavOpen(true)
  }
  const isAbove = theme.layoutNav === 'horizontal' && !isOverlay
  return (
    <div
      className="shell"
      data-nav={isAbove ? 'horizontal' : 'vertical'}
      data-collapsed={!isOverlay && !isAbove && layout.isNavCollapsed}
      data-width={layout.contentWidth}
      data-navbar={theme.navbarType}
      data-top-nav={theme.horizontalNavType}
      data-footer={theme.footerType}
    >
      <a
        className="skip-link no-print"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
          main.current?.scrollIntoView()
        }}
      >
        {t('shell:skip')}
      </a>
      {isOverlay ? (
        <Suspense>{wasNavOpen ? <NavDrawer isOpen={isNavOpen} onClose={() => setNavOpen(false)} /> : null}</Suspense>
      ) : isAbove ? null : (
        <aside className="sidebar no-print">
          <div className="nav-head">
            <Brand />
          </div>
          <NavList />
        </aside>
      )}
      <div className="shell-body">
        <div className="navbar-place no-print" data-blur={layout.isNavbarBlurred}>
          <Navbar isOverlay={isOverlay} onOpenNav={open} />
        </div>
        {isAbove ? (
          <div className="top-nav-place no-print">
            <Suspense>
              <HorizontalNav />
            </Suspense>
          </div>
        ) : null}
        <SessionBanners />
        <main id="main" ref={main} tabIndex={-1} className="shell-main">
          <OneBusiness />
          <Outlet />
          <div id={floatingId} />
        </main>
        {theme.footerType === 'hidden' ? null : (
          <footer className="shell-footer no-print">
            <span>{t('shell:footer', { year: thisYear, name: appTitle })}</span>
            <span className="muted">{t('shell:version', { version: appVersion })}</span>
          </footer>
        )}
      </div>
      <Overlays />
    </div>
  )
}
