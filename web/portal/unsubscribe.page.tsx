import './service.css'
import './unsubscribe.css'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { unsubscribeApi, type UnsubscribePage } from '../../contract/suppressions.ts'
import { asApiError } from '../core/api/error.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useGuid } from '../core/ui/params.ts'
import { Banner, Panel } from './parts.tsx'
import { ServiceGate } from './service-gate.tsx'

/** Where the last line of an offer leads: opening it ends nothing, since programs open links, too. */
export function Page() {
  const t = useT('service')
  const token = useGuid()
  const read = useRead(unsubscribeApi.shown, { token }, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <ServiceGate
      read={read}
      title={() => t('service:unsubscribe.title')}
      language={({ unsubscribing }) => unsubscribing.language}
    >
      {(page) => <View token={token} page={page} />}
    </ServiceGate>
  )
}

function View({ token, page }: { token: string; page: UnsubscribePage }) {
  const t = useT('service')
  const text = useErrorText()
  const [isDone, setDone] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const end = useWrite(unsubscribeApi.unsubscribe)
  const { business, unsubscribing } = page
  const { address } = unsubscribing
  const onEnd = async () => {
    setFailure(null)
    try {
      await end.mutateAsync({ token })
      setDone(true)
    } catch (error) {
      setFailure(text(asApiError(error)))
    }
  }
  return (
    <div className="service unsubscribe-page">
      <header>
        <strong>{business.name}</strong>
        <h1>{t('service:unsubscribe.title')}</h1>
      </header>
      {isDone || unsubscribing.isDone ? (
        <Banner tone="success" icon="check" title={t('service:unsubscribe.doneTitle')} takesFocus={isDone}>
          <p>{t('service:unsubscribe.done', { business: business.name })}</p>
        </Banner>
      ) : (
        <Panel>
          <p className="no-margin unsubscribe-words">
            {t('service:unsubscribe.address', { business: business.name, address })}
          </p>
          {failure ? (
            <p className="field-error" role="alert">
              {failure}
            </p>
          ) : null}
          <Button size="lg" fullWidth mt="lg" loading={end.isPending} onClick={() => void onEnd()}>
            {t('service:unsubscribe.button')}
          </Button>
        </Panel>
      )}
    </div>
  )
}
