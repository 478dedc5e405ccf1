import { Button } from '@mantine/core'
import { useRouter, useSearch } from '@tanstack/react-router'
import { logOut } from '../core/api/session.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MessagePage } from '../core/layout/message-page.tsx'
import { AppLink } from '../core/ui/link.tsx'

/** What happened, which permission was missing, and a way back. */
export function Page() {
  const t = useT('auth', 'errors')
  const router = useRouter()
  const { subject, action } = useSearch({ strict: false }) as { subject?: string; action?: string }
  const leave = async () => {
    await logOut()
    await router.navigate({ to: '/login', search: {} })
  }
  const isPlain = /^[\w:]{1,80}$/.test(subject ?? '') && /^\w{1,20}$/.test(action ?? '')
  return (
    <MessagePage
      scene="lock"
      title={t('auth:notAuthorized.title')}
      text={t('auth:notAuthorized.text')}
      actions={
        <>
          <AppLink to="/" className="button-link">
            {t('errors:backHome')}
          </AppLink>
          <Button variant="default" onClick={() => void leave()}>
            {t('auth:notAuthorized.login')}
          </Button>
        </>
      }
    >
      {isPlain ? <p className="muted small">{t('auth:notAuthorized.missing', { action, subject })}</p> : null}
    </MessagePage>
  )
}
