import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type AnyRoute,
  type StaticDataRouteOption,
} from '@tanstack/react-router'
import { authFlags, authState } from '../api/auth-state.ts'
import { mayBy, rightsOf } from '../api/can.ts'
import { readyFormats } from '../i18n/format.ts'
import { loadPhrases, phrase } from '../i18n/i18n.ts'
import type { Namespace } from '../i18n/phrases.ts'
import { BlankLayout } from './blank.tsx'
import { Broken, BrokenApart } from './broken.tsx'
import { guard } from './guard.ts'
import { NotFound, NowhereFound } from './not-found.tsx'
import { notePage } from './page.ts'
import { Root } from './root.tsx'
import type { PageComponent, PageRoute } from './route.ts'
import { Splash } from './splash.tsx'

/** Nobody minds an empty page for so long, and a sign of waiting that is gone at once would only flicker. */
const pendingMs = 300

type PageModule = { Page: PageComponent }
type PageModules = Record<string, () => Promise<unknown>>

const loadShell = () => import('./shell.tsx')
const shellPhrases: readonly Namespace[] = ['shell', 'palette']
const namespaceOf = (page: PageRoute) => page.title.split(':', 1)[0] as Namespace

const phrasesOf = (page: PageRoute): Namespace[] => [...new Set([namespaceOf(page), ...(page.ns ?? [])])]

function pageRoute(parent: AnyRoute, page: PageRoute, pages: readonly PageRoute[], modules: PageModules): AnyRoute {
  const load = modules[`./${page.page}`] as (() => Promise<PageModule>) | undefined
  return createRoute({
    getParentRoute: () => parent,
    path: page.path,
    staticData: { page, ...(load ? { load: () => load().then(({ Page }) => Page) } : {}) },
    // A link that is only looked at moves nobody: it remembers no target and counts no refusal.
    beforeLoad: ({ location, preload }) => (preload ? undefined : guard(page, location, pages)),
    loader: () => loadPhrases(...phrasesOf(page)),
    onEnter: (match) => notePage(page, match.pathname, phrase(page.title)),
    component: load ? lazyRouteComponent(load, 'Page') : NotFound,
  })
}

/** A short path that leads to a page; parameters keep their names. */
export interface Shortcut {
  from: string
  to: (params: Record<string, string>) => string
}

/** Builds the router from the table of pages: three layouts, guarded pages, short paths. */
export function makeRouter(pages: readonly PageRoute[], shortcuts: readonly Shortcut[], modules: PageModules) {
  const root = createRootRoute({ component: Root, notFoundComponent: NowhereFound, errorComponent: BrokenApart })
  const layouts = {
    // The shell is a download of its own, and so is what reads: pages for customers and the login do without the
    // one, the login without both.
    default: createRoute({
      getParentRoute: () => root,
      id: 'default',
      staticData: { load: () => loadShell().then(({ Shell }) => Shell) },
      component: lazyRouteComponent(loadShell, 'Shell'),
      loader: () => loadPhrases(...shellPhrases),
    }),
    blank: createRoute({ getParentRoute: () => root, id: 'blank', component: BlankLayout }),
    'blank-margins': createRoute({
      getParentRoute: () => root,
      id: 'blank-margins',
      component: lazyRouteComponent(() => import('./blank-margins.tsx'), 'BlankMarginsLayout'),
    }),
  }
  const inLayout = (name: PageRoute['layout']) =>
    pages.filter((page) => page.layout === name).map((page) => pageRoute(layouts[name], page, pages, modules))
  const short = shortcuts.map((shortcut) =>
    createRoute({
      getParentRoute: () => root,
      path: shortcut.from,
      beforeLoad: ({ params }) => {
        throw redirect({ to: shortcut.to(params as Record<string, string>), replace: true })
      },
    }),
  )
  const routeTree = root.addChildren([
    layouts.default.addChildren(inLayout('default')),
    layouts.blank.addChildren(inLayout('blank')),
    layouts['blank-margins'].addChildren(inLayout('blank-margins')),
    ...short,
  ])
  return createRouter({
    routeTree,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingComponent: Splash,
    defaultPendingMs: pendingMs,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: Broken,
    defaultHashScrollIntoView: false,
    // The address of a list is plain text: `?status=sent,overdue&page=2`.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '')
      const query = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]))
        .toString()
        .replaceAll('%2C', ',')
        .replaceAll('%2F', '/')
        .replaceAll('%3A', ':')
      return query ? `?${query}` : ''
    },
  })
}

type Router = ReturnType<typeof makeRouter>
interface RouteOptions {
  component?: { preload?: () => Promise<unknown> }
  staticData?: StaticDataRouteOption
}
const optionsOf = (router: Router, routeId: string): RouteOptions =>
  (router.routesById as Record<string, { options: RouteOptions }>)[routeId]?.options ?? {}

/**
 * Fetches the code and the words of the page in the address, and what it shows, while the guard still asks for rights:
 * the one need not wait for the other. Nothing is shown before the guard has answered. Fulfilled when what the
 * page shows is there, or when it is time to show that it is not: a page that is drawn once is there sooner
 * than one that is drawn twice.
 */
export async function fetchAhead(router: Router) {
  const routes = router.matchRoutes(router.latestLocation).map(({ routeId }) => optionsOf(router, routeId))
  for (const { component, staticData } of routes) {
    const page = staticData?.page
    const code = component?.preload?.()
    // What cannot be fetched now is fetched again when it is needed, and says so then.
    Promise.all([
      code,
      page ? loadPhrases(...phrasesOf(page), ...(page.layout === 'default' ? shellPhrases : [])) : null,
    ]).catch(() => undefined)
  }
  const reads = readFirst(
    routes.flatMap(({ staticData }) => staticData ?? []),
    router.latestLocation.search,
  ).catch(() => undefined)
  await Promise.race([reads, new Promise((done) => setTimeout(done, pendingMs))])
}

/** For whoever may open the page by what is known of the last page. The others are told by the guard. */
async function readFirst(routes: readonly StaticDataRouteOption[], search: Record<string, unknown>) {
  const { permissions } = authState.get()
  if (!permissions || authFlags().isTokenExpired) return
  // Asked for now: code that is there already would be handed over only after the page is drawn.
  const codes = routes.map(({ load }) => load?.())
  const [rights, ...components] = await Promise.all([rightsOf(permissions.list), ...codes])
  const may = mayBy(rights)
  if (!routes.every(({ page }) => may(page?.can))) return
  const reads = components.map(async (component) => component?.beginReads?.(may, search))
  // While the server answers there is nothing else to do.
  setTimeout(readyFormats)
  await Promise.all(reads)
}
