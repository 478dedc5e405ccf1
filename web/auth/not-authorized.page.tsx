import { Button } from '@mantine/core'
import { useRouter, useSearch } from '@tanstack/react-router'
import { places } from '../../contract/places.ts'
import { useUser } from '../core/api/auth-state.ts'
import { useT } from '../core/i18n/i18n.ts'
import { leave } from '../core/layout/leave.ts'
import { NotAuthorized } from '../core/layout/not-authorized.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { usePages } from '../core/layout/use-pages.ts'

/** What happened, which permission was missing, why, and a way back. */
export function Page() {
  const t = useT('auth', 'errors')
  const router = useRouter()
  const user = useUser()
  const { has } = usePages()
  const { subject, action } = useSearch({ strict: false }) as { subject?: string; action?: string }
  const missing =
    /^[\w:]{1,80}$/.test(subject ?? '') && /^\w{1,20}$/.test(action ?? '')
      ? { subject: subject ?? '', action: action ?? '' }
      : null
  return (
    <NotAuthorized
      missing={missing}
      actions={
        <>
          <AppLink to="/" className="button-link">
            {t('errors:backHome')}
          </AppLink>
          {missing && user && has(places.accessControl) ? (
            <AppLink
              to={`${places.accessControl}?action=${missing.action}&subject=${missing.subject}`}
              className="button-link quiet"
            >
              {t('auth:notAuthorized.why')}
            </AppLink>
          ) : null}
          <Button variant="default" onClick={() => void leave(router)}>
            {user ? t('auth:notAuthorized.login') : t('auth:login.submit')}
          </Button>
        </>
      }
    />
  )
}
