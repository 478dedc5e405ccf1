import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { deviceOf } from './device.ts'
import './people.css'

interface ShownSession {
  guid: string
  userAgent: string
  ip: string
  createdAt: string
  renewedAt: string
  renewableUntil: string
  isRemembered: boolean
  isCurrent?: boolean
}

export interface SessionListProps {
  sessions: readonly ShownSession[]
  onEnd: (guid: string) => void
  /** The one that is being ended. */
  busy: string | null
  empty: ReactNode
}

/** Where somebody is logged in, each with a way to end it. */
export function SessionList({ sessions, onEnd, busy, empty }: SessionListProps) {
  const t = useT('account', 'common')
  if (sessions.length === 0) return <p className="muted no-margin">{empty}</p>
  return (
    <ul className="session-list">
      {sessions.map((session) => {
        const { browser, system, isPhone } = deviceOf(session.userAgent)
        const name =
          browser && system
            ? t('account:sessions.device', { browser, system })
            : (browser ?? system ?? t('account:sessions.unknown'))
        return (
          <li key={session.guid}>
            <span className="session-icon">
              <Icon name={isPhone ? 'phone' : 'system'} size={20} />
            </span>
            <div className="session-text">
              <p className="no-margin">
                <span className="strong">{name}</span>{' '}
                {session.isCurrent ? (
                  <StatusChip status="current" tone="success" label={t('account:sessions.current')} />
                ) : null}
              </p>
              <p className="muted small no-margin">
                {session.ip} · {t('account:sessions.since')} <DateText value={session.createdAt} as="dateTime" /> ·{' '}
                {t('account:sessions.seen')} <DateText value={session.renewedAt} as="relative" />
                {session.isRemembered ? ` · ${t('account:sessions.remembered')}` : ''}
              </p>
            </div>
            {session.isCurrent ? null : (
              <Button
                variant="default"
                size="compact-md"
                loading={busy === session.guid}
                onClick={() => onEnd(session.guid)}
                aria-label={t('account:sessions.endNamed', { name })}
              >
                {t('account:sessions.end')}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
