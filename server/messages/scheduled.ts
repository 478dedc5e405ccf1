import { sql } from 'kysely'
import { formatPattern } from '../../contract/core/dates.ts'
import type { AppError } from '../../contract/core/errors.ts'
import { notDueReason, type PlanItem } from '../../contract/jobs.ts'
import { messageWritesApi } from '../../contract/message-writes.ts'
import type { Ctx } from '../core/ctx.ts'
import { definePlanned } from '../core/jobs/planned.ts'
import { notify } from '../core/notices.ts'
import { quietAmong } from '../core/quiet-time.ts'
import { auditOf } from './messages.queue.ts'
import { isSettled, lockDue, release, setMessage } from './releasing.service.ts'

interface Mark {
  at: string
  guid: string
}

interface Due {
  guid: string
  businessGuid: string | null
  subject: string
  to: string
  at: string
  timeZone: string
  isSettled: boolean
  isAutomatic: boolean
}

const lookAheadMs = 24 * 3_600_000

/** What is due within a day, what is due now first. */
async function findDue(ctx: Ctx, after: Mark | null, limit: number): Promise<{ rows: Due[]; isPartial: boolean }> {
  const ahead = new Date(ctx.now.getTime() + lookAheadMs)
  const later = after ? sql`and (m.scheduled_at, m.guid) > (${after.at}::timestamptz, ${after.guid}::uuid)` : sql``
  const { rows } =
    await sql<Due>`select m.guid, m.business_guid, m.subject, array_to_string(m.recipients, ', ') as "to",
      m.scheduled_at as at, m.time_zone as "timeZone", m.is_automatic as "isAutomatic", ${isSettled} as "isSettled"
    from messages m where m.status = 'scheduled' and m.scheduled_at <= ${ahead} ${later}
    order by m.scheduled_at, m.guid limit ${limit + 1}`.execute(ctx.db)
  return { rows: rows.slice(0, limit), isPartial: rows.length > limit }
}

function itemOf({ guid, subject, to, at, timeZone, isSettled: isPaid }: Due, now: Date, isQuiet: boolean): PlanItem {
  const item = { key: guid, record: { guid, label: subject } }
  if (new Date(at) > now) return { ...item, do: false, reason: notDueReason, dueAt: new Date(at).toISOString() }
  if (isQuiet) return { ...item, do: false, reason: 'quiet' }
  const when = formatPattern(at, 'd-m-Y H:i', { zone: timeZone, locale: 'en' })
  const effect = isPaid ? `Cancel “${subject}” to ${to}: nothing is owing.` : `Send “${subject}” to ${to}, due ${when}.`
  return { ...item, do: true, effect }
}

/** What cannot be sent goes back among the drafts: whoever wrote it is told why. */
async function refused(ctx: Ctx, guid: string, error: AppError) {
  const row = await lockDue(ctx, guid)
  if (!row) return
  const reason = (error.fields[0]?.message ?? error.message).slice(0, 400)
  const values = { subject: row.subject, to: row.recipients.join(', '), reason }
  const unscheduled = { scheduledAt: null, scheduledFor: null, timeZone: null }
  await setMessage(ctx, row, { status: 'draft', failureReason: reason, failureType: 'document', ...unscheduled })
  ctx.audit(auditOf(row, 'message.failed', reason))
  await notify(ctx, {
    kind: 'message.failed',
    noun: 'Messages',
    recordGuid: guid,
    event: `message.failed:${guid}:${row.version}`,
    values,
  })
}

/** Releases messages whose time has come, whoever asks for it, each once. */
export const scheduledJob = definePlanned<Mark>({
  name: 'messages-scheduled',
  call: messageWritesApi.scheduled,
  isSending: true,
  cron: '* * * * *',
  plan: async (ctx, after, limit) => {
    const { rows, isPartial } = await findDue(ctx, after, limit)
    const isQuiet = await quietAmong(ctx.db, rows, ctx.now)
    return {
      items: rows.map((row) => ({
        item: itemOf(row, ctx.now, isQuiet(row)),
        ...{ mark: { at: row.at, guid: row.guid }, businessGuid: row.businessGuid },
      })),
      isPartial,
    }
  },
  act: release,
  refused,
})
