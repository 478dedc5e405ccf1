import { apiRoot } from '../config.ts'
import { authHeaders, keepApiGuid } from './auth-state.ts'
import { businessHeader, businessHere, keepBusiness, workAnywhere } from './business.ts'
import { noteAnswer, noteMaintenance, type MaintenanceState } from './connection.ts'
import { ApiError, type FieldProblem } from './error.ts'
import { refuse } from './refusals.ts'
import { normalTimeoutMs, slowTimeoutMs, withTimeout } from './timeout.ts'

export type Endpoint = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`

export interface CallOptions {
  signal?: AbortSignal
  /** 10,000 when not said, 20,000 for jobs and metrics, `null` for a stream without end. */
  timeoutMs?: number | null
  /** Sent with a POST so that a repeated try has one effect. */
  idempotencyKey?: string
  /** The business it is for, where it is another than the window's. */
  business?: string | null
  accept?: string
  /** What is sent goes in the body, also of a DELETE. */
  isInBody?: boolean
  /** The browser may keep the bytes, and asks each time whether they are still right; else nothing is kept. */
  cache?: 'no-cache'
}

interface Envelope {
  message?: string
  error?: string
  errors?: FieldProblem[]
  serviceData?: unknown
  requestId?: string
}

export interface Reply {
  data: Envelope
  status: number
  headers: Headers
}

const isSlow = (path: string) => path.startsWith('/Cron/') || path.includes('/Metrics/')

/** One exchange with both auth headers; `read` takes what it needs from the answer inside the same time limit. */
export async function exchange<T>(
  endpoint: Endpoint,
  body: Record<string, unknown> | undefined,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const space = endpoint.indexOf(' ')
  const path = endpoint.slice(space + 1)
  const timeoutMs =
    options.timeoutMs === undefined ? (isSlow(path) ? slowTimeoutMs : normalTimeoutMs) : options.timeoutMs
  const headers: Record<string, string> = {
    Accept: options.accept ?? 'application/json',
    'Accept-Language': document.documentElement.lang || 'en',
    ...authHeaders(),
  }
  const business = options.business ?? businessHere()
  if (business && headers['Authorization']) headers[businessHeader] = business
  if (body) headers['Content-Type'] = 'application/json'
  if (options.idempotencyKey) headers['Idempotency-Key'] = options.idempotencyKey
  return withTimeout(timeoutMs, options.signal, async (signal) => {
    const response = await fetch(apiRoot + path, {
      method: endpoint.slice(0, space),
      headers,
      signal,
      credentials: 'omit',
      cache: options.cache ?? 'no-store',
      body: body ? JSON.stringify(body) : null,
    })
    noteAnswer(response.status)
    keepApiGuid(response.headers)
    if (!options.business) keepBusiness(response.headers)
    return read(response)
  })
}

function maintenanceOf({ message = '', serviceData }: Envelope): MaintenanceState {
  const state = serviceData as { maintenance?: { message?: string; until?: string | null } } | null | undefined
  return { message: state?.maintenance?.message || message, until: state?.maintenance?.until ?? null }
}

/** Reads the JSON envelope; an answer below 500 that is none is an error. */
export async function readReply(response: Response): Promise<Reply> {
  const text = await response.text()
  const { status, headers } = response
  try {
    const data = text ? (JSON.parse(text) as Envelope) : {}
    // One works there no longer: the window begins anew where one does.
    if (status === 403 && data.errors?.some(({ path }) => path === businessHeader)) {
      workAnywhere()
      location.reload()
    }
    if (data.error === 'MAINTENANCE') noteMaintenance(maintenanceOf(data))
    return { data, status, headers }
  } catch (cause) {
    if (status >= 500) return { data: {}, status, headers }
    throw refuse('UNEXPECTED_FORMAT', 'UNEXPECTED', 500, { cause })
  }
}

export function errorOf({ data, status, headers }: Reply): ApiError {
  return new ApiError(data.message ?? 'Server error', data.error ?? 'UNEXPECTED', status || 500, {
    errors: data.errors ?? [],
    serviceData: data.serviceData,
    requestId: headers.get('X-Request-Id') ?? data.requestId ?? null,
  })
}

/** A value as it stands in an address. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** The query string of a payload; what is not set is left out, lists are joined by commas. */
export function queryOf(payload: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(payload)) {
    if (value === undefined || value === null || value === '') continue
    query.set(key, Array.isArray(value) ? value.map(textOf).join(',') : textOf(value))
  }
  const text = query.toString()
  return text ? `?${text}` : ''
}
