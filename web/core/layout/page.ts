import { useEffect } from 'react'
import { appTitle } from '../config.ts'
import { dropStored, readStored, writeStored } from '../storage.ts'
import type { PageRoute } from './route.ts'

export interface Crumb {
  to: string
  label: string
}

/** What is remembered of the page in front of the user. */
export interface PageMeta {
  path: string
  title: string
  subject: string
}

/** Names the browser tab. */
export function setTitle(title: string) {
  document.title = title ? `${title} · ${appTitle}` : appTitle
}

/** For pages without a `PageHeader`. */
export function usePage({ title }: { title: string }) {
  useEffect(() => setTitle(title), [title])
}

/** Remembers where the user is; the guard holds later visits against it. */
export function notePage(page: PageRoute, path: string, title: string) {
  setTitle(title)
  // Before the login there is nothing to hold later visits against.
  if (page.can && !page.notLoggedIn) writeStored('pageMeta', { path, title, subject: page.can[1] } satisfies PageMeta)
  else dropStored('pageMeta')
}

export interface Visit {
  path: string
  title: string
}
const maxVisits = 12

/** The records opened last, the newest first; their titles go with the session. */
export const recentVisits = (): Visit[] => {
  const stored = readStored<Visit[]>('recents')?.value
  return Array.isArray(stored) ? stored : []
}

const isRecord = (path: string) => /^\/\w[\w-]*\/[\w-]+\/(preview|view)\/[\w-]{20,}$/.test(path)

/** Adds the page of a record to what was opened last, under its own title. */
export function noteVisit(title: string) {
  const path = location.pathname
  if (!isRecord(path) || !title) return
  writeStored(
    'recents',
    [{ path, title }, ...recentVisits().filter((visit) => visit.path !== path)].slice(0, maxVisits),
  )
}
