import { useMemo } from 'react'
import { rolesApi } from '../../contract/roles.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Loaded } from '../core/ui/states.tsx'
import { RightsTable } from './rights-table.tsx'
import { verdictsOf } from './verdicts.ts'

/** What the rules of a role come to. */
export function RoleRights({
  roleGuid,
  why,
}: {
  roleGuid: string
  why?: ((action: string, subject: string) => string) | undefined
}) {
  const t = useT('access')
  const role = useRead(rolesApi.get, { guid: roleGuid })
  const catalogue = useRead(rolesApi.catalogue, {}, { staleTime: Number.POSITIVE_INFINITY })
  const verdicts = useMemo(
    () =>
      role.data && catalogue.data
        ? verdictsOf(role.data.role.permissions, catalogue.data.items, role.data.role.kind)
        : [],
    [role.data, catalogue.data],
  )
  return (
    <Loaded of={role}>
      {({ role: { name } }) => (
        <Loaded of={catalogue}>
          {() => <RightsTable verdicts={verdicts} label={t('access:rightsOf', { name })} {...(why ? { why } : {})} />}
        </Loaded>
      )}
    </Loaded>
  )
}
