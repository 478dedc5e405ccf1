import { ApiError } from './error.ts'

/** What the guard and the session can object to, in the words that are fixed for it. */
export const refusals = {
  META_SUBJECT: 'Unable to find valid metaSubject',
  PERMISSION_SUBJECT: 'Unable find valid permissonSubject',
  SUBJECT_MISMATCH: 'Subject Mismatch',
  ENDPOINT_MISMATCH: 'Permission Endpoint Didnt Match Endpoint',
  NO_GUID: 'No GUID was found',
  GUEST_FAILED: 'Guest Authentication Failed',
  UNEXPECTED_FORMAT: 'Unexpected response format',
  INSUFFICIENT: 'Insufficient permissions',
} as const
export type Refusal = keyof typeof refusals

const codes = Object.keys(refusals) as Refusal[]

export const refuse = (code: Refusal, error = 'UNEXPECTED', responseCode = 500, more: { cause?: unknown } = {}) =>
  new ApiError(refusals[code], error, responseCode, more)

/** Which of the fixed sentences a message is; the screen says it in its own language. */
export const refusalOf = (message: string): Refusal | null => codes.find((code) => refusals[code] === message) ?? null
