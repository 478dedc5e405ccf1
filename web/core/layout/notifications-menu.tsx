import { ActionIcon } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { notificationsApi } from '../../../contract/notifications.ts'
import { useUser } from '../api/auth-state.ts'
import { readKey, useRead, useWrite } from '../api/hooks.ts'
import { greeting } from '../api/live.ts'
import type { Answer } from '../api/types.ts'
import { useT } from '../i18n/i18n.ts'
import { useStore } from '../store.ts'
import { Dropdown } from '../ui/dropdown.tsx'
import { Icon } from '../ui/icon.tsx'
import { barButton } from './navbar-menus.tsx'

/** Fetched when the menu is opened. */
const NotificationsList = lazy(() =>
  import('./notifications-list.tsx').then((module) => ({ default: module.NotificationsList })),
)

const shown = { size: 10, sort: '-createdAt' } as const

/** What happened that the user should know of; new ones come in live. */
export function NotificationsMenu() {
  const t = useT('shell', 'common')
  const { hasNews, unread: unreadAtFirst } = useStore(greeting)
  const [isWanted, setWanted] = useState(false)
  // How many there are was said when the live stream opened; which ones is asked when
  // somebody looks, or when one is new.
  const isNeeded = isWanted || hasNews
  const list = useRead(notificationsApi.list, shown, { enabled: Boolean(useUser()) && isNeeded })
  const client = useQueryClient()
  const keep = (change: (before: Answer<typeof notificationsApi.list>) => Answer<typeof notificationsApi.list>) =>
    client.setQueryData<Answer<typeof notificationsApi.list>>(
      readKey(notificationsApi.list, shown),
      (before) => before && change(before),
    )
  const read = useWrite(notificationsApi.read, {
    onSuccess: ({ unread }, { guids }) =>
      keep((before) => ({
        ...before,
        unread,
        items: before.items.map((item) =>
          guids.includes(item.guid) ? { ...item, readAt: new Date().toISOString() } : item,
        ),
      })),
  })
  const readAll = useWrite(notificationsApi.readAll, { onSuccess: () => keep((before) => ({ ...before, unread: 0 })) })
  const unread = list.data?.unread ?? unreadAtFirst
  const label = unread ? t('shell:notifications.some', { count: unread }) : t('shell:notifications.title')
  return (
    <>
      <Dropdown
        button={(props) => (
          <ActionIcon
            {...props}
            {...barButton}
            className="bell"
            aria-label={label}
            title={label}
            onClick={() => {
              setWanted(true)
              props.onClick()
            }}
          >
            <Icon name="bell" size={22} />
            {/* Drawn by the style sheet: two are one word in Arabic, so the name need not hold the figure. */}
            {unread ? <span className="bell-count" data-count={unread > 99 ? '99+' : unread} /> : null}
          </ActionIcon>
        )}
      >
        {(close) => (
          <div className="notifications">
            <div className="row spread notifications-head">
              <h2 className="card-title">{t('shell:notifications.title')}</h2>
              {unread ? (
                <button
                  type="button"
                  className="link small"
                  disabled={readAll.isPending}
                  onClick={() => readAll.mutate({})}
                >
                  {t('shell:notifications.readAll')}
                </button>
              ) : null}
            </div>
            <Suspense fallback={<p className="notifications-none">{t('common:loading')}</p>}>
              <NotificationsList
                of={list}
                onOpen={(item) => {
                  if (!item.readAt) read.mutate({ guids: [item.guid] })
                  close()
                }}
              />
            </Suspense>
          </div>
        )}
      </Dropdown>
      <span role="status" className="visually-hidden">
        {unread ? label : ''}
      </span>
    </>
  )
}
