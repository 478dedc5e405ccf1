import type { ReactNode } from 'react'
import { useT } from '../i18n/i18n.ts'
import { DateText } from './date-text.tsx'
import type { Tone } from './status-chip.tsx'
import { unbroken } from './unbroken.tsx'

export interface TimelineItem {
  key: string
  at: string
  title: ReactNode
  /** Who did it. */
  by?: ReactNode
  detail?: ReactNode
  tone?: Tone
}

/** What happened, the newest first. */
export function Timeline({ items }: { items: TimelineItem[] }) {
  const t = useT('common')
  if (!items.length) return <p className="muted no-margin">{t('common:nothingYet')}</p>
  return (
    <ol className="timeline">
      {items.map((item) => (
        <li key={item.key} data-tone={item.tone ?? 'primary'}>
          <div className="timeline-head">
            <span className="strong">{unbroken(item.title)}</span>
            <span className="muted small">
              <DateText value={item.at} as="relative" />
            </span>
          </div>
          {item.by ? <div className="muted small">{item.by}</div> : null}
          {item.detail ? <div className="timeline-detail">{unbroken(item.detail)}</div> : null}
        </li>
      ))}
    </ol>
  )
}
