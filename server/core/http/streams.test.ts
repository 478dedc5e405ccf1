import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Actors, seedActors } from '../../../test/support/actors.ts'
import { aBusiness } from '../../../test/support/factories.ts'
import { type Running, startApp } from '../../../test/support/start.ts'

let app: Running
let actors: Actors
let port: number
/** More than the machine keeps between a writer and somebody who does not read. */
const rows = 8000
const stalledAfterMs = 3000
beforeAll(async () => {
  app = await startApp({ stalledAfterMs })
  actors = await seedActors(app)
  const business = await aBusiness(app)
  await sql`insert into products (guid, business_guid, name, description, price_cents)
    select gen_random_uuid(), ${business.guid}::uuid, 'Panel ' || n, repeat('long ', 400), 100 from generate_series(1, ${rows}) n`.execute(app.deps.db)
  port = Number(new URL(await app.listen()).port)
}, 60_000)
afterAll(() => app.stop())

/** A reader of an export with a socket in its hands, which takes nothing until it is told to. */
async function reader(path = '/Products/Export'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  const headers = { host: 'localhost', ...actors.office.headers }
  socket.write(`GET /api/v2${path} HTTP/1.1\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  return socket
}
const firstBytes = async (socket: Socket) => String(((await once(socket, 'data')) as [Buffer])[0])

/** Connections that stand within a transaction and do nothing. */
const idle = async () => (await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`.execute(app.deps.db)).rows[0]?.n

test('an export that is read to its end is whole', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v2/Products/Export`, { headers: actors.office.headers })
  expect((await response.text()).trimEnd().split('\r\n')).toHaveLength(rows + 1)
})

test('exports that are broken off give back what they hold, in the middle or before the first byte', async () => {
  for (let round = 0; round < 6; round++) {
    const sockets = await Promise.all(Array.from({ length: 4 }, () => reader()))
    if (round % 2 === 0) expect((await Promise.all(sockets.map(firstBytes))).every((text) => text.startsWith('HTTP/1.1 200'))).toBe(true)
    for (const socket of sockets) socket.destroy()
    await expect.poll(idle).toBe(0)
  }
  expect(await firstBytes(await reader())).toMatch(/^HTTP\/1\.1 200/)
})

test('readers who take nothing keep only other exports waiting, and are given up after a while', async () => {
  const stalled = await Promise.all(Array.from({ length: 6 }, () => reader()))
  for (const socket of stalled) socket.pause()
  await expect.poll(idle).toBeGreaterThan(2)
  const answers = await Promise.all(Array.from({ length: 30 }, () => app.call(actors.office, 'GET', '/Products?size=10')))
  expect(new Set(answers.map((a) => a.status))).toEqual(new Set([200]))
  await expect.poll(idle, { timeout: 20_000 }).toBe(0)
  expect(await firstBytes(await reader('/Products/Export?search=panel+17'))).toMatch(/^HTTP\/1\.1 200/)
  for (const socket of stalled) socket.destroy()
})
