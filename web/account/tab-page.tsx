import { useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { Icon } from '../core/ui/icon.tsx'
import type { IconName } from '../core/ui/icons.ts'
import { AppLink } from '../core/ui/link.tsx'
import { LoadingLines } from '../core/ui/states.tsx'
import { NotFound } from '../core/layout/not-found.tsx'
import './account.css'

export interface PageTab {
  key: string
  label: string
  icon: IconName
  body: ReactNode
}

/** A page whose tabs are addresses of their own: settingsPath('security'). */
export function TabPage({ path, label, tabs }: { path: string; label: string; tabs: readonly PageTab[] }) {
  const { tab } = useParams({ strict: false }) as { tab?: string }
  const row = useRef<HTMLElement>(null)
  // On a phone the row is longer than the screen.
  useEffect(() => {
    row.current
      ?.querySelector(`a[href$='/${CSS.escape(tab ?? '')}']`)
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [tab])
  const shown = tabs.find((entry) => entry.key === tab)
  if (!shown) return <NotFound />
  return (
    <>
      <nav ref={row} className="page-tabs no-print" aria-label={label}>
        {tabs.map((entry) => (
          <AppLink key={entry.key} to={path.replace('$tab', entry.key)} className="page-tab">
            <Icon name={entry.icon} size={18} />
            {entry.label}
          </AppLink>
        ))}
      </nav>
      <Suspense fallback={<LoadingLines />}>{shown.body}</Suspense>
    </>
  )
}
