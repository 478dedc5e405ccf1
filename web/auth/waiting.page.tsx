import { authFlags } from '../core/api/auth-state.ts'
import { loadPermissions, renewOnce } from '../core/api/session.ts'
import { useT } from '../core/i18n/i18n.ts'
import { WaitPage } from './wait-page.tsx'

async function renew(): Promise<boolean> {
  const { isTokenExpired, isAuthenticated } = authFlags()
  if (!isAuthenticated) return false
  if (isTokenExpired && !(await renewOnce())) return false
  await loadPermissions()
  return true
}

/** Renews the session and what the role may do, then goes on to the page that was wanted. */
export function Page() {
  const t = useT('auth')
  return <WaitPage text={t('auth:wait.renewing')} work={renew} hasLogin />
}
