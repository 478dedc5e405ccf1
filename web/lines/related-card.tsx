import type { ReactNode } from 'react'
import { Card } from '../core/ui/card.tsx'
import { Money } from '../core/ui/money.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { RecordLink } from '../record/record-link.tsx'

export interface RelatedItem {
  key: string
  kind: string
  label: string
  /** The record it leads to. */
  noun?: string
  guid?: string
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
                {item.noun && item.guid ? (
                  <RecordLink noun={item.noun} guid={item.guid}>
                    {item.label}
                  </RecordLink>
                ) : (
                  unbroken(item.label)
                )}
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

/** What a related payment comes to, and that it may have to be given back. */
export const PaidAmount = ({ cents, isDisputed }: { cents: number; isDisputed: boolean }) => (
  <span className="rail-end">
    <Money cents={cents} />
    {isDisputed ? <StatusChip status="disputed" ns="payments" /> : null}
  </span>
)
