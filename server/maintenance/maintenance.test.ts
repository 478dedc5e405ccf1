import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Actors, password, seedActors } from '../../test/support/actors.ts'
import { ok } from '../../test/support/factories.ts'
import { type Running, startApp } from '../../test/support/start.ts'

let app: Running
let actors: Actors
beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
})
afterAll(() => app.stop())

const set = (body: object) =>
  app.call<{ maintenance: { isOn: boolean; message: string } }>(actors.administrator, 'POST', '/Maintenance', body)
const login = (authID: string, authPassword = password) =>
  app.call(null, 'POST', '/Kernal/Users/Auth/Login', { authID, authPassword })

it('under maintenance only super users work, and everybody else is told why and until when', async () => {
  expect(ok(await app.call(null, 'GET', '/Maintenance'))).toMatchObject({ maintenance: { isOn: false } })
  expect((await app.call(actors.office, 'POST', '/Maintenance', { isOn: true })).status).toBe(403)
  const until = new Date(Date.now() + 600_000).toISOString()
  ok(await set({ isOn: true, message: 'New tariffs until ten', until }))
  for (const [who, method, path] of [
    [actors.office, 'GET', '/Quotes'],
    [actors.guest, 'GET', `/Service/Quotes/${actors.office.userGuid}`],
    [null, 'POST', '/Kernal/Guests/Auth'],
    [actors.sales, 'POST', '/Kernal/Auth/Renew'],
    [null, 'GET', '/Kernal/Auth/Roles/Permissions'],
  ] as const) {
    const refused = await app.call<{ maintenance: object }>(who, method, path)
    expect([path, refused.status, refused.error, refused.message]).toEqual([
      path,
      503,
      'MAINTENANCE',
      'New tariffs until ten',
    ])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500)
    expect(refused.data.maintenance).toMatchObject({ isOn: true, until })
  }
  expect((await app.call(actors.administrator, 'GET', '/Users')).status).toBe(200)
  expect([
    (await login(actors.administrator.authId)).status,
    (await login(actors.office.authId)).status,
    (await login(actors.office.authId, 'wrong')).status,
  ]).toEqual([201, 503, 401])
  expect((await app.call(actors.office, 'POST', '/Kernal/Auth/Logout')).status).toBe(200)
  expect((await app.fastify.inject({ url: '/health/live' })).statusCode).toBe(200)
  expect((await app.fastify.inject({ url: '/health/ready' })).statusCode).toBe(200)
  expect(ok(await app.call(null, 'GET', '/Maintenance'))).toMatchObject({
    maintenance: { isOn: true, message: 'New tariffs until ten' },
  })
  ok(await set({ isOn: false }))
  expect((await app.call(actors.sales, 'GET', '/Kernal/Users/Account')).status).toBe(200)
  const lines = await app.deps.db
    .selectFrom('auditLog')
    .select('action')
    .where('entity', '=', 'Maintenance')
    .orderBy('id')
    .execute()
  expect(lines.map((l) => l.action)).toEqual(['maintenance.on', 'maintenance.off'])
})
