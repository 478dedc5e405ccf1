import { Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, lazy, useEffect } from 'react'
import { useStore } from '../store.ts'
import { keepFocus } from '../ui/kept-focus.ts'
import { toastsWanted } from '../ui/toast.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { ScrollTop } from './scroll-top.tsx'
import { scrollToHash } from './scroll.ts'

const Toasts = lazy(() => import('./toasts.tsx').then((module) => ({ default: module.Toasts })))

/** Around every page: connection banner, toasts, hash scrolling, the focus that is kept, the way back to the top. */
export function Root() {
  const wantsToasts = useStore(toastsWanted)
  const { hash, status } = useRouterState({
    select: (s) => ({ hash: s.location.hash, status: s.status }),
    structuralSharing: true,
  })
  useEffect(keepFocus, [])
  useEffect(() => {
    if (status === 'idle') scrollToHash(hash)
  }, [hash, status])
  return (
    <>
      <ConnectionBanner />
      <Outlet />
      <ScrollTop />
      {wantsToasts ? (
        <Suspense>
          <Toasts />
        </Suspense>
      ) : null}
    </>
  )
}
