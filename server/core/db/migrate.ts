import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SettingsError } from '../env.ts'
import type { Say } from '../console.ts'
import { guardLedger } from './ledger-log.ts'

export interface Migration {
  number: number
  name: string
  sql: string
  sha256: string
}
interface Options {
  /** The last migration to apply; a restore stops at the one its backup was made with. */
  upTo?: number
  folder?: string
  /** How long a migration waits for a table before it lets others through; 5,000 ms when not said. */
  lockTimeoutMs?: number
}

/** Any number no other program uses: one migrator at a time in a database. */
const migratorLock = 4_205_110_226
const usualLockTimeoutMs = 5000
const lockAttempts = 3
const ownFolder = join(import.meta.dirname, 'migrations')
const privileges = join(import.meta.dirname, 'privileges.sql')

export const readMigrations = (folder: string): Migration[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file, index) => {
      const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1])
      if (number !== index + 1)
        throw new Error(
          `${file} must be named ${String(index + 1).padStart(4, '0')}_name.sql: migrations are numbered without gaps.`,
        )
      const sql = readFileSync(join(folder, file), 'utf8')
      return { number, name: file.slice(0, -4), sql, sha256: createHash('sha256').update(sql).digest('hex') }
    })

type Applied = Pick<Migration, 'number' | 'name' | 'sha256'>

/** What has been applied to a database, first to last. */
export const appliedMigrations = async (db: pg.ClientBase): Promise<Applied[]> => {
  const { rows } = await db.query<{ there: boolean }>(`select to_regclass('migrations.applied') is not null as there`)
  if (!rows[0]?.there) return []
  return (await db.query<Applied>('select number, name, sha256 from migrations.applied order by number')).rows
}

const checkHistory = (applied: Applied[], known: Migration[]) => {
  for (const done of applied) {
    const here = known[done.number - 1]
    if (!here)
      throw new SettingsError(`The database is newer than this program (it has ${done.name}); start the newer version.`)
    if (here.sha256 !== done.sha256)
      throw new SettingsError(
        `The migration ${here.name} was changed after it had been applied; ` +
          'put its file back as it was and write a new one.',
      )
  }
}

/**
 * Applies what is missing, gives the application's role its rights, and readies the job queue. Safe to run
 * from many processes at once.
 */
export const migrate = async (
  owner: pg.ClientConfig,
  appRole: string,
  log: Say,
  { upTo = Infinity, folder = ownFolder, lockTimeoutMs = usualLockTimeoutMs }: Options = {},
) => {
  const db = new pg.Client({ ...owner, application_name: 'brolga-migrate' })
  // A lost connection fails the statement that needs it; without a listener it would end the process besides.
  db.on('error', () => undefined)
  await db.connect()
  try {
    await takeTurn(db, log)
    const known = readMigrations(folder)
    const applied = await appliedMigrations(db)
    checkHistory(applied, known)
    const missing = known.slice(applied.length).filter((m) => m.number <= upTo)
    if (applied.length === 0)
      await db.query(
        `create schema if not exists migrations;
          create table if not exists migrations.applied (number int primary key, name text not null,
            sha256 text not null, applied_at timestamptz not null default now())`,
      )
    for (const migration of missing) await apply(db, migration, log, lockTimeoutMs)
    await guard(db)
    await installQueue(db, owner, log)
    await grantRights(db, appRole)
    return { applied: missing.map((m) => m.name) }
  } finally {
    await db.end()
  }
}

const takeTurn = async (db: pg.Client, log: Say) => {
  await db.query(
    'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0; ' +
      'set client_min_messages = warning',
  )
  for (let attempt = 0; ; attempt++) {
    const { rows } = await db.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [migratorLock])
    if (rows[0]?.taken) return
    if (attempt === 20) log.info('Waiting for another start to finish preparing the database')
    await sleep(50)
  }
}

const isLockTimeout = (error: unknown) => error instanceof pg.DatabaseError && error.code === '55P03'

/**
 * One transaction each: what is killed in the middle has changed nothing, and nobody waits behind
 * it for more than five seconds.
 */
const apply = async (db: pg.Client, migration: Migration, log: Say, waitMs: number) => {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.query(`begin; set local lock_timeout = ${waitMs}`)
      await db.query(migration.sql)
      await db.query('insert into migrations.applied (number, name, sha256) values ($1, $2, $3)', [
        migration.number,
        migration.name,
        migration.sha256,
      ])
      await db.query('commit')
      return
    } catch (error) {
      await db.query('rollback').catch(() => undefined)
      if (!isLockTimeout(error))
        throw new Error(
          `The migration ${migration.name} failed and changed nothing: ` +
            `${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        )
      if (attempt === lockAttempts)
        throw new SettingsError(
          `The migration ${migration.name} waits for a table that another program holds; nothing was changed, ` +
            'so start again when it is done.',
          { cause: error },
        )
      log.warn(`The migration ${migration.name} waits for a table that is in use`)
      await sleep(1000 * attempt)
    }
  }
}

const guard = async (db: pg.Client) => {
  await db.query(`begin; set local lock_timeout = ${usualLockTimeoutMs}`)
  try {
    await guardLedger(db)
    await db.query('commit')
  } catch (error) {
    await db.query('rollback').catch(() => undefined)
    throw error
  }
}

/** The version of the job queue's tables that the installed library works with. */
export const queueVersion = () => {
  const manifest = createRequire(import.meta.url)
    .resolve('pg-boss')
    .replace(/dist\/index\.js$/, 'package.json')
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { pgboss: { schema: number } }).pgboss.schema
}

/** The queue's tables are made by the owner, so that the application needs no right to change tables. */
const installQueue = async (db: pg.Client, owner: pg.ClientConfig, log: Say) => {
  const { rows } = await db.query<{ there: boolean }>(`select to_regclass('pgboss.version') is not null as there`)
  const wanted = queueVersion()
  if (!rows[0]?.there) {
    const { getConstructionPlans } = await import('pg-boss')
    await db.query(getConstructionPlans('pgboss'))
    return
  }
  const found = (await db.query<{ version: number }>('select version from pgboss.version')).rows[0]?.version ?? 0
  if (found > wanted)
    throw new SettingsError('The job queue in the database is newer than this program; start the newer version.')
  if (found === wanted) return
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({ ...(owner as object), supervise: false, schedule: false })
  boss.on('error', (error) => log.warn(`The job queue could not be brought up to date: ${error.message}`))
  await boss.start()
  await boss.stop()
}

const queueRights = `grant usage on schema pgboss to :app_role;
grant select, insert, update, delete on all tables in schema pgboss to :app_role;
grant usage, select on all sequences in schema pgboss to :app_role;
grant execute on all functions in schema pgboss to :app_role;`

const grantRights = async (db: pg.Client, appRole: string) => {
  const statements = `${queueRights}\n${readFileSync(privileges, 'utf8')}`.replaceAll(
    ':app_role',
    db.escapeIdentifier(appRole),
  )
  await db.query(`begin; set local lock_timeout = ${usualLockTimeoutMs}; ${statements}\ncommit`)
}
