import { places } from '../../contract/places.ts'
import './auth.css'
import { Button, Loader } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MessagePage } from '../core/layout/message-page.tsx'
import { takeTarget } from '../core/layout/target.ts'
import { AppLink } from '../core/ui/link.tsx'

/** "Please Wait": does what has to be done first, then goes on to the page that was wanted. */
export function WaitPage({
  text,
  failedTitle,
  work,
  hasLogin = false,
}: {
  text: string
  failedTitle?: string
  work: () => Promise<boolean>
  hasLogin?: boolean
}) {
  const t = useT('auth', 'errors')
  const sentence = useErrorText()
  const router = useRouter()
  const [error, setError] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(0)
  const go = useEffectEvent(async (isGone: () => boolean) => {
    try {
      const isReady = await work()
      if (isGone()) return
      const href = takeTarget()
      if (isReady) await router.navigate({ href, replace: true })
      else await router.navigate({ to: places.login, search: { to: href }, replace: true })
    } catch (failure) {
      if (!isGone()) setError(failure)
    }
  })
  useEffect(() => {
    let isGone = false
    void go(() => isGone)
    return () => {
      isGone = true
    }
  }, [attempt])
  if (error)
    return (
      <MessagePage
        scene="error"
        title={failedTitle ?? t('errors:awayTitle')}
        text={sentence(error)}
        actions={
          <>
            <Button
              onClick={() => {
                setError(null)
                setAttempt(attempt + 1)
              }}
            >
              {t('common:retry')}
            </Button>
            {hasLogin ? (
              <AppLink to={places.login} className="button-link quiet">
                {t('auth:wait.login')}
              </AppLink>
            ) : null}
          </>
        }
      />
    )
  return (
    <div className="wait-page" role="status">
      <Loader size="lg" />
      <h1 className="auth-title">{t('auth:wait.title')}</h1>
      <p className="auth-text">{text}</p>
    </div>
  )
}
