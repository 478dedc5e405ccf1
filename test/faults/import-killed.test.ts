import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CustomerImport } from '../../contract/imports.ts'
import { fileOf, manyRows, xeroFile } from '../support/importing.ts'
import { clearAway, type Headers, type Product, startProduct } from '../support/process.ts'
import { inDatabase, letLeasesRunOut } from '../support/reconcile.ts'

let dataDir: string
let product: Product
let staff: Headers
beforeAll(async () => {
  ;({ dataDir, product, staff } = await startProduct())
}, 60_000)
afterAll(() => clearAway([product], dataDir))

/** `npm run prove` kills while rows are staged, too, and has more of them. */
const isFull = process.env['FAULTS'] === 'full'
const rows = isFull ? 6000 : 2500

test('an import whose process is killed goes on where it was, and takes each customer in once', async () => {
  const sent = await product.call<{ import: CustomerImport }>(
    staff,
    'POST',
    '/Customers/Imports',
    fileOf(xeroFile(manyRows(rows))),
  )
  expect([sent.status, sent.message]).toEqual([201, 'Import started.'])
  const { guid } = sent.data.import
  const now = async () =>
    (await product.call<{ import: CustomerImport }>(staff, 'GET', `/Customers/Imports/${guid}`)).data.import
  const seen: string[] = []
  const moments = [({ staged }: CustomerImport) => staged > 0, ({ status }: CustomerImport) => status !== 'staging']
  for (const isFarEnough of isFull ? moments : moments.slice(1)) {
    await expect.poll(async () => isFarEnough(await now()), { interval: 20 }).toBe(true)
    await product.kill()
    await product.start()
    seen.push((await now()).status)
    await letLeasesRunOut(dataDir)
  }
  await expect.poll(async () => (await now()).status, { interval: 200 }).toBe('done')
  process.stdout.write(`killed while ${seen.join(', ')}\n`)
  expect(await now()).toMatchObject({ total: rows, staged: rows, created: rows, filled: 0, skipped: 0 })
  const [counted] = await inDatabase(dataDir, (ask) =>
    ask<{ all: number; refs: number; people: number; told: number }>(`select count(*)::int as all,
      count(distinct external_ref)::int as refs,
      (select count(*)::int from contact_links) as people,
      (select count(*)::int from audit_log where action = 'customer.imported') as told
      from customers`),
  )
  expect(counted).toEqual({ all: rows, refs: rows, people: rows, told: rows })
})
