import { useRouter } from '@tanstack/react-router'
import { rolesApi, type Role } from '../../contract/roles.ts'
import { useWrite } from '../core/api/hooks.ts'
import { forgetReads } from '../core/api/reads.ts'
import { loadPermissions } from '../core/api/session.ts'
import { useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/ui/toast.tsx'

/** From now on the session has the rights of the role, read only; the banner of the frame leads back. */
export function useTryRole(): (role: Pick<Role, 'guid'>) => Promise<unknown> {
  const t = useT('roles')
  const router = useRouter()
  const write = useWrite(rolesApi.startTrying, {
    onSuccess: async ({ trying }) => {
      await loadPermissions()
      forgetReads()
      toast.info(t('roles:tryStarted', { name: trying.name }))
      // The guard leads on to the first page the role may see.
      await router.navigate({ to: '/' })
    },
  })
  return (role) => write.mutateAsync({ guid: role.guid })
}
