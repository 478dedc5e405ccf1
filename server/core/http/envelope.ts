import type { FastifyReply, FastifyRequest } from 'fastify'
import { inMilliseconds } from '../../../contract/core/common.ts'
import type { AppError } from '../../../contract/core/errors.ts'
import type { Language } from '../../../contract/core/languages.ts'
import { languageOf, sayIn } from '../i18n/sentences.ts'
import { toAppError } from './errors.ts'

/** Seconds a caller is asked to wait when nothing better is known. */
const defaultRetryAfter = 2

/** The success envelope as text; the data has gone through its response schema. */
export const success = (message: string, serviceData: unknown) =>
  JSON.stringify({ message, serviceData: serviceData ?? null })

/** In English when kept for a repeated request, which may come in another language: see `inLanguage`. */
export const failure = (error: AppError, requestId: string, language: Language = 'en') =>
  JSON.stringify(
    {
      message: sayIn(language, error.message),
      error: error.code,
      errors: error.fields.map(({ path, message }) => ({ path, message: sayIn(language, message) })),
      responseCode: error.status,
      serviceData: error.data ?? null,
      ...(error.status >= 500 ? { requestId } : {}),
    },
    (_, value: unknown) => (typeof value === 'string' ? inMilliseconds(value) : value),
  )

export const json = 'application/json; charset=utf-8'

/** The one place where a failure becomes an answer. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, thrown: unknown) {
  const error = toAppError(thrown)
  const cause = error.cause ?? (error.status >= 500 ? error : undefined)
  if (error.status >= 500 && error.code !== 'UNAVAILABLE')
    request.log.error({ err: cause }, `${error.code}: ${error.message}`)
  else if (cause) request.log.debug({ err: cause }, error.message)
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  if (error.status === 429 || error.status === 503) reply.header('retry-after', String(retryAfterOf(error)))
  // A half-read body would be taken for the next request.
  if (error.status === 413) reply.header('connection', 'close')
  return reply
    .code(error.status)
    .header('content-type', json)
    .send(failure(error, request.id, languageOf(request.headers['accept-language'])))
}

interface Told {
  message?: string
  errors?: { message: string }[]
  serviceData?: { results?: { message: string }[] } | null
}

const isToldIn = (body: string) => body.includes('"serviceData":{"results":[') || body.includes('"problems":[{')

/** A kept failure, the lines of a bulk deed, or what is wrong with a draft, in the language of the request. */
export function inLanguage(request: FastifyRequest, status: number, body: string): string {
  const language = languageOf(request.headers['accept-language'])
  if (language === 'en' || (status < 400 && !isToldIn(body))) return body
  const say = <T extends { message?: string }>(line: T): T =>
    typeof line?.message === 'string' ? { ...line, message: sayIn(language, line.message) } : line
  const told = JSON.parse(body, (name, value: unknown) =>
    name === 'problems' && Array.isArray(value) ? value.map(say) : value,
  ) as Told
  if (status >= 400) told.message = sayIn(language, told.message ?? '')
  for (const line of [...(told.errors ?? []), ...(told.serviceData?.results ?? [])])
    line.message = sayIn(language, line.message)
  return JSON.stringify(told)
}

const retryAfterOf = (error: AppError) => {
  const data = error.data
  return typeof data === 'object' &&
    data !== null &&
    'retryAfterSeconds' in data &&
    typeof data.retryAfterSeconds === 'number'
    ? data.retryAfterSeconds
    : defaultRetryAfter
}
