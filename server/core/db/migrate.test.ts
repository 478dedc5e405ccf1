import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { configFor } from '../../../test/support/cluster.ts'
import { type FreshDatabase, freshDatabase } from '../../../test/support/start-db.ts'
import { quiet } from '../console.ts'
import { migrate, readMigrations } from './migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'brolga-migrations-'))
afterAll(() => rmSync(folder, { recursive: true }))
const own = join(import.meta.dirname, 'migrations')
const known = readMigrations(own)
const next = String(known.length + 1).padStart(4, '0')

let database: FreshDatabase
beforeEach(async () => {
  database = await freshDatabase()
  for (const { name, sql } of known) writeFileSync(join(folder, `${name}.sql`), sql)
  rmSync(join(folder, `${next}_more.sql`), { force: true })
})
afterEach(() => database.drop())

const run = (options = {}) => migrate(database.owner, database.appRole, quiet, { folder, ...options })
const addMigration = (sql: string) => writeFileSync(join(folder, `${next}_more.sql`), sql)
const connect = async (config: pg.ClientConfig) => {
  const db = new pg.Client(config)
  await db.connect()
  return db
}
const ask = async (config: pg.ClientConfig, text: string) => {
  const db = await connect(config)
  try {
    return (await db.query(text)).rows as Record<string, unknown>[]
  } finally {
    await db.end()
  }
}

test('an empty database gets every migration, and a second start none', async () => {
  const name = `${database.name}_empty`
  await ask(configFor(inject('cluster'), 'postgres'), `create database ${name}`)
  const owner = configFor(inject('cluster'), name)
  expect((await migrate(owner, database.appRole, quiet, { folder })).applied).toEqual(known.map((m) => m.name))
  expect((await migrate(owner, database.appRole, quiet, { folder })).applied).toEqual([])
  await ask(configFor(inject('cluster'), 'postgres'), `drop database ${name} with (force)`)
})

test('of three starts at once one migrates and the others wait', async () => {
  addMigration('create table more (a int); select pg_sleep(0.3);')
  const results = await Promise.all([run(), run(), run()])
  expect(results.flatMap((r) => r.applied)).toEqual([`${next}_more`])
})

test('a migration that fails changes nothing and runs again when it is mended', async () => {
  addMigration('create table more (a int); select 1 / 0;')
  await expect(run()).rejects.toThrow(`The migration ${next}_more failed and changed nothing: division by zero`)
  addMigration('create table more (a int);')
  expect((await run()).applied).toEqual([`${next}_more`])
})

test('a migrator killed in the middle leaves the database as it was', async () => {
  addMigration('create table more (a int); select pg_sleep(30);')
  const killed = run()
  killed.catch(() => undefined)
  const watcher = await connect(database.owner)
  for (let rows = 0; rows === 0;) {
    rows =
      (
        await watcher.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = $1 and application_name = 'brolga-migrate' and query like '%pg_sleep(30)%'`,
          [database.name],
        )
      ).rowCount ?? 0
  }
  await watcher.end()
  await expect(killed).rejects.toThrow()
  addMigration('create table more (a int);')
  expect((await run()).applied).toEqual([`${next}_more`])
})

test('an applied migration that was edited is refused', async () => {
  writeFileSync(join(folder, `${known[0]?.name ?? ''}.sql`), `${known[0]?.sql ?? ''}\n-- later thought`)
  await expect(run()).rejects.toThrow(
    `The migration ${known[0]?.name ?? ''} was changed after it had been applied; ` +
      'put its file back as it was and write a new one.',
  )
})

test('a database newer than the program is refused', async () => {
  addMigration('create table more (a int);')
  await run()
  rmSync(join(folder, `${next}_more.sql`))
  await expect(run()).rejects.toThrow(
    `The database is newer than this program (it has ${next}_more); start the newer version.`,
  )
})

test('a table held by somebody else delays a migration and does not queue the product up behind it', async () => {
  await ask(database.owner, 'create table busy (a int)')
  addMigration('alter table busy add column b int;')
  const holder = await connect(database.owner)
  await holder.query('begin; lock table busy in access exclusive mode')
  const told: string[] = []
  const log = { ...quiet, warn: (text: string) => void told.push(text) }
  const migrating = migrate(database.owner, database.appRole, log, { folder, lockTimeoutMs: 200 })
  // It has given up once, and let everybody through who stood behind it.
  await vi.waitUntil(() => told.includes(`The migration ${next}_more waits for a table that is in use`), {
    timeout: 60_000,
  })
  await holder.query('commit')
  await holder.end()
  expect((await migrating).applied).toEqual([`${next}_more`])
})

test('the product’s role works with tables and queue, and changes neither shape nor what is migrated', async () => {
  const app = await connect(database.app)
  await app.query('select * from roles limit 1')
  await app.query('select * from pgboss.queue limit 1')
  await expect(app.query('create table sneaky (a int)')).rejects.toThrow(/permission denied/)
  await expect(app.query('alter table roles add column sneaky int')).rejects.toThrow(/must be owner/)
  await expect(app.query('select * from migrations.applied')).rejects.toThrow(/permission denied/)
  await expect(app.query('delete from audit_log')).rejects.toThrow(/permission denied/)
  await app.end()
})

test('a column that a migration adds and fills is proven from then on; older tampering stays found out', async () => {
  const business = '00000000-0000-4000-8000-000000000001'
  await ask(database.owner, `insert into businesses (guid, legal_name) values ('${business}', 'Brolga')`)
  await ask(
    database.owner,
    `insert into number_counters (business_guid, kind, prefix, padding, next, first)
      values ('${business}', 'quote', 'Q-', 4, 1, 1), ('${business}', 'order', 'O-', 4, 1, 1)`,
  )
  await ask(
    database.owner,
    `set session_replication_role = replica; update number_counters set prefix = 'X-' where kind = 'order'`,
  )
  addMigration(`alter table number_counters add column suffix text not null default 'x'`)
  await run()
  const noted = `select c.kind, count(*)::int as n, bool_or(l.is_upgrade) as again from number_counters c
    join ledger_log l on l.record = md5(c.business_guid::text || c.kind)::uuid group by 1 order by 1`
  expect(await ask(database.owner, noted)).toEqual([
    { kind: 'order', n: 1, again: false },
    { kind: 'quote', n: 2, again: true },
  ])
  await ask(database.owner, `update number_counters set suffix = 'y' where kind = 'quote'`)
  await run()
  expect(await ask(database.owner, noted)).toEqual([
    { kind: 'order', n: 1, again: false },
    { kind: 'quote', n: 3, again: true },
  ])
})
