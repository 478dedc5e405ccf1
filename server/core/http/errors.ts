import { AbortedTransactionError } from 'kysely'
import { ZodError } from 'zod'
import { AppError, type ErrorCode } from '../../../contract/core/errors.ts'

/** What PostgreSQL says of a failed statement, as `pg` hands it on. */
export interface DatabaseFailure {
  code: string
  constraint?: string
  table?: string
  detail?: string
  message: string
}

const sqlState = /^[0-9A-Z]{5}$/

export const isDatabaseFailure = (error: unknown): error is DatabaseFailure =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  sqlState.test(error.code) &&
  'severity' in error

/** Code, sentence (or what makes it of what the database told) and the field it is said at. */
type ConstraintAnswer = readonly [ErrorCode, string | ((failure: DatabaseFailure) => string), field?: string]

/** The sentence for each named constraint that people can run into. Nouns add theirs when they are loaded. */
const constraintMessages: Record<string, ConstraintAnswer> = {
  roles_name_taken: ['ALREADY_EXISTS', 'A role with this name already exists.', 'name'],
  users_auth_id_taken: ['ALREADY_EXISTS', 'A user with this login already exists.', 'authID'],
  users_role: ['VALIDATION_FAILED', 'We can’t find that role.', 'roleGuid'],
  users_super_user_remains: ['CONFLICT', 'Keep at least one active super user.'],
}

/** For nouns: adds the sentences of their constraints. */
export const sayConstraints = (messages: Record<string, ConstraintAnswer>) =>
  Object.assign(constraintMessages, messages)

const ofConstraint = (failure: DatabaseFailure) => {
  const known = failure.constraint ? constraintMessages[failure.constraint] : undefined
  if (known) {
    const [code, said, path] = known
    const message = typeof said === 'string' ? said : said(failure)
    return new AppError(code, message, { fields: path ? [{ path, message }] : [], cause: failure })
  }
  if (failure.code === '23505') return new AppError('ALREADY_EXISTS', undefined, { cause: failure })
  if (failure.code === '23P01')
    return new AppError('CONFLICT', 'This overlaps with something already saved.', { cause: failure })
  if (failure.code === '23503')
    return new AppError('CONFLICT', 'This record is missing, or other records depend on it.', { cause: failure })
  return null
}

const serialization = ['40001', '40P01']
const busy = ['55P03', '57014', '53300', '53400', '25P03', '57P05', '55006']
const readOnly = '25006'
const lost = ['57P01', '57P02', '57P03', '08000', '08001', '08003', '08004', '08006']
const malformedValue = ['22P02', '22007', '22008', '22003', '22021', '22P05']

/** Whether running the same transaction again can succeed. */
export const isRetryable = (error: unknown): boolean =>
  (isDatabaseFailure(error) && serialization.includes(error.code)) ||
  (error instanceof AbortedTransactionError && isRetryable(error.cause))

/** Of a connection that cannot be made, and of one that breaks under a statement. */
const systemCodes: Record<string, string[]> = {
  connect: ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT', 'ENOTFOUND'],
  write: ['ECONNRESET', 'EPIPE'],
  read: ['ECONNRESET', 'ETIMEDOUT'],
}
const connectionTexts = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end',
  'driver has already been destroyed',
]

const isConnectionLoss = (error: Error) =>
  connectionTexts.some((text) => error.message.includes(text)) ||
  ('syscall' in error && 'code' in error && systemCodes[String(error.syscall)]?.includes(String(error.code)) === true)

const ofDatabase = (failure: DatabaseFailure): AppError | null => {
  if (serialization.includes(failure.code))
    return new AppError('CONFLICT', 'Someone else changed these records at the same time. Please try again.', {
      cause: failure,
    })
  if (failure.code === readOnly)
    return new AppError(
      'OVERLOADED',
      'Nothing can be saved at the moment: the database only allows reading. Please try again in a few minutes.',
      { cause: failure },
    )
  if (busy.includes(failure.code) || lost.includes(failure.code))
    return new AppError('OVERLOADED', undefined, { cause: failure })
  if (malformedValue.includes(failure.code))
    return new AppError('VALIDATION_FAILED', 'One of the values can’t be saved.', { cause: failure })
  return ofConstraint(failure)
}

/** Any failure as one that can be told: what is not known here is a 500 without details. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof AbortedTransactionError) return new AppError('CONFLICT', undefined, { cause: error })
  if (isDatabaseFailure(error)) return ofDatabase(error) ?? new AppError('INTERNAL', undefined, { cause: error })
  if (error instanceof ZodError) return new AppError('INTERNAL', undefined, { cause: error })
  if (error instanceof Error && isConnectionLoss(error)) return new AppError('OVERLOADED', undefined, { cause: error })
  if (error instanceof Error && 'statusCode' in error) return ofFramework(error, Number(error.statusCode))
  return new AppError('INTERNAL', undefined, { cause: error })
}

const frameworkCodes: Record<number, ErrorCode> = {
  400: 'MALFORMED',
  404: 'NOT_FOUND',
  413: 'TOO_LARGE',
  414: 'MALFORMED',
  415: 'WRONG_TYPE',
  429: 'RATE_LIMITED',
  431: 'TOO_LARGE',
  503: 'OVERLOADED',
}

const ofFramework = (error: Error, status: number) =>
  new AppError(frameworkCodes[status] ?? (status >= 400 && status < 500 ? 'MALFORMED' : 'INTERNAL'), undefined, {
    cause: error,
  })
