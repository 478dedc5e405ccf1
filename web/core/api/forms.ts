import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { asApiError, type ApiError } from './error.ts'

/**
 * Puts the field errors of a failed save on the fields they belong to. What belongs to no field is under `root.server`;
 * `known` says whether the form has a field of that path (all when not given).
 */
export function applyServerErrors<T extends FieldValues>(
  failure: unknown,
  setError: UseFormSetError<T>,
  known: (path: string) => boolean = () => true,
): ApiError {
  const error = asApiError(failure)
  const rest: string[] = []
  let isFirst = true
  for (const { path, message } of error.errors) {
    if (!path || !known(path)) {
      rest.push(path ? `${path}: ${message}` : message)
      continue
    }
    setError(path as FieldPath<T>, { type: 'server', message }, { shouldFocus: isFirst })
    isFirst = false
  }
  if (rest.length || !error.errors.length)
    setError('root.server', { type: error.error, message: [error.message, ...rest].join(' ') })
  return error
}
