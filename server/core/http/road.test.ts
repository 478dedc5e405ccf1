import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actors, seedActors } from '../../../test/support/actors.ts'
import { type Running, startApp } from '../../../test/support/start.ts'

let app: Running
let actors: Actors
beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
})
afterAll(() => app.stop())

const aUser = (more: object = {}) => ({
  authID: `u-${randomUUID()}@test.example`,
  firstName: 'Una',
  roleGuid: actors.roles.Sales,
  password: 'a good password',
  ...more,
})
const raw = (payload: string, type = 'application/json') =>
  app.fastify.inject({
    method: 'POST',
    url: '/api/v2/Users',
    headers: { ...actors.administrator.headers, 'content-type': type },
    payload,
  })

describe('a request that is not well formed', () => {
  it.each([
    ['{"a":', 400, 'MALFORMED'],
    [`${'['.repeat(40)}${']'.repeat(40)}`, 400, 'MALFORMED'],
    ['{"__proto__":{"a":1}}', 400, 'MALFORMED'],
    ['{"\\u005f_proto__":{"a":1}}', 400, 'MALFORMED'],
    ['{"constructor":{"prototype":{}}}', 400, 'MALFORMED'],
    [`{"x":"${'x'.repeat(1_100_000)}"}`, 413, 'TOO_LARGE'],
    ['[]', 422, 'VALIDATION_FAILED'],
    ['"text"', 422, 'VALIDATION_FAILED'],
  ])('gets a plain answer: %.40s', async (payload, status, error) => {
    const response = await raw(payload)
    expect([response.statusCode, response.json<{ error: string }>().error]).toEqual([status, error])
  })
  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'has the wrong type: %s',
    async (type) => {
      expect((await raw('a=1', type)).statusCode).toBe(415)
    },
  )
  it('is told which field is wrong, in words for people', async () => {
    const { status, errors } = await app.call(actors.administrator, 'POST', '/Users', {
      authID: 7,
      firstName: '',
      roleGuid: 'x',
      password: 'short',
    })
    expect(status).toBe(422)
    expect(errors).toEqual([
      { path: 'authID', message: 'Enter a value.' },
      { path: 'firstName', message: 'This field is required.' },
      { path: 'roleGuid', message: 'Choose a valid record.' },
      { path: 'password', message: 'Use 10 characters or more.' },
    ])
  })
  it('is told which parameter is not known', async () => {
    const query = await app.call(actors.administrator, 'GET', '/Users?colour=red')
    expect([query.status, query.error, query.errors]).toEqual([
      400,
      'UNKNOWN_PARAMETER',
      [{ path: 'colour', message: 'This field isn’t recognised.' }],
    ])
    const body = await app.call(actors.administrator, 'POST', '/Users', aUser({ isSuper: true }))
    expect([body.status, body.errors[0]?.path]).toEqual([400, 'isSuper'])
    const many = await app.call(
      actors.administrator,
      'POST',
      '/Users',
      Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`key${i}`, 1])),
    )
    expect([many.status, many.errors.length, many.body.length < 2000]).toEqual([400, 10, true])
  })
  it.each([
    'size=7',
    'sort=passwordHash',
    'page=0',
    'page=x',
    'after=%%%',
    'after=eyJzIjoibmFtZSJ9',
    'size=10&size=25',
    'status=nosuch',
  ])('has a bad query: %s', async (query) => {
    expect((await app.call(actors.administrator, 'GET', `/Users?${query}`)).status).toBe(400)
  })
  it('names no record by a guid that is none', async () => {
    const [none, unknown] = [
      await app.call(actors.administrator, 'GET', '/Users/1'),
      await app.call(actors.administrator, 'GET', `/Users/${randomUUID()}`),
    ]
    expect([none.status, none.body]).toEqual([404, unknown.body])
  })
  it('learns nothing about fields when the caller has no right', async () => {
    expect((await app.call(actors.sales, 'POST', '/Users', { nonsense: 1 })).status).toBe(403)
    expect((await app.call(null, 'POST', '/Users', { nonsense: 1 })).status).toBe(401)
  })
  it('is refused with the permission that is missing', async () => {
    const { message, errors } = await app.call(actors.sales, 'GET', '/Users')
    expect([message, errors]).toEqual([
      'Insufficient permissions',
      [{ path: 'permission', message: 'read Users:Preview:All' }],
    ])
  })
})

describe('every answer', () => {
  const paths: [string, string][] = [
    ['GET', '/api/v2/Users'],
    ['GET', '/api/v2/Nothing'],
    ['POST', '/api/v2/Kernal/Users/Auth/Login'],
    ['GET', '/health/live'],
    ['GET', '/health/ready'],
    ['GET', '/api/docs'],
    ['GET', '/api/v2/openapi.json'],
    ['GET', '/assets/nothing.css'],
    ['GET', '/setup'],
    ['TRACE', '/api/v2/Users'],
    ['GET', '/api/v2/Users/%zz'],
    ['GET', `/api/v2/Users/${'x'.repeat(400)}`],
  ]
  it.each(paths)('carries the headers that protect people: %s %s', async (method, url) => {
    const { headers } = await app.fastify.inject({ method: method as 'GET', url })
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).not.toContain("script-src 'self' 'unsafe-inline'")
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(headers['x-request-id']).toBeTruthy()
    expect(headers['x-api-guid']).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers['strict-transport-security']).toBeUndefined()
  })
  it.each(['/assets/x.js', '/nothing.css', '/api/v2/x.css', '/../package.json', '/assets/..%2f..%2fpackage.json'])(
    'is not found for an unknown file, however it is called: %s',
    async (url) => {
      expect((await app.fastify.inject({ url })).statusCode).toBe(404)
    },
  )
  it('has one envelope when it fails', async () => {
    const { body } = await app.call(null, 'GET', '/Users')
    expect(JSON.parse(body)).toEqual({
      message: 'Please log in first.',
      error: 'NOT_AUTHENTICATED',
      errors: [],
      responseCode: 401,
      serviceData: null,
    })
  })
})

describe('an Idempotency-Key', () => {
  it('makes one user of twenty equal requests at once, all with the same answer', async () => {
    const user = aUser()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        app.call(actors.administrator, 'POST', '/Users', user, { 'idempotency-key': 'twenty' }),
      ),
    )
    expect(new Set(answers.map((a) => a.body)).size).toBe(1)
    expect(answers.map((a) => a.status)).toEqual(Array(20).fill(201))
    expect(answers.filter((a) => a.headers['idempotency-replayed'] === 'true')).toHaveLength(19)
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from users where auth_id = ${user.authID}`.execute(app.deps.db)
    expect(rows[0]?.n).toBe(1)
  })
  it('does the same inside a single transaction', async () => {
    const { data } = await app.call<{ user: { guid: string; version: number } }>(
      actors.administrator,
      'POST',
      '/Users',
      aUser(),
    )
    const { guid, version } = data.user
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        app.call(
          actors.administrator,
          'PATCH',
          `/Users/${guid}`,
          { version, phone: '0400 000 111' },
          { 'idempotency-key': 'patch' },
        ),
      ),
    )
    expect(new Set(answers.map((a) => `${a.status} ${a.body}`)).size).toBe(1)
    expect(
      (await app.call<{ user: { version: number } }>(actors.administrator, 'GET', `/Users/${guid}`)).data.user.version,
    ).toBe(version + 1)
  })
  it('is not taken for another request, and belongs to its caller', async () => {
    await app.call(actors.administrator, 'POST', '/Users', aUser(), { 'idempotency-key': 'mine' })
    const other = await app.call(actors.administrator, 'POST', '/Users', aUser(), { 'idempotency-key': 'mine' })
    expect([other.status, other.error]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
    const version = (await app.call<{ user: { version: number } }>(actors.sales, 'GET', '/Kernal/Users/Account')).data
      .user.version
    expect(
      (await app.call(actors.sales, 'PATCH', '/Kernal/Users/Account', { version }, { 'idempotency-key': 'mine' }))
        .status,
    ).toBe(200)
  })
  it('replays a refusal of an external operation and forgets one of a transaction', async () => {
    const taken = aUser({ authID: actors.sales.authId })
    const first = await app.call(actors.administrator, 'POST', '/Users', taken, { 'idempotency-key': 'refused' })
    const again = await app.call(actors.administrator, 'POST', '/Users', taken, { 'idempotency-key': 'refused' })
    expect([first.status, first.error, again.body]).toEqual([409, 'ALREADY_EXISTS', first.body])
    expect(first.errors).toEqual([{ path: 'authID', message: 'A user with this login already exists.' }])
  })
})

describe('a list', () => {
  beforeAll(async () => {
    const rows = Array.from({ length: 230 }, (_, i) => ({
      authId: `list-${i}@test.example`,
      passwordHash: 'x',
      firstName: i % 3 ? 'Lia' : i % 2 ? '＝cmd()' : '=cmd()',
      lastName: String(i % 7),
      roleGuid: actors.roles.Field,
      ...(i % 5 ? { lastSeenAt: new Date(Date.UTC(2026, 0, (i % 28) + 1)) } : {}),
    }))
    await app.deps.db.insertInto('users').values(rows).execute()
  })
  interface Listed {
    items: { guid: string; name: string; lastSeenAt: string | null }[]
    page: { total: { value: number; isExact: boolean }; next: string | null }
  }
  it.each(['name', '-name', '-lastSeenAt', 'lastSeenAt', '-createdAt,name', 'name,-createdAt'])(
    'is walked from end to end without a gap or a repeat, sorted by %s',
    async (sort) => {
      const seen: string[] = []
      let after: string | null = null
      let total = 0
      do {
        const answer: { data: Listed } = await app.call<Listed>(
          actors.administrator,
          'GET',
          `/Users?sort=${sort}&size=25${after ? `&after=${after}` : ''}`,
        )
        seen.push(...answer.data.items.map((u) => u.guid))
        after = answer.data.page.next
        total = answer.data.page.total.value
      } while (after)
      expect(seen).toHaveLength(total)
      expect(new Set(seen).size).toBe(total)
      const jumped: string[] = []
      for (let page = 1; jumped.length < total; page++)
        jumped.push(
          ...(
            await app.call<Listed>(actors.administrator, 'GET', `/Users?sort=${sort}&size=100&page=${page}`)
          ).data.items.map((u) => u.guid),
        )
      expect(jumped).toEqual(seen)
    },
  )
  it('counts behind its last page too', async () => {
    const { data } = await app.call<Listed>(actors.administrator, 'GET', '/Users?page=90')
    expect([data.items, data.page.total.value > 230, data.page.next]).toEqual([[], true, null])
  })
  it('does not continue another list’s page', async () => {
    const { data } = await app.call<Listed>(actors.administrator, 'GET', '/Users?sort=name&size=10')
    expect(
      (await app.call(actors.administrator, 'GET', `/Users?sort=-name&size=10&after=${data.page.next}`)).status,
    ).toBe(400)
    const forged = Buffer.from(
      JSON.stringify({ s: '-lastSeenAt', v: ['no day', randomUUID()], t: [1, true] }),
    ).toString('base64url')
    expect((await app.call(actors.administrator, 'GET', `/Users?sort=-lastSeenAt&after=${forged}`)).status).toBe(400)
  })
  it('is exported as it is filtered, over many pages, with cells no spreadsheet runs', async () => {
    const { status, headers, body } = await app.call(
      actors.administrator,
      'GET',
      `/Users/Export?roleGuid=${actors.roles.Field}&sort=name`,
    )
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"/)
    const lines = body.slice(0, -2).split('\r\n')
    expect(lines[0]).toBe('\uFEFFName,Login,Email,Phone,Role,Status,Last seen,Created')
    expect(lines).toHaveLength(232)
    expect(lines.filter((l) => l.startsWith("'=cmd()") || l.startsWith("'＝cmd()"))).toHaveLength(77)
    expect((await app.call(actors.sales, 'GET', '/Users/Export')).status).toBe(403)
  })
})

describe('the description of the API', () => {
  it('names every operation with its permission and its errors', async () => {
    const response = await app.fastify.inject({ url: '/api/v2/openapi.json' })
    const description = response.json<{
      openapi: string
      paths: Record<string, Record<string, { 'x-permission': { subject: string }; responses: object }>>
    }>()
    expect(description.openapi).toBe('3.1.0')
    expect(description.paths['/Users/{guid}']?.['patch']?.['x-permission']).toEqual({
      action: 'update',
      subject: 'Users:Update:Guid',
      who: 'staff',
    })
    expect(Object.keys(description.paths['/Users']?.['post']?.responses ?? {})).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '409',
      '422',
      '429',
      '503',
    ])
  })
})
