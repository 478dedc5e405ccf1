import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from './cards.ts'

const maxBodyBytes = 64 * 1024

export interface Request {
  query: URLSearchParams
  params: string[]
  headers: IncomingMessage['headers']
  /** The JSON object sent; empty for a GET. */
  body: Record<string, unknown>
  res: ServerResponse
}

export interface Route {
  method: 'GET' | 'POST'
  /** Parentheses become `params`. */
  path: RegExp
  /** `secret` wants the secret key, `open` nothing, `local` refuses browsers of other pages. */
  access: 'secret' | 'open' | 'local'
  /** Answers by itself, or with what is returned as JSON. */
  run: (request: Request) => Promise<{ status: number; body: unknown } | undefined>
}

const plainHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  if (res.headersSent || res.destroyed) return
  const text = JSON.stringify(body)
  res.writeHead(status, {
    ...plainHeaders,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  res.end(text)
}

export function sendPage(res: ServerResponse, html: string, ancestors: readonly string[]): void {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors.join(' ') || "'none'"}`,
  ]
  res.writeHead(200, {
    ...plainHeaders,
    'content-security-policy': policy.join('; '),
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(html),
  })
  res.end(html)
}

export function sendFile(res: ServerResponse, type: string, bytes: Buffer): void {
  res.writeHead(200, {
    ...plainHeaders,
    'cache-control': 'public, max-age=300',
    'content-type': type,
    'content-length': bytes.length,
    'cross-origin-resource-policy': 'cross-origin',
  })
  res.end(bytes)
}

async function readBody(req: IncomingMessage): Promise<Record<string, unknown>> {
  if (!/^application\/json\b/i.test(req.headers['content-type'] ?? ''))
    throw new Refusal(415, 'wrong_type', 'The body must be application/json.')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) throw new Refusal(413, 'too_large', 'The body is too large.')
    chunks.push(chunk)
  }
  let body: unknown
  try {
    body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}')
  } catch {
    throw new Refusal(400, 'malformed', 'The body is no JSON.')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal(400, 'malformed', 'The body must be a JSON object.')
  return body as Record<string, unknown>
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

function checkAccess(route: Route, req: IncomingMessage, secretKey: string): void {
  if (route.access === 'secret') {
    const given = /^Bearer (.{1,500})$/.exec(req.headers.authorization ?? '')?.[1] ?? ''
    if (!timingSafeEqual(sha256(given), sha256(secretKey)))
      throw new Refusal(401, 'not_authenticated', 'The secret key is missing or wrong.')
  }
  if (
    route.access === 'local' &&
    (req.headers.origin !== undefined ||
      !['none', undefined].includes(req.headers['sec-fetch-site'] as string | undefined))
  )
    throw new Refusal(403, 'forbidden', 'This is not for browsers.')
}

/** Anyone may make tokens from his own page; everything else stays within the provider's origin. */
function cors(path: string, res: ServerResponse): void {
  if (path !== '/v1/tokens') return
  res.setHeader('access-control-allow-origin', '*')
  res.setHeader('access-control-allow-methods', 'POST')
  res.setHeader('access-control-allow-headers', 'content-type, authorization')
  res.setHeader('access-control-max-age', '600')
}

/** Finds the route, reads the body, and turns everything that goes wrong into a sentence. */
export function makeHandler(routes: readonly Route[], secretKey: string, log: (error: unknown) => void) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    try {
      const url = URL.parse(req.url ?? '/', 'http://sandbox')
      if (!url || (req.url?.length ?? 0) > 4000) throw new Refusal(400, 'malformed', 'The address is not right.')
      cors(url.pathname, res)
      if (req.method === 'OPTIONS') return void res.writeHead(204, plainHeaders).end()
      const matching = routes.filter((r) => r.path.test(url.pathname))
      const route = matching.find((r) => r.method === (req.method === 'HEAD' ? 'GET' : req.method))
      if (!route)
        throw matching.length > 0
          ? new Refusal(405, 'wrong_method', 'This method is not possible here.')
          : new Refusal(404, 'not_found', 'There’s nothing at this address.')
      checkAccess(route, req, secretKey)
      const body = route.method === 'POST' ? await readBody(req) : {}
      const answer = await route.run({
        query: url.searchParams,
        params: route.path.exec(url.pathname)?.slice(1) ?? [],
        headers: req.headers,
        body,
        res,
      })
      if (answer) sendJson(res, answer.status, answer.body)
    } catch (error) {
      if (error instanceof Refusal) {
        if (error.status === 413) res.setHeader('connection', 'close')
        return sendJson(res, error.status, { error: error.code, message: error.message, field: error.field })
      }
      log(error)
      sendJson(res, 500, { error: 'internal', message: 'Something went wrong in the sandbox.', field: null })
    }
  }
}
