import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { AuthFrame } from './auth-frame.tsx'

/** Passwords are set anew by an administrator; the same words for everybody say nothing about who is known here. */
export function Page() {
  const t = useT('auth')
  return (
    <AuthFrame title={t('auth:forgot.title')} text={t('auth:forgot.text')}>
      <ol className="auth-steps">
        <li>{t('auth:forgot.ask')}</li>
        <li>{t('auth:forgot.set')}</li>
        <li>{t('auth:forgot.change')}</li>
      </ol>
      <AppLink to="/login" className="button-link">
        {t('auth:forgot.back')}
      </AppLink>
    </AuthFrame>
  )
}
