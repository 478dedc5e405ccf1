import { localDay } from '../../contract/core/dates.ts'
import type { ReminderStep } from '../../contract/reminders.ts'
import type { BusinessRow } from '../core/business.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import type { FirstReminders } from '../email-templates/first.service.ts'

/** The ladder that a business begins with: three days before, then ever later. */
const firstSteps = ({ soon, late, final }: FirstReminders): ReminderStep[] => [
  { days: -3, templateGuid: soon },
  { days: 1, templateGuid: late },
  { days: 7, templateGuid: late },
  { days: 14, templateGuid: final },
  { days: 30, templateGuid: final },
]

/** Gives a new business its ladder of reminders, which somebody has to turn on, and its quiet time. */
export async function seedReminders(
  ctx: Pick<Ctx, 'db' | 'now'>,
  { guid, timeZone }: Pick<BusinessRow, 'guid' | 'timeZone'>,
  templates: FirstReminders,
): Promise<void> {
  await ctx.db.insertInto('mailPolicies').values({ guid: newGuid(), businessGuid: guid }).execute()
  await ctx.db
    .insertInto('reminderPolicies')
    .values({
      guid: newGuid(),
      businessGuid: guid,
      startsOn: localDay(ctx.now.toISOString(), timeZone),
      steps: JSON.stringify(firstSteps(templates)),
    })
    .execute()
}
