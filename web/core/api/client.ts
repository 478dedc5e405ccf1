import { hasBody, type Op } from '../../../contract/core/op.ts'
import { authHeaders } from './auth-state.ts'
import { ApiError } from './error.ts'
import { refuse } from './refusals.ts'
import { endSession, renewIfNeeded, renewOnce } from './session.ts'
import {
  errorOf,
  exchange,
  queryOf,
  readReply,
  textOf,
  type CallOptions,
  type Endpoint,
  type Reply,
} from './transport.ts'
import type { Answer, Payload } from './types.ts'

/**
 * Renews first when the token is over; when the answer is 401 all the same, renews once and
 * tries again, or ends the session.
 */
async function inSession<T extends { status: number }>(go: () => Promise<T>): Promise<T> {
  await renewIfNeeded()
  const wasAuthenticated = Boolean(authHeaders().Authorization)
  const reply = await go()
  if (reply.status !== 401 || !wasAuthenticated) return reply
  if (await renewOnce()) return go()
  endSession()
  return reply
}

const hasQuery = (endpoint: Endpoint) => endpoint.startsWith('GET ') || endpoint.startsWith('DELETE ')

function requestOf(
  endpoint: Endpoint,
  { guid, ...rest }: Record<string, unknown>,
  isInBody = !hasQuery(endpoint),
): { target: Endpoint; body: Record<string, unknown> | undefined } {
  const path = guid ? `/${encodeURIComponent(textOf(guid))}` : ''
  return isInBody
    ? { target: `${endpoint}${path}`, body: rest }
    : { target: `${endpoint}${path}${queryOf(rest)}` as Endpoint, body: undefined }
}

/**
 * The one client helper. A `guid` in the payload is appended to the path and removed from the body; GET and DELETE put
 * the rest in the query string, but for a DELETE that is told to put it `isInBody`. Answers below 500 are returned,
 * whatever they say; 500 and above, and failures on the way, are thrown as `ApiError`.
 */
export async function call(
  endpoint: Endpoint,
  payload: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Reply> {
  const { target, body } = requestOf(endpoint, payload, options.isInBody)
  const reply = await inSession(() => exchange(target, body, options, readReply))
  if (reply.status >= 500) throw errorOf(reply)
  return reply
}

/** An operation as the client helper takes it: its path without the parameter at its end, which goes into `guid`. */
export function addressed(
  op: Op,
  input: Record<string, unknown>,
): { endpoint: Endpoint; payload: Record<string, unknown> } {
  const [, path = op.path, name] = /^(.*)\/:(\w+)$/.exec(op.path) ?? []
  const endpoint = `${op.method} ${path}` as Endpoint
  if (name === undefined) return { endpoint, payload: input }
  const { [name]: guid, ...rest } = input
  if (guid === undefined || guid === null || guid === '') throw refuse('NO_GUID', 'VALIDATION_FAILED', 422)
  return { endpoint, payload: { ...rest, guid } }
}

const optionsFor = (op: Op, options: CallOptions): CallOptions => ({
  ...(op.timeoutMs === undefined ? {} : { timeoutMs: op.timeoutMs }),
  ...(op.method === 'DELETE' && hasBody(op) ? { isInBody: true } : {}),
  ...options,
})

/** `call` for an operation of the contract: typed in and out, every failure an `ApiError`. */
export async function request<O extends Op>(op: O, input: Payload<O>, options: CallOptions = {}): Promise<Answer<O>> {
  const { endpoint, payload } = addressed(op, input as Record<string, unknown>)
  const reply = await call(endpoint, payload, optionsFor(op, options))
  if (reply.status >= 400 || reply.data.error) throw errorOf(reply)
  return reply.data.serviceData as Answer<O>
}

const fileNameOf = (headers: Headers, fallback: string) => {
  const value = headers.get('Content-Disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(value)?.[1]
  return encoded ? decodeURIComponent(encoded) : (/filename="?([^";]+)"?/i.exec(value)?.[1] ?? fallback)
}

/** Runs an operation that answers a file. */
export async function fetchFile<O extends Op>(
  op: O,
  input: Payload<O>,
  options: CallOptions = {},
): Promise<{ blob: Blob; fileName: string }> {
  const { endpoint, payload } = addressed(op, input as Record<string, unknown>)
  const { target, body } = requestOf(endpoint, payload)
  const accept = op.produces ?? '*/*'
  const reply = await inSession(() =>
    exchange(target, body, { timeoutMs: 60_000, accept, ...options }, async (response) => {
      if (!response.ok) throw errorOf(await readReply(response))
      return { status: response.status, headers: response.headers, blob: await response.blob() }
    }).catch((error: unknown) => {
      if (error instanceof ApiError && error.responseCode === 401) return { status: 401, error }
      throw error
    }),
  )
  if ('error' in reply) throw reply.error
  return {
    blob: reply.blob,
    fileName: fileNameOf(reply.headers, op.produces === 'application/pdf' ? 'document.pdf' : 'export.csv'),
  }
}

/** Fetches a PDF or CSV with the session's headers and hands it to the browser as a download. */
export async function download<O extends Op>(op: O, input: Payload<O>, options: CallOptions = {}) {
  const { blob, fileName } = await fetchFile(op, input, options)
  const url = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
