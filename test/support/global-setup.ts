import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../server/core/db/embedded.ts'
import { migrate, queueVersion, readMigrations } from '../../server/core/db/migrate.ts'
import { quiet } from '../../server/core/console.ts'
import { type Cluster, configFor } from './cluster.ts'
import { testHome } from './test-home.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'server/core/db/migrations')

/**
 * Boots one PostgreSQL for all tests, or uses TEST_DATABASE_URL, with a migrated database in it that each file clones.
 */
export default async function setup(project: TestProject) {
  const url = process.env.TEST_DATABASE_URL
  const server = url ? null : await startEmbedded({ dataDir: testHome(root), log: quiet, durable: false })
  const cluster: Cluster = {
    server: server ? { host: server.host, port: server.port, user: server.user } : { connectionString: url },
    template: templateName(),
    appRole: 'brolga_test_app',
  }
  const db = new pg.Client(configFor(cluster, url ? null : 'postgres'))
  await db.connect()
  try {
    await dropLeftovers(db)
    await makeTemplate(db, cluster)
  } finally {
    await db.end()
  }
  project.provide('cluster', cluster)
  return async () => server?.stop()
}

/** A template is good for as long as the migrations are what it was made from. */
const templateName = () => {
  const hash = createHash('sha256')
    .update(readFileSync(join(folder, '../privileges.sql')))
    .update(readFileSync(join(folder, '../ledger-log.ts')))
    .update(`${queueVersion()}`)
  for (const { sha256 } of readMigrations(folder)) hash.update(sha256)
  return `template_${hash.digest('hex').slice(0, 16)}`
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Databases of test runs that were killed. */
const dropLeftovers = async (db: pg.Client) => {
  const { rows } = await db.query<{ name: string }>(
    `select datname as name from pg_database where datname like 'test\\_%'`,
  )
  for (const { name } of rows.filter(({ name }) => !isAlive(Number(name.split('_')[1]))))
    await db.query(`drop database if exists ${name} with (force)`)
}

/** Made under another name and renamed, so that a half-made template is never cloned; one run makes it, others wait. */
const makeTemplate = async (db: pg.Client, cluster: Cluster) => {
  await db.query('select pg_advisory_lock(4205110227)')
  const { rows } = await db.query('select 1 from pg_database where datname = $1', [cluster.template])
  if (rows.length > 0) return
  const { rows: roles } = await db.query('select 1 from pg_roles where rolname = $1', [cluster.appRole])
  if (roles.length === 0)
    await db.query(`create role ${cluster.appRole} login password 'test-only' nosuperuser nocreatedb nocreaterole`)
  await db.query('drop database if exists template_next with (force)')
  await db.query('create database template_next')
  await migrate(configFor(cluster, 'template_next'), cluster.appRole, quiet)
  await db.query(`alter database template_next rename to ${cluster.template}`)
  // The newest few stay: another run, on other migrations, may be cloning one.
  const { rows: old } = await db.query<{ name: string }>(
    `select datname as name from pg_database
      where datname like 'template\\_%' and datname <> $1 order by oid desc offset 5`,
    [cluster.template],
  )
  for (const { name } of old) await db.query(`drop database if exists ${name} with (force)`)
}
