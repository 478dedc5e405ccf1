import { type RawBuilder, sql } from 'kysely'
import { followUpGraceDays, type FollowUpStep, followUpSteps } from '../../contract/automatic-emails.ts'
import type { PlanItem } from '../../contract/jobs.ts'
import type { Ctx } from '../core/ctx.ts'
import { addressOfDocument } from '../documents/document-messages.service.ts'
import { emailsSince } from '../businesses/automatic.service.ts'
import { queueDocumentMessage } from '../messages/messages.service.ts'
import { rowForUpdate } from './quotes.queries.ts'

/** Follow-ups go out from this time of the day. */
const beginsAt = '09:00'
/** What was passed over is shown as such for so many days more. */
const shownForDays = 2

export interface FollowUpMark {
  at: string
  guid: string
}
interface Due extends FollowUpMark {
  number: string
  title: string
  to: string | null
  businessGuid: string
  step: FollowUpStep
  isSent: boolean
  isMissed: boolean
  isRecent: boolean
  isAnswered: boolean
}
type Asked = { after?: FollowUpMark | null; guid?: string }

const dayOf: Record<'sentAt' | 'validUntil', RawBuilder<string>> = {
  sentAt: sql`(q.sent_at at time zone b.time_zone)::date`,
  validUntil: sql`q.valid_until`,
}
const stepsOf = sql.join(
  Object.entries(followUpSteps).map(
    ([step, { from, days }]) =>
      sql`(${step}::text, (${dayOf[from]} + ${days}::int + ${beginsAt}::time) at time zone b.time_zone)`,
  ),
)

/** Something about the quote went out, or is on its way, within 48 hours. */
const isRecent = (now: Date) => sql<boolean>`exists (select from messages m
  where m.owner_type = 'quote' and m.owner_guid = q.guid and m.direction = 'out' and not m.is_test
    and m.status in ('queued', 'deferred', 'sending', 'sent', 'delivered')
    and coalesce(m.sent_at, m.created_at) > ${now}::timestamptz - interval '48 hours')`
/** The customer wrote about it since it was sent, and no machine of his: that waits for an answer of ours. */
const isAnswered = sql<boolean>`exists (select from messages m
  where m.owner_type = 'quote' and m.owner_guid = q.guid and m.direction = 'in' and not m.is_automatic
    and m.created_at > q.sent_at)`

/** Quotes that wait for an answer, each with the step that was due last: those before it are passed over for good. */
async function findDue(ctx: Ctx, { after, guid }: Asked, limit: number) {
  const now = sql`${ctx.now}::timestamptz`
  const { rows } = await sql<Due>`select q.guid, q.number, q.title, q.business_guid, s.step, s.at,
      ${addressOfDocument('q', 'quote')} as "to",
      exists (select from quote_follow_ups f where f.quote_guid = q.guid and f.step = s.step) as is_sent,
      s.at < ${now} - ${followUpGraceDays}::int * interval '1 day' as is_missed,
      ${isRecent(ctx.now)} as is_recent, ${isAnswered} as is_answered
    from quotes q join businesses b on b.guid = q.business_guid
      join lateral (select x.step, x.at from (values ${stepsOf}) x (step, at)
        where x.at <= ${now} and x.at > q.sent_at order by x.at desc, x.step limit 1) s on true
    where q.status = 'sent' and q.archived_at is null
      and (q.sent_at > ${now} - interval '14 days'
        or q.valid_until between (${now} - interval '2 days')::date and (${now} + interval '5 days')::date)
      and (q.valid_until is null or q.valid_until >= (${now} at time zone b.time_zone)::date)
      and s.at > ${now} - ${followUpGraceDays + shownForDays}::int * interval '1 day'
      and s.at >= ${emailsSince('followUpSince')}
      ${guid ? sql`and q.guid = ${guid}::uuid` : sql``}
      ${after ? sql`and (s.at, q.guid) > (${after.at}::timestamptz, ${after.guid}::uuid)` : sql``}
    order by s.at, q.guid limit ${limit + 1}`.execute(ctx.db)
  return { rows: rows.slice(0, limit), isPartial: rows.length > limit }
}

function reasonOf({ isSent, isMissed, isAnswered: hasReply, isRecent: isTooSoon, to }: Due): string | null {
  if (isSent) return 'followed_up'
  if (isMissed) return 'passed_over'
  if (hasReply) return 'replied'
  if (isTooSoon) return 'messaged_recently'
  return to === null ? 'no_address' : null
}

function itemOf(row: Due): PlanItem {
  const { guid, number, title, step, to } = row
  const item = { key: `quote:${guid}:${step}`, record: { guid, label: number } }
  const reason = reasonOf(row)
  if (reason !== null) return { ...item, do: false, reason }
  return { ...item, do: true, effect: `Follow up quote ${number} “${title}” with ${to}.` }
}

/** The follow-ups after a mark, in the order in which they fell due. */
export async function planFollowUps(ctx: Ctx, after: FollowUpMark | null, limit: number) {
  const { rows, isPartial } = await findDue(ctx, { after }, limit)
  return {
    items: rows.map((row) => ({
      ...{ item: itemOf(row), mark: { at: row.at, guid: row.guid }, businessGuid: row.businessGuid },
    })),
    isPartial,
  }
}

/** Sends a follow-up if it is still to be sent; whether it was. */
export async function followUp(ctx: Ctx, guid: string, step: FollowUpStep): Promise<boolean> {
  if (!(await rowForUpdate(ctx.db, guid))) return false
  const [row] = (await findDue(ctx, { guid }, 1)).rows
  if (row?.step !== step || reasonOf(row) !== null) return false
  await ctx.workFor(row.businessGuid)
  const message = await queueDocumentMessage(ctx, {
    ...{ template: 'quote_followup', ownerType: 'quote', ownerGuid: guid, quietly: true, isAutomatic: true },
  })
  if (!message) return false
  await ctx.db
    .insertInto('quoteFollowUps')
    .values({ quoteGuid: guid, step, sentAt: ctx.now, messageGuid: message.guid })
    .execute()
  return true
}
