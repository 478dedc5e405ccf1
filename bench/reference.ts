import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { run } from '../scripts/steps.ts'
import { appliedMigrations, readMigrations } from '../server/core/db/migrate.ts'
import { type Embedded, startEmbedded } from '../server/core/db/embedded.ts'
import { terminal } from '../server/core/console.ts'

/** Where the reference database is kept between runs. */
export const dataDir = '.tmp/bench'
export const password = 'bench-password-1'
const kept = 'brolga_reference'
const stateFile = join(dataDir, 'reference.json')
const sources = ['server/sample/large.sql', 'server/sample/large.ts']
/** What the product's own commands are run with. */
export const seedEnvironment = { DATA_DIR: dataDir, MODE: 'demo', DEMO_PASSWORD: password, PAYMENT_PROVIDER: 'none' }

export interface Reference {
  /** What it was made from. */
  sha256: string
  seedSeconds: number
  verifySeconds: number
}

export const hashSources = () =>
  sources.reduce((hash, path) => hash.update(readFileSync(path)), createHash('sha256')).digest('hex')

export const connectTo = async (server: Embedded, database: string) => {
  const client = new pg.Client({ host: server.host, port: server.port, user: server.user, database })
  await client.connect()
  return client
}

const inMaintenance = async (server: Embedded, statements: readonly string[]) => {
  const client = await connectTo(server, 'postgres')
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Whether the kept database was made from today's sources and by migrations that still read the same. */
async function isUsable(server: Embedded, known: Reference | null): Promise<boolean> {
  if (known?.sha256 !== hashSources()) return false
  const client = await connectTo(server, kept).catch(() => null)
  if (!client) return false
  try {
    const here = readMigrations('server/core/db/migrations')
    return (await appliedMigrations(client)).every((done) => here[done.number - 1]?.sha256 === done.sha256)
  } finally {
    await client.end()
  }
}

const seconds = async (what: string, script: string, args: string[] = []): Promise<number> => {
  const startedAt = performance.now()
  if (!(await run(script, args, { env: seedEnvironment }))) throw new Error(`${what} failed`)
  return (performance.now() - startedAt) / 1000
}

/** Makes the reference data by the product's own commands and puts it aside. */
async function make(): Promise<Reference> {
  if (existsSync(join(dataDir, 'postgres'))) {
    const old = await startEmbedded({ dataDir, log: terminal })
    await inMaintenance(old, [
      `drop database if exists ${kept} with (force)`,
      'drop database if exists brolga with (force)',
    ])
    await old.stop()
  }
  for (const file of ['demo.json', 'reference.json']) rmSync(join(dataDir, file), { force: true })
  const seedSeconds = await seconds('seed', 'scripts/seed.ts', ['--scale', 'large'])
  const verifySeconds = await seconds('verify-ledger', 'scripts/verify-ledger.ts')
  const server = await startEmbedded({ dataDir, log: terminal })
  await inMaintenance(server, [`alter database brolga rename to ${kept}`])
  await server.stop()
  const made = { sha256: hashSources(), seedSeconds, verifySeconds }
  writeFileSync(stateFile, `${JSON.stringify(made, null, 2)}\n`)
  return made
}

/** Puts a fresh copy of the reference database in place: every run starts from the same rows. */
export async function prepareReference(): Promise<Reference> {
  const known = existsSync(stateFile) ? (JSON.parse(readFileSync(stateFile, 'utf8')) as Reference) : null
  let usable = false
  if (known) {
    const server = await startEmbedded({ dataDir, log: terminal })
    usable = await isUsable(server, known)
    await server.stop()
  }
  const reference = known && usable ? known : await make()
  const server = await startEmbedded({ dataDir, log: terminal })
  await inMaintenance(server, [
    'drop database if exists brolga with (force)',
    `create database brolga template ${kept} strategy file_copy`,
    'checkpoint',
  ])
  await server.stop()
  return reference
}
