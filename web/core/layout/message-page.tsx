import type { ReactNode } from 'react'
import { EmptyState, type Scene } from '../ui/empty-state.tsx'
import { usePage } from './page.ts'

/** One message in the middle: not found, not authorized, waiting, broken. */
export function MessagePage({
  title,
  text,
  scene,
  actions,
  children,
}: {
  title: string
  text?: ReactNode
  scene?: Scene
  actions?: ReactNode
  children?: ReactNode
}) {
  usePage({ title })
  return (
    <div className="message-page">
      <h1 className="visually-hidden">{title}</h1>
      <EmptyState title={title} text={text} scene={scene ?? 'list'} action={actions} />
      {children}
    </div>
  )
}
