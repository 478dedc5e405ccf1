import { lazy, useState } from 'react'
import { rolesApi, type Role } from '../../contract/roles.ts'
import { usersApi } from '../../contract/users.ts'
import { pathTo, pathOf } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { BeginReads } from '../core/layout/route.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { readListAhead } from '../core/ui/table/list-state.ts'
import { whenOpen } from '../core/ui/when-open.tsx'
import './roles.css'

const NewRoleDialog = whenOpen(() => import('./role-dialogs.tsx').then((module) => module.NewRoleDialog))
const RolePeek = lazy(() => import('./role-peek.tsx').then((module) => ({ default: module.RolePeek })))

function KindChip({ role }: { role: Role }) {
  const t = useT('roles')
  if (role.archivedAt) return <StatusChip status="archived" />
  if (role.isSuper) return <StatusChip status="super" tone="primary" label={t('roles:isSuper')} />
  return (
    <StatusChip
      status={role.kind}
      tone={role.kind === 'guest' ? 'neutral' : 'info'}
      label={t(`roles:kinds.${role.kind}`)}
    />
  )
}

const list = { op: rolesApi.list, defaultSort: 'name', defaultSize: 25 }

export function Page() {
  const t = useT('roles', 'access', 'common')
  const f = useFormat()
  const mayCreate = useCan(rolesApi.create)
  const mayOpen = useCan(rolesApi.get)
  const mayUsers = useCan(usersApi.list)
  const [isAdding, setAdding] = useState(false)
  const people = (role: Role) =>
    role.userCount === 0 ? (
      <span className="muted">{t('roles:nobody')}</span>
    ) : mayUsers ? (
      <AppLink to={`${pathTo('Users')}?roleGuid=${role.guid}`}>{t('roles:people', { count: role.userCount })}</AppLink>
    ) : (
      t('roles:people', { count: role.userCount })
    )
  return (
    <>
      <PageHeader
        title={t('roles:list.title')}
        subtitle={t('roles:list.subtitle')}
        actions={
          <>
            <AppLink to={pathOf('Roles', 'compare')} className="button-link quiet">
              {t('roles:compare.action')}
            </AppLink>
            {mayCreate ? (
              <ActionButton icon="create" onClick={() => setAdding(true)}>
                {t('roles:create.title')}
              </ActionButton>
            ) : null}
          </>
        }
      />
      <DataTable
        {...list}
        label={t('roles:list.title')}
        searchPlaceholder={t('roles:list.search')}
        columns={[
          {
            id: 'name',
            header: t('roles:list.name'),
            sort: true,
            card: 'title',
            cell: (r) => (
              <>
                <span>{r.name}</span>
                {r.description ? <span className="cell-sub">{r.description}</span> : null}
              </>
            ),
          },
          { id: 'kind', header: t('roles:list.kind'), card: 'side', cell: (r) => <KindChip role={r} /> },
          {
            id: 'twoStep',
            header: t('roles:twoStep'),
            cell: (r) =>
              r.requiresTwoStep ? t('roles:list.required') : <span className="muted">{t('roles:list.optional')}</span>,
          },
          { id: 'ruleCount', header: t('roles:list.rules'), align: 'end', cell: (r) => f.number(r.ruleCount) },
          { id: 'userCount', header: t('roles:list.members'), align: 'end', cell: people },
          {
            id: 'createdAt',
            header: t('roles:list.created'),
            sort: true,
            isHidden: true,
            cell: (r) => <DateText value={r.createdAt} />,
          },
        ]}
        rowLabel={(r) => r.name}
        {...(mayOpen
          ? { rowLink: (r: Role) => pathTo('Roles', r.guid), peek: (r: Role) => <RolePeek guid={r.guid} /> }
          : {})}
        filters={[
          {
            type: 'one',
            field: 'kind',
            label: t('roles:list.kind'),
            options: [
              { value: 'staff', label: t('roles:kinds.staff') },
              { value: 'guest', label: t('roles:kinds.guest') },
            ],
          },
          {
            type: 'one',
            field: 'archived',
            label: t('roles:list.archived'),
            options: [{ value: 'true', label: t('roles:list.archivedOnly') }],
          },
        ]}
        empty={{ title: t('roles:list.empty') }}
      />
      {isAdding ? <NewRoleDialog onClose={() => setAdding(false)} /> : null}
    </>
  )
}

Page.beginReads = ((may, search) => readListAhead(may, list, search)) satisfies BeginReads
