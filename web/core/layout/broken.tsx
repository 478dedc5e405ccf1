import { Button } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { asApiError, isOutage } from '../api/error.ts'
import { maintenance } from '../api/connection.ts'
import { refusalOf } from '../api/refusals.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useT } from '../i18n/i18n.ts'
import { useStore } from '../store.ts'
import { MaintenancePage } from './maintenance.tsx'
import { MessagePage } from './message-page.tsx'

/** Outside every layout. */
export function BrokenApart(props: ErrorComponentProps) {
  return (
    <main id="main" className="blank">
      <Broken {...props} />
    </main>
  )
}

/** A page that fell over, or that could not be fetched. */
export function Broken({ error, reset }: ErrorComponentProps) {
  const t = useT('common', 'errors')
  const text = useErrorText()
  const router = useRouter()
  const state = useStore(maintenance)
  const retry = () => {
    reset()
    void router.invalidate()
  }
  const again = <Button onClick={retry}>{t('common:retry')}</Button>
  if (asApiError(error).error === 'MAINTENANCE')
    return <MaintenancePage state={state ?? { message: asApiError(error).message, until: null }} actions={again} />
  const isAway = isOutage(error)
  return (
    <ServerError
      title={isAway ? t('errors:awayTitle') : t('errors:brokenTitle')}
      text={isAway || refusalOf(asApiError(error).message) ? text(error) : t('errors:brokenText')}
      actions={
        <>
          {again}
          <Button variant="default" onClick={() => window.location.assign('/')}>
            {t('errors:backHome')}
          </Button>
        </>
      }
    />
  )
}

/** Something went wrong on the way to a page. */
export function ServerError({ title, text, actions }: { title: string; text: string; actions: ReactNode }) {
  return <MessagePage scene="error" title={title} text={text} actions={actions} />
}
