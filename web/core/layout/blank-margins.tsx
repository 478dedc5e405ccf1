import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { queryClient } from '../api/hooks.ts'
import { floatingId } from './floating.ts'

/** A calm margin around the page: what customers see. */
export function BlankMarginsLayout() {
  return (
    <QueryClientProvider client={queryClient}>
      <main id="main" className="blank-margins" tabIndex={-1}>
        <Outlet />
        <div id={floatingId} />
      </main>
    </QueryClientProvider>
  )
}
