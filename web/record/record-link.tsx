import type { ReactNode } from 'react'
import { pathTo, viewRight } from '../../contract/nouns.ts'
import { useMay } from '../core/api/can.ts'
import { AppLink } from '../core/ui/link.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'

/**
 * A link to a record for those who may open it; the bare words for everybody else, and where there is no page to open.
 */
export function RecordLink({
  noun,
  guid,
  children,
  className = 'link',
}: {
  noun: string
  guid: string
  children: ReactNode
  className?: string
}) {
  const may = useMay()
  const [to, right] = [pathTo(noun, guid), viewRight(noun)]
  if (!to || !right || !may(right)) return unbroken(children)
  return (
    <AppLink to={to} className={className}>
      {children}
    </AppLink>
  )
}
