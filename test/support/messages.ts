import { composeWords } from '../../server/messages/compose.ts'
import type { Running } from './start.ts'

/** Composes what waits to be sent, so that its words can be read, and sends nothing. */
export async function composeMessages({ deps }: Pick<Running, 'deps'>): Promise<void> {
  const waiting = await deps.db.selectFrom('messages').selectAll().where('businessGuid', 'is not', null).execute()
  for (const message of waiting) {
    const { guid, facts } = message
    if (!facts) continue
    const words = await composeWords({ db: deps.db, deps }, { ...message, facts, themeVersion: null })
    await deps.db
      .updateTable('messages')
      .set({ ...words, facts: null })
      .where('guid', '=', guid)
      .execute()
  }
}
