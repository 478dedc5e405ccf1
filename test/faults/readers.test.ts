import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clearAway, type Headers, logIn, postmasterOf, type Product, startProduct } from '../support/process.ts'
import { databaseOf, inDatabase } from '../support/reconcile.ts'

const readers = process.env['FAULTS'] === 'full' ? 200 : 40

let dataDir: string
let product: Product
let staff: Headers
beforeAll(async () => {
  ;({ dataDir, product, staff } = await startProduct())
  await inDatabase(dataDir, (rows) =>
    rows(
      `insert into products (guid, business_guid, name, sku, price_cents)
        select gen_random_uuid(), b.guid, 'Panel ' || n, n || repeat(' long', 400), 100
        from businesses b, generate_series(1, 2400) n`,
    ),
  )
}, 60_000)
afterAll(() => clearAway([product], dataDir))

async function open(path: string): Promise<Socket> {
  const socket = connect(product.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(
    `GET /api/v2${path} HTTP/1.1\r\nhost: localhost\r\n${Object.entries(staff)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  )
  return socket
}
const many = (count: number, path: string) => Promise.all(Array.from({ length: count }, () => open(path)))

test('downloads that are broken off by the dozen take nothing down', async () => {
  for (let left = readers; left > 0; left -= 10) {
    const sockets = await many(10, '/Products/Export')
    await Promise.all(sockets.slice(0, 2).map((socket) => once(socket.resume(), 'data')))
    for (const socket of sockets) socket.destroy()
    expect(await product.isReady()).toBe(true)
  }
  await logIn(product)
  const held = () =>
    inDatabase(
      dataDir,
      async (rows) =>
        (
          await rows<{ n: number }>(
            `select count(*)::int as n from pg_stat_activity where state like 'idle in transaction%'`,
          )
        )[0]?.n,
    )
  await expect.poll(held).toBe(0)
})

test('with readers who take nothing and a transaction left open, product and database end in time', async () => {
  await many(8, '/Products/Export')
  await many(6, '/Live')
  const left = new pg.Client(databaseOf(dataDir))
  left.on('error', () => undefined)
  await left.connect()
  await left.query('begin')
  await left.query('select guid from products for update')
  const server = postmasterOf(dataDir)
  const startedAt = performance.now()
  expect(await product.stop()).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(30_000)
  expect(server && postmasterOf(dataDir)).toBeNull()
})
