import { asApiError, isOutage } from '../api/error.ts'
import { useT } from './i18n.ts'

/** The sentence of a failure: the server's own where it said one, ours where it could not. */
export function useErrorText(): (error: unknown) => string {
  const t = useT('errors')
  return (failure) => {
    const error = asApiError(failure)
    if (error.error === 'TIMEOUT') return t('errors:timeout')
    if (error.error === 'NETWORK') return t('errors:network')
    if (isOutage(error)) return t('errors:busy')
    return error.message || t('errors:unexpected')
  }
}
