import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useBusinesses } from './use-businesses.ts'

/** For the few who show all businesses: fetched then. */
const BusinessChoice = lazy(() =>
  import('./business-choice.tsx').then((module) => ({ default: module.BusinessChoice })),
)

/** Where the window shows all businesses: which of them a page is for, before anything is typed there. */
export function OneBusiness() {
  const kind = useRouterState({ select: (s) => s.matches.at(-1)?.staticData.page?.ofOne })
  const own = useBusinesses()
  if (!own?.isEverywhere || !kind) return null
  return (
    <Suspense>
      <BusinessChoice kind={kind} own={own} />
    </Suspense>
  )
}
