import type { ReactNode } from 'react'
import { useMay } from '../core/api/can.ts'
import { AppLink } from '../core/ui/link.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'

/** The subject of a record's page: `/apps/quotes/preview/…` is `Quotes:Preview:Guid`. */
function subjectOf(to: string): string | null {
  const noun = /^\/apps\/([a-z]+)\/preview\//.exec(to)?.[1]
  return noun ? `${noun.replace(/^./, (first) => first.toUpperCase())}:Preview:Guid` : null
}

/** A link to a record for those who may open it; the bare words for everybody else. */
export function RecordLink({ to, children, className = 'link' }: { to: string; children: ReactNode; className?: string }) {
  const may = useMay()
  const subject = subjectOf(to)
  if (subject && !may(['read', subject])) return unbroken(children)
  return (
    <AppLink to={to} className={className}>
      {children}
    </AppLink>
  )
}
