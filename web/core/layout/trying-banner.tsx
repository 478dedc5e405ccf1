import { useRouter } from '@tanstack/react-router'
import { rolesApi } from '../../../contract/roles.ts'
import type { TriedRole } from '../api/auth-state.ts'
import { useWrite } from '../api/hooks.ts'
import { forgetReads } from '../api/reads.ts'
import { loadPermissions } from '../api/session.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useT } from '../i18n/i18n.ts'
import { toast } from '../ui/toast.tsx'
import { bypassChecks } from './bypass.ts'

/** The product as another role sees it, read only, until the person has enough of it. */
export function TryingBanner({ role }: { role: TriedRole }) {
  const t = useT('shell')
  const text = useErrorText()
  const router = useRouter()
  const stop = useWrite(rolesApi.stopTrying, {
    onSuccess: async () => {
      const done = bypassChecks()
      await loadPermissions()
      forgetReads()
      await router.invalidate()
      done()
    },
    onError: (error) => toast.error(text(error)),
  })
  return (
    <div className="session-banner no-print" role="status">
      <span>{t('shell:trying.text', { name: role.name })}</span>
      <button type="button" className="link" disabled={stop.isPending} onClick={() => stop.mutate({})}>
        {t('shell:trying.stop')}
      </button>
    </div>
  )
}
