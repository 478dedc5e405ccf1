import { useState } from 'react'
import { rolesApi } from '../../contract/roles.ts'
import { userStatuses, usersApi } from '../../contract/users.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { NameCell } from '../core/ui/name-cell.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip, statusText } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { NewUserDialog } from './user-dialogs.tsx'
import { UserPeek } from './user-peek.tsx'

export function Page() {
  const t = useT('setup', 'parts')
  const [isAdding, setAdding] = useState(false)
  const mayAdd = useCan(usersApi.create)
  const mayRoles = useCan(rolesApi.list)
  const roles = useRead(rolesApi.list, { size: 100, sort: 'name' }, { enabled: mayRoles })
  const roleOptions = (roles.data?.items ?? []).filter((role) => role.kind === 'staff').map((role) => ({ value: role.guid, label: role.name }))
  return (
    <>
      <PageHeader
        title={t('setup:users.title')}
        subtitle={t('setup:users.subtitle')}
        actions={
          mayAdd ? (
            <ActionButton icon="invite" onClick={() => setAdding(true)}>
              {t('setup:users.new')}
            </ActionButton>
          ) : null
        }
      />
      <DataTable
        op={usersApi.list}
        exportOp={usersApi.export}
        label={t('setup:users.title')}
        searchPlaceholder={t('setup:users.search')}
        defaultSort="name"
        columns={[
          { id: 'name', header: t('setup:users.name'), sort: true, card: 'title', cell: (u) => <NameCell name={u.name} sub={u.email || u.authId} /> },
          { id: 'authId', header: t('setup:users.login'), sort: true, isHidden: true, cell: (u) => u.authId },
          { id: 'phone', header: t('setup:users.phone'), isHidden: true, cell: (u) => u.phone },
          { id: 'role', header: t('setup:users.role'), cell: (u) => u.roleName },
          { id: 'status', header: t('setup:users.status'), card: 'side', cell: (u) => <StatusChip status={u.status} ns="setup" {...(u.status === 'suspended' || u.status === 'locked' ? { tone: 'error' } : {})} /> },
          { id: 'lastSeenAt', header: t('setup:users.lastSeen'), sort: true, cell: (u) => (u.lastSeenAt ? <DateText value={u.lastSeenAt} as="relative" /> : <span className="muted">{t('setup:users.never')}</span>) },
          { id: 'createdAt', header: t('setup:users.created'), sort: true, isHidden: true, cell: (u) => <DateText value={u.createdAt} /> },
        ]}
        rowLabel={(u) => u.name}
        peek={(u) => <UserPeek guid={u.guid} roles={roleOptions} />}
        filters={[
          { type: 'many', field: 'status', label: t('setup:users.status'), options: userStatuses.map((status) => ({ value: status, label: statusText(status, 'setup') })) },
          ...(mayRoles ? [{ type: 'one' as const, field: 'roleGuid', label: t('setup:users.role'), options: roleOptions }] : []),
        ]}
        empty={{ title: t('setup:users.empty') }}
      />
      {isAdding ? <NewUserDialog roles={roleOptions} onClose={() => setAdding(false)} /> : null}
    </>
  )
}
