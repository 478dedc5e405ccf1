import type { remindersApi } from '../../contract/reminders.ts'
import type { Handlers } from '../core/ctx.ts'
import { hold, lift, listHolds } from './holds.ts'
import { reminderJob } from './ladder.ts'
import { savePolicy, shownPolicy } from './policy.ts'
import { remindersToday } from './today.ts'

export const reminders: Handlers<typeof remindersApi> = {
  policy: shownPolicy,
  savePolicy,
  holds: listHolds,
  hold,
  lift,
  today: remindersToday,
  process: (ctx) => reminderJob.run(ctx.deps, ctx),
  preview: (ctx) => reminderJob.preview(ctx),
  runs: (ctx, input) => reminderJob.runs(ctx, input),
}
