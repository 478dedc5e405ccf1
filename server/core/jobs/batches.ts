import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { openCtx, systemRun } from '../run.ts'
import type { BatchDefinition, BatchReport } from './jobs.ts'

const budgetMs = 15_000

/** Any two processes agree on the lock of a batch by its name. */
const lockOf = (name: string) => createHash('sha256').update(`batch:${name}`).digest().readInt32BE(0)

/**
 * Runs a batch unless it is running already, here or in another process: then the report says that nothing was done, at
 * once. The lock belongs to a connection, so it ends with the process that holds it, however that ends.
 */
export async function runJobBatch(
  deps: Deps,
  batch: BatchDefinition,
): Promise<BatchReport & { isRunningAlready: boolean }> {
  const startedAt = performance.now()
  const durationMs = () => Math.round(performance.now() - startedAt)
  return deps.locks.connection().execute(async (connection) => {
    if (!(await tryLock(connection, lockOf(batch.name))))
      return { processed: 0, succeeded: 0, failed: 0, remaining: 0, durationMs: durationMs(), isRunningAlready: true }
    try {
      const { succeeded, failed, remaining } = await batch.step(
        openCtx(systemRun(deps, batch.name)),
        () => performance.now() - startedAt < budgetMs,
      )
      return {
        processed: succeeded + failed,
        succeeded,
        failed,
        remaining,
        durationMs: durationMs(),
        isRunningAlready: false,
      }
    } finally {
      await sql`select pg_advisory_unlock(7002, ${lockOf(batch.name)}::int)`.execute(connection)
    }
  })
}

async function tryLock(connection: Kysely<DB>, lock: number): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(7002, ${lock}::int) as taken`.execute(
    connection,
  )
  return rows[0]?.taken === true
}
