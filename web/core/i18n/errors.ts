import { asApiError, isOutage } from '../api/error.ts'
import { refusalOf, refusals, type Refusal } from '../api/refusals.ts'
import { phraseOr, useT } from './i18n.ts'

/** A fixed sentence in the language of the screen; in English it is the fixed one, letter for letter. */
export const refusalText = (code: Refusal): string => phraseOr(`errors:refusal.${code}`, refusals[code])

/** What is wrong with each field, where none stands beside it that could say so; else the sentence of the failure. */
export function useWholeErrorText(): (error: unknown) => string {
  const text = useErrorText()
  return (failure) => {
    const said = [...new Set(asApiError(failure).errors.map(({ message }) => message))]
    return said.length > 0 ? said.join(' ') : text(failure)
  }
}

/** The sentence of a failure: the server's own where it said one, ours where it could not. */
export function useErrorText(): (error: unknown) => string {
  const t = useT('errors')
  return (failure) => {
    const error = asApiError(failure)
    if (error.error === 'TIMEOUT') return t('errors:timeout')
    if (error.error === 'NETWORK') return t('errors:unreached')
    if (error.error === 'MAINTENANCE') return error.message
    if (isOutage(error)) return t('errors:busy')
    const refusal = refusalOf(error.message)
    if (refusal) return refusalText(refusal)
    return error.message || t('errors:unexpected')
  }
}
