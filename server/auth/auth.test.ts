import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actors, aPerson, logIn, password, seedActors } from '../../test/support/actors.ts'
import { type Running, startApp } from '../../test/support/start.ts'

let app: Running
let actors: Actors
const clock = { at: null as Date | null }
beforeAll(async () => {
  app = await startApp({ now: () => clock.at ?? new Date() })
  actors = await seedActors(app)
})
afterAll(() => app.stop())

const claimsOf = (headers: Record<string, string>) =>
  JSON.parse(Buffer.from(headers['Authorization']?.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  > & { exp: number; sid: string; userData?: { name: string } }
const permissions = '/Kernal/Auth/Roles/Permissions'

describe('logging in', () => {
  it('answers with the two headers that every request then carries', async () => {
    const { status, data } = await app.call<{ headers: Record<string, string> }>(
      null,
      'POST',
      '/Kernal/Users/Auth/Login',
      { authID: 'Sales@TEST.example', authPassword: password },
    )
    expect(status).toBe(201)
    expect(Object.keys(data.headers)).toEqual(['Authorization', 'X-Api-Guid'])
    const claims = claimsOf(data.headers)
    expect(claims).toMatchObject({
      roleGUID: actors.roles.Sales,
      isRenewAllowed: true,
      userData: {
        authID: 'sales@test.example',
        roleName: 'Sales',
        preferences: { displayDateFormat: 'd-m-Y', displayTimeFormat: 'H:i', displayDateTimeFormat: 'd-m-Y H:i' },
      },
    })
    expect(claims.exp - Number(claims['iat'])).toBe(900)
    expect((await app.call({ headers: data.headers }, 'GET', permissions)).status).toBe(200)
  })
  it('tells the same whether the login or the password is wrong', async () => {
    const wrong = await app.call(null, 'POST', '/Kernal/Users/Auth/Login', {
      authID: actors.field.authId,
      authPassword: 'wrong',
    })
    const unknown = await app.call(null, 'POST', '/Kernal/Users/Auth/Login', {
      authID: 'nobody@test.example',
      authPassword: 'wrong',
    })
    expect([wrong.status, wrong.body]).toEqual([401, unknown.body])
  })
  it.each([[{ a: 1 }], [['x']], [null], [1], [true], ['x'.repeat(1025)], ['']])(
    'refuses a password that is no reasonable text: %j',
    async (authPassword) => {
      const answer = await app.call(null, 'POST', '/Kernal/Users/Auth/Login', { authID: 'x', authPassword })
      expect([answer.status, answer.errors.map(({ path }) => path)]).toEqual([422, ['authPassword']])
    },
  )
  it('looks at no more than ten wrong guesses in a quarter of an hour, and leaves others alone', async () => {
    const victim = await aPerson(app, 'victim', actors.roles.Sales)
    const tries = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        app.call(
          null,
          'POST',
          '/Kernal/Users/Auth/Login',
          { authID: i % 2 ? victim.authId : victim.authId.toUpperCase(), authPassword: `wrong ${i}` },
          { 'x-forwarded-for': `10.0.0.${i}` },
        ),
      ),
    )
    expect(tries.filter((t) => t.status === 401)).toHaveLength(10)
    expect(tries.filter((t) => t.status === 429).every((t) => Number(t.headers['retry-after']) > 0)).toBe(true)
    expect(
      (await app.call(null, 'POST', '/Kernal/Users/Auth/Login', { authID: victim.authId, authPassword: password }))
        .status,
    ).toBe(429)
    await logIn(app, actors.office.authId)
  })
  it('lets a person in twenty times at once', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => logIn(app, actors.accountant.authId)))
    expect(new Set(all.map((h) => claimsOf(h).sid)).size).toBe(20)
  })
})

describe('a guest', () => {
  it('needs the API guid of an earlier answer', async () => {
    const refused = await app.call(null, 'POST', '/Kernal/Guests/Auth')
    expect([refused.status, refused.message]).toEqual([401, 'No GUID was found'])
    const guid = String(refused.headers['x-api-guid'])
    const let_in = await app.call<{ headers: Record<string, string> }>(null, 'POST', '/Kernal/Guests/Auth', undefined, {
      'X-API-GUID': guid,
    })
    expect([let_in.status, let_in.data.headers['X-Api-Guid']]).toEqual([201, guid])
    expect(claimsOf(let_in.data.headers).userData).toBeUndefined()
  })
  it('gets no credentials for a guid that was never given out, but a new guid to come with', async () => {
    for (const made of ['01890000-0000-4000-8000-000000000000', randomUUID()]) {
      const refused = await app.call(null, 'POST', '/Kernal/Guests/Auth', undefined, { 'x-api-guid': made })
      expect([refused.status, refused.message]).toEqual([401, 'Guest Authentication Failed'])
      const issued = String(refused.headers['x-api-guid'])
      expect(issued).not.toBe(made)
      expect((await app.call(null, 'POST', '/Kernal/Guests/Auth', undefined, { 'x-api-guid': issued })).status).toBe(
        201,
      )
    }
  })
  it('is nobody where staff work', async () => {
    expect((await app.call(actors.guest, 'GET', '/Users')).status).toBe(403)
  })
})

describe('a token', () => {
  it.each(['none', 'tampered', 'other-key', 'cut', 'padded', 'not-bearer'])(
    'that is forged opens nothing: %s',
    async (how) => {
      const [head = '', body = '', sign = ''] = (actors.administrator.headers['Authorization'] ?? '')
        .slice(7)
        .split('.')
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object
      const forged: Record<string, string> = {
        none: `${part({ alg: 'none', typ: 'JWT' })}.${body}.`,
        tampered: `${head}.${part({ ...claims, roleGUID: actors.roles.Office })}.${sign}`,
        'other-key': `${part({ alg: 'HS256', typ: 'JWT', kid: 'x' })}.${body}.${sign}`,
        cut: `${head}.${body}.${sign.slice(0, -4)}`,
        padded: `${head}.${body}.${sign}==`,
        'not-bearer': '',
      }
      const headers = { Authorization: how === 'not-bearer' ? 'Basic YWRtaW46YWRtaW4=' : `Bearer ${forged[how]}` }
      expect((await app.call({ headers }, 'GET', '/Users')).status).toBe(401)
    },
  )
  it('belongs to the browser it was given to', async () => {
    const mixed = { ...actors.administrator.headers, 'X-Api-Guid': actors.sales.headers['X-Api-Guid'] ?? '' }
    expect((await app.call({ headers: mixed }, 'GET', '/Users')).status).toBe(401)
  })
  it('ends after a quarter of an hour and is renewed by as many callers as ask at once', async () => {
    const headers = await logIn(app, actors.sales.authId)
    clock.at = new Date(Date.now() + 16 * 60_000)
    const ended = await app.call({ headers }, 'GET', permissions)
    expect([ended.status, ended.error]).toEqual([401, 'TOKEN_EXPIRED'])
    const renewed = await Promise.all(
      Array.from({ length: 50 }, () =>
        app.call<{ headers: Record<string, string> }>({ headers }, 'POST', '/Kernal/Auth/Renew'),
      ),
    )
    expect(renewed.map((r) => r.status)).toEqual(Array(50).fill(200))
    const works = await Promise.all(renewed.map((r) => app.call({ headers: r.data.headers }, 'GET', permissions)))
    expect(works.every((w) => w.status === 200)).toBe(true)
    expect(new Set(renewed.map((r) => claimsOf(r.data.headers).sid))).toEqual(new Set([claimsOf(headers).sid]))
    clock.at = null
  })
  it('is not renewed when the session is twelve hours old, and for thirty days when it is remembered', async () => {
    const headers = await logIn(app, actors.sales.authId)
    const { data } = await app.call<{ headers: Record<string, string> }>(null, 'POST', '/Kernal/Users/Auth/Login', {
      authID: actors.sales.authId,
      authPassword: password,
      rememberMe: true,
    })
    clock.at = new Date(Date.now() + 12 * 3_600_000 + 60_000)
    expect((await app.call({ headers }, 'POST', '/Kernal/Auth/Renew')).status).toBe(401)
    expect((await app.call({ headers: data.headers }, 'POST', '/Kernal/Auth/Renew')).status).toBe(200)
    clock.at = null
  })
  it('is worth nothing after logout, and neither is its renewal', async () => {
    const headers = await logIn(app, actors.sales.authId)
    expect((await app.call({ headers }, 'POST', '/Kernal/Auth/Logout')).status).toBe(200)
    expect((await app.call({ headers }, 'GET', permissions)).status).toBe(401)
    expect((await app.call({ headers }, 'POST', '/Kernal/Auth/Renew')).status).toBe(401)
  })
})

describe('the rules a caller gets', () => {
  it('begin with what everyone may do, and come without a token too', async () => {
    const { status, data, headers } = await app.call<{ permissions: { subject: string }[] }>(null, 'GET', permissions)
    expect([status, data.permissions[0]?.subject]).toEqual([200, 'Auth:Login'])
    expect(headers['x-api-guid']).toMatch(/^[0-9a-f-]{36}$/)
  })
  it('are those of the own role; of another one only with the right to see them', async () => {
    const own = await app.call<{ permissions: { subject: string }[] }>(
      actors.sales,
      'GET',
      `${permissions}/${actors.roles.Sales}`,
    )
    expect(own.data.permissions.some((p) => p.subject === 'Quotes')).toBe(true)
    expect((await app.call(actors.sales, 'GET', `${permissions}/${actors.roles.Office}`)).status).toBe(403)
    expect((await app.call(actors.administrator, 'GET', `${permissions}/${actors.roles.Office}`)).status).toBe(200)
    expect((await app.call(null, 'GET', `${permissions}/${actors.roles.Office}`)).status).toBe(401)
    expect((await app.call(null, 'GET', `${permissions}/${actors.roles.Guest}`)).status).toBe(200)
  })
  it('change with the next request when the role changes', async () => {
    expect((await app.call(actors.sales, 'GET', '/Users')).status).toBe(403)
    await app.deps.db
      .insertInto('permissions')
      .values({ roleGuid: actors.roles.Sales, subject: 'Users', action: 'read', conditions: '{}' })
      .execute()
    expect((await app.call(actors.sales, 'GET', '/Users')).status).toBe(200)
    await app.deps.db
      .deleteFrom('permissions')
      .where('roleGuid', '=', actors.roles.Sales)
      .where('subject', '=', 'Users')
      .execute()
    expect((await app.call(actors.sales, 'GET', '/Users')).status).toBe(403)
  })
  it('deny what an unreadable condition stands on', async () => {
    await app.deps.db
      .insertInto('permissions')
      .values({ roleGuid: actors.roles.Sales, subject: 'Users', action: 'read', conditions: '{"$where":"1"}' })
      .execute()
    expect((await app.call(actors.sales, 'GET', '/Users')).status).toBe(403)
    expect((await app.call(actors.sales, 'GET', permissions)).status).toBe(200)
    await app.deps.db
      .deleteFrom('permissions')
      .where('roleGuid', '=', actors.roles.Sales)
      .where('subject', '=', 'Users')
      .execute()
  })
})

describe('the own account', () => {
  it('keeps its session and ends all others when the password changes', async () => {
    const person = await aPerson(app, 'changer', actors.roles.Sales)
    const elsewhere = await logIn(app, person.authId)
    expect(
      (
        await app.call(person, 'POST', '/Kernal/Users/Password', {
          currentPassword: 'not it',
          newPassword: 'another good one',
        })
      ).errors,
    ).toEqual([{ path: 'currentPassword', message: 'Incorrect password.' }])
    expect(
      (
        await app.call(person, 'POST', '/Kernal/Users/Password', {
          currentPassword: password,
          newPassword: 'another good one',
        })
      ).status,
    ).toBe(200)
    expect((await app.call(person, 'GET', permissions)).status).toBe(200)
    expect((await app.call({ headers: elsewhere }, 'GET', permissions)).status).toBe(401)
    expect((await app.call({ headers: elsewhere }, 'POST', '/Kernal/Auth/Renew')).status).toBe(401)
    await logIn(app, person.authId, 'another good one')
    const lines = await app.deps.db
      .selectFrom('auditLog')
      .select(['action', 'actorGuid'])
      .where('entityGuid', '=', person.userGuid)
      .where('action', '=', 'user.password_changed')
      .execute()
    expect(lines).toEqual([{ action: 'user.password_changed', actorGuid: person.userGuid }])
  })
  it('keeps display formats and refuses an old version', async () => {
    const before = await app.call<{ user: { version: number } }>(actors.office, 'GET', '/Kernal/Users/Account')
    const { version } = before.data.user
    const saved = await app.call<{ user: { preferences: object } }>(actors.office, 'PATCH', '/Kernal/Users/Account', {
      version,
      preferences: { displayDateFormat: 'Y-m-d' },
    })
    expect(saved.data.user.preferences).toEqual({
      displayDateFormat: 'Y-m-d',
      displayTimeFormat: 'H:i',
      displayDateTimeFormat: 'd-m-Y H:i',
      language: null,
      zone: 'Australia/Sydney',
    })
    const stale = await app.call<{ user: { version: number } }>(actors.office, 'PATCH', '/Kernal/Users/Account', {
      version,
      phone: '02 5550 1110',
    })
    expect([stale.status, stale.error, stale.data.user.version]).toEqual([409, 'STALE_VERSION', version + 1])
  })
  it('shows where one is logged in and ends a session of one’s own only', async () => {
    const person = await aPerson(app, 'roamer', actors.roles.Sales)
    const other = await logIn(app, person.authId)
    const list = await app.call<{ items: { guid: string; isCurrent: boolean }[] }>(
      person,
      'GET',
      '/Kernal/Auth/Sessions',
    )
    expect(list.data.items.map((s) => s.isCurrent).toSorted()).toEqual([false, true])
    const guid = claimsOf(other).sid
    expect((await app.call(actors.sales, 'DELETE', `/Kernal/Auth/Sessions/${guid}`)).status).toBe(404)
    expect((await app.call(person, 'DELETE', `/Kernal/Auth/Sessions/${guid}`)).status).toBe(200)
    expect((await app.call({ headers: other }, 'GET', permissions)).status).toBe(401)
  })
})
