import { rolesApi } from '../../contract/roles.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useFormat } from '../core/i18n/format.ts'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { RolePeek } from './role-peek.tsx'
import './roles.css'

export function Page() {
  const t = useT('setup')
  const f = useFormat()
  return (
    <>
      <PageHeader title={t('setup:roles.title')} subtitle={t('setup:roles.subtitle')} />
      <DataTable
        op={rolesApi.list}
        label={t('setup:roles.title')}
        defaultSort="name"
        columns={[
          {
            id: 'name',
            header: t('setup:roles.name'),
            sort: true,
            card: 'title',
            cell: (r) => (
              <>
                <span className="strong">{r.name}</span>
                <span className="cell-sub">{r.description}</span>
              </>
            ),
          },
          { id: 'kind', header: t('setup:roles.kind'), card: 'side', cell: (r) => <StatusChip status={r.kind} tone={r.isSuper ? 'primary' : r.kind === 'guest' ? 'neutral' : 'info'} label={r.isSuper ? t('setup:roles.super') : r.kind === 'guest' ? t('setup:roles.guest') : t('setup:roles.staff')} /> },
          { id: 'ruleCount', header: t('setup:roles.rules'), align: 'end', cell: (r) => f.number(r.ruleCount) },
          {
            id: 'userCount',
            header: t('setup:roles.members'),
            align: 'end',
            cell: (r) =>
              r.userCount ? (
                <AppLink to={`/setup/users/list?roleGuid=${r.guid}`} className="link">
                  {t('setup:roles.people', { count: r.userCount })}
                </AppLink>
              ) : (
                <span className="muted">{t('setup:roles.nobody')}</span>
              ),
          },
        ]}
        rowLabel={(r) => r.name}
        peek={(r) => <RolePeek guid={r.guid} />}
        empty={{ title: t('setup:roles.empty') }}
      />
    </>
  )
}
