import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, inject, test } from 'vitest'
import { configFor } from '../../../test/support/cluster.ts'
import { type FreshDatabase, freshDatabase } from '../../../test/support/start-db.ts'
import { quiet } from '../console.ts'
import { backUp } from './backup.ts'
import { checkBackup, restore, restoreData } from './restore.ts'

const base = mkdtempSync(join(tmpdir(), 'brolga-backup-'))
afterAll(() => rmSync(base, { recursive: true }))
const dataDir = join(base, 'data')
mkdirSync(join(dataDir, 'postgres'), { recursive: true })
writeFileSync(join(dataDir, 'keys.json'), '{}')
writeFileSync(join(dataDir, 'postgres', 'secret'), 'not for a backup')

let database: FreshDatabase
let target: pg.ClientConfig
let made = 0
beforeEach(async () => {
  database = await freshDatabase()
  const name = `${database.name}_target`
  await ask(configFor(inject('cluster'), 'postgres'), `create database ${name}`)
  target = configFor(inject('cluster'), name)
})
afterEach(async () => {
  await database.drop()
  await ask(configFor(inject('cluster'), 'postgres'), `drop database ${database.name}_target with (force)`)
})

const ask = async (config: pg.ClientConfig, text: string) => {
  const db = new pg.Client(config)
  await db.connect()
  try {
    return (await db.query(text)).rows as Record<string, unknown>[]
  } finally {
    await db.end()
  }
}
const take = async () => {
  const folder = join(base, `backup-${++made}`)
  return { folder, manifest: await backUp({ owner: database.owner, dataDir, keyFingerprint: 'abc', files }, folder) }
}
/** A store of one file, and one that is gone. */
const files = {
  named: async () => ['ab', 'gone'],
  copy: async (hashes: readonly string[], to: string) => {
    mkdirSync(join(to, 'files'))
    writeFileSync(join(to, 'files', hashes[0] ?? ''), 'a file')
    return hashes.slice(1)
  },
}
const rowsOf = (config: pg.ClientConfig, table: string) =>
  ask(config, `select to_jsonb(t)::text as row from ${table} t order by 1`)
const addRole = (n: number) =>
  `with r as (insert into roles (name, description)
    values ('Role ${n}', e'tab\\there, a \\\\ backslash,\\na line, "quotes" and مرحبا') returning guid)
    insert into permissions (role_guid, subject, action) select guid, 'Quotes', 'read' from r`

test('a backup puts every row and key back where there was nothing, and has the files beside them', async () => {
  for (let n = 1; n <= 50; n++) await ask(database.owner, addRole(n))
  await ask(database.owner, `select pgboss.create_queue('mail', '{"policy":"standard"}'::jsonb)`)
  const { folder } = await take()
  const manifest = await checkBackup(folder)
  await restore(target, database.appRole, folder, manifest, quiet)
  for (const table of ['roles', 'permissions', 'pgboss.queue', 'migrations.applied']) {
    const [before, after] = [await rowsOf(database.owner, table), await rowsOf(target, table)]
    if (table === 'migrations.applied') expect(after.length).toBe(before.length)
    else expect(after).toEqual(before)
  }
  restoreData(folder, join(base, 'restored'))
  expect(readFileSync(join(base, 'restored', 'keys.json'), 'utf8')).toBe('{}')
  expect([manifest.missing, readFileSync(join(folder, 'data', 'files', 'ab'), 'utf8')]).toEqual([['gone'], 'a file'])
  expect(() => readFileSync(join(base, 'restored', 'files', 'ab'))).toThrow()
  expect(() => readFileSync(join(base, 'restored', 'postgres', 'secret'))).toThrow()
})

test('a backup taken while people work is of one instant: no record without its parts', async () => {
  let working = true
  let written = 0
  const worker = async (lane: number) => {
    const db = new pg.Client(database.app)
    await db.connect()
    for (let n = 0; working; n++, written++) await db.query(addRole(lane * 1_000_000 + n))
    await db.end()
  }
  const work = Promise.all([worker(1), worker(2)])
  while (written < 50) await new Promise((done) => setTimeout(done, 5))
  const before = written
  const { folder, manifest } = await take()
  const after = written
  working = false
  await work
  await restore(target, database.appRole, folder, await checkBackup(folder), quiet)
  const [counts] = await ask(
    target,
    `select (select count(*)::int from roles) as roles,
      (select count(distinct role_guid)::int from permissions) as with_permission`,
  )
  expect(counts?.roles).toBe(counts?.with_permission)
  expect(counts?.roles).toBe(manifest.tables.find((t) => t.name === 'roles')?.rows)
  expect(counts?.roles).toBeGreaterThanOrEqual(before)
  expect(counts?.roles).toBeLessThanOrEqual(after + 2)
})

test('what was restored is guarded as before: foreign keys and triggers hold', async () => {
  await ask(database.owner, addRole(1))
  const { folder, manifest } = await take()
  await restore(target, database.appRole, folder, manifest, quiet)
  await expect(
    ask(target, `insert into permissions (role_guid, subject, action) values (gen_random_uuid(), 'Quotes', 'read')`),
  ).rejects.toThrow(/foreign key/)
  const state = `select c.relname, t.tgname, t.tgenabled from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal order by 1, 2`
  expect(await ask(target, state)).toEqual(await ask(database.owner, state))
  const keys = `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
    where contype = 'f' order by 1, 2`
  expect(await ask(target, keys)).toEqual(await ask(database.owner, keys))
})

test('a database with anything in it is not overwritten', async () => {
  const { folder, manifest } = await take()
  await expect(restore(database.owner, database.appRole, folder, manifest, quiet)).rejects.toThrow(
    'The database is not empty; restore into an empty DATA_DIR or a new database.',
  )
})

test('a damaged backup is refused before anything is touched', async () => {
  const { folder } = await take()
  writeFileSync(join(folder, 'tables', 'public.roles.copy.gz'), 'noise')
  await expect(checkBackup(folder)).rejects.toThrow(
    /public\.roles\.copy\.gz is missing or damaged; take another backup\./,
  )
})

test('a restore that fails half way leaves the database empty, so it can be tried again', async () => {
  await ask(database.owner, addRole(1))
  const { folder, manifest } = await take()
  const wrong = { ...manifest, tables: manifest.tables.map((t) => (t.name === 'roles' ? { ...t, rows: 99 } : t)) }
  await expect(restore(target, database.appRole, folder, wrong, quiet)).rejects.toThrow(
    'Of 99 rows of roles only 1 came back.',
  )
  await restore(target, database.appRole, folder, manifest, quiet)
  expect(await rowsOf(target, 'roles')).toEqual(await rowsOf(database.owner, 'roles'))
})
