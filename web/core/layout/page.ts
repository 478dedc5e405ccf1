import { useEffect } from 'react'
import { appTitle } from '../config.ts'
import { writeStored } from '../storage.ts'

export interface Crumb {
  to: string
  label: string
}

/** Names the browser tab, and remembers where the user is. */
export function setPage({ title }: { title: string }) {
  document.title = title ? `${title} · ${appTitle}` : appTitle
  writeStored('pageMeta', { path: location.pathname, title })
}

/** For pages without a `PageHeader`. */
export function usePage({ title }: { title: string }) {
  useEffect(() => setPage({ title }), [title])
}
