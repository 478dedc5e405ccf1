import { sql } from 'kysely'
import { automaticEmailsApi, isFollowUpStep, welcomeDays } from '../../contract/automatic-emails.ts'
import type { PlanItem } from '../../contract/jobs.ts'
import { automaticEmails as settings, emailsSince } from '../businesses/automatic.service.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { definePlanned } from '../core/jobs/planned.ts'
import { addressOfDocument } from '../documents/document-messages.service.ts'
import { queueDocumentMessage } from '../messages/messages.service.ts'
import { followUp, type FollowUpMark, planFollowUps } from '../quotes/follow-ups.service.ts'
import { rowForUpdate } from './orders.queries.ts'

interface Mark {
  at: string
  guid: string
}
interface Confirmed extends Mark {
  number: string
  to: string | null
  businessGuid: string
  isWelcomed: boolean
  isTooOld: boolean
  isArchived: boolean
}

/** Whoever waits for work to begin, or for more of it, is welcomed; not whose work is done or off. */
const welcoming = ['confirmed', 'in_progress', 'on_hold']

/** Orders that were confirmed, with those that became too old for as many days again. */
async function findConfirmed(ctx: Ctx, { after, guid }: { after?: Mark | null; guid?: string }, limit: number) {
  const now = sql`${ctx.now}::timestamptz`
  const first = sql`${now} - ${welcomeDays}::int * interval '1 day'`
  const since = emailsSince('welcomeSince')
  const { rows } = await sql<Confirmed>`select o.guid, o.number, o.business_guid, o.confirmed_at as at,
      ${addressOfDocument('o', 'order')} as "to", o.welcomed_at is not null as is_welcomed,
      o.confirmed_at < greatest(${first}, ${since}) as is_too_old, o.archived_at is not null as is_archived
    from orders o join businesses b on b.guid = o.business_guid
    where o.confirmed_at > ${now} - ${2 * welcomeDays}::int * interval '1 day' and o.confirmed_at <= ${now}
      and o.status = any(${welcoming}::text[]) and ${since} is not null
      ${guid ? sql`and o.guid = ${guid}::uuid` : sql``}
      ${after ? sql`and (o.confirmed_at, o.guid) > (${after.at}::timestamptz, ${after.guid}::uuid)` : sql``}
    order by o.confirmed_at, o.guid limit ${limit + 1}`.execute(ctx.db)
  return { rows: rows.slice(0, limit), isPartial: rows.length > limit }
}

function reasonOf({ isWelcomed, isTooOld, isArchived, to }: Confirmed): string | null {
  if (isWelcomed) return 'welcomed'
  if (isTooOld) return 'too_old'
  if (isArchived) return 'archived'
  return to === null ? 'no_address' : null
}

function itemOf(row: Confirmed): PlanItem {
  const { guid, number, to } = row
  const item = { key: `order:${guid}`, record: { guid, label: number } }
  const reason = reasonOf(row)
  if (reason !== null) return { ...item, do: false, reason }
  return { ...item, do: true, effect: `Welcome ${to} for order ${number}.` }
}

async function planWelcomes(ctx: Ctx, after: Mark | null, limit: number) {
  const { rows, isPartial } = await findConfirmed(ctx, { after }, limit)
  return {
    items: rows.map((row) => ({
      ...{ item: itemOf(row), mark: { at: row.at, guid: row.guid }, businessGuid: row.businessGuid },
    })),
    isPartial,
  }
}

/** Sends the welcome of an order if that is still to be done; whether it was. */
async function welcome(ctx: Ctx, guid: string): Promise<boolean> {
  if (!(await rowForUpdate(ctx.db, guid))) return false
  const [row] = (await findConfirmed(ctx, { guid }, 1)).rows
  if (!row || reasonOf(row) !== null) return false
  await ctx.workFor(row.businessGuid)
  const message = await queueDocumentMessage(ctx, {
    ...{ template: 'welcome', ownerType: 'order', ownerGuid: guid, quietly: true, isAutomatic: true },
  })
  if (!message) return false
  await ctx.db.updateTable('orders').set({ welcomedAt: ctx.now }).where('guid', '=', guid).execute()
  return true
}

type JobMark = { part: 'orders' | 'quotes' } & (Mark | FollowUpMark)

/** Both emails of bookings that nobody writes: welcomes first, then follow-ups, which have no call of their own. */
export const welcomeJob = definePlanned<JobMark>({
  name: 'messages-welcome',
  call: automaticEmailsApi.welcome,
  isSending: true,
  cron: '*/15 * * * *',
  plan: async (ctx, after, limit) => {
    const marked = <I extends { mark: Mark }>(part: JobMark['part'], items: readonly I[]) =>
      items.map((planned) => ({ ...planned, mark: { part, ...planned.mark } }))
    const isOrders = after?.part !== 'quotes'
    const welcomes = isOrders ? await planWelcomes(ctx, after, limit) : { items: [], isPartial: false }
    const items = marked('orders', welcomes.items)
    if (welcomes.isPartial) return { items, isPartial: true }
    const followUps = await planFollowUps(ctx, isOrders ? null : after, Math.max(limit - items.length, 1))
    return { items: [...items, ...marked('quotes', followUps.items)], isPartial: followUps.isPartial }
  },
  act: async (ctx, key) => {
    const [noun, guid = '', step = ''] = key.split(':')
    if (noun === 'order') return welcome(ctx, guid)
    return isFollowUpStep(step) && followUp(ctx, guid, step)
  },
})

export const automaticEmails: Handlers<typeof automaticEmailsApi> = {
  ...settings,
  welcome: (ctx) => welcomeJob.run(ctx.deps, ctx),
  previewWelcome: (ctx) => welcomeJob.preview(ctx),
  welcomeRuns: (ctx, input) => welcomeJob.runs(ctx, input),
}
