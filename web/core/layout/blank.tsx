import { Outlet } from '@tanstack/react-router'

/** Nothing around the page. */
export function BlankLayout() {
  return (
    <main id="main" className="blank" tabIndex={-1}>
      <Outlet />
    </main>
  )
}

/** A calm margin around the page: what customers see. */
export function BlankMarginsLayout() {
  return (
    <main id="main" className="blank-margins" tabIndex={-1}>
      <Outlet />
    </main>
  )
}
