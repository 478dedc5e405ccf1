import pg from 'pg'
import { inject } from 'vitest'
import type { Database } from '../../server/core/db/database.ts'
import { configFor, withUser } from './cluster.ts'

export interface FreshDatabase extends Database {
  name: string
  drop: () => Promise<void>
}

let made = 0

/** A migrated database of its own, empty and gone after `drop()`. */
export const freshDatabase = async (): Promise<FreshDatabase> => {
  const cluster = inject('cluster')
  const name = `test_${process.pid}_${++made}_${Date.now().toString(36)}`
  const run = async (statement: string) => {
    const db = new pg.Client(configFor(cluster, 'host' in cluster.server ? 'postgres' : null))
    await db.connect()
    try {
      await db.query(statement)
    } finally {
      await db.end()
    }
  }
  // Copied as files: written page by page into the log, as is usual, it takes twice as long.
  await run(`create database ${name} template ${cluster.template} strategy file_copy`)
  const owner = configFor(cluster, name)
  const app = withUser(owner, cluster.appRole, 'test-only')
  return {
    name,
    owner,
    app,
    appRole: cluster.appRole,
    read: null,
    embedded: true,
    stop: async () => undefined,
    abandon: () => undefined,
    drop: () => run(`drop database if exists ${name} with (force)`),
  }
}
