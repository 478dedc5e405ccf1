import { Link } from '@tanstack/react-router'
import type { MouseEventHandler, ReactNode } from 'react'
import { unbroken } from './unbroken.tsx'

export interface AppLinkProps {
  to: string
  children: ReactNode
  className?: string
  label?: string
  onClick?: MouseEventHandler<HTMLAnchorElement>
}

/** A link to a page of the product; `to` may carry a query. The page is fetched when the pointer comes near. */
export function AppLink({ to, children, className = 'link', label, onClick }: AppLinkProps) {
  const [path = '', query = ''] = to.split('?')
  return (
    <Link
      to={path}
      search={Object.fromEntries(new URLSearchParams(query))}
      className={className}
      {...(label ? { 'aria-label': label } : {})}
      {...(onClick ? { onClick } : {})}
    >
      {unbroken(children)}
    </Link>
  )
}
