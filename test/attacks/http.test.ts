import { connect } from 'node:net'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../contract/api.ts'
import type { Op } from '../../contract/core/op.ts'
import { type Actors, aGuest, logIn, seedActors } from '../support/actors.ts'
import { aBusiness, aCustomer, aLine, aSentQuote, ok } from '../support/factories.ts'
import { accountEmails } from '../support/account-emails.ts'
import { type Running, startApp } from '../support/start.ts'

/** Long loops run with PROVE=1. */
const isProof = process.env['PROVE'] === '1'
let app: Running
let actors: Actors
let address: string
let quote: { guid: string; serviceGuid: string; version: number }
const guids: Record<string, string> = {}
beforeAll(async () => {
  app = await startApp({ env: { PUBLIC_URL: 'https://hire.example' } })
  actors = await seedActors(app)
  await aBusiness(app, { abn: '53004085616' })
  address = await app.listen()
  address = address.startsWith('https')
    ? `http://127.0.0.1:${(app.fastify.server.address() as { port: number }).port}`
    : address
  const customer = await aCustomer(app, actors.office)
  quote = await aSentQuote(app, actors.office, customer.guid, { lines: [aLine()] })
  const { order } = ok(
    await app.call<{ order: { guid: string } }>(actors.office, 'POST', '/Orders', {
      customerGuid: customer.guid,
      title: 'Work',
      lines: [aLine()],
    }),
    201,
  )
  const { invoice } = ok(
    await app.call<{ invoice: { guid: string } }>(actors.office, 'POST', '/Invoices', {
      customerGuid: customer.guid,
      title: 'Work',
      lines: [aLine()],
    }),
    201,
  )
  const { product } = ok(
    await app.call<{ product: { guid: string } }>(actors.office, 'POST', '/Products', {
      name: 'Net',
      kind: 'goods',
      unit: 'each',
      priceCents: 100,
    }),
    201,
  )
  Object.assign(guids, {
    Customers: customer.guid,
    Quotes: quote.guid,
    Orders: order.guid,
    Invoices: invoice.guid,
    Products: product.guid,
    Users: actors.sales.userGuid,
    Roles: actors.roles.Sales,
    Service: quote.serviceGuid,
    Kernal: actors.roles.Sales,
  })
  Object.assign(guids, {
    Messages: (await app.deps.db.selectFrom('messages').select('guid').executeTakeFirstOrThrow()).guid,
    Permissions: (await app.deps.db.selectFrom('permissions').select('guid').executeTakeFirstOrThrow()).guid,
  })
}, 120_000)
afterAll(() => app.stop())

const urlOf = (op: Op) => op.path.replace(/:\w+/g, guids[op.path.split('/')[1] ?? ''] ?? randomUUID())
const streams = (op: Op) => op.produces === 'text/event-stream'

describe('HT-01: headers', () => {
  it('stand on every answer, on errors, pages, files and what is not there', async () => {
    const urls = [
      ...operations
        .filter(({ op }) => !streams(op))
        .map(({ op }) => ({ method: op.method, url: `/api/v2${urlOf(op)}` })),
      ...[
        '/',
        '/login',
        '/nope.css',
        '/api/docs',
        '/api/v2/openapi.json',
        '/api/v2/nope',
        '/health/live',
        '/health/ready',
        '/setup',
        '/assets/none.js',
        '/%zz',
        `/${'x'.repeat(400)}`,
      ].map((url) => ({ method: 'GET' as const, url })),
    ]
    const wrong: string[] = []
    for (const { method, url } of urls) {
      const { headers, statusCode } = await app.fastify.inject({ method, url })
      const csp = String(headers['content-security-policy'])
      const isRight =
        /default-src 'none'/.test(csp) &&
        /object-src 'none'/.test(csp) &&
        /base-uri 'none'/.test(csp) &&
        /frame-ancestors 'none'/.test(csp) &&
        !/unsafe-eval|script-src[^;]*unsafe-inline/.test(csp) &&
        headers['x-content-type-options'] === 'nosniff' &&
        headers['referrer-policy'] === 'no-referrer' &&
        headers['cross-origin-opener-policy'] === 'same-origin' &&
        /max-age=31536000/.test(String(headers['strict-transport-security'])) &&
        !headers['x-powered-by'] &&
        !headers['server']
      if (!isRight) wrong.push(`${method} ${url} ${statusCode} ${csp}`)
    }
    expect(wrong).toEqual([])
  })
  it('and on those for requests that are too large or during overload', async () => {
    const large = await app.fastify.inject({
      method: 'POST',
      url: '/api/v2/Customers',
      headers: { ...actors.office.headers, 'content-type': 'application/json' },
      payload: `{"x":"${'x'.repeat(1_200_000)}"}`,
    })
    expect([large.statusCode, large.headers['x-content-type-options']]).toEqual([413, 'nosniff'])
    ok(await app.call(actors.administrator, 'POST', '/Maintenance', { isOn: true }))
    const away = await app.call(actors.office, 'GET', '/Quotes')
    expect([away.status, away.headers['x-content-type-options'], Number(away.headers['retry-after']) > 0]).toEqual([
      503,
      'nosniff',
      true,
    ])
    ok(await app.call(actors.administrator, 'POST', '/Maintenance', { isOn: false }))
  })
})

describe('HT-02: other sites', () => {
  it.each([
    'null',
    'https://evil.example',
    'https://hire.example.evil.example',
    'https://evilhire.example',
    'http://hire.example',
    'https://hire.example:8443',
    'https://hire.example',
    'https://HIRE.example',
    'https://sub.hire.example',
    'file://',
    'https://hire.example@evil.example',
    'https://hire.example%00.evil.example',
    'https://hire_example',
    'chrome-extension://x',
    'https://127.0.0.1',
    'http://localhost',
    'https://[::1]',
    'moz-extension://x',
    'data:',
    'https://hire.example/',
  ])('are told nothing they may read: %s', async (origin) => {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const { headers } = await app.fastify.inject({
        method,
        url: '/api/v2/Quotes',
        headers: { origin, 'access-control-request-method': 'GET', ...actors.office.headers },
      })
      expect([headers['access-control-allow-origin'], headers['access-control-allow-credentials']]).toEqual([
        undefined,
        undefined,
      ])
    }
  })
})

/** Everything that is kept, but what counts requests. */
async function everything() {
  const { rows } = await sql<{
    name: string
  }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('rate_limits')
    order by 1`.execute(app.deps.db)
  const found: Record<string, string> = {}
  for (const { name } of rows)
    found[name] =
      (
        await sql<{
          n: string
        }>`select count(*) || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as n
          from ${sql.table(name)} t`.execute(app.deps.db)
      ).rows[0]?.n ?? ''
  return found
}

describe('HT-03: safe methods change nothing', () => {
  it('every GET and HEAD, again and again, by somebody who may do everything', async () => {
    const gets = operations.filter(({ op }) => op.method === 'GET' && op.who !== 'cron' && !streams(op))
    for (const { op } of gets)
      await app.call(op.who === 'guest' ? await aGuest(app) : actors.administrator, 'GET', urlOf(op))
    const guest = await aGuest(app)
    const before = await everything()
    const failed: string[] = []
    for (let round = 0; round < (process.env['PROVE'] === '1' ? 3 : 1); round++) {
      for (const { op } of gets) {
        const { status } = await app.call(op.who === 'guest' ? guest : actors.administrator, 'GET', urlOf(op))
        if (status >= 500 && status !== 503) failed.push(`${op.path} ${status}`)
        await app.fastify.inject({ method: 'HEAD', url: `/api/v2${urlOf(op)}`, headers: actors.administrator.headers })
      }
    }
    expect(failed).toEqual([])
    expect(await everything()).toEqual(before)
  })
  it('nor does a method that is smuggled in', async () => {
    const before = await everything()
    for (const header of ['x-http-method-override', 'x-method-override', 'x-http-method']) {
      const { status } = await app.call(actors.administrator, 'GET', `/Quotes/${quote.guid}`, undefined, {
        [header]: 'DELETE',
      })
      expect(status).toBe(200)
    }
    expect((await app.call(actors.administrator, 'GET', `/Quotes/${quote.guid}?_method=DELETE`)).status).toBe(400)
    for (const method of ['TRACE', 'PUT', 'CONNECT'] as const) {
      const status = await new Promise<string>((resolve, reject) => {
        const { port } = app.fastify.server.address() as { port: number }
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(
            [
              `${method} /api/v2/Quotes/${quote.guid} HTTP/1.1`,
              'Host: x',
              `Authorization: ${actors.administrator.headers['Authorization']}`,
              'Connection: close',
              '\r\n',
            ].join('\r\n'),
          ),
        )
        let text = ''
        socket.on('data', (data) => (text += data.toString()))
        socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''))
        socket.on('error', reject)
      })
      expect(status).not.toMatch(/ 2\d\d /)
    }
    expect(await everything()).toEqual(before)
  })
})

describe('HT-04: nothing secret in addresses and caches', () => {
  it('answers are not kept, unknown files are not pages, and links of mails hide their token', async () => {
    for (const { op } of operations.filter(({ op: { method, who } }) => method === 'GET' && who !== 'cron'))
      if (!streams(op))
        expect([
          op.path,
          (await app.call(op.who === 'guest' ? actors.guest : actors.administrator, 'GET', urlOf(op))).headers[
            'cache-control'
          ],
        ]).toEqual([op.path, 'no-store'])
    for (const path of [
      `/api/v2/Quotes/${quote.guid}/x.css`,
      '/api/v2/Quotes.css',
      '/login.css',
      '/apps/orders/list/x.js',
    ]) {
      const { statusCode, headers } = await app.fastify.inject({ url: path, headers: actors.administrator.headers })
      expect([path, statusCode, String(headers['content-type']).includes('html')]).toEqual([path, 404, false])
    }
    await app.call(null, 'POST', '/Kernal/Users/Auth/Forgot', { authID: actors.sales.authId })
    await app.call(actors.administrator, 'POST', '/Users/Invite', {
      email: 'new@test.example',
      roleGuid: actors.roles.Sales,
    })
    for (const { text, token } of await accountEmails(app))
      expect(new URL(/https:\/\/\S+/.exec(text)?.[0] ?? '').pathname).not.toContain(token)
    expect(
      operations
        .filter(({ op }) => /token|password|secret/i.test(op.path) && op.path.includes(':'))
        .map(({ op }) => op.path),
    ).toEqual([
      '/Users/Password/:guid',
      '/Webhooks/Secret/:guid',
      // Mail programs end offers by the address in a header: it can hold nothing but this, and opens nothing else.
      '/Service/Unsubscribe/:token',
      '/Service/Unsubscribe/:token',
      '/Service/Statements/Token/:guid',
      '/Service/Payments/Token/:guid',
    ])
  })
})

/** The same numbers each time, so that a failure can be looked at. */
function* numbers(seed: number) {
  for (let x = seed; ;) {
    x = (x * 1_103_515_245 + 12_345) % 2_147_483_648
    yield x
  }
}

describe('HT-05: errors are plain', () => {
  it('whatever is sent anywhere: the agreed shape, and nothing of what is behind', async () => {
    const next = numbers(20_260_701)
    const draw = <T>(list: readonly T[]): T => list[(next.next().value ?? 0) % list.length] as T
    const values = [
      null,
      true,
      -1,
      1e308,
      '',
      "'",
      '"; drop table users',
      '\u0000',
      '../../etc/passwd',
      [],
      {},
      [[]],
      { $gt: '' },
      '2026-99-99',
      'x'.repeat(3000),
      randomUUID(),
      '\ud83d',
      0.1,
      '%',
      '${7*7}',
      '{{7*7}}',
    ]
    const tried = operations.filter(
      ({ op }) =>
        !streams(op) &&
        op.can[1] !== 'Auth:Logout' &&
        op.cost !== 'login' &&
        !['/Maintenance', '/Kernal/Users/Password', '/Roles/Try/:guid'].includes(op.path),
    )
    const wrong: string[] = []
    for (let i = 0; i < (isProof ? 20_000 : 1200); i++) {
      const { op } = draw(tried)
      const keys = [
        ...Object.keys((op.body as unknown as { shape?: object }).shape ?? {}),
        ...Object.keys((op.query as unknown as { shape?: object }).shape ?? {}),
        'version',
        'guid',
        'lines',
      ]
      const given = Object.fromEntries(
        Array.from({ length: 1 + ((next.next().value ?? 0) % 4) }, () => [draw(keys), draw(values)]),
      )
      const takesBody = op.method === 'POST' || op.method === 'PATCH'
      const texts = Object.entries(given).map(([k, v]) => [k, typeof v === 'string' ? v : JSON.stringify(v)])
      const query = takesBody ? '' : `?${new URLSearchParams(texts).toString()}`
      const answer = await app.call(
        draw([actors.administrator, actors.administrator, actors.guest, null]),
        op.method,
        `${draw([urlOf(op), op.path.replace(/:\w+/g, draw(['x', '%00', randomUUID(), "'"]))])}${query}`,
        takesBody ? given : undefined,
      )
      if (answer.status >= 500 && answer.status !== 503) wrong.push(`${op.method} ${op.path} ${answer.status}`)
      if (
        answer.status >= 400 &&
        !/^\{"message":"[^"]+.*"error":"[A-Z_]+","errors":\[.*\],"responseCode":\d{3},"serviceData":/s.test(answer.body)
      )
        wrong.push(`${op.path} ${answer.body.slice(0, 200)}`)
      if (
        /\bat \S+ \(|node_modules|\.ts:\d|select .* from |PostgreSQL|fastify|syntax error/i.test(answer.body) &&
        answer.status >= 400
      )
        wrong.push(`${op.path} tells ${answer.body.slice(0, 200)}`)
    }
    expect([...new Set(wrong)]).toEqual([])
  })
})

describe('HT-06: dear work has a budget', () => {
  it('by account for documents and exports, by true peer for logins and guests, with the time to wait', async () => {
    await sql`delete from rate_limits`.execute(app.deps.db)
    const spent = async (key: string, count: number) => {
      await sql`insert into rate_limits (key, count, resets_at) values (${key}, ${count}, now() + interval '50 seconds')
        on conflict (key) do update set count = excluded.count`.execute(app.deps.db)
    }
    for (const path of [`/Quotes/Pdf/${quote.guid}`, '/Customers/Export', '/Quotes/Export']) {
      await spent(`costly:user:${actors.office.userGuid}`, 6000)
      const refused = await app.call(actors.office, 'GET', path, undefined, { 'x-forwarded-for': '203.0.113.7' })
      expect([path, refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([path, 429, true])
      expect((await app.call(actors.sales, 'GET', '/Customers')).status).toBe(200)
    }
    await spent('guest:peer:127.0.0.1', 1200)
    expect(
      (
        await app.call(null, 'POST', '/Kernal/Guests/Auth', undefined, {
          'x-api-guid': randomUUID(),
          'x-forwarded-for': '203.0.113.8',
        })
      ).status,
    ).toBe(429)
    for (const path of [
      '/Kernal/Users/Auth/Login',
      '/Kernal/Users/Auth/Forgot',
      '/Kernal/Users/Auth/Reset',
      '/Kernal/Users/Auth/Invitations/Accept',
    ]) {
      await spent('login:peer:127.0.0.1', 3000)
      expect([
        path,
        (await app.call(null, 'POST', path, { authID: 'x' }, { 'x-forwarded-for': '203.0.113.9' })).status,
      ]).toEqual([path, 429])
    }
    await sql`delete from rate_limits`.execute(app.deps.db)
  })
})

describe('HT-07: proxy headers from strangers', () => {
  it('are ignored in logs, limits, links and mails', async () => {
    const lies = {
      'x-forwarded-for': '198.51.100.77',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'evil.example',
      forwarded: 'for=198.51.100.77;host=evil.example',
      'x-real-ip': '198.51.100.77',
      host: 'evil.example',
    }
    ok(
      await app.call(
        null,
        'POST',
        '/Kernal/Users/Auth/Login',
        { authID: actors.office.authId, authPassword: 'correct horse battery' },
        lies,
      ),
      201,
    )
    const session = await app.deps.db
      .selectFrom('sessions')
      .select(['ip'])
      .orderBy('createdAt', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const line = await app.deps.db
      .selectFrom('auditLog')
      .select('ip')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect([session.ip, line.ip]).toEqual(['127.0.0.1', '127.0.0.1'])
    const { quote: shown } = ok(
      await app.call<{ quote: { serviceUrl: string } }>(actors.office, 'GET', `/Quotes/${quote.guid}`, undefined, lies),
    )
    expect(new URL(shown.serviceUrl).origin).toBe('https://hire.example')
    await app.call(null, 'POST', '/Kernal/Users/Auth/Forgot', { authID: actors.field.authId }, lies)
    for (const { text } of await accountEmails(app)) expect(text).not.toContain('evil.example')
    const keys = await app.deps.db.selectFrom('rateLimits').select('key').execute()
    expect(keys.filter((k) => k.key.includes('198.51'))).toEqual([])
    await logIn(app, actors.office.authId)
  })
})
