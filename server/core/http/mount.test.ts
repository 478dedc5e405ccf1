import { fastify } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Api, get, post } from '../../../contract/core/op.ts'
import { type Actors, password, seedActors } from '../../../test/support/actors.ts'
import { aBusiness } from '../../../test/support/factories.ts'
import { type Running, startApp } from '../../../test/support/start.ts'
import type { Ctx, Mounted, OpenCtx } from '../ctx.ts'
import { answerErrors, mount } from './mount.ts'
import { acceptJson } from './parse.ts'

let app: Running
let actors: Actors
beforeAll(async () => {
  app = await startApp({ env: { DB_POOL_SIZE: '4' } })
  actors = await seedActors(app)
  await aBusiness(app)
})
afterAll(() => app.stop())

type Handler = (ctx: OpenCtx) => Promise<unknown>
const base = {
  path: '/Things',
  can: ['create', 'Users:Create'] as const,
  summary: 'x',
  response: z.object({ shown: z.string() }),
}

/** A server with one noun of its own on the application's database. */
async function served(api: Api, handlers: Record<string, Handler>) {
  const server = fastify()
  answerErrors(server)
  acceptJson(server)
  mount(server, app.deps, [{ noun: 'things', api, handlers: handlers as Mounted['handlers'] }], () => undefined)
  await server.ready()
  const call = (method: 'GET' | 'POST', headers = {}) =>
    server.inject({ method, url: '/api/v2/Things', headers: { ...actors.administrator.headers, ...headers } })
  return { server, call }
}
const insert = (ctx: Ctx) => ctx.db.insertInto('appState').values({ key: 'thing', value: '{}' }).execute()
const things = async () =>
  (await app.deps.db.selectFrom('appState').select('key').where('key', '=', 'thing').execute()).length
const audit = (ctx: Ctx) => ctx.audit({ action: 'quote.created', entity: 'Quotes', guid: actors.sales.userGuid })

describe('the server does not start', () => {
  const whole = post({ ...base, effect: 'write' })
  it.each<[string, Api, Record<string, Handler>]>([
    [
      'without a permission',
      { make: { ...whole, can: undefined as unknown as typeof whole.can } },
      { make: async () => null },
    ],
    [
      'without a response schema',
      { make: { ...whole, response: undefined as unknown as typeof whole.response } },
      { make: async () => null },
    ],
    ['without a handler', { make: whole }, {}],
    ['with a handler for nothing', {}, { make: async () => null }],
    [
      'with two operations on one path',
      { make: whole, again: whole },
      { make: async () => null, again: async () => null },
    ],
  ])('%s', async (_what, api, handlers) => {
    await expect(served(api, handlers)).rejects.toThrow(/things\./)
  })
})

describe('a write', () => {
  it('that leaves no audit line is refused and rolled back', async () => {
    const { call } = await served(
      { make: post({ ...base, effect: 'write' }) },
      { make: async (ctx) => (await insert(ctx), { shown: 'x' }) },
    )
    const response = await call('POST')
    expect([response.statusCode, await things()]).toEqual([500, 0])
    expect(response.body).not.toContain('audit')
  })
  it('whose answer does not fit its schema is rolled back too, and unnamed fields never leave', async () => {
    const wrong = await served(
      { make: post({ ...base, effect: 'write' }) },
      { make: async (ctx) => (await insert(ctx), audit(ctx), { secret: 1 }) },
    )
    expect([(await wrong.call('POST')).statusCode, await things()]).toEqual([500, 0])
    const right = await served(
      { make: post({ ...base, effect: 'write' }) },
      { make: async (ctx) => (audit(ctx), { shown: 'x', secret: 'hash' }) },
    )
    expect((await right.call('POST')).json()).toEqual({ message: 'OK', serviceData: { shown: 'x' } })
  })
  it('is tried again when it lost a race, without its lines twice', async () => {
    let tries = 0
    const { call } = await served(
      { make: post({ ...base, effect: 'write' }) },
      {
        make: async (ctx) => {
          audit(ctx)
          if (++tries < 3) await sql`do $$ begin raise exception 'race' using errcode = '40001'; end $$`.execute(ctx.db)
          return { shown: String(tries) }
        },
      },
    )
    const before = await sql<{
      n: number
    }>`select count(*)::int as n from audit_log where action = 'quote.created'`.execute(app.deps.db)
    expect((await call('POST')).json<{ serviceData: object }>().serviceData).toEqual({ shown: '3' })
    const after = await sql<{
      n: number
    }>`select count(*)::int as n from audit_log where action = 'quote.created'`.execute(app.deps.db)
    expect((after.rows[0]?.n ?? 0) - (before.rows[0]?.n ?? 0)).toBe(1)
  })
  it('that takes too long is told so and never committed', async () => {
    const { call } = await served(
      { make: post({ ...base, effect: 'write', timeoutMs: 2300 }) },
      {
        make: async (ctx) => {
          await insert(ctx)
          await sql`select pg_sleep(0.8)`.execute(ctx.db)
          audit(ctx)
          return { shown: 'late' }
        },
      },
    )
    const response = await call('POST')
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2'])
    await sql`select pg_sleep(1)`.execute(app.deps.db)
    expect(await things()).toBe(0)
  })
})

describe('a database that only allows reading', () => {
  it('is told of with a sentence and a time to wait, and reading goes on', async () => {
    const { name } = app.database
    const setTo = async (value: string) => {
      const owner = new pg.Client(app.database.owner)
      await owner.connect()
      await owner.query('set default_transaction_read_only = off')
      await owner.query(`alter database ${name} set default_transaction_read_only = ${value}`)
      await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = '${name}' and usename <> current_user and pid <> pg_backend_pid()`,
      )
      await owner.end()
    }
    await setTo('on')
    await expect.poll(async () => (await app.call(actors.office, 'GET', '/Customers')).status).toBe(200)
    for (const [path, body] of [
      ['/Customers', { displayName: 'Anna' }],
      ['/Kernal/Users/Auth/Login', { authID: actors.sales.authId, authPassword: password }],
    ] as const) {
      const answer = await app.call(actors.office, 'POST', path, body)
      expect([answer.status, answer.headers['retry-after'], answer.message]).toEqual([
        503,
        '2',
        'Nothing can be saved at the moment: the database only allows reading. Please try again in a few minutes.',
      ])
    }
    await setTo('off')
    await expect
      .poll(async () => (await app.call(actors.office, 'POST', '/Customers', { displayName: 'Anna' })).status)
      .toBe(201)
  })
})

describe('a transaction', () => {
  /** As a service would that has a pool from somewhere. */
  const second = () => app.deps.db.selectFrom('appState').select('key').execute()
  it('that asks for a second connection fails here, however deep within it is asked for', async () => {
    const { call } = await served(
      { make: post({ ...base, effect: 'write' }) },
      { make: async (ctx) => (audit(ctx), await Promise.all([second(), second()]), { shown: 'x' }) },
    )
    expect((await call('POST')).statusCode).toBe(500)
    const external = await served(
      { make: post({ ...base, effect: 'external' }) },
      {
        make: (ctx) =>
          ctx.tx(
            async (tx) => (audit(tx), await ctx.db.selectFrom('appState').select('key').execute(), { shown: 'x' }),
          ),
      },
    )
    expect((await external.call('POST')).statusCode).toBe(500)
  })
  it('that is over keeps nobody from the pool, be it what it set going', async () => {
    let later: Promise<unknown> = Promise.resolve()
    const over = Promise.withResolvers<void>()
    const { call } = await served(
      { make: post({ ...base, effect: 'write' }) },
      {
        make: async (ctx) => {
          audit(ctx)
          later = over.promise.then(second)
          return { shown: 'x' }
        },
      },
    )
    expect((await call('POST')).statusCode).toBe(200)
    over.resolve()
    await expect(later).resolves.toBeDefined()
  })
})

describe('an external operation', () => {
  it('that is asked twice at once with one key is done once, and its answer is given to both', async () => {
    let runs = 0
    const { call } = await served(
      { make: post({ ...base, effect: 'external' }) },
      {
        make: async (ctx) => {
          runs++
          await new Promise((resolve) => setTimeout(resolve, 300))
          await ctx.tx(async (tx) => audit(tx))
          return { shown: String(runs) }
        },
      },
    )
    const answers = await Promise.all(Array.from({ length: 10 }, () => call('POST', { 'idempotency-key': 'once' })))
    expect([runs, new Set(answers.map((a) => a.body)).size]).toEqual([1, 1])
  })
  it('gives its key back when it failed without saying how', async () => {
    let runs = 0
    const { call } = await served(
      { make: post({ ...base, effect: 'external' }) },
      {
        make: async (ctx) => {
          if (++runs === 1) throw new Error('the line was cut')
          await ctx.tx(async (tx) => audit(tx))
          return { shown: String(runs) }
        },
      },
    )
    expect((await call('POST', { 'idempotency-key': 'again' })).statusCode).toBe(500)
    expect((await call('POST', { 'idempotency-key': 'again' })).statusCode).toBe(200)
  })
})

describe('a read', () => {
  it('writes no audit line', async () => {
    const { call } = await served(
      { look: get({ ...base, effect: 'read' }) },
      { look: async (ctx) => (audit(ctx), { shown: 'x' }) },
    )
    expect((await call('GET')).statusCode).toBe(500)
  })
  it('is answered with 503 and a time to wait when no connection comes free', async () => {
    const { call } = await served({ look: get({ ...base, effect: 'read' }) }, { look: async () => ({ shown: 'x' }) })
    const held = await Promise.all(Array.from({ length: 4 }, () => app.deps.db.startTransaction().execute()))
    const response = await call('GET')
    await Promise.all(held.map((t) => t.rollback().execute()))
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2'])
    expect(response.json<{ error: string; requestId: string }>()).toMatchObject({
      error: 'OVERLOADED',
      requestId: expect.any(String) as string,
    })
    expect((await call('GET')).statusCode).toBe(200)
  })
})
