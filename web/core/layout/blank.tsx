import { Outlet } from '@tanstack/react-router'
import { floatingId } from './floating.ts'

/** Nothing around the page. */
export function BlankLayout() {
  return (
    <main id="main" className="blank" tabIndex={-1}>
      <Outlet />
      <div id={floatingId} />
    </main>
  )
}
