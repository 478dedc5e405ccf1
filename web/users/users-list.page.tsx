import { lazy, useState } from 'react'
import { rolesApi } from '../../contract/roles.ts'
import { userStatuses, usersApi } from '../../contract/users.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { NameCell } from '../core/ui/name-cell.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { statusText } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { whenOpen } from '../core/ui/when-open.tsx'
import { UserStatusChip } from './person-head.tsx'
import { nameOfUser } from './user-words.ts'

const InviteDialog = whenOpen(() => import('./user-dialogs.tsx').then((module) => module.InviteDialog))
const NewUserDialog = whenOpen(() => import('./user-dialogs.tsx').then((module) => module.NewUserDialog))
const UserPeek = lazy(() => import('./user-peek.tsx').then((module) => ({ default: module.UserPeek })))
const list = { op: usersApi.list, defaultSort: 'name' }

/** The people who can log in: under Apps and under Setup alike. */
export function Page() {
  const t = useT('people', 'record', 'common')
  const [dialog, setDialog] = useState<'invite' | 'new' | null>(null)
  const mayAdd = useCan(usersApi.invite)
  const mayOpen = useCan(usersApi.get)
  const mayRoles = useCan(rolesApi.list)
  const roles = useRead(rolesApi.list, { size: 100, sort: 'name', kind: 'staff' }, { enabled: mayRoles })
  const roleOptions = (roles.data?.items ?? []).map((role) => ({ value: role.guid, label: role.name }))
  const never = <span className="muted">{t('people:never')}</span>
  return (
    <>
      <PageHeader
        title={t('people:list.title')}
        subtitle={t('people:list.subtitle')}
        actions={
          mayAdd && mayRoles ? (
            <>
              <ActionButton variant="default" icon="create" onClick={() => setDialog('new')}>
                {t('people:create.title')}
              </ActionButton>
              <ActionButton icon="invite" onClick={() => setDialog('invite')}>
                {t('people:invite.action')}
              </ActionButton>
            </>
          ) : null
        }
      />
      <DataTable
        {...list}
        exportOp={usersApi.export}
        label={t('people:list.title')}
        searchPlaceholder={t('people:list.search')}
        columns={[
          {
            id: 'name',
            header: t('people:name'),
            sort: true,
            grow: 2,
            card: 'title',
            cell: (u) => <NameCell name={nameOfUser(u)} sub={u.email || u.authID} />,
          },
          { id: 'authID', header: t('people:login'), sort: true, isHidden: true, cell: (u) => u.authID },
          { id: 'phone', header: t('people:phone'), isHidden: true, cell: (u) => u.phone },
          { id: 'role', header: t('people:role'), cell: (u) => u.roleName },
          {
            id: 'status',
            header: t('people:status.label'),
            card: 'side',
            cell: (u) => <UserStatusChip status={u.status} />,
          },
          {
            id: 'twoStep',
            header: t('people:twoStep'),
            cell: (u) => (u.hasTwoStep ? t('people:on') : <span className="muted">{t('people:off')}</span>),
          },
          {
            id: 'lastSeenAt',
            header: t('people:lastSeen'),
            sort: true,
            cell: (u) => (u.lastSeenAt ? <DateText value={u.lastSeenAt} as="relative" /> : never),
          },
          {
            id: 'createdAt',
            header: t('people:created'),
            sort: true,
            isHidden: true,
            cell: (u) => <DateText value={u.createdAt} />,
          },
        ]}
        rowLabel={nameOfUser}
        {...(mayOpen
          ? {
              rowLink: (u: { guid: string }) => pathTo('Users', u.guid),
              peek: (u: { guid: string }) => <UserPeek guid={u.guid} />,
            }
          : {})}
        filters={[
          {
            type: 'many',
            field: 'status',
            label: t('people:status.label'),
            options: userStatuses.map((status) => ({ value: status, label: statusText(status, 'people') })),
          },
          ...(mayRoles
            ? [{ type: 'one' as const, field: 'roleGuid', label: t('people:role'), options: roleOptions }]
            : []),
        ]}
        empty={{ title: t('people:list.empty') }}
      />
      {dialog === 'new' ? <NewUserDialog roles={roleOptions} onClose={() => setDialog(null)} /> : null}
      {dialog === 'invite' ? <InviteDialog roles={roles.data?.items ?? []} onClose={() => setDialog(null)} /> : null}
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
