import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type AnyRoute,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { loadPhrases, phrase } from '../i18n/i18n.ts'
import type { Namespace } from '../i18n/phrases.ts'
import { BlankLayout } from './blank.tsx'
import { Broken, BrokenApart } from './broken.tsx'
import { guard } from './guard.ts'
import { NotFound, NowhereFound } from './not-found.tsx'
import { notePage } from './page.ts'
import { Root } from './root.tsx'
import type { PageRoute } from './route.ts'
import { Splash } from './splash.tsx'

type PageModule = { Page: ComponentType }
type PageModules = Record<string, () => Promise<unknown>>

const shellPhrases: readonly Namespace[] = ['shell', 'palette']
const namespaceOf = (page: PageRoute) => page.title.split(':', 1)[0] as Namespace

const phrasesOf = (page: PageRoute): Namespace[] => [...new Set([namespaceOf(page), ...(page.ns ?? [])])]

function pageRoute(parent: AnyRoute, page: PageRoute, pages: readonly PageRoute[], modules: PageModules): AnyRoute {
  const load = modules[`./${page.page}`]
  return createRoute({
    getParentRoute: () => parent,
    path: page.path,
    staticData: { page },
    // A link that is only looked at moves nobody: it remembers no target and counts no refusal.
    beforeLoad: ({ location, preload }) => (preload ? undefined : guard(page, location, pages)),
    loader: () => loadPhrases(...phrasesOf(page)),
    onEnter: (match) => notePage(page, match.pathname, phrase(page.title)),
    component: load ? lazyRouteComponent(load as () => Promise<PageModule>, 'Page') : NotFound,
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
    // The shell is a download of its own, and so is what reads: pages for customers and the login do without the one, the login without both.
    default: createRoute({
      getParentRoute: () => root,
      id: 'default',
      component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
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
    defaultPendingMs: 300,
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

/**
 * Fetches the code and the words of the page in the address while the guard still asks for rights: the one need not wait for
 * the other. Nothing is shown before the guard has answered.
 */
export function fetchAhead(router: ReturnType<typeof makeRouter>) {
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    const { component, staticData } = (router.routesById as Record<string, AnyRoute>)[routeId]?.options ?? {}
    const { page } = (staticData ?? {}) as { page?: PageRoute }
    const code = (component as { preload?: () => Promise<unknown> } | undefined)?.preload?.()
    // What cannot be fetched now is fetched again when it is needed, and says so then.
    Promise.all([
      code,
      page ? loadPhrases(...phrasesOf(page), ...(page.layout === 'default' ? shellPhrases : [])) : null,
    ]).catch(() => undefined)
  }
}
