import { sql } from 'kysely'
import { formatPattern } from '../../contract/core/dates.ts'
import type { AppError } from '../../contract/core/errors.ts'
import type { PlanItem } from '../../contract/jobs.ts'
import { messageWritesApi } from '../../contract/message-writes.ts'
import type { Ctx } from '../core/ctx.ts'
import { keeperOf, membersAre } from '../core/family.ts'
import { definePlanned } from '../core/jobs/planned.ts'
import { notify } from '../core/notices.ts'
import { workOffQueue } from './mailing.ts'
import { lockMessage, type MessageRow } from './messages.queries.ts'
import { auditOf } from './messages.queue.ts'
import { suppressedAmong } from './suppressions.ts'
import { aboutMessage, withFieldsOf } from './writing-about.ts'
import { fillOrRefuse, usedTemplate } from './writing-words.ts'

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
}

/** What it speaks of is paid, or void: its invoice, or all that its customer owed the business. */
const isSettled = sql<boolean>`(m.cancel_when = 'settled' and not exists (select from invoices i
  where i.status = 'issued' and i.balance_cents > 0 and case m.owner_type when 'invoice' then i.guid = m.owner_guid
    else i.business_guid = m.business_guid
      and ${membersAre(sql.ref('i.customerGuid'), keeperOf(sql.ref('m.customerGuid')))} end))`

async function findDue(ctx: Ctx, after: Mark | null, limit: number): Promise<{ rows: Due[]; isPartial: boolean }> {
  const later = after ? sql`and (m.scheduled_at, m.guid) > (${after.at}::timestamptz, ${after.guid}::uuid)` : sql``
  const { rows } =
    await sql<Due>`select m.guid, m.business_guid, m.subject, array_to_string(m.recipients, ', ') as "to",
      m.scheduled_at as at, m.time_zone as "timeZone", ${isSettled} as "isSettled"
    from messages m where m.status = 'scheduled' and m.scheduled_at <= ${ctx.now} ${later}
    order by m.scheduled_at, m.guid limit ${limit + 1}`.execute(ctx.db)
  return { rows: rows.slice(0, limit), isPartial: rows.length > limit }
}

function itemOf({ guid, subject, to, at, timeZone, isSettled: isPaid }: Due): PlanItem {
  const when = formatPattern(at, 'd-m-Y H:i', { zone: timeZone, locale: 'en' })
  const effect = isPaid ? `Cancel “${subject}” to ${to}: nothing is owing.` : `Send “${subject}” to ${to}, due ${when}.`
  return { key: guid, record: { guid, label: subject }, do: true, effect }
}

const set = (ctx: Ctx, row: MessageRow, values: object) =>
  ctx.db
    .updateTable('messages')
    .set({ ...values, version: row.version + 1, updatedAt: ctx.now })
    .where('guid', '=', row.guid)
    .execute()

async function lockDue(ctx: Ctx, guid: string): Promise<MessageRow | null> {
  const row = await lockMessage(ctx, guid)
  return row?.status === 'scheduled' && row.scheduledAt !== null && new Date(row.scheduledAt) <= ctx.now ? row : null
}

/** Fixes the words of a message whose time has come, with what is so now, and has it sent; or takes it back. */
async function release(ctx: Ctx, guid: string): Promise<boolean> {
  const row = await lockDue(ctx, guid)
  if (!row?.source || !row.businessGuid) return false
  const { rows } = await sql<{ isSettled: boolean }>`select ${isSettled} as "isSettled" from messages m
    where m.guid = ${guid}::uuid`.execute(ctx.db)
  if (rows[0]?.isSettled) {
    await set(ctx, row, { status: 'cancelled', failureReason: 'Nothing is owing.' })
    ctx.audit(auditOf(row, 'message.cancelled', 'Nothing is owing.'))
    return true
  }
  const closed = await suppressedAmong(ctx.db, row.businessGuid, row.recipients, row.category)
  if (row.recipients.every((address) => closed.has(address.toLowerCase()))) {
    await set(ctx, row, { status: 'suppressed', settledAt: ctx.now })
    ctx.audit(auditOf(row, 'message.suppressed'))
    return true
  }
  const template = await usedTemplate(ctx.db, row.source.templateVersionGuid, row.source.language)
  await ctx.workFor(row.businessGuid)
  const about = await withFieldsOf(ctx, await aboutMessage(ctx, row), template?.kind)
  const { subject, facts } = fillOrRefuse({ source: row.source, template }, about)
  await set(ctx, row, { status: 'queued', subject, facts: JSON.stringify(facts), nextAttemptAt: ctx.now })
  ctx.audit(auditOf({ ...row, subject }, 'message.queued'))
  await workOffQueue(ctx)
  return true
}

/** What cannot be sent goes back among the drafts: whoever wrote it is told why. */
async function refused(ctx: Ctx, guid: string, error: AppError) {
  const row = await lockDue(ctx, guid)
  if (!row) return
  const reason = (error.fields[0]?.message ?? error.message).slice(0, 400)
  const values = { subject: row.subject, to: row.recipients.join(', '), reason }
  const unscheduled = { scheduledAt: null, scheduledFor: null, timeZone: null }
  await set(ctx, row, { status: 'draft', failureReason: reason, failureType: 'document', ...unscheduled })
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
    return {
      items: rows.map((row) => ({
        ...{ item: itemOf(row), mark: { at: row.at, guid: row.guid }, businessGuid: row.businessGuid },
      })),
      isPartial,
    }
  },
  act: release,
  refused,
})
