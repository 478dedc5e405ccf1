import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { filesApi } from '../../../contract/files.ts'
import { suppressionsApi } from '../../../contract/suppressions.ts'

interface Seen {
  method: string
  url: string
  body: string
  headers: IncomingMessage['headers']
}
type Respond = (seen: Seen) => { status: number; body: unknown; headers?: Record<string, string> }

const seen: Seen[] = []
let respond: Respond = () => ({ status: 200, body: {} })
let server: Server
const guid = '0190a0b0-0000-7000-8000-000000000001'
const visitor = '0190a0b0-0000-7000-8000-0000000000aa'

const token = (secondsLeft: number, isUser = true) => {
  const payload = {
    roleGUID: guid,
    exp: Math.floor(Date.now() / 1000) + secondsLeft,
    isRenewAllowed: true,
    ...(isUser ? { userData: { guid, name: 'Zoë' } } : {}),
  }
  return `Bearer x.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.y`
}
const headersWith = (secondsLeft: number) => ({ headers: { authorization: token(secondsLeft), 'x-api-guid': visitor } })
const calls = (path: string) => seen.filter((call) => call.url.startsWith(`/api/v2${path}`))

/** The browser's part: a page to read settings from, and addresses that are relative to it. */
async function openBrowser() {
  vi.stubGlobal('document', { querySelector: () => null, hidden: false, documentElement: { lang: 'en' } })
  vi.stubGlobal('window', { addEventListener: () => undefined, removeEventListener: () => undefined })
  vi.stubGlobal('localStorage', undefined)
  const { port } = server.address() as AddressInfo
  const realFetch = globalThis.fetch
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => realFetch(`http://127.0.0.1:${port}${path}`, init))
  return {
    ...(await import('./client.ts')),
    ...(await import('./session.ts')),
    ...(await import('./auth-state.ts')),
    ...(await import('./error.ts')),
  }
}
let web: Awaited<ReturnType<typeof openBrowser>>

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const call = { method: request.method ?? '', url: request.url ?? '', body, headers: request.headers }
      seen.push(call)
      const answer = respond(call)
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'X-API-GUID': visitor,
        ...answer.headers,
      })
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  web = await openBrowser()
})
afterAll(() => {
  server.close()
  vi.unstubAllGlobals()
})
beforeEach(() => {
  seen.length = 0
  web.clearAuth()
})

test('a guid goes to the end of the path, the rest of a GET into the query, and of a POST into the body', async () => {
  respond = () => ({ status: 200, body: { message: 'OK', serviceData: {} } })
  await web.call('GET /Orders', { guid, search: 'a b', size: 10, status: ['sent', 'paid'], page: undefined })
  await web.call('POST /Quotes/Send', { guid, version: 3 })
  expect(seen[0]?.url).toBe(`/api/v2/Orders/${guid}?search=a+b&size=10&status=sent%2Cpaid`)
  expect([seen[1]?.url, seen[1]?.body]).toEqual([`/api/v2/Quotes/Send/${guid}`, '{"version":3}'])
})

test('what a DELETE takes goes into the body or the query, as its operation has it', async () => {
  respond = () => ({ status: 200, body: { message: 'OK', serviceData: {} } })
  await web.request(suppressionsApi.lift, { guid, reason: 'Confirmed by phone' })
  await web.request(filesApi.detach, { guid, version: 3 })
  expect([seen[0]?.url, seen[0]?.body]).toEqual([
    `/api/v2/Messages/Suppressions/${guid}`,
    '{"reason":"Confirmed by phone"}',
  ])
  expect([seen[1]?.url, seen[1]?.body]).toEqual([`/api/v2/Files/Attachments/${guid}?version=3`, ''])
})

test('the API guid of every answer is kept and sent, and both headers once there is a session', async () => {
  respond = () => ({ status: 200, body: {} })
  await web.call('GET /Orders')
  expect(seen[0]?.headers['x-api-guid']).toBeUndefined()
  web.keepHeaders(headersWith(600).headers)
  await web.call('GET /Orders')
  expect([seen[1]?.headers['x-api-guid'], seen[1]?.headers.authorization]).toEqual([
    visitor,
    expect.stringContaining('Bearer'),
  ])
})

test('answers below 500 are returned, 500 and above are thrown with what the server said', async () => {
  respond = () => ({ status: 404, body: { message: 'We can’t find that record.', error: 'NOT_FOUND' } })
  expect((await web.call('GET /Orders')).status).toBe(404)
  respond = () => ({
    status: 500,
    body: { message: 'Something went wrong on our side.', error: 'INTERNAL' },
    headers: { 'X-Request-Id': 'r1' },
  })
  await expect(web.call('GET /Orders')).rejects.toMatchObject({
    message: 'Something went wrong on our side.',
    error: 'INTERNAL',
    responseCode: 500,
    requestId: 'r1',
    errors: [],
  })
})

test('an answer that is no JSON is an error', async () => {
  respond = () => ({ status: 200, body: '<html>' })
  await expect(web.call('GET /Orders')).rejects.toMatchObject({
    message: 'Unexpected response format',
    responseCode: 500,
  })
})

test('however many calls meet an expired token, it is renewed once, before they are sent', async () => {
  web.keepHeaders(headersWith(-5).headers)
  respond = ({ url }) => ({ status: 200, body: { serviceData: url.endsWith('/Renew') ? headersWith(900) : {} } })
  await Promise.all([web.call('GET /Orders'), web.call('GET /Quotes'), web.call('GET /Invoices')])
  expect(calls('/Kernal/Auth/Renew')).toHaveLength(1)
  expect(seen[0]?.url).toBe('/api/v2/Kernal/Auth/Renew')
  expect(web.authFlags()).toMatchObject({ isAuthenticated: true, isUser: true, isTokenExpired: false })
})

test('a refused renewal ends the session', async () => {
  web.keepHeaders(headersWith(-5).headers)
  respond = ({ url }) => ({
    status: 401,
    body: { message: 'Please log in first.', error: url.endsWith('/Renew') ? 'TOKEN_EXPIRED' : 'NOT_AUTHENTICATED' },
  })
  expect((await web.call('GET /Orders')).status).toBe(401)
  expect(calls('/Kernal/Auth/Renew')).toHaveLength(1)
  expect(web.authFlags()).toMatchObject({ isAuthenticated: false, isUser: false, isGuest: false })
})

test('a busy server never logs anybody out', async () => {
  web.keepHeaders(headersWith(-5).headers)
  respond = () => ({ status: 503, body: { message: 'The service is busy.', error: 'OVERLOADED' } })
  await expect(web.call('GET /Orders')).rejects.toMatchObject({ responseCode: 503 })
  expect(web.authFlags().isAuthenticated).toBe(true)
})

test('a token that the server no longer knows is renewed once and the call repeated', async () => {
  web.keepHeaders(headersWith(600).headers)
  respond = ({ url }) => {
    if (url.endsWith('/Renew')) return { status: 200, body: { serviceData: headersWith(900) } }
    return calls('/Orders').length === 1
      ? { status: 401, body: { error: 'TOKEN_EXPIRED' } }
      : { status: 200, body: { serviceData: { items: [] } } }
  }
  expect((await web.call('GET /Orders')).status).toBe(200)
  expect(calls('/Orders')).toHaveLength(2)
})

test('a visitor becomes a guest: first the API guid, then credentials, then what a guest may do', async () => {
  const guest = { headers: { Authorization: token(600, false), 'X-Api-Guid': visitor } }
  respond = ({ url }) =>
    url.endsWith('/Guests/Auth')
      ? { status: 201, body: { serviceData: guest } }
      : { status: 200, body: { serviceData: { permissions: [] } } }
  await web.enterAsGuest()
  expect(seen.map((call) => call.url.replace('/api/v2/Kernal/', ''))).toEqual([
    'Auth/Roles/Permissions',
    'Guests/Auth',
    `Auth/Roles/Permissions/${guid}`,
  ])
  expect(seen[1]?.headers['x-api-guid']).toBe(visitor)
  expect(web.authFlags()).toMatchObject({ isAuthenticated: true, isGuest: true, isUser: false })
})

test('permissions in an unexpected form clear the session', async () => {
  web.keepHeaders(headersWith(600).headers)
  respond = () => ({ status: 200, body: { serviceData: { permissions: 'all' } } })
  await expect(web.loadPermissions()).rejects.toThrow('Unexpected response format')
  expect(web.authFlags().isAuthenticated).toBe(false)
})
