import { sql } from 'kysely'
import { accounts } from '../../contract/ledger.ts'
import { depositMonths, gstSlackCents, mostOddities, type Oddity, type OddityCode } from '../../contract/oddities.ts'
import type { Db } from '../core/ctx.ts'

export interface FoundOddity extends Pick<Oddity, 'noun' | 'guid' | 'label' | 'cents'> {
  code: Exclude<OddityCode, 'suspense'> | 'received_locked'
  /** Of what is late the day it counts on; of a deposit the day since when. */
  on: string | null
  /** The day it was booked, or received. */
  then: string | null
  /** What GST is, and what it would be, in cents. */
  gstCents: number | null
  expectedCents: number | null
}

/** Payments or deposits of a legal entity that something may be held of at the end of a day, and no others. */
const heldAt = (entity: string, kind: 'credit' | 'deposit', to: string) => sql`(select h.guid from held_money h
  where h.entity_guid = ${entity}::uuid and h.kind = ${kind} and h.until_on > ${to}::date)`

/** Money that pays nothing at the end of a day and names no order, by what its payments hold of customers' credit. */
const untaggedMoney = (entity: string, to: string) => sql`
  select 'untagged_money' as code, 'Payments' as noun, p.guid, p.number as label, m.cents, null::date as "on",
    null::date as "then", null::bigint as gst_cents, null::bigint as expected_cents, 2 as rank
  from ${heldAt(entity, 'credit', to)} h join payments p on p.guid = h.guid
  cross join lateral (select sum(c.cents)::bigint as cents from credit_moves(p.guid) c where c.day <= ${to}::date) m
  where p.order_guid is null and m.cents > 0`

/** Posted into days that were locked before, while they were open again. */
const postedAfterLock = (entity: string, from: string, to: string) => sql`
  select 'booked_late', case when i.guid is not null then 'Invoices' when p.guid is not null then 'Payments'
      else 'Journal' end, coalesce(i.guid, p.guid, e.guid), coalesce(i.number, p.number, e.narrative),
    (select coalesce(sum(l.debit_cents), 0)::bigint from journal_lines l where l.entry_guid = e.guid), e.posted_on,
    (e.created_at at time zone b.time_zone)::date, null::bigint, null::bigint, 3
  from journal_entries e join businesses b on b.guid = e.business_guid
  left join write_offs w on e.source in ('write_off', 'recovery') and w.guid = e.source_guid
  left join invoices i on i.guid = coalesce(w.invoice_guid, e.source_guid)
  left join payment_allocations a on e.source in ('allocation', 'unallocation') and a.guid = e.source_guid
  left join refunds r on e.source = 'refund' and r.guid = e.source_guid
  left join payment_reversals v on e.source = 'payment_reversal' and v.guid = e.source_guid
  left join payments p on p.guid = coalesce(a.payment_guid, r.payment_guid, v.payment_guid, e.source_guid)
  where e.entity_guid = ${entity}::uuid and e.posted_on between ${from}::date and ${to}::date
    and exists (select 1 from period_locks k where k.business_guid = ${entity}::uuid and k.reopens_until is null
      and k.locked_through >= e.posted_on and k.created_at < e.created_at)`

/** Money that was received on a locked day, and counts on the first open one. */
const receivedOnLocked = (entity: string, from: string, to: string) => sql`
  select 'received_locked', 'Payments', p.guid, p.number, p.amount_cents, e.posted_on, p.received_on, null::bigint,
    null::bigint, 3
  from journal_entries e join payments p on p.guid = e.source_guid
  where e.entity_guid = ${entity}::uuid and e.source = 'payment' and p.received_on < e.posted_on
    and e.posted_on between ${from}::date and ${to}::date`

const gstOff = (entity: string, from: string, to: string) => sql`
  select 'gst_off', 'Invoices', i.guid, i.number, abs(i.gst_cents - t.expected), null::date, null::date,
    i.gst_cents, t.expected, 4
  from journal_entries e join invoices i on i.guid = e.source_guid
  join lateral (select round(sum(l.net_cents) / 10.0)::bigint as expected from invoice_lines l
    where l.invoice_guid = i.guid and l.gst_code = 'GST') t on true
  where e.entity_guid = ${entity}::uuid and e.source in ('invoice', 'adjustment_note', 'deposit_forfeited')
    and e.posted_on between ${from}::date and ${to}::date and abs(i.gst_cents - t.expected) > ${gstSlackCents}::int
    and not exists (select 1 from journal_entries v where v.source = 'void' and v.source_guid = i.guid
      and v.posted_on <= ${to}::date)
    and not exists (select 1 from journal_lines d where d.entry_guid = e.guid
      and d.account = ${accounts.securityDeposits} and e.source <> 'deposit_forfeited')`

const longAgo = (to: string) => sql`(${to}::date - make_interval(months => ${depositMonths}::int))::date`

/** Deposits that were paid so long ago and that no invoice has credited, nor a note or refund given back. */
const depositsHeld = (entity: string, to: string) => sql`
  select 'deposit_held', 'Invoices', i.guid, i.number, least(i.total_cents - t.used, t.paid)::bigint, t.since,
    null::date, null::bigint, null::bigint, 5
  from ${heldAt(entity, 'deposit', to)} h join invoices i on i.guid = h.guid
  cross join lateral (select
      (select min(a.effective_on) from payment_allocations a where a.invoice_guid = i.guid and a.cents > 0) as since,
      sum(m.paid) as paid, sum(m.used) as used from deposit_moves(i.guid) m where m.day <= ${to}::date) t
  where i.status in ('issued', 'written_off') and i.issue_on <= ${longAgo(to)} and t.since <= ${longAgo(to)}
    and least(i.total_cents - t.used, t.paid) > 0`

/** What is odd about a period in the books of a legal entity, but for what waits in suspense. */
export async function odditiesIn(db: Db, entity: string, from: string, to: string): Promise<FoundOddity[]> {
  const { rows } = await sql<FoundOddity>`select code, noun, guid, label, cents, "on", "then", gst_cents, expected_cents
    from (${untaggedMoney(entity, to)} union all ${postedAfterLock(entity, from, to)}
      union all ${receivedOnLocked(entity, from, to)} union all ${gstOff(entity, from, to)}
      union all ${depositsHeld(entity, to)}) o
    order by rank, coalesce("on", "then"), label, guid limit ${mostOddities}`.execute(db)
  return rows
}
