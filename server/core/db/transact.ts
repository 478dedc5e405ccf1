import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely, Transaction } from 'kysely'
import type { DB } from './schema.ts'

/** Whether the work that runs now does so within a transaction that is still open. */
const around = new AsyncLocalStorage<{ isOpen: boolean }>()

/** Runs what holds a connection. Until it has ended, nothing in it may ask a pool for another one. */
async function holding<T>(work: () => Promise<T>): Promise<T> {
  const held = { isOpen: true }
  try {
    return await around.run(held, work)
  } finally {
    held.isOpen = false
  }
}

/** One transaction, one connection: every transaction of the product is opened here. */
export const transact = <T>(db: Kysely<DB>, work: (open: Transaction<DB>) => Promise<T>): Promise<T> =>
  db.transaction().execute((open) => holding(() => work(open)))

/** Reads as of one instant, however long it takes. */
export const snapshot = <T>(db: Kysely<DB>, work: (open: Transaction<DB>) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((open) => holding(() => work(open)))

/**
 * What is wrong about asking for a connection now, or null. Transactions that each hold one and wait for another stand
 * still as soon as there are as many of them as connections.
 */
export const secondConnection = (): Error | null =>
  around.getStore()?.isOpen ? new Error('a transaction asked for a second connection: use the one it has') : null
