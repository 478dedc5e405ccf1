import { Button } from '@mantine/core'
import { useT } from '../core/i18n/i18n.ts'
import { useQuoteErrorText } from './accept-panel.tsx'
import { useWholeErrorText } from '../core/i18n/errors.ts'
import type { Requests } from './use-requests.ts'

/** What waits to be sent, in reach wherever the customer reads; nothing while there is nothing. */
export function RequestsBar({ requests }: { requests: Requests }) {
  const t = useT('service')
  const text = useQuoteErrorText()
  const whole = useWholeErrorText()
  const { drafts, error } = requests
  if (drafts.length === 0)
    return error ? (
      <p className="field-error no-print" role="alert">
        {text(error)}
      </p>
    ) : null
  return (
    <section className="requests-bar no-print" aria-label={t('service:asks.bar')}>
      <div>
        <span className="strong">{t('service:asks.drafts', { count: drafts.length })}</span>
        {error ? (
          <span className="field-error" role="alert">
            {error.error === 'VALIDATION_FAILED' ? whole(error) : text(error)}
          </span>
        ) : (
          <span className="muted small">
            {t(requests.hasChoice ? 'service:asks.barMoved' : 'service:asks.barHint', { count: drafts.length })}
          </span>
        )}
      </div>
      <Button onClick={requests.send} loading={requests.isSending}>
        {t('service:asks.send', { count: drafts.length })}
      </Button>
    </section>
  )
}
