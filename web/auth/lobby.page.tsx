import { authFlags } from '../core/api/auth-state.ts'
import { enterAsGuest } from '../core/api/session.ts'
import { refusalText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { WaitPage } from './wait-page.tsx'

let entering: Promise<void> | null = null

async function enter(): Promise<boolean> {
  if (authFlags().isAuthenticated) return true
  entering ??= enterAsGuest().finally(() => {
    entering = null
  })
  await entering
  return true
}

/** Gets guest credentials, then goes on to the customer's page. */
export function Page() {
  const t = useT('auth')
  return <WaitPage text={t('auth:wait.lobby')} failedTitle={refusalText('GUEST_FAILED')} work={enter} />
}
