import type { ReactNode } from 'react'
import type { MaintenanceState } from '../api/connection.ts'
import { useFormat } from '../i18n/format.ts'
import { useT } from '../i18n/i18n.ts'
import { MessagePage } from './message-page.tsx'

/** The service is under maintenance: what is said about it, and until when. */
export function MaintenancePage({ state, actions }: { state: MaintenanceState; actions?: ReactNode }) {
  const t = useT('errors')
  const { dateTime } = useFormat()
  return (
    <MessagePage
      scene="maintenance"
      title={t('errors:maintenanceTitle')}
      text={state.message || t('errors:maintenanceText')}
      actions={actions}
    >
      {state.until ? <p className="muted">{t('errors:maintenanceUntil', { time: dateTime(state.until) })}</p> : null}
    </MessagePage>
  )
}
