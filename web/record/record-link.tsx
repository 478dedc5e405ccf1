import type { ReactNode } from 'react'
import { nounAt, rightsOf } from '../../contract/nouns.ts'
import { useMay } from '../core/api/can.ts'
import { AppLink } from '../core/ui/link.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'

/** A link to a record for those who may open it; the bare words for everybody else. */
export function RecordLink({
  to,
  children,
  className = 'link',
}: {
  to: string
  children: ReactNode
  className?: string
}) {
  const may = useMay()
  const noun = nounAt(to)
  if (noun && !may(['read', `${rightsOf(noun)}:Preview:Guid`])) return unbroken(children)
  return (
    <AppLink to={to} className={className}>
      {children}
    </AppLink>
  )
}
