import { inQuotes } from '../../../contract/core/sentences.ts'

export interface FieldProblem {
  path: string
  message: string
}

/** The one error of every call: what the failure envelope said, or what went wrong on the way. */
export class ApiError extends Error {
  /** Stable code of the API, or `NETWORK`, `TIMEOUT`, `UNEXPECTED`. */
  readonly error: string
  readonly responseCode: number
  readonly errors: FieldProblem[]
  readonly serviceData: unknown
  /** Finds the log line of a 5xx. */
  readonly requestId: string | null

  constructor(
    message: string,
    error = 'UNEXPECTED',
    responseCode = 500,
    more: { errors?: FieldProblem[]; serviceData?: unknown; requestId?: string | null; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'ApiError'
    this.error = error
    this.responseCode = responseCode
    this.errors = (more.errors ?? []).map(({ path, message: said }) => ({ path, message: inQuotes(said) }))
    this.serviceData = more.serviceData ?? null
    this.requestId = more.requestId ?? null
  }
}

/** The code of what never came to the server, or whose answer never came back. */
export const away = 'NETWORK'

/**
 * The server could not be reached, or was not able to answer: trying again may help, and
 * nothing says the user is at fault.
 */
export const isOutage = (error: unknown) =>
  error instanceof ApiError && (error.error === away || error.error === 'TIMEOUT' || error.responseCode === 503)

export const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(error instanceof Error ? error.message : String(error))
