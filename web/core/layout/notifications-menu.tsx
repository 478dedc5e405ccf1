import { ActionIcon } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { notificationsApi, type Notification } from '../../../contract/notifications.ts'
import { useUser } from '../api/auth-state.ts'
import { readKey, useRead, useWrite } from '../api/hooks.ts'
import type { Answer } from '../api/types.ts'
import { useFormat } from '../i18n/format.ts'
import { useErrorText } from '../i18n/errors.ts'
import { phraseOr, useT } from '../i18n/i18n.ts'
import { DateText } from '../ui/date-text.tsx'
import { Dropdown } from '../ui/dropdown.tsx'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icons.ts'
import { AppLink } from '../ui/link.tsx'
import type { Tone } from '../ui/status-chip.tsx'
import { barButton } from './navbar-menus.tsx'

const shown = { size: 10, sort: '-createdAt' } as const

const looks: Record<Notification['kind'], { icon: IconName; tone: Tone }> = {
  'quote.accepted': { icon: 'check', tone: 'success' },
  'quote.declined': { icon: 'close', tone: 'error' },
  'quote.changes_requested': { icon: 'edit', tone: 'warning' },
  'payment.received': { icon: 'cash', tone: 'success' },
  'payment.failed': { icon: 'card', tone: 'error' },
  'message.failed': { icon: 'mail', tone: 'error' },
  'order.assigned': { icon: 'order', tone: 'primary' },
}

/** What happened that the user should know of; new ones come in live. */
export function NotificationsMenu() {
  const t = useT('shell')
  const list = useRead(notificationsApi.list, shown, { enabled: Boolean(useUser()) })
  const client = useQueryClient()
  const keep = (change: (before: Answer<typeof notificationsApi.list>) => Answer<typeof notificationsApi.list>) => client.setQueryData<Answer<typeof notificationsApi.list>>(readKey(notificationsApi.list, shown), (before) => before && change(before))
  const read = useWrite(notificationsApi.read, { onSuccess: ({ unread }, { guids }) => keep((before) => ({ ...before, unread, items: before.items.map((item) => (guids.includes(item.guid) ? { ...item, readAt: new Date().toISOString() } : item)) })) })
  const readAll = useWrite(notificationsApi.readAll, { onSuccess: () => keep((before) => ({ ...before, unread: 0 })) })
  const unread = list.data?.unread ?? 0
  const label = unread ? t('shell:notifications.some', { count: unread }) : t('shell:notifications.title')
  return (
    <>
      <Dropdown
        button={(props) => (
          <ActionIcon {...props} {...barButton} className="bell" aria-label={label} title={label}>
            <Icon name="bell" size={22} />
            {unread ? <span className="bell-count">{unread > 99 ? '99+' : unread}</span> : null}
          </ActionIcon>
        )}
      >
        {(close) => (
          <div className="notifications">
            <div className="row spread notifications-head">
              <h2 className="card-title">{t('shell:notifications.title')}</h2>
              {unread ? (
                <button type="button" className="link small" disabled={readAll.isPending} onClick={() => readAll.mutate({})}>
                  {t('shell:notifications.readAll')}
                </button>
              ) : null}
            </div>
            <List of={list} onOpen={(item) => { if (!item.readAt) read.mutate({ guids: [item.guid] }); close() }} />
          </div>
        )}
      </Dropdown>
      <span role="status" className="visually-hidden">
        {unread ? label : ''}
      </span>
    </>
  )
}

function List({ of: { data, error, refetch }, onOpen }: { of: ReturnType<typeof useRead<typeof notificationsApi.list>>; onOpen: (item: Notification) => void }) {
  const t = useT('shell', 'common')
  const text = useErrorText()
  if (error && !data)
    return (
      <div className="notifications-none">
        <p className="no-margin">{text(error)}</p>
        <button type="button" className="link" onClick={() => void refetch()}>
          {t('common:retry')}
        </button>
      </div>
    )
  if (!data) return <p className="notifications-none">{t('common:loading')}</p>
  if (!data.items.length) return <p className="notifications-none">{t('shell:notifications.none')}</p>
  return (
    <ul>
      {data.items.map((item) => (
        <li key={item.guid}>
          <Row item={item} onOpen={() => onOpen(item)} />
        </li>
      ))}
    </ul>
  )
}

function useSentence() {
  const t = useT('shell')
  const { money } = useFormat()
  return ({ kind, values }: Notification) => {
    const texts = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value ?? '']))
    const amount = typeof values.amountCents === 'number' ? money(values.amountCents) : ''
    return phraseOr(`shell:notify.${kind.replace('.', '_')}`, t('shell:notifications.title'), { ...texts, amount })
  }
}

function Row({ item, onOpen }: { item: Notification; onOpen: () => void }) {
  const t = useT('shell')
  const sentence = useSentence()
  const { icon, tone } = looks[item.kind]
  const note = item.values.note ?? item.values.reason
  return (
    <AppLink to={`/apps/${item.noun.toLowerCase()}/preview/${item.recordGuid}`} className="notification" onClick={onOpen}>
      <span className="notification-icon" data-tone={tone}>
        <Icon name={icon} size={18} />
      </span>
      <span className="notification-text">
        <span className={item.readAt ? '' : 'strong'}>{sentence(item)}</span>
        {note ? <span className="notification-note">{note}</span> : null}
        <span className="muted small">
          <DateText value={item.createdAt} as="relative" />
        </span>
      </span>
      {item.readAt ? null : (
        <span className="notification-new">
          <span className="visually-hidden">{t('shell:notifications.unread')}</span>
        </span>
      )}
    </AppLink>
  )
}
