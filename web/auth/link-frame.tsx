import { Alert, Button, Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { places } from '../../contract/places.ts'
import { asApiError } from '../core/api/error.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { AuthFrame } from './auth-frame.tsx'
import type { LinkState } from './link-token.ts'

/** While the link is looked at, and when it no longer works. */
export function LinkFrame<T>({
  link,
  deadTitle,
  again,
  children,
}: {
  link: LinkState<T> & { retry: () => void }
  deadTitle: string
  again: ReactNode
  children: (data: T) => ReactNode
}) {
  const t = useT('auth', 'common')
  const text = useErrorText()
  if (link.data) return children(link.data)
  if (!link.error)
    return (
      <div className="wait-page" role="status" aria-label={t('common:loading')}>
        <Loader size="lg" />
      </div>
    )
  const isDead = asApiError(link.error).responseCode < 500
  return (
    <AuthFrame
      title={isDead ? deadTitle : t('errors:awayTitle')}
      text={isDead ? t('auth:link.dead') : text(link.error)}
    >
      {isDead ? again : <Button onClick={link.retry}>{t('common:retry')}</Button>}
      <AppLink to={places.login} className="link auth-back">
        {t('auth:forgot.back')}
      </AppLink>
    </AuthFrame>
  )
}

export const problemOf = (failure: unknown, path: string): string | null =>
  asApiError(failure).errors.find((problem) => problem.path === path)?.message ?? null

export function FormProblem({ error }: { error: unknown }) {
  const text = useErrorText()
  if (!error) return null
  const { errors } = asApiError(error)
  return (
    <Alert color="red" variant="light" role="alert">
      {errors.length ? errors.map((problem) => `${problem.path} ${problem.message}`).join(', ') : text(error)}
    </Alert>
  )
}
