import { Switch } from '@mantine/core'
import { actions } from '../../contract/explain.ts'
import { rolesApi, type Permission } from '../../contract/roles.ts'
import { pathTo } from '../../contract/nouns.ts'
import { actionText, conditionTexts, rightText, subjectText } from '../access/words.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { sentenceCase } from '../core/i18n/sentence-case.ts'
import { useT } from '../core/i18n/i18n.ts'
import { SearchChoice } from '../core/ui/search-choice.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { toast } from '../core/ui/toast.tsx'
import './roles.css'

/** What the rights of the role are looked through for. */
const filterOf = (subject: string) => encodeURIComponent(subject === 'all' ? '' : subject)

/** Switches a rule on and off where it stands. */
function EnabledSwitch({ rule }: { rule: Permission }) {
  const t = useT('roles', 'access')
  const text = useErrorText()
  const mayUpdate = useCan(rolesApi.updatePermission)
  const update = useWrite(rolesApi.updatePermission, {
    onSuccess: ({ permission }) =>
      toast.success(t(permission.enabled ? 'roles:permissions.switchedOn' : 'roles:permissions.switchedOff')),
    onError: (error) => toast.error(text(error)),
  })
  if (!mayUpdate) return <StatusChip status={rule.enabled ? 'enabled' : 'disabled'} />
  return (
    <Switch
      aria-label={t('roles:permissions.enabledOf', {
        right: rightText(rule.action, rule.subject),
        role: rule.roleName,
      })}
      checked={rule.enabled}
      disabled={update.isPending}
      onChange={(event) =>
        update.mutate({ guid: rule.guid, version: rule.version, enabled: event.currentTarget.checked })
      }
    />
  )
}

/** All rules of all roles. */
export function Page() {
  const t = useT('roles', 'access', 'common')
  const f = useFormat()
  const mayRoles = useCan(rolesApi.list)
  const mayOpen = useCan(rolesApi.get)
  const roles = useRead(rolesApi.list, { size: 100, sort: 'name' }, { enabled: mayRoles })
  const catalogue = useRead(rolesApi.catalogue, {}, { staleTime: Number.POSITIVE_INFINITY })
  const subjects = [
    ...new Set(['all', ...(catalogue.data?.items ?? []).flatMap((item) => [item.parent, item.subject])]),
  ].map((subject) => ({
    value: subject,
    label: subject === 'all' ? t('access:nouns.all') : `${subjectText(subject)} (${subject})`,
  }))
  return (
    <>
      <PageHeader title={t('roles:permissions.title')} subtitle={t('roles:permissions.subtitle')} />
      <DataTable
        op={rolesApi.permissions}
        label={t('roles:permissions.title')}
        searchPlaceholder={t('roles:permissions.search')}
        defaultSort="subject"
        defaultSize={25}
        columns={[
          {
            id: 'subject',
            header: t('roles:permissions.right'),
            sort: true,
            card: 'title',
            cell: (p) => (
              <>
                <span>
                  {p.subject === 'all'
                    ? `${actionText(p.action)} · ${t('access:nouns.all')}`
                    : rightText(p.action, p.subject)}
                </span>
                <code className="cell-sub">{`${p.action} ${p.subject}`}</code>
              </>
            ),
          },
          {
            id: 'effect',
            header: t('roles:rule.effect'),
            card: 'side',
            cell: (p) => (
              <StatusChip
                status={p.inverted ? 'denied' : 'allowed'}
                tone={p.inverted ? 'error' : 'success'}
                label={t(p.inverted ? 'access:effect.deny' : 'access:effect.allow')}
              />
            ),
          },
          {
            id: 'role',
            header: t('roles:list.name'),
            cell: (p) =>
              mayOpen ? (
                <AppLink to={`${pathTo('Roles', p.roleGuid)}?filter=${filterOf(p.subject)}`}>{p.roleName}</AppLink>
              ) : (
                p.roleName
              ),
          },
          {
            id: 'conditions',
            header: t('roles:permissions.conditions'),
            cell: (p) =>
              sentenceCase(conditionTexts(p.conditions, t, f).join(', ')) || (
                <span className="muted">{t('roles:permissions.always')}</span>
              ),
          },
          {
            id: 'priority',
            header: t('roles:rule.priority'),
            sort: true,
            align: 'end',
            cell: (p) => f.number(p.priority),
          },
          { id: 'note', header: t('roles:rule.note'), isHidden: true, cell: (p) => p.note },
          { id: 'enabled', header: t('roles:permissions.on'), cell: (p) => <EnabledSwitch rule={p} /> },
        ]}
        rowLabel={(p) => `${rightText(p.action, p.subject)}, ${p.roleName}`}
        filters={[
          ...(mayRoles
            ? [
                {
                  type: 'one' as const,
                  field: 'roleGuid',
                  label: t('roles:list.name'),
                  options: (roles.data?.items ?? []).map((role) => ({ value: role.guid, label: role.name })),
                },
              ]
            : []),
          {
            type: 'one',
            field: 'action',
            label: t('access:ask.action'),
            options: actions.map((action) => ({ value: action, label: actionText(action) })),
          },
          {
            type: 'own',
            field: 'subject',
            label: t('roles:matrix.subject'),
            render: (value, set) => (
              <SearchChoice
                key={value ?? ''}
                className="subject-filter"
                aria-label={t('roles:matrix.subject')}
                placeholder={t('roles:matrix.subject')}
                clearable
                data={subjects}
                value={value}
                onChange={set}
              />
            ),
          },
        ]}
        empty={{ title: t('roles:permissions.empty') }}
      />
    </>
  )
}
