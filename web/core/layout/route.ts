import type { ComponentType } from 'react'
import type { Action } from '../../../contract/core/op.ts'
import type { May } from '../api/can.ts'
import type { Namespace, PhraseKey } from '../i18n/phrases.ts'
import type { IconName } from '../ui/icons.ts'

/** `default` has navigation; `blank` nothing; `blank-margins` a calm page around the content. */
type LayoutName = 'default' | 'blank' | 'blank-margins'
export type NavGroup = 'home' | 'apps' | 'accounting' | 'setup' | 'dev' | 'pages' | 'layouts'

export interface NavPlace {
  group: NavGroup
  icon: IconName
  /** Phrase of the entry, in `shell.json`. */
  label: PhraseKey
  /** The two keys that lead there, one after the other: `g q`. */
  keys?: string
  /** Who finds it in the navigation, where fewer should than may open it. */
  can?: readonly [Action, string]
  /** Lit on its own page alone, not on others of the same area. */
  isAlone?: boolean
}

/** A page that is an action: the command palette and the shortcuts offer it. */
export interface CommandPlace {
  icon: IconName
  /** Phrase of the action, in `shell.json`. */
  label: PhraseKey
  keys?: string
  /** The right it asks for, where it is another than that of the page. */
  need?: readonly [Action, string]
  /** The action in the head of the page that it does, where the page alone is not yet the action. */
  runs?: PhraseKey
}

/** What the table in `router.tsx` says of one page; the guard, the navigation and the title come from it. */
export interface PageRoute {
  path: string
  layout: LayoutName
  /** The right that opens the page: that of the operation it begins with. Without one, any user. */
  can?: readonly [Action, string]
  /** Shown in the browser tab until the page itself says something better. */
  title: PhraseKey
  /** Needs guest credentials, nothing more. */
  guest?: boolean
  /** Only for those who are not logged in. */
  notLoggedIn?: boolean
  /** For everybody, whatever they may do. */
  open?: boolean
  /** Of one business alone, also where a window shows all of them: it makes something, or shows one at a time. */
  ofOne?: 'makes' | 'shows'
  nav?: NavPlace
  command?: CommandPlace
  /** Phrase files the page needs, fetched beside its code; the file of the title always is. */
  ns?: Namespace[]
  /** Path of the page's module below `web/`; it exports `Page`. */
  page: string
}

/**
 * Begins what a page or its layout reads, once its code is there and before it is drawn. What it returns is there when
 * the page can be drawn with it.
 */
export type BeginReads = (may: May, search: Record<string, unknown>) => Promise<unknown> | void
/** What a page's module exports as `Page`. */
export type PageComponent = ComponentType & { beginReads?: BeginReads }

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: PageRoute
    load?: () => Promise<PageComponent>
  }
}
