import { addDays } from '../../contract/core/dates.ts'
import { basPeriodOf } from '../../contract/periods.ts'
import { taxApi } from '../../contract/tax.ts'
import { periodLocks } from '../journal/locks.service.ts'
import { play, type Stage } from './actors.ts'

const dayMs = 86_400_000

/** The last quarter but one is locked; it was open again for three days, which are over. */
export async function makeLocks(stage: Stage, today: string): Promise<void> {
  const lastQuarter = basPeriodOf(addDays(basPeriodOf(today, 'quarterly').from, -1), 'quarterly')
  const through = addDays(lastQuarter.from, -1)
  const ago = (days: number) => ({ ...stage, at: new Date(stage.at.getTime() - days * dayMs) })
  await play(ago(12), taxApi.lock, periodLocks.lock, { through })
  await play(ago(9), taxApi.unlock, periodLocks.unlock, {
    from: addDays(through, -13),
    reason: 'An invoice of the crane hire came after the quarter was locked.',
    days: 3,
  })
}
