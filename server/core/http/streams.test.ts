import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Actors, seedActors } from '../../../test/support/actors.ts'
import { aBusiness } from '../../../test/support/factories.ts'
import { type Caller, type Running, startApp } from '../../../test/support/start.ts'

let app: Running
let actors: Actors
let port: number
/** With codes of two thousand letters more than the machine keeps between a writer and somebody who does not read. */
const rows = 2_400
const stalledAfterMs = 3000
beforeAll(async () => {
  app = await startApp({ stalledAfterMs })
  actors = await seedActors(app)
  const business = await aBusiness(app)
  await sql`insert into products (guid, business_guid, name, sku, price_cents)
    select gen_random_uuid(), ${business.guid}::uuid, 'Panel ' || n, n || repeat(' long', 400), 100
      from generate_series(1, ${rows}) n`.execute(app.deps.db)
  port = Number(new URL(await app.listen()).port)
}, 60_000)
afterAll(() => app.stop())

const open: Socket[] = []
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  while ((await held()) !== 0);
})

/** A reader of an export with a socket in its hands, which takes nothing until it is told to. */
async function reader(path = '/Products/Export', who: Caller = actors.office): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  open.push(socket)
  const headers = { host: 'localhost', ...who.headers }
  socket.write(
    `GET /api/v2${path} HTTP/1.1\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  )
  return socket
}
/** What comes first; nothing when the connection is closed before. */
const firstBytes = async (socket: Socket) => {
  const [bytes = ''] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [])])) as [Buffer?]
  return String(bytes)
}

/** Exports of several people, two each. */
const readers = (people: Caller[]) =>
  Promise.all(people.flatMap((who) => [reader('/Products/Export', who), reader('/Products/Export', who)]))

/** Connections that are within a transaction, whether they work or wait for their reader. */
const held = async () =>
  (
    await sql<{
      n: number
    }>`select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and xact_start is not null`.execute(app.deps.db)
  ).rows[0]?.n

test('an export that is read to its end is whole', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v2/Products/Export`, { headers: actors.office.headers })
  expect((await response.text()).trimEnd().split('\r\n')).toHaveLength(rows + 1)
})

test('exports that are broken off give back what they hold, in the middle or before the first byte', async () => {
  for (let round = 0; round < 6; round++) {
    const isRead = round % 2 === 0
    const sockets = await readers(isRead ? [actors.office, actors.accountant] : [actors.sales, actors.administrator])
    if (isRead)
      expect((await Promise.all(sockets.map(firstBytes))).every((text) => text.startsWith('HTTP/1.1 200'))).toBe(true)
    for (const socket of sockets) socket.destroy()
    await expect.poll(held).toBe(0)
  }
  expect(await firstBytes(await reader())).toMatch(/^HTTP\/1\.1 200/)
})

test('readers who take nothing keep only other exports waiting, and are given up after a while', async () => {
  const stalled = await readers([actors.office, actors.accountant, actors.sales])
  for (const socket of stalled) socket.pause()
  await expect.poll(held).toBeGreaterThan(2)
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => app.call(actors.office, 'GET', '/Products?size=10')),
  )
  expect(new Set(answers.map((a) => a.status))).toEqual(new Set([200]))
  await expect.poll(held).toBe(0)
  // Those who still waited behind the stalled ones are stalled themselves, and given up in their turn.
  await expect
    .poll(async () => firstBytes(await reader('/Products/Export?search=panel+17', actors.administrator)))
    .toMatch(/^HTTP\/1\.1 200/)
  for (const socket of stalled) socket.destroy()
})

test('one person runs two exports at a time, and leaves the other connections to others', async () => {
  const stalled = [await reader(), await reader()]
  expect((await Promise.all(stalled.map(firstBytes))).every((text) => text.startsWith('HTTP/1.1 200'))).toBe(true)
  for (const socket of stalled) socket.pause()
  const third = await app.call(actors.office, 'GET', '/Products/Export')
  expect([third.status, third.error, third.message]).toEqual([
    429,
    'RATE_LIMITED',
    'You already have two exports running. Wait for one to finish.',
  ])
  expect((await app.call(actors.accountant, 'GET', '/Products/Export?search=panel+17')).status).toBe(200)
  for (const socket of stalled) socket.destroy()
  await expect
    .poll(async () => (await app.call(actors.office, 'GET', '/Products/Export?search=panel+17')).status)
    .toBe(200)
})
