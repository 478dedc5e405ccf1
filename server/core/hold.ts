import { AppError } from '../../contract/core/errors.ts'
import type { Db } from './ctx.ts'

/**
 * After a backup was restored, nothing leaves the house until an administrator has let it: what was sent and charged
 * since the backup is not known here and would be done again.
 */
export interface Hold {
  /** When the backup was restored, and the instant its data is of. */
  since: string
  madeAt: string
  /** The file in DATA_DIR that says what is not known. */
  report: string
  /** When the payment provider was asked what it took since, and how much of it was unknown here. */
  providerAskedAt: string | null
  unknownCharges: number
}

export const holdKey = 'hold'

/** How a database that was just restored begins: held, and the provider not asked yet. */
export const newHold = (since: string, madeAt: string, report: string): Hold => ({
  since,
  madeAt,
  report,
  providerAskedAt: null,
  unknownCharges: 0,
})

export async function readHold(db: Db): Promise<Hold | null> {
  const row = await db.selectFrom('appState').select('value').where('key', '=', holdKey).executeTakeFirst()
  return row ? (row.value as unknown as Hold) : null
}

export const writeHold = (db: Db, hold: Hold, now: Date) => {
  const value = JSON.stringify(hold)
  return db
    .insertInto('appState')
    .values({ key: holdKey, value, updatedAt: now })
    .onConflict((c) => c.column('key').doUpdateSet({ value, updatedAt: now }))
    .execute()
}

/** Refuses what would move money at the provider. */
export const refuseWhileHeld = (hold: Hold | null) => {
  if (hold)
    throw new AppError(
      'CONFLICT',
      'Card payments are paused while a restored backup is checked. Nothing was charged; please try again later.',
    )
}
