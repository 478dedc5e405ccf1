import { asApiError, isOutage } from '../api/error.ts'
import { refusalOf, refusals, type Refusal } from '../api/refusals.ts'
import { phraseOr, useT } from './i18n.ts'

/** A fixed sentence in the language of the screen; in English it is the fixed one, letter for letter. */
export const refusalText = (code: Refusal): string => phraseOr(`errors:refusal.${code}`, refusals[code])

/** The sentence of a failure: the server's own where it said one, ours where it could not. */
export function useErrorText(): (error: unknown) => string {
  const t = useT('errors')
  return (failure) => {
    const error = asApiError(failure)
    if (error.error === 'TIMEOUT') return t('errors:timeout')
    if (error.error === 'NETWORK') return t('errors:network')
    if (error.error === 'MAINTENANCE') return error.message
    if (isOutage(error)) return t('errors:busy')
    const refusal = refusalOf(error.message)
    if (refusal) return refusalText(refusal)
    return error.message || t('errors:unexpected')
  }
}
