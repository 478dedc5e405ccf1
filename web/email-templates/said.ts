import type { ApiError } from '../core/api/error.ts'
import { useErrorText } from '../core/i18n/errors.ts'

/** What was refused, in the words of what is wrong, where no field stands for it. */
export function useFieldErrors(): (error: ApiError) => string {
  const say = useErrorText()
  return (error) => error.errors[0]?.message ?? say(error)
}
