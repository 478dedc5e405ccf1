import { Button } from '@mantine/core'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { isOutage } from '../api/error.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useT } from '../i18n/i18n.ts'
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
  const retry = () => {
    reset()
    void router.invalidate()
  }
  const isAway = isOutage(error)
  return (
    <MessagePage
      scene="error"
      title={isAway ? t('errors:awayTitle') : t('errors:brokenTitle')}
      text={isAway ? text(error) : t('errors:brokenText')}
      actions={
        <>
          <Button onClick={retry}>{t('common:retry')}</Button>
          <Button variant="default" onClick={() => window.location.assign('/')}>
            {t('errors:backHome')}
          </Button>
        </>
      }
    />
  )
}
