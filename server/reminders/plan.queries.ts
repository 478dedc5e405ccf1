import { type RawBuilder, sql } from 'kysely'
import { localDay, minutesAt, startOfDay } from '../../contract/core/dates.ts'
import { isQuietMinute } from '../../contract/core/quiet-time.ts'
import type { ReminderStep, SkipReason } from '../../contract/reminders.ts'
import type { Db } from '../core/ctx.ts'
import { ofFamily } from '../core/family.ts'
import { type QuietOf, type QuietRow, quietColumns, quietOf } from '../core/quiet-time.ts'
import { askedCents } from '../documents/instalments.service.ts'

/** The ladder of a business on a day. */
export interface Ladder extends QuietOf {
  isOn: boolean
  startsOn: string
  /** Minutes after midnight. */
  sendAt: number
  minimumCents: number
  steps: readonly ReminderStep[]
  today: string
}

type LadderRow = QuietRow & Pick<Ladder, 'isOn' | 'startsOn' | 'sendAt' | 'minimumCents' | 'steps'>

/** The ladders of all businesses in use, or of one. */
export async function findLadders(db: Db, now: Date, businessGuid?: string): Promise<Ladder[]> {
  const one = businessGuid ? sql`and b.guid = ${businessGuid}::uuid` : sql`and p.is_on and b.archived_at is null`
  const { rows } = await sql<LadderRow>`select ${quietColumns}, p.is_on as "isOn", p.starts_on as "startsOn",
      p.send_at as "sendAt", p.minimum_cents as "minimumCents", p.steps
    from reminder_policies p join businesses b on b.guid = p.business_guid
    join mail_policies q on q.business_guid = b.guid where jsonb_array_length(p.steps) > 0 ${one}
    order by b.guid`.execute(db)
  return rows.map(({ isOn, startsOn, sendAt, minimumCents, steps, ...row }) => ({
    ...quietOf(row),
    ...{ isOn, startsOn, sendAt, minimumCents, steps },
    today: localDay(now.toISOString(), row.zone),
  }))
}

/** Whether reminders may be planned now: the day is not quiet, and its quiet hours have not begun. */
export function isOpen({ isOn, quiet, place, sendAt, today }: Ladder, now: Date): boolean {
  const minutes = Math.max(minutesAt(now.toISOString(), place.zone), sendAt)
  return isOn && !isQuietMinute(quiet, place, today, minutes)
}

/** An invoice that a step is due for, and why it is not to be reminded of, if it is not. */
export interface AskedInvoice {
  guid: string
  number: string
  businessGuid: string
  customerGuid: string
  customerName: string
  dueOn: string
  /** Days from the day it is due. */
  step: number
  cents: number
  to: string[]
  reason: SkipReason | null
  /** Until when it is on hold, where that ends. */
  until: string | null
  /** The first day anything of its customer is due: customers come one after the other by it. */
  firstOn: string
}

/** After whom a plan goes on. */
export interface PlanMark {
  firstOn: string
  businessGuid: string
  customerGuid: string
}

const asJson = (ladders: readonly Ladder[]) =>
  JSON.stringify(
    ladders.map(({ businessGuid, today, place, startsOn, minimumCents, steps }) => ({
      ...{ business: businessGuid, today, midnight: startOfDay(today, place.zone), starts_on: startsOn },
      ...{ minimum: minimumCents, steps, first: Math.min(...steps.map(({ days }) => days)) },
    })),
  )
const opened = (ladders: readonly Ladder[]) => sql`jsonb_to_recordset(${asJson(ladders)}::jsonb) as o(business uuid,
  today date, midnight timestamptz, starts_on date, minimum bigint, steps jsonb, first int)`

/** Who receives reminders, else whom one deals with about money, else the customer himself; in one order. */
const addresses = sql`coalesce(
  (select array_agg(distinct lower(p.email) collate "C" order by lower(p.email) collate "C")
    from contact_links l join contacts p on p.guid = l.contact_guid where ${ofFamily('l', 'k.guid')}
    and l.ended_at is null and p.archived_at is null and p.email is not null and l.receives_reminders),
  (select array[lower(p.email)] from contact_links l join contacts p on p.guid = l.contact_guid
    where ${ofFamily('l', 'k.guid')} and l.ended_at is null and p.archived_at is null and p.email is not null
    and l.role = 'billing' order by l.is_primary desc, l.created_at, l.guid limit 1),
  case when k.email is not null then array[lower(k.email)] end, '{}'::text[])`

const isPaying = sql`exists (select from payment_attempts t where t.status in ('processing', 'requires_action')
  and (t.invoice_guid = i.guid or exists (select from payment_attempt_parts x
    where x.attempt_guid = t.guid and x.invoice_guid = i.guid)))`

/** Messages about money that went out about an invoice, or about it and others. */
const isMessaged = (now: Date) => {
  const recent = sql`m.purpose = 'billing' and m.direction = 'out' and not m.is_test
    and m.sent_at > ${now}::timestamptz - interval '48 hours'`
  return sql`(exists (select from messages m where m.owner_type = 'invoice' and m.owner_guid = i.guid and ${recent})
    or exists (select from message_invoices x join messages m on m.guid = x.message_guid
      where x.invoice_guid = i.guid and ${recent}))`
}

const inOrder = sql`(select array_agg(lower(a) collate "C" order by lower(a) collate "C") from unnest(m.recipients) a)`
const isRemindedToday = sql`exists (select from messages m where m.business_guid = i.business_guid
  and ${ofFamily('m', 'k.guid')} and m.is_automatic and m.template = 'reminder' and m.created_at >= d.midnight
  and ${inOrder} = who.addresses)`

/**
 * Asks all reasons of invoices, in the order of the page. `source` has what is asked: `guid, due_on, step, today,
 * midnight, starts_on, minimum`.
 */
const reasons = (now: Date, isReminded: RawBuilder<unknown>) => sql`case
  when i.status <> 'issued' or i.archived_at is not null then 'not_issued'
  when asked.cents <= 0 then 'nothing_owing'
  when held.is_disputed then 'disputed'
  when held.is_held then 'on_hold'
  when asked.cents < d.minimum then 'below_minimum'
  when d.due_on + d.step < d.starts_on then 'before_policy'
  when ${isPaying} then 'payment_processing'
  when exists (select from payments p where p.business_guid = i.business_guid and ${ofFamily('p', 'k.guid')}
    and p.created_at >= d.midnight) then 'paid_today'
  when ${isMessaged(now)} then 'messaged_recently'
  when who.addresses = '{}' then 'no_address'
  when not exists (select from unnest(who.addresses) a where not exists (select from suppressions s
    where s.business_guid = i.business_guid and s.address = a and s.scope = 'all' and s.lifted_at is null))
    then 'suppressed'
  when ${isReminded} then 'reminded_today' end`

const asking = (source: RawBuilder<unknown>, now: Date, isReminded: RawBuilder<unknown>) => sql`
  select d.guid, i.number, i.business_guid as "businessGuid", k.guid as "customerGuid",
    k.display_name as "customerName", d.due_on as "dueOn", d.step, asked.cents, who.addresses as "to",
    held.until, d.first_on as "firstOn", ${reasons(now, isReminded)} as reason
  from (${source}) d join invoices i on i.guid = d.guid
  join parties k on k.member_guid = i.customer_guid
  cross join lateral (select case when i.balance_cents <= 0 or i.due_on > d.due_on then 0
    else ${askedCents('i')} end as cents) asked
  cross join lateral (select ${addresses} as addresses) who
  cross join lateral (select coalesce(bool_or(h.reason = 'disputed'), false) as is_disputed, count(*) > 0 as is_held,
      case when not coalesce(bool_or(h.until is null), false) then max(h.until) end as until
    from reminder_holds h where h.business_guid = i.business_guid and h.lifted_at is null
      and (h.until is null or h.until >= d.today) and (h.invoice_guid = i.guid or ${ofFamily('h', 'k.guid')})) held
  order by d.first_on, i.business_guid, k.guid, d.due_on, d.guid`

/** The greatest step that is due of each invoice which owes something, where neither it nor a later one was taken. */
const dueSteps = (ladders: readonly Ladder[], customerGuid: string | null) => sql`
  select i.guid, i.business_guid, k.guid as family_guid, i.due_on, s.step, o.today, o.midnight, o.starts_on, o.minimum
  from ${opened(ladders)} join invoices i on i.business_guid = o.business
  join parties k on k.member_guid = i.customer_guid
  cross join lateral (select max((x.value ->> 'days')::int) as step from jsonb_array_elements(o.steps) x
    where i.due_on + (x.value ->> 'days')::int <= o.today) s
  where i.status = 'issued' and i.balance_cents > 0 and i.archived_at is null and i.due_on <= o.today - o.first
    and not exists (select from reminder_log l where l.invoice_guid = i.guid and l.due_on = i.due_on
      and l.step >= s.step)
    ${customerGuid ? sql`and k.guid = ${customerGuid}::uuid` : sql``}`

interface Wanted {
  after?: PlanMark | null
  /** So many customers at most, in one order; one more tells that there are others. */
  limit?: number
  /** Of one customer alone. */
  customerGuid?: string
}

/** What is due for a step now, customer after customer. */
export async function findDue(
  db: Db,
  now: Date,
  ladders: readonly Ladder[],
  { after = null, limit, customerGuid }: Wanted,
): Promise<AskedInvoice[]> {
  if (ladders.length === 0) return []
  const later = after
    ? sql`having (min(due_on), business_guid, family_guid)
        > (${after.firstOn}::date, ${after.businessGuid}::uuid, ${after.customerGuid}::uuid)`
    : sql``
  const source = sql`select due.*, heads.first_on from heads join due using (business_guid, family_guid)`
  const { rows } = await sql<AskedInvoice>`with due as materialized (${dueSteps(ladders, customerGuid ?? null)}),
    heads as materialized (select business_guid, family_guid, min(due_on) as first_on from due
      group by business_guid, family_guid ${later} order by 3, 1, 2 ${limit ? sql`limit ${limit}` : sql``})
    ${asking(source, now, isRemindedToday)}`.execute(db)
  return rows
}

/** The same of the invoices of a message that was made: it does not count itself. */
export async function findMade(db: Db, now: Date, ladder: Ladder, messageGuid: string): Promise<AskedInvoice[]> {
  const source = sql`select l.invoice_guid as guid, l.due_on, l.step, o.today, o.midnight, o.starts_on, o.minimum,
      l.due_on as first_on
    from reminder_log l join message_invoices x on x.message_guid = l.message_guid and x.invoice_guid = l.invoice_guid
    cross join ${opened([ladder])} where l.message_guid = ${messageGuid}::uuid`
  const { rows } = await sql<AskedInvoice>`${asking(source, now, sql`false`)}`.execute(db)
  return rows
}
