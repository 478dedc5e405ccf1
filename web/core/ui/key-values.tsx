import type { ReactNode } from 'react'
import { unbroken } from './unbroken.tsx'

export interface KeyValue {
  label: string
  value: ReactNode
  /** Left out when there is nothing to say. */
  isHidden?: boolean
}

/** Labels and values: beside each other where there is room. */
export function KeyValueList({ items, isStacked = false }: { items: KeyValue[]; isStacked?: boolean }) {
  return (
    <dl className={`key-values ${isStacked ? 'stacked' : ''}`}>
      {items
        .filter((item) => !item.isHidden)
        .map((item) => (
          <div key={item.label}>
            <dt>{item.label}</dt>
            <dd>{unbroken(item.value) ?? <span className="muted">–</span>}</dd>
          </div>
        ))}
    </dl>
  )
}
