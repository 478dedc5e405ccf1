import type pg from 'pg'
import { poolOf } from '../../server/core/db/connect.ts'
import type { Db } from '../../server/core/ctx.ts'

/**
 * Notes every statement that goes to the database while something is done, the beginning and
 * the end of its transaction too.
 */
export function noteStatements(db: Db) {
  const noted: string[] = []
  const state = { isOn: false }
  const patched = new WeakSet<pg.PoolClient>()
  poolOf.get(db)?.on('acquire', (client) => {
    if (patched.has(client)) return
    patched.add(client)
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((...given: unknown[]) => {
      const [first] = given
      if (state.isOn)
        noted.push(typeof first === 'string' ? first : String((first as { text?: string } | undefined)?.text ?? ''))
      return query(...given)
    }) as typeof client.query
  })
  return async (work: () => Promise<unknown>): Promise<string[]> => {
    noted.length = 0
    state.isOn = true
    await work()
    state.isOn = false
    return [...noted]
  }
}
