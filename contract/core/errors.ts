/**
 * Every stable error code of the API, with the HTTP status it comes with and the English sentence used
 * when nothing better is said.
 */
export const errorCatalogue = {
  MALFORMED: [400, 'The request couldn’t be read.'],
  UNKNOWN_PARAMETER: [400, 'The request has an unknown parameter.'],
  NOT_AUTHENTICATED: [401, 'Please log in first.'],
  TOKEN_EXPIRED: [401, 'Your session has expired. Please log in again.'],
  LOGIN_FAILED: [401, 'Incorrect login or password.'],
  TWO_STEP_REQUIRED: [401, 'Enter the code from your authenticator app.'],
  TWO_STEP_FAILED: [401, 'Incorrect code, or it has already been used.'],
  TWO_STEP_SETUP: [403, 'Your role requires two-step login. Set it up first.'],
  LINK_DEAD: [410, 'This link has expired or has already been used.'],
  READ_ONLY: [403, 'You’re trying a role. You can’t change anything while you do.'],
  FORBIDDEN: [403, 'Insufficient permissions'],
  NOT_FOUND: [404, 'We can’t find that record.'],
  CONFLICT: [409, 'This conflicts with something already saved.'],
  STALE_VERSION: [409, 'Someone else changed this record while you were editing.'],
  INVALID_TRANSITION: [409, 'This isn’t possible in the current status.'],
  ALREADY_EXISTS: [409, 'This already exists.'],
  IDEMPOTENCY_REQUIRED: [400, 'This call needs an Idempotency-Key, so repeating it has only one effect.'],
  IDEMPOTENCY_MISMATCH: [422, 'This Idempotency-Key was already used for a different request.'],
  BALANCE_EXCEEDED: [409, 'This is more than the balance owing. Enter a smaller amount.'],
  PERIOD_LOCKED: [409, 'This period is locked. Use a later day, or ask for it to be unlocked.'],
  REFUND_EXCEEDED: [409, 'This is more than can be refunded. Enter a smaller amount.'],
  TOO_LARGE: [413, 'The request is too large.'],
  WRONG_TYPE: [415, 'This content type isn’t supported.'],
  VALIDATION_FAILED: [422, 'Please fix the highlighted fields.'],
  PAYMENT_DECLINED: [402, 'The payment was declined.'],
  PAYMENT_UNKNOWN: [202, 'The payment is processing. We’ll let you know when it settles.'],
  RATE_LIMITED: [429, 'Too many requests. Please wait a moment.'],
  INTERNAL: [500, 'Something went wrong on our side.'],
  OVERLOADED: [503, 'The service is busy. Please try again in a moment.'],
  MAINTENANCE: [503, 'The service is under maintenance. Please come back later.'],
  UNAVAILABLE: [503, 'The service is starting. Please try again in a moment.'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof errorCatalogue

/** One field that is wrong: `path` as in `lines.0.quantity`. */
export interface FieldError {
  path: string
  message: string
}

/** An error that is part of normal life: thrown anywhere, turned into the failure envelope in one place. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields: FieldError[]
  /** What `serviceData` of the failure carries, for example the current record of a stale version. */
  readonly data: unknown

  constructor(
    code: ErrorCode,
    message?: string,
    more: { fields?: FieldError[]; data?: unknown; cause?: unknown } = {},
  ) {
    super(message ?? errorCatalogue[code][1], more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.status = errorCatalogue[code][0]
    this.fields = more.fields ?? []
    this.data = more.data ?? null
  }
}

export const notFound = (message?: string) => new AppError('NOT_FOUND', message)
export const forbidden = (message?: string) => new AppError('FORBIDDEN', message)
export const conflict = (message: string) => new AppError('CONFLICT', message)
export const invalid = (path: string, message: string) =>
  new AppError('VALIDATION_FAILED', undefined, { fields: [{ path, message }] })
/** Refuses what was sent if any field of it is wrong. */
export function refuseFields(fields: FieldError[]): void {
  if (fields.length > 0) throw new AppError('VALIDATION_FAILED', undefined, { fields })
}
/** What another record is called already, said at the field it was entered in. */
export const alreadyExists = (path: string, message: string) =>
  new AppError('ALREADY_EXISTS', message, { fields: [{ path, message }] })
export const invalidTransition = (message: string) => new AppError('INVALID_TRANSITION', message)

/**
 * A change that was made on what is no longer the record. The present one is told, stripped
 * like any answer by its shape.
 */
export const stale = (shape: { parse(value: unknown): unknown }, current: unknown) =>
  new AppError('STALE_VERSION', undefined, { data: shape.parse(current) })
