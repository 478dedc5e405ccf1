import type { ReactNode } from 'react'
import { Card } from '../core/ui/card.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { RecordLink } from '../record/record-link.tsx'

export interface RelatedItem {
  key: string
  kind: string
  label: string
  to?: string
  end?: ReactNode
}

/** Records that belong to this one, each one click away. */
export function RelatedCard({ title, items, empty }: { title: string; items: readonly RelatedItem[]; empty: string }) {
  return (
    <Card title={title}>
      {items.length ? (
        <ul className="rail-list">
          {items.map((item) => (
            <li key={item.key}>
              <span>
                <span className="muted small">{item.kind}</span>
                {item.to ? <RecordLink to={item.to}>{item.label}</RecordLink> : unbroken(item.label)}
              </span>
              {item.end}
            </li>
          ))}
        </ul>
      ) : (
        <p className="muted no-margin">{empty}</p>
      )}
    </Card>
  )
}
