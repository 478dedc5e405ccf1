import { cpSync, createReadStream, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { ensureDataDir } from '../data-dir.ts'
import { SettingsError } from '../env.ts'
import type { Say } from '../console.ts'
import { type BackupTable, type Manifest, nameOf, notBackedUp, quote, readManifest, sha256Of } from './backup.ts'
import { type AfterRestore, settleRestore } from './after-restore.ts'
import { copyIn } from './copy.ts'
import { migrate, queueVersion } from './migrate.ts'
import { wipe } from './wipe.ts'

/** Reads a backup and checks every file of it. */
export const checkBackup = async (folder: string): Promise<Manifest> => {
  if (!existsSync(join(folder, 'manifest.json')))
    throw new SettingsError(`${folder} is no finished backup: it has no manifest.json.`)
  const manifest = readManifest(folder)
  if (manifest.format !== 1) throw new SettingsError(`${folder} was made by a newer version of this program.`)
  for (const { file, sha256 } of manifest.tables) {
    if (!existsSync(join(folder, file)) || (await sha256Of(join(folder, file))) !== sha256)
      throw new SettingsError(`${join(folder, file)} is missing or damaged; take another backup.`)
  }
  return manifest
}

/** Puts keys back. What is in the data folder stays, so it is safe to do twice; files go to the store that is set. */
export const restoreData = (folder: string, dataDir: string) => {
  ensureDataDir(dataDir)
  const from = join(folder, 'data')
  for (const entry of readdirSync(from))
    if (!notBackedUp.test(entry)) cpSync(join(from, entry), join(dataDir, entry), { recursive: true, force: false })
}

const withOwner = async <T>(owner: pg.ClientConfig, work: (db: pg.Client) => Promise<T>): Promise<T> => {
  const db = new pg.Client({ ...owner, application_name: 'brolga-restore' })
  await db.connect()
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}

const isEmpty = (db: pg.Client) =>
  db
    .query(
      `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'migrations', 'pgboss') and c.relkind in ('r', 'p') limit 1`,
    )
    .then(({ rows }) => rows.length === 0)

/**
 * Puts a checked backup into an empty database: as it was, then brought up to this program's version, then made safe to
 * go on with when `after` says how. A restore that fails leaves it empty. Answers with what nobody can know.
 */
export const restore = async (
  owner: pg.ClientConfig,
  appRole: string,
  folder: string,
  manifest: Manifest,
  log: Say,
  after?: AfterRestore,
): Promise<string[]> => {
  if (!(await withOwner(owner, isEmpty)))
    throw new SettingsError('The database is not empty; restore into an empty DATA_DIR or a new database.')
  try {
    await migrate(owner, appRole, log, { upTo: manifest.migrations.length })
    await withOwner(owner, (db) => fill(db, folder, manifest, log))
    await migrate(owner, appRole, log)
    const unknown = after ? await withOwner(owner, (db) => settleRestore(db, after)) : []
    await withOwner(owner, (db) => db.query('analyze'))
    return unknown
  } catch (error) {
    await wipe(owner)
    throw error
  }
}

/**
 * In one transaction. Triggers would act on what has long happened; foreign keys are put back last,
 * which checks every one of them.
 */
const fill = async (db: pg.Client, folder: string, manifest: Manifest, log: Say) => {
  const tables = manifest.tables.filter(
    (table) => table.schema !== 'pgboss' || manifest.queueVersion === queueVersion(),
  )
  if (tables.length < manifest.tables.length)
    log.warn(
      'The job queue of this backup is of another version and is left out; the scheduled jobs find open work again.',
    )
  const names = tables.map(nameOf)
  await db.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; begin')
  const keys = await foreignKeys(db)
  for (const key of keys) await db.query(`alter table ${key.table} drop constraint ${quote(key.name)}`)
  for (const name of names) await db.query(`alter table ${name} disable trigger user`)
  await db.query(`truncate ${names.join(', ')}`)
  for (const table of tables) await fillTable(db, folder, table)
  for (const { value, ...sequence } of manifest.sequences)
    if (value !== null) await db.query('select setval($1::regclass, $2::bigint)', [nameOf(sequence), value])
  for (const name of names) await db.query(`alter table ${name} enable trigger user`)
  for (const key of keys) await db.query(`alter table ${key.table} add constraint ${quote(key.name)} ${key.definition}`)
  await db.query('commit')
}

const foreignKeys = async (db: pg.Client) =>
  (
    await db.query<{ table: string; name: string; definition: string }>(`
      select c.conrelid::regclass::text as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c join pg_namespace n on n.oid = c.connamespace
      where c.contype = 'f' and c.conparentid = 0 and n.nspname in ('public', 'pgboss')`)
  ).rows

const fillTable = async (db: pg.Client, folder: string, table: BackupTable) => {
  const unzipped = createGunzip()
  const reading = pipeline(createReadStream(join(folder, table.file)), unzipped)
  const [rows] = await Promise.all([
    copyIn(db, `copy ${nameOf(table)} (${table.columns.map(quote).join(', ')}) from stdin`, unzipped),
    reading,
  ])
  if (rows !== table.rows) throw new Error(`Of ${table.rows} rows of ${table.name} only ${rows} came back.`)
}
