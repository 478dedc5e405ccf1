import { rolesApi, type Role } from '../../contract/roles.ts'
import { usersApi } from '../../contract/users.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { NameCell } from '../core/ui/name-cell.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { Card } from '../core/ui/card.tsx'

/** Who has this role. */
export function RoleMembers({ role }: { role: Role }) {
  const t = useT('roles', 'people', 'common')
  const mayOpen = useCan(usersApi.get)
  return (
    <Card>
      <DataTable
        op={rolesApi.members}
        isEmbedded
        fixed={{ guid: role.guid }}
        label={t('roles:members.title')}
        defaultSort="name"
        columns={[
          {
            id: 'name',
            header: t('people:name'),
            sort: true,
            card: 'title',
            cell: (u) => <NameCell name={u.name || u.authID} sub={u.authID} />,
          },
          {
            id: 'status',
            header: t('people:status.label'),
            card: 'side',
            cell: (u) => <StatusChip status={u.status} ns="people" />,
          },
          {
            id: 'twoStep',
            header: t('people:twoStep'),
            cell: (u) => (u.hasTwoStep ? t('people:on') : <span className="muted">{t('people:off')}</span>),
          },
          {
            id: 'lastSeenAt',
            header: t('people:lastSeen'),
            cell: (u) =>
              u.lastSeenAt ? (
                <DateText value={u.lastSeenAt} as="relative" />
              ) : (
                <span className="muted">{t('people:never')}</span>
              ),
          },
        ]}
        rowLabel={(u) => u.name || u.authID}
        {...(mayOpen ? { rowLink: (u: { guid: string }) => pathTo('Users', u.guid) } : {})}
        empty={{
          title: t('roles:members.empty'),
          text: role.kind === 'guest' ? t('roles:members.guests') : t('roles:members.emptyText'),
        }}
      />
    </Card>
  )
}
