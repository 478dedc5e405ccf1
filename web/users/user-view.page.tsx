import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { rolesApi } from '../../contract/roles.ts'
import { usersApi, type User } from '../../contract/users.ts'
import { pathTo } from '../../contract/nouns.ts'
import { places } from '../../contract/places.ts'
import { ActivityList } from '../people/activity-list.tsx'
import { useMay } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { useGuid } from '../core/ui/params.ts'
import { Loaded, LoadingLines } from '../core/ui/states.tsx'
import { AvatarOfUser } from './avatar-of-user.tsx'
import { PersonHead, UserStatusChip } from './person-head.tsx'
import { RecordFrame } from '../record/record-frame.tsx'
import { useUserActions } from './user-actions.tsx'
import { UserForm } from './user-form.tsx'
import { UserSessions } from './user-sessions.tsx'
import { nameOfUser } from './user-words.ts'
import './users.css'

const RoleRights = lazy(() => import('../access/role-rights.tsx').then((module) => ({ default: module.RoleRights })))

type Shown = User & { avatar: string | null }

export function Page() {
  const id = useGuid()
  const read = useRead(usersApi.get, { guid: id })
  return <Loaded of={read}>{({ user }) => <View key={user.guid} user={user} />}</Loaded>
}

function View({ user }: { user: Shown }) {
  const t = useT('people', 'common')
  return (
    <RecordFrame
      noun="Users"
      title={nameOfUser(user)}
      subtitle={user.roleName}
      badge={<UserStatusChip status={user.status} />}
      listLabel={t('people:list.title')}
      {...useUserActions(user)}
      record={user}
    >
      <div className="user-layout">
        <div className="stack cards">
          <Facts user={user} />
        </div>
        <Parts user={user} />
      </div>
    </RecordFrame>
  )
}

function Facts({ user }: { user: Shown }) {
  const t = useT('people', 'common')
  const f = useFormat()
  const may = useMay()
  const never = <span className="muted">{t('people:never')}</span>
  const [openedAt] = useState(Date.now)
  const invitation = user.invitationExpiresAt
    ? Date.parse(user.invitationExpiresAt) > openedAt
      ? t('people:invite.until', { at: f.dateTime(user.invitationExpiresAt) })
      : t('people:invite.over')
    : null
  return (
    <Card>
      <div className="stack">
        <PersonHead user={user} hasStatus={false} />
        {may(usersApi.setAvatar) ? <AvatarOfUser user={user} /> : null}
        <KeyValueList
          items={[
            { label: t('people:login'), value: user.authID },
            { label: t('people:email'), value: user.email || null },
            { label: t('people:phone'), value: user.phone || null },
            {
              label: t('people:role'),
              value: may(rolesApi.get) ? (
                <AppLink to={pathTo('Roles', user.roleGuid)}>{user.roleName}</AppLink>
              ) : (
                user.roleName
              ),
            },
            { label: t('people:twoStep'), value: user.hasTwoStep ? t('people:on') : t('people:off') },
            {
              label: t('people:lastSeen'),
              value: user.lastSeenAt ? <DateText value={user.lastSeenAt} as="relative" /> : never,
            },
            {
              label: t('people:lastLogin'),
              value: user.lastLoginAt ? <DateText value={user.lastLoginAt} as="dateTime" /> : never,
            },
            { label: t('people:created'), value: <DateText value={user.createdAt} /> },
            { label: t('people:invite.label'), value: invitation, isHidden: invitation === null },
          ]}
        />
      </div>
    </Card>
  )
}

function Parts({ user }: { user: Shown }) {
  const t = useT('people', 'access')
  const may = useMay()
  const navigate = useNavigate()
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  const tabs = [
    { key: 'profile', isShown: may(usersApi.update), body: <UserForm first={user} /> },
    { key: 'sessions', isShown: may(usersApi.sessions), body: <UserSessions user={user} /> },
    { key: 'rights', isShown: may(rolesApi.get) && may(rolesApi.catalogue), body: <UserRights user={user} /> },
    { key: 'activity', isShown: true, body: <UserActivity guid={user.guid} /> },
  ] as const
  const offered = tabs.filter((entry) => entry.isShown)
  const shown = offered.find((entry) => entry.key === tab) ?? offered[0]
  return (
    <Tabs
      className="user-tabs"
      value={shown?.key ?? null}
      keepMounted={false}
      onChange={(key) => void navigate({ to: '.', search: { tab: key }, replace: true, resetScroll: false })}
    >
      <Tabs.List aria-label={nameOfUser(user)}>
        {offered.map(({ key }) => (
          <Tabs.Tab key={key} value={key}>
            {t(`people:tabs.${key}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {offered.map(({ key, body }) => (
        <Tabs.Panel key={key} value={key} className="tab-body">
          {body}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function UserRights({ user }: { user: User }) {
  const t = useT('people')
  const may = useMay()
  const why = may(rolesApi.explain)
    ? (action: string, subject: string) =>
        `${places.accessControl}?${new URLSearchParams({ who: 'user', guid: user.guid, action, subject }).toString()}`
    : undefined
  return (
    <Card title={t('people:rights.title', { role: user.roleName })}>
      <Suspense fallback={<LoadingLines />}>
        <RoleRights roleGuid={user.roleGuid} why={why} />
      </Suspense>
    </Card>
  )
}

function UserActivity({ guid }: { guid: string }) {
  const t = useT('people')
  const read = useRead(usersApi.activity, { guid })
  return (
    <Card title={t('people:activity')}>
      <Loaded of={read}>{({ items }) => <ActivityList items={items} hasNames />}</Loaded>
    </Card>
  )
}
