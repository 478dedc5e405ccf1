import { useState } from 'react'
import { authApi } from '../../contract/auth.ts'
import { rolesApi } from '../../contract/roles.ts'
import { useCan } from '../core/api/can.ts'
import { request } from '../core/api/client.ts'
import { queryClient, readKey, useRead } from '../core/api/hooks.ts'
import { loadPermissions } from '../core/api/session.ts'
import type { Answer } from '../core/api/types.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { SearchChoice } from '../core/ui/search-choice.tsx'
import './dev.css'

type Rule = Answer<typeof authApi.devPermissions>['permissions'][number]

/** The rules of a role as the database has them, and a way to make server and browser read them anew. */
export function Page() {
  const t = useT('dev', 'access')
  const errorText = useErrorText()
  const [roleGUID, setRole] = useState<string | null>(null)
  const [isReloading, setReloading] = useState(false)
  const maySeeRoles = useCan(rolesApi.list)
  const roles = useRead(rolesApi.list, { size: 100, sort: 'name' }, { enabled: maySeeRoles })
  const asked = roleGUID ? { roleGUID } : {}
  const read = useRead(authApi.devPermissions, asked, { keep: true })
  const reload = async () => {
    setReloading(true)
    try {
      queryClient.setQueryData(readKey(authApi.devPermissions, asked), await request(authApi.devReload, asked))
      await loadPermissions()
      toast.success(t('dev:permissions.reloaded'))
    } catch (error) {
      toast.error(errorText(error))
    } finally {
      setReloading(false)
    }
  }
  return (
    <>
      <PageHeader
        title={t('dev:permissions.title')}
        subtitle={t('dev:permissions.subtitle')}
        actions={
          <ActionButton icon="reload" loading={isReloading} onClick={() => void reload()}>
            {t('dev:permissions.reload')}
          </ActionButton>
        }
      />
      <Card>
        <div className="stack">
          {maySeeRoles ? (
            <SearchChoice
              className="dev-role"
              label={t('dev:permissions.role')}
              placeholder={t('dev:permissions.own')}
              clearable
              data={(roles.data?.items ?? []).map((role) => ({ value: role.guid, label: role.name }))}
              value={roleGUID}
              onChange={setRole}
            />
          ) : null}
          <Loaded of={read}>{({ permissions }) => <Rules rules={permissions} />}</Loaded>
        </div>
      </Card>
    </>
  )
}

function Rules({ rules }: { rules: readonly Rule[] }) {
  const t = useT('dev', 'access')
  const headings = ['subject', 'action', 'effect', 'conditions', 'priority', 'needs'] as const
  return (
    <div className="table-scroll" role="region" aria-label={t('dev:permissions.title')} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            {headings.map((name) => (
              <th key={name} scope="col">
                {t(`dev:permissions.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rules.map((rule, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the place is what tells two equal rules apart
            <tr key={index} data-off={!rule.enabled}>
              <td>
                <code dir="ltr">{rule.subject}</code>
              </td>
              <td>
                <code dir="ltr">{rule.action}</code>
              </td>
              <td>
                <StatusChip
                  status={rule.inverted ? 'denied' : 'allowed'}
                  tone={rule.enabled ? (rule.inverted ? 'error' : 'success') : 'neutral'}
                  label={t(
                    rule.enabled
                      ? rule.inverted
                        ? 'access:effect.deny'
                        : 'access:effect.allow'
                      : 'dev:permissions.off',
                  )}
                />
              </td>
              <td>{rule.conditions ? <code dir="ltr">{JSON.stringify(rule.conditions)}</code> : null}</td>
              <td className="end tabular">{rule.priority}</td>
              <td>
                {[
                  rule.apiGuidRequired && t('dev:permissions.apiGuid'),
                  rule.authorizationHeaderRequired && t('dev:permissions.authorization'),
                ]
                  .filter(Boolean)
                  .join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
