import type { ReactNode } from 'react'
import { useT } from '../i18n/i18n.ts'
import { MessagePage } from './message-page.tsx'

/** The role does not allow it; names the permission that is missing. */
export function NotAuthorized({
  missing,
  actions,
}: {
  missing: { action: string; subject: string } | null
  actions: ReactNode
}) {
  const t = useT('errors')
  return (
    <MessagePage
      scene="lock"
      title={t('errors:refusal.INSUFFICIENT')}
      text={t('errors:notAuthorizedText')}
      actions={actions}
    >
      {missing ? <p className="muted small">{t('errors:missingPermission', missing)}</p> : null}
    </MessagePage>
  )
}
