import { overdueJob } from '../invoices/overdue.service.ts'
import { welcomeJob } from '../orders/welcomes.service.ts'
import type { Stage } from './actors.ts'

const dayMs = 86_400_000
/** How many days back emails went out by themselves, and invoices were told to be overdue. */
const days = 12

/** What jobs have done in the last days; of a real business nothing is written to people who do not exist. */
export async function makeAutomatic({ at, deps }: Stage, isReal: boolean): Promise<void> {
  const then = (daysAgo: number) => new Date(at.getTime() - daysAgo * dayMs)
  const since = then(isReal ? 0 : days)
  const businesses = await deps.db.selectFrom('businesses').select('guid').execute()
  await deps.db
    .insertInto('automaticEmails')
    .values(
      businesses.map(({ guid }) => ({
        ...{ businessGuid: guid, welcomeSince: since, followUpSince: since, updatedAt: since },
      })),
    )
    .execute()
  for (let daysAgo = days; daysAgo >= 0; daysAgo--) {
    const past = { ...deps, now: () => then(daysAgo) }
    if (daysAgo % 3 === 0) await overdueJob.run(past)
    if (!isReal) await welcomeJob.run(past)
  }
}
