import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { quiet } from '../../server/core/console.ts'
import { migrate, readMigrations } from '../../server/core/db/migrate.ts'
import { configFor } from './cluster.ts'
import { freshDatabase } from './start-db.ts'

const folder = join(import.meta.dirname, '../../server/core/db/migrations')

/** A database as it was before a migration, for rows that were there already; `migrateOn` brings it up to date. */
export async function databaseBefore(migration: string) {
  const its = readMigrations(folder).find(({ name }) => name.endsWith(`_${migration}`))?.number
  if (its === undefined) throw new Error(`no migration is called ${migration}`)
  const { name: fresh, appRole, drop } = await freshDatabase()
  const name = `${fresh}_before`
  const all = new pg.Client(configFor(inject('cluster'), 'postgres'))
  await all.connect()
  await all.query(`create database ${name}`)
  const owner = configFor(inject('cluster'), name)
  await migrate(owner, appRole, quiet, { folder, upTo: its - 1 })
  const db = new pg.Client(owner)
  await db.connect()
  return {
    db,
    migrateOn: () => migrate(owner, appRole, quiet, { folder }),
    drop: async () => {
      await db.end()
      await all.query(`drop database ${name} with (force)`)
      await all.end()
      await drop()
    },
  }
}
