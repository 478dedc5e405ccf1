import { createHash } from 'node:crypto'
import {
  cpSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { copyOut } from './copy.ts'
import { appliedMigrations, queueVersion } from './migrate.ts'

export interface BackupTable {
  schema: string
  name: string
  columns: string[]
  rows: number
  file: string
  sha256: string
}
/** What stands in `manifest.json`: written last, so a folder that has it is whole. */
export interface Manifest {
  format: 1
  madeAt: string
  keyFingerprint: string
  migrations: { number: number; name: string; sha256: string }[]
  queueVersion: number
  sequences: { schema: string; name: string; value: string | null }[]
  tables: BackupTable[]
  /** Hashes of files that records named and the store no longer had whole; older backups say nothing of it. */
  missing?: string[]
}

/** What in the data folder belongs to this machine and this moment, or comes from the store of files. */
export const notBackedUp = /^(files|postgres|running|ledger\.anchor$|backups$|logs$|.*\.(lock|log|new)$)/

// The queue's version is made with its tables; its statistics are of no use elsewhere.
const skipped = ['pgboss.version', 'pgboss.queue_stats']

export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
export const nameOf = ({ schema, name }: { schema: string; name: string }) => `${quote(schema)}.${quote(name)}`

/** All tables with their columns; partitions come with their parent, computed columns are computed again. */
const listTables = async (db: pg.ClientBase) => {
  const { rows } = await db.query<{ schema: string; name: string; columns: string[] }>(`
    select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p') and not c.relispartition
    group by 1, 2 order by 1, 2`)
  return rows.filter((table) => !skipped.includes(`${table.schema}.${table.name}`))
}

const backUpTable = async (
  db: pg.ClientBase,
  table: Omit<BackupTable, 'rows' | 'file' | 'sha256'>,
  folder: string,
): Promise<BackupTable> => {
  const file = join('tables', `${table.schema}.${table.name}.copy.gz`)
  const { rows, stream } = copyOut(
    db,
    `copy (select ${table.columns.map(quote).join(', ')} from ${nameOf(table)}) to stdout`,
  )
  await pipeline(stream, createGzip({ level: 3 }), createWriteStream(join(folder, file), { mode: 0o600 }))
  return { ...table, rows: await rows, file, sha256: await sha256Of(join(folder, file)) }
}

export const sha256Of = async (path: string) => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

interface Source {
  owner: pg.ClientConfig
  dataDir: string
  keyFingerprint: string
  files: {
    /** The hashes of the files that the tables name, as of the instant of the connection. */
    named: (db: pg.ClientBase) => Promise<string[]>
    /** Brings them to a data folder; tells which are gone. */
    copy: (hashes: readonly string[], dataDir: string) => Promise<string[]>
  }
}

/**
 * Writes everything into a new folder, while the product works on: all tables as of one instant, then the files they
 * name, from whichever store has them. Made aside and renamed when whole.
 */
export const backUp = async ({ owner, dataDir, keyFingerprint, files }: Source, folder: string): Promise<Manifest> => {
  if (existsSync(folder)) throw new Error(`${folder} is there already; name a new folder.`)
  const aside = `${folder}.new`
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(join(aside, 'tables'), { recursive: true, mode: 0o700 })
  const db = new pg.Client({ ...owner, application_name: 'brolga-backup' })
  await db.connect()
  try {
    await db.query(
      'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; ' +
        'begin isolation level repeatable read, read only',
    )
    const manifest: Manifest = {
      format: 1,
      madeAt: new Date().toISOString(),
      keyFingerprint,
      migrations: await appliedMigrations(db),
      queueVersion: queueVersion(),
      tables: [],
      sequences: (
        await db.query<Manifest['sequences'][number]>(
          `select schemaname as schema, sequencename as name, last_value::text as value from pg_sequences
            where schemaname in ('public', 'pgboss') order by 1, 2`,
        )
      ).rows,
    }
    for (const table of await listTables(db)) manifest.tables.push(await backUpTable(db, table, aside))
    const named = await files.named(db)
    // Copying takes its time, and an open snapshot keeps the database from tidying up.
    await db.query('commit')
    copyData(dataDir, join(aside, 'data'))
    manifest.missing = await files.copy(named, join(aside, 'data'))
    writeFileSync(join(aside, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    mkdirSync(dirname(folder), { recursive: true })
    renameSync(aside, folder)
    return manifest
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    throw error
  } finally {
    await db.end()
  }
}

const copyData = (from: string, to: string) => {
  mkdirSync(to, { mode: 0o700 })
  for (const entry of readdirSync(from))
    if (!notBackedUp.test(entry)) cpSync(join(from, entry), join(to, entry), { recursive: true })
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
