import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from './schema.ts'
import { transact } from './transact.ts'

/**
 * Work that opens transactions of its own, as parts of one: all of it stays or none, and nobody sees it half made. It
 * is for steps that follow each other on records nobody else has yet, because every lock is held until the end.
 */
export const joinTransaction = <T>(db: Kysely<DB>, work: (whole: Kysely<DB>) => Promise<T>): Promise<T> =>
  transact(db, async (open) => {
    // What is checked at the end is checked for all steps at once.
    await sql`set local statement_timeout = '60s'`.execute(open)
    await sql`set local idle_in_transaction_session_timeout = '60s'`.execute(open)
    return work(partOf(open))
  })

/**
 * The open transaction, whose `transaction()` opens none. Stood in for, as its methods
 * read private fields and so work on nothing made from it.
 */
function partOf(open: Transaction<DB>): Kysely<DB> {
  const inside = () => ({ execute: <T>(step: (db: Transaction<DB>) => Promise<T>) => step(open) })
  return new Proxy<Kysely<DB>>(open, {
    get: (db, name) => {
      if (name === 'transaction') return inside
      const value: unknown = Reflect.get(db, name)
      return typeof value === 'function' ? value.bind(db) : value
    },
  })
}
