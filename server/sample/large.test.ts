import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aLine, ok, startBusiness } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { makeLarge } from './large.ts'

const size = { customers: 30, products: 20, quotes: 40, documents: 80, messages: 150 }
/** What rests while rows are made. */
const keepers = `select i.indexname as name, i.indexdef as definition from pg_indexes i where i.schemaname = 'public'
  union all select t.tgname, t.tgenabled::text || pg_get_triggerdef(t.oid) from pg_trigger t order by 1, 2`
const references = `select r.conname as name, r.conrelid::regclass::text as table,
  r.confrelid::regclass::text as other, a.attname as column,
  b.attname as key from pg_constraint r join pg_attribute a on a.attrelid = r.conrelid and a.attnum = r.conkey[1]
  join pg_attribute b on b.attrelid = r.confrelid and b.attnum = r.confkey[1]
  where r.contype = 'f' and r.connamespace = 'public'::regnamespace`

let app: Running
let owner: pg.Client
beforeAll(async () => {
  const { actors, customerGuid, ...started } = await startBusiness()
  app = started.app
  ok(await app.call(actors.office, 'POST', '/Invoices', { customerGuid, title: 'Deck', lines: [aLine()] }), 201)
  owner = new pg.Client(app.database.owner)
  await owner.connect()
}, 120_000)
afterAll(async () => {
  await owner.end()
  await app.stop()
})

it('makes books that are in order, and leaves indexes and triggers as they were', async () => {
  const before = (await owner.query(keepers)).rows
  await makeLarge(app.deps.db, app.database.owner, size)
  expect((await owner.query(keepers)).rows).toEqual(before)
  expect(await verifyLedger(app.deps.db)).toMatchObject({ ok: true, problems: [] })
  const astray = []
  for (const { name, table, other, column, key } of (await owner.query<Record<string, string>>(references)).rows) {
    const { rows } = await owner.query(
      `select from ${table} t
        where t.${column} is not null and not exists (select from ${other} o where o.${key} = t.${column}) limit 1`,
    )
    if (rows.length > 0) astray.push(name)
  }
  expect(astray).toEqual([])
}, 120_000)
