import type { ReactNode } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import './versions.css'

interface Version {
  guid: string
  number: number
  createdAt: string
  createdBy: string | null
}

interface VersionsProps<V extends Version> {
  versions: readonly V[]
  active: V | null
  /** The one that is shown elsewhere on the page. */
  seen?: string
  /** Said of it below its date. */
  note?: (version: V) => ReactNode
  /** What can be done with it; `before` is the one it follows. */
  actions: (version: V, before: V | undefined) => ReactNode
  /** Shown below it. */
  below?: (version: V, before: V | undefined) => ReactNode
  children?: ReactNode
}

/** Every version there is of a record, the newest first, and which of them is active. */
export function Versions<V extends Version>(props: VersionsProps<V>) {
  const { versions, active, seen, note, actions, below, children } = props
  const t = useT('record')
  return (
    <Card title={t('record:versions')}>
      <ul className="versions">
        {versions.map((one, i) => (
          <li key={one.guid} {...(seen === undefined ? {} : { 'aria-current': one.guid === seen })}>
            <div className="version">
              <div className="stack">
                <span className="row">
                  <strong>{t('record:version', { number: one.number })}</strong>
                  {one.guid === active?.guid ? <StatusChip status="active" /> : null}
                </span>
                <span className="muted small">
                  <DateText value={one.createdAt} as="dateTime" />
                  {one.createdBy ? ` · ${one.createdBy}` : ''}
                </span>
                {note?.(one)}
              </div>
              <div className="row">{actions(one, versions[i + 1])}</div>
            </div>
            {below?.(one, versions[i + 1])}
          </li>
        ))}
      </ul>
      {children}
    </Card>
  )
}
