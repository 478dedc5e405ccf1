import type { Deps } from '../core/deps.ts'
import { takeEvents } from '../events/taking.service.ts'

/** How far back dry runs look. */
const knownDays = 30
const dayMs = 86_400_000

/**
 * What happened while the sample was made is the past: no action begins with it now. Of the newest events it is known
 * what their records say.
 */
export async function settleEvents(deps: Deps, now: Date): Promise<void> {
  await deps.db
    .updateTable('events')
    .set({ takenAt: now })
    .where('takenAt', 'is', null)
    .where('at', '<', new Date(now.getTime() - knownDays * dayMs).toISOString())
    .execute()
  await takeEvents(
    { deps, log: deps.log },
    () => true,
    async () => undefined,
  )
}
