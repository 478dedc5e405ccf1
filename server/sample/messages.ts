import type { Deps } from '../core/deps.ts'
import { sql } from 'kysely'

/**
 * What was written long ago has long been sent: marked as such without drawing hundreds of PDFs. Those of the last
 * `queuedDays` stay in the queue and go out for real when the product starts, and two old ones failed, as happens.
 */
export async function settleOldMessages({ db }: Deps, now: Date, queuedDays: number): Promise<void> {
  const limit = new Date(now.getTime() - queuedDays * 86_400_000)
  const failed = sql<boolean>`guid in (select guid from messages
    where template = 'receipt' and created_at < ${limit} order by created_at desc limit 2)`
  await db
    .updateTable('messages')
    .set({
      status: 'failed',
      attempts: 1,
      nextAttemptAt: null,
      failureReason: '550 5.1.1 The address does not exist.',
      failureType: 'address',
      settledAt: sql`created_at + interval '4 seconds'`,
    })
    .where('status', '=', 'queued')
    .where(failed)
    .execute()
  await db
    .updateTable('messages')
    .set({ status: 'sent', attempts: 1, nextAttemptAt: null, sentAt: sql`created_at + interval '4 seconds'` })
    .where('status', '=', 'queued')
    .where(sql<boolean>`created_at <= ${limit}`)
    .execute()
  await sql`update message_recipients r set at = coalesce(m.sent_at, m.settled_at), reason = m.failure_reason,
      state = case m.status when 'sent' then 'sent' else 'refused' end
    from messages m where m.guid = r.message_guid and r.state = 'waiting'
      and (m.status = 'sent' or (m.status = 'failed' and m.failure_type = 'address'))`.execute(db)
}
