import { Button, Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useLayoutEffect, useState, type ReactNode } from 'react'
import { asApiError } from '../api/error.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useT } from '../i18n/i18n.ts'
import { EmptyState } from './empty-state.tsx'
import { Icon } from './icon.tsx'

/** What the server says where it has nothing more to say than the heading does. */
const saidOfNothing = 'We can’t find that record.'

/** What went wrong, in a sentence, with a way to try again. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const t = useT('common', 'errors')
  const text = useErrorText()
  const { responseCode, requestId, message } = asApiError(error)
  // Where this is all there is on the page, it is the page's heading.
  const [isAlone, setAlone] = useState(false)
  useLayoutEffect(() => setAlone(document.querySelector('main h1') === null), [])
  const title =
    responseCode === 403
      ? t('errors:forbiddenTitle')
      : responseCode === 404
        ? t('errors:notFoundTitle')
        : t('errors:loadTitle')
  return (
    <div role="alert">
      <EmptyState
        isHeading={isAlone}
        scene={responseCode === 403 ? 'lock' : responseCode === 404 ? 'search' : 'error'}
        title={title}
        text={
          <>
            {responseCode === 404 && message === saidOfNothing ? t('errors:notFoundText') : text(error)}
            {requestId && responseCode >= 500 ? (
              <span className="small block">{t('errors:reference', { id: requestId })}</span>
            ) : null}
          </>
        }
        action={
          onRetry && responseCode !== 403 && responseCode !== 404 ? (
            <Button variant="light" leftSection={<Icon name="reload" size={18} />} onClick={onRetry}>
              {t('common:retry')}
            </Button>
          ) : null
        }
      />
    </div>
  )
}

/** Lines that stand in for content while it loads. */
export function LoadingLines({ lines = 6 }: { lines?: number }) {
  const t = useT('common')
  return (
    <div className="stack" role="status" aria-label={t('common:loading')}>
      {Array.from({ length: lines }, (_, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- the lines are all alike
        <Skeleton key={i} height={i === 0 ? 28 : 16} width={i === 0 ? '40%' : `${92 - ((i * 17) % 40)}%`} />
      ))}
    </div>
  )
}

/** Skeleton, error with retry, or the content of a read. */
export function Loaded<T>({
  of,
  children,
  lines,
}: {
  of: UseQueryResult<T>
  children: (data: T) => ReactNode
  lines?: number
}) {
  if (of.data !== undefined) return children(of.data)
  if (of.error) return <ErrorState error={of.error} onRetry={() => void of.refetch()} />
  return (
    <div className="card">
      <div className="card-body">
        <LoadingLines lines={lines ?? 8} />
      </div>
    </div>
  )
}
