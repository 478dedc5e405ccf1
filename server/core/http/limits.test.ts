import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actors, seedActors } from '../../../test/support/actors.ts'
import { type Running, startApp } from '../../../test/support/start.ts'
import { countMiss, countUse, makeGeneralLimit } from './limits.ts'

let app: Running
let actors: Actors
beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
})
afterAll(() => app.stop())

describe('a limit', () => {
  it('counts exactly, however many ask at once, and says how long to wait', async () => {
    const uses = await Promise.allSettled(
      Array.from({ length: 40 }, () => countUse(app.deps.db, 'test', { most: 15, seconds: 60 })),
    )
    expect(uses.filter((u) => u.status === 'fulfilled')).toHaveLength(15)
    await expect(countUse(app.deps.db, 'test', { most: 15, seconds: 60 })).rejects.toMatchObject({
      status: 429,
      data: { retryAfterSeconds: expect.any(Number) as number },
    })
    await countUse(app.deps.db, 'another', { most: 15, seconds: 60 })
  })
  it('begins anew when its window is over', async () => {
    await app.deps.db
      .updateTable('rateLimits')
      .set({ resetsAt: new Date(Date.now() - 1000) })
      .where('key', '=', 'test')
      .execute()
    await countUse(app.deps.db, 'test', { most: 15, seconds: 60 })
  })
  it('lets a peer miss sixty service links a minute', async () => {
    for (let i = 0; i < 60; i++) await countMiss(app.deps.db, '203.0.113.9')
    await expect(countMiss(app.deps.db, '203.0.113.9')).rejects.toMatchObject({ status: 429 })
    await countMiss(app.deps.db, '203.0.113.10')
  })
  it('in memory stops a stranger long before a person', () => {
    const limit = makeGeneralLimit()
    const stranger = { kind: 'none', apiGuid: '', rules: [], ability: { ordered: [] } } as never
    const person = { kind: 'user', userGuid: 'u' } as never
    expect(() => {
      for (let i = 0; i < 6000; i++) limit(stranger, '203.0.113.9')
    }).not.toThrow()
    expect(() => limit(stranger, '203.0.113.9')).toThrow('Too many requests')
    expect(() => {
      for (let i = 0; i < 20_000; i++) limit(person, '203.0.113.9')
    }).not.toThrow()
  })
})

describe('the address of a caller', () => {
  it('is the true peer, whatever the request claims', async () => {
    const first = await app.call(null, 'GET', '/Kernal/Auth/Roles/Permissions')
    await app.call(null, 'POST', '/Kernal/Guests/Auth', undefined, {
      'x-api-guid': String(first.headers['x-api-guid']),
      'x-forwarded-for': '198.51.100.7',
    })
    const { ip } = await app.deps.db
      .selectFrom('sessions')
      .select('ip')
      .orderBy('createdAt', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(ip).toBe('127.0.0.1')
  })
})

describe('a scheduled call', () => {
  const path = '/Cron/Process/Messages/Queue'
  const cron = (key: string, more = {}) => ({ headers: { Authorization: `Cron ${key}`, ...more } })
  it('is let in by the key, in the header or in the address', async () => {
    const { status, data } = await app.call(cron(app.deps.keys.cron), 'GET', path)
    expect({ status, data }).toMatchObject({ status: 200, data: { processed: 0, isPaused: false } })
    expect((await app.call(null, 'GET', `${path}?key=${app.deps.keys.cron}`)).status).toBe(200)
    expect((await app.call(actors.administrator, 'GET', path)).status).toBe(200)
  })
  it('is refused without it, with another one, and from another site', async () => {
    expect((await app.call(null, 'GET', path)).status).toBe(401)
    expect((await app.call(cron('x'.repeat(43)), 'GET', path)).status).toBe(401)
    expect((await app.call(null, 'GET', `${path}?key=guess`)).status).toBe(401)
    expect((await app.call(cron(app.deps.keys.cron, { 'sec-fetch-site': 'cross-site' }), 'GET', path)).status).toBe(403)
    expect((await app.call(actors.guest, 'GET', path)).status).toBe(403)
    expect((await app.call(actors.office, 'GET', path)).status).toBe(403)
  })
  it('opens nothing else with its key', async () => {
    expect((await app.call(cron(app.deps.keys.cron), 'GET', '/Users')).status).toBe(401)
    expect((await app.call(null, 'GET', `/Users?key=${app.deps.keys.cron}`)).status).toBe(401)
  })
})

describe('the health of the server', () => {
  it('is told without a token', async () => {
    expect((await app.fastify.inject({ url: '/health/live' })).json()).toEqual({ status: 'live' })
    expect((await app.fastify.inject({ url: '/health/ready' })).json()).toEqual({ status: 'ready' })
  })
})
