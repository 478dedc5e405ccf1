import type { ReactNode } from 'react'
import { Avatar } from './avatar.tsx'

/** A name with initials before it and a quieter line below: people and businesses in lists. */
export function NameCell({ name, sub, children }: { name: string; sub?: ReactNode; children?: ReactNode }) {
  return (
    <span className="name-cell">
      <Avatar name={name} />
      <span className="name-cell-text">
        <span>{children ?? name}</span>
        {sub ? <span className="cell-sub">{sub}</span> : null}
      </span>
    </span>
  )
}
