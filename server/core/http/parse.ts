import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { AppError, type FieldError } from '../../../contract/core/errors.ts'
import type { Op } from '../../../contract/core/op.ts'
import { zodSentence } from '../../../contract/core/sentences.ts'

const deepest = 32
const quote = 34
const backslash = 92

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came: idempotency and webhook signatures are made over it. */
    rawBody: string
  }
}

/**
 * JSON is the one content type of the API. Depth and dangerous names are checked before anything looks at the value.
 */
export function acceptJson(app: FastifyInstance) {
  app.decorateRequest('rawBody', '')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    try {
      const text = String(body)
      request.rawBody = text
      done(null, text === '' ? undefined : parseJson(text))
    } catch (error) {
      done(error instanceof Error ? error : new AppError('MALFORMED'))
    }
  })
}

const forms = ['application/x-www-form-urlencoded', 'multipart/form-data']
const maxFormBytes = 4096

/** For the routes of a scope: a form is taken, too, and nothing of it is read. */
export function acceptForms(scope: FastifyInstance) {
  scope.addContentTypeParser(forms, { parseAs: 'string', bodyLimit: maxFormBytes }, (_request, _body, done) =>
    done(null, undefined),
  )
}

function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new AppError('MALFORMED', `The request is nested more than ${deepest} levels deep.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AppError('MALFORMED', 'The request body isn’t valid JSON.', { cause: error })
  }
  // An escape could spell a dangerous name without showing it.
  if (/__proto__|"constructor"|\\u/.test(text)) refuseDangerousNames(value)
  return value
}

function isTooDeep(text: string) {
  let depth = 0
  let isInText = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (isInText) {
      if (c === backslash) i++
      else if (c === quote) isInText = false
    } else if (c === quote) isInText = true
    else if (c === 123 || c === 91) {
      if (++depth > deepest) return true
    } else if (c === 125 || c === 93) depth--
  }
  return false
}

function refuseDangerousNames(value: unknown) {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (name === '__proto__' || (name === 'constructor' && typeof inner === 'object' && inner !== null))
      throw new AppError('MALFORMED', `"${name}" is not allowed in a request.`)
    refuseDangerousNames(inner)
  }
}

const guidSchema = z.guid()

/** Path parameters: a guid that is none names nothing, so it is answered like one that is not there. */
export function parseParams(params: Record<string, string>): Record<string, string> {
  const parsed: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    if (!/guid$/i.test(name)) {
      if (value.length > 200) throw new AppError('NOT_FOUND')
      parsed[name] = value
      continue
    }
    if (!guidSchema.safeParse(value).success) throw new AppError('NOT_FOUND')
    parsed[name] = value.toLowerCase()
  }
  return parsed
}

export function parseQuery(op: Op, query: unknown): Record<string, unknown> {
  const result = op.query.safeParse(query ?? {}, { error: zodSentence })
  if (result.success) return result.data as Record<string, unknown>
  const unknown = unknownNames(result.error)
  if (unknown.length > 0) throw unknownParameter(unknown)
  throw new AppError('MALFORMED', 'Check the request parameters.', { fields: fieldsOf(result.error) })
}

export function parseBody(op: Op, body: unknown): Record<string, unknown> {
  const result = op.body.safeParse(body ?? {}, { error: zodSentence })
  if (result.success) return result.data as Record<string, unknown>
  const fields = fieldsOf(result.error)
  const unknown = unknownNames(result.error)
  if (unknown.length > 0) throw unknownParameter(unknown)
  throw new AppError('VALIDATION_FAILED', undefined, { fields })
}

/** So many at most: whoever sends thousands of names is not sent them back. */
const maxUnknown = 10

function unknownParameter(names: string[]) {
  const told = names.slice(0, maxUnknown)
  const list = told.length < names.length ? `${told.join(', ')}, …` : told.join(', ')
  return new AppError('UNKNOWN_PARAMETER', `The request has an unknown parameter: ${list}.`, {
    fields: told.map((path) => ({ path, message: 'This field isn’t recognised.' })),
  })
}

const unknownNames = (error: z.ZodError) =>
  error.issues.flatMap((i) =>
    i.code === 'unrecognized_keys' ? i.keys.map((key) => [...i.path.map(String), key].join('.').slice(0, 100)) : [],
  )

/** One line per field; within a union the branch that came closest speaks. */
function fieldsOf(error: z.ZodError): FieldError[] {
  const fields = error.issues.flatMap((issue) => linesOf(issue, []))
  const seen = new Set<string>()
  return fields.filter(({ path }) => !seen.has(path) && seen.add(path)).slice(0, 100)
}

function linesOf(issue: z.core.$ZodIssue, before: PropertyKey[]): FieldError[] {
  const path = [...before, ...issue.path]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const closest = issue.errors.toSorted((a, b) => a.length - b.length || deepestOf(b) - deepestOf(a))[0] ?? []
    return closest.flatMap((inner) => linesOf(inner, path))
  }
  return [{ path: path.map(String).join('.'), message: issue.message }]
}
const deepestOf = (issues: readonly z.core.$ZodIssue[]) => Math.max(0, ...issues.map((i) => i.path.length))
