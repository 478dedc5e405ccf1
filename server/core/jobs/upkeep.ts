import { sql } from 'kysely'
import { defineBatch } from './jobs.ts'

const rowsPerStep = 5000

/**
 * Takes away what has served its time: keys after two days, sessions and limits when they are over, runs of jobs and
 * events after 90 days, what was sent to webhooks after 30. What happens once and no more is known for good.
 */
export const pruneBatch = defineBatch('prune', '7 * * * *', async (ctx, hasTime) => {
  const targets = [
    sql`delete from idempotency_keys where ctid = any(array(select ctid from idempotency_keys
      where created_at < now() - interval '48 hours' limit ${rowsPerStep}))`,
    sql`delete from rate_limits where ctid = any(array(select ctid from rate_limits
      where resets_at < now() - interval '1 hour' limit ${rowsPerStep}))`,
    sql`delete from sessions where ctid = any(array(select ctid from sessions
      where renewable_until < now() - interval '7 days' limit ${rowsPerStep}))`,
    sql`delete from cron_runs where ctid = any(array(select ctid from cron_runs
      where started_at < now() - interval '90 days' limit ${rowsPerStep}))`,
    sql`delete from events where ctid = any(array(select ctid from events
      where at < now() - interval '90 days' and once_key is null and taken_at is not null limit ${rowsPerStep}))`,
    sql`delete from webhook_deliveries where ctid = any(array(select ctid from webhook_deliveries
      where coalesce(tried_at, created_at) < now() - interval '30 days' limit ${rowsPerStep}))`,
  ]
  let removed = 0
  for (const target of targets) {
    for (let count = rowsPerStep; count === rowsPerStep && hasTime(); removed += count)
      count = Number((await target.execute(ctx.db)).numAffectedRows ?? 0n)
  }
  return { succeeded: removed, failed: 0, remaining: 0 }
})
