import { sql } from 'kysely'
import { wereOne } from '../core/family.ts'
import { reopenedOnce } from '../../contract/refunds.ts'
import { check, type Check, money } from './check.ts'

/** The zone a business had at an instant: what its next change took away, else the one it has. */
const zoneAt = (instant: string) =>
  sql`coalesce((select z.before ->> 'timeZone' from audit_log z where z.entity = 'Businesses' and z.entity_guid = b.guid
    and z.action = 'business.updated' and z.before ->> 'timeZone' is not null and z.at > ${sql.ref(instant)}
    order by z.id limit 1), b.time_zone)`
const localDay = (column: string) => sql`(${sql.ref(column)} at time zone ${zoneAt(column)})::date`

/**
 * What two places say of the same thing: the audit log and the record, the journal's day and its document's,
 * an account and its documents.
 */
export const factChecks: Check[] = [
  check(
    'LOGGED_OTHERWISE',
    'Invoices',
    sql`select i.guid, coalesce(i.number, a.after ->> 'number') as number,
      'was issued as ' || coalesce(a.after ->> 'number', '?') || ' over ' ||
      ${money("coalesce((a.after ->> 'totalCents')::bigint, 0)")} || ', says the audit log' as message
      from audit_log a join invoices i on i.guid = a.entity_guid
      where a.entity = 'Invoices' and a.action = 'invoice.issued'
        and (i.status = 'draft' or i.number is distinct from a.after ->> 'number'
        or i.total_cents <> (a.after ->> 'totalCents')::bigint or i.title is distinct from a.after ->> 'title'
        or i.kind is distinct from a.after ->> 'kind')`,
  ),
  check(
    'LOGGED_OTHERWISE',
    'Payments',
    sql`select a.entity_guid as guid, a.after ->> 'number' as number, 'came to ' ||
      ${money("coalesce((a.after ->> 'amountCents')::bigint, 0)")} || ' (' || coalesce(a.after ->> 'method',
      '?') || '), says the audit log' as message
      from audit_log a left join payments p on p.guid = a.entity_guid
      where a.entity = 'Payments' and a.action = 'payment.received'
        and (p.guid is null or p.number is distinct from a.after ->> 'number'
        or p.amount_cents <> (a.after ->> 'amountCents')::bigint or p.method is distinct from a.after ->> 'method')`,
  ),
  check(
    'LOGGED_OTHERWISE',
    'Refunds',
    sql`select a.entity_guid as guid, a.after ->> 'number' as number, 'gave back ' ||
      ${money("coalesce((a.after ->> 'amountCents')::bigint, 0)")} || ', says the audit log' as message
      from audit_log a left join refunds r on r.guid = a.entity_guid
      where a.entity = 'Refunds' and a.action = 'refund.made' and (r.guid is null
      or r.number is distinct from a.after ->> 'number' or r.amount_cents <> (a.after ->> 'amountCents')::bigint)`,
  ),
  check(
    'REFUND_WITHOUT_NOTE',
    'Refunds',
    sql`select r.guid, r.number, 'was given back on an invoice, and no adjustment note of that invoice records it' as
      message from refunds r
      left join invoices n on n.guid = r.adjustment_note_guid and n.kind = 'adjustment_note' and n.status = 'issued'
      and n.adjusts_invoice_guid = r.invoice_guid
      where r.invoice_guid is not null and n.guid is null
      and (r.effect is not null or r.reason_code <> all(${[...reopenedOnce]}::text[]))
      and not exists (select from invoices h where h.guid = r.invoice_guid and h.deposit_nature = 'security')`,
  ),
  check(
    'REFUND_OTHERWISE',
    'Refunds',
    sql`select r.guid, r.number, 'is not what was asked for, or not of the same payment' as message from refunds r
      join refund_attempts a on a.guid = r.attempt_guid
      where (r.payment_guid, r.invoice_guid, r.business_guid, r.reason_code, r.provider_refund_id, r.effect,
      r.reopens_guid) is distinct from (a.payment_guid, a.invoice_guid, a.business_guid, a.reason_code,
      a.provider_refund_id, a.effect, a.reopens_guid)`,
  ),
  check(
    'REFUND_REQUEST',
    'Refunds',
    sql`select a.guid, null::text as number, 'was approved by nobody else, or is not what was approved' as message
      from refund_attempts a left join refund_requests q on q.guid = a.request_guid
      where a.request_guid is not null and (q.status <> 'approved' or q.decided_by = q.requested_by
      or (q.payment_guid, q.invoice_guid, q.amount_cents, q.reason_code)
      is distinct from (a.payment_guid, coalesce(a.invoice_guid, a.reopens_guid), a.amount_cents, a.reason_code)
      or (q.effect is not null and q.effect <> a.effect))`,
  ),
  check(
    'PARTIES',
    'Payments',
    sql`select p.guid, p.number, 'was received of another customer or legal entity than the one it pays for' as
      message
      from payment_allocations a join payments p on p.guid = a.payment_guid join invoices i on i.guid = a.invoice_guid
      where (p.customer_guid <> i.customer_guid and not ${wereOne(sql`p.customer_guid`, sql`i.customer_guid`)})
      or p.entity_guid <> i.entity_guid
      union all select p.guid, p.number, 'is a prepayment of the order of another customer or legal entity'
      from payments p join orders o on o.guid = p.order_guid join businesses b on b.guid = o.business_guid
      where (p.customer_guid <> o.customer_guid and not ${wereOne(sql`p.customer_guid`, sql`o.customer_guid`)})
      or p.entity_guid <> b.entity_guid`,
  ),
  check(
    'ENTITY',
    'Businesses',
    // Whose money it is follows from its business, and what belongs together is of one legal entity.
    sql`select m.guid, m.number, m.what || ' is not of the legal entity of its business' as message from (
        select 'the invoice' as what, guid, number, business_guid, entity_guid from invoices
        union all select 'the payment', guid, number, business_guid, entity_guid from payments
        union all select 'the refund', guid, number, business_guid, entity_guid from refunds
        union all select 'the journal entry', guid, null, business_guid, entity_guid from journal_entries
      ) m left join businesses b on b.guid = m.business_guid where b.entity_guid is distinct from m.entity_guid
      union all select r.guid, r.number, 'the refund is of another legal entity than its payment' from refunds r
      join payments p on p.guid = r.payment_guid where p.entity_guid <> r.entity_guid
      union all select n.guid, n.number, 'the adjustment note is of another legal entity than its invoice'
      from invoices n join invoices i on i.guid = n.adjusts_invoice_guid where i.entity_guid <> n.entity_guid
      union all select e.guid, coalesce(i.number, p.number, r.number),
      'the journal entry is of another legal entity than its document' from journal_entries e
      left join invoices i on i.guid = e.source_guid left join payments p on p.guid = e.source_guid
      left join refunds r on r.guid = e.source_guid
      where coalesce(i.entity_guid, p.entity_guid, r.entity_guid) <> e.entity_guid`,
  ),
  check(
    'PARTIES',
    'Invoices',
    sql`select i.guid, i.number, 'is of another customer or business than what it belongs to' as message from invoices i
      left join orders o on o.guid = i.order_guid left join invoices x on x.guid = i.adjusts_invoice_guid
      where i.number is not null and (o.business_guid <> i.business_guid or x.business_guid <> i.business_guid
      or (x.customer_guid <> i.customer_guid and not ${wereOne(sql`x.customer_guid`, sql`i.customer_guid`)}))`,
  ),
  check(
    'JOURNAL_DAY',
    'Journals',
    sql`select e.guid, coalesce(i.number, p.number, r.number) as number, 'is posted on ' || e.posted_on ||
      ', its document is of ' || coalesce(d.day::text, 'no day') as message
      from journal_entries e join businesses b on b.guid = e.business_guid
      left join invoices i on e.source in ('invoice', 'adjustment_note', 'void', 'deposit_forfeited')
        and i.guid = e.source_guid
      left join payments p on e.source = 'payment' and p.guid = e.source_guid
      left join refunds r on e.source = 'refund' and r.guid = e.source_guid
      left join write_offs w on e.source in ('write_off', 'recovery') and w.guid = e.source_guid
      left join payment_allocations a on e.source in ('allocation', 'unallocation') and a.guid = e.source_guid
      left join payment_reversals v on e.source = 'payment_reversal' and v.guid = e.source_guid
      left join gst_forwards f on e.source = 'gst_forward' and f.guid = e.source_guid
      cross join lateral (select case e.source when 'void' then ${localDay('i.voided_at')}
      when 'write_off' then w.effective_on when 'recovery' then w.effective_on
      when 'allocation' then a.effective_on when 'unallocation' then a.effective_on
      when 'gst_forward' then f.on_day
      when 'payment_reversal' then v.reversed_on when 'manual' then e.posted_on when 'reversal' then e.posted_on
      when 'payment' then p.received_on when 'refund' then ${localDay('r.created_at')} else i.issue_on end as day) d
      -- GST that became due has the day that its documents say, and a change of its basis that of its row.
      where d.day is distinct from e.posted_on and e.source not in ('gst_due', 'basis_change')
      -- Money that came on a locked day is posted on the first open one.
      and not (e.source = 'payment' and exists (select from period_locks k where k.business_guid = e.entity_guid
      and k.locked_through >= d.day and e.posted_on = k.locked_through + 1))`,
  ),
  check(
    'JOURNAL_ACCOUNT',
    'Journals',
    sql`select e.guid, coalesce(p.number, r.number) as number, 'moves the money on account ' || l.account ||
      '; what comes by card lies on 1010, the rest on 1000' as message
      from journal_entries e join journal_lines l on l.entry_guid = e.guid and l.account in ('1000', '1010')
      left join refunds r on e.source = 'refund' and r.guid = e.source_guid
      left join payment_reversals v on e.source = 'payment_reversal' and v.guid = e.source_guid
      join payments p on p.guid = case when e.source = 'payment' then e.source_guid
        else coalesce(r.payment_guid, v.payment_guid) end
      left join refund_attempts t on t.guid = r.attempt_guid
      where l.account <> case when (case when r.guid is null then p.provider else t.provider end) is null
        then '1000' else '1010' end`,
  ),
  check(
    'JOURNAL_UNKNOWN_ACCOUNT',
    'Journals',
    sql`select distinct l.entry_guid as guid, null::text as number, 'posts to account ' || l.account ||
      ', which there is not' as message from journal_lines l
      where not exists (select from accounts a where a.business_guid = l.business_guid and a.code = l.account)`,
  ),
  check(
    'SUBLEDGER_2200',
    'Businesses',
    // What waits of each deposit: what was billed, less what was given back and what issued invoices credited.
    sql`with waiting as (
        select d.business_guid, d.total_cents - d.gst_cents
            - coalesce((select sum(n.total_cents - n.gst_cents) from invoices n where n.adjusts_invoice_guid = d.guid
            and n.status = 'issued'), 0)
            + coalesce((select sum(l.net_cents) from invoice_lines l join invoices i on i.guid = l.invoice_guid
            where l.deposit_invoice_guid = d.guid and i.status in ('issued', 'written_off')), 0) as cents
        from invoices d where d.kind = 'deposit' and d.deposit_nature = 'part_payment'
        and d.status in ('issued', 'written_off')
      ), documents as (select business_guid, sum(greatest(cents, 0)) as cents from waiting group by 1),
      booked as (select e.business_guid, sum(l.credit_cents - l.debit_cents) as cents from journal_lines l
      join journal_entries e on e.guid = l.entry_guid where l.account = '2200' group by 1)
      select coalesce(d.business_guid, k.business_guid) as guid, '2200' as number,
        'customer deposits stand at ' || ${money('coalesce(k.cents, 0)')} ||
        ' in the journal, their documents come to ' || ${money('coalesce(d.cents, 0)')} as message
      from documents d full join booked k on k.business_guid = d.business_guid
      where coalesce(d.cents, 0) <> coalesce(k.cents, 0)`,
  ),
  check(
    'SUBLEDGER_2300',
    'Payments',
    sql`with given as (select payment_guid, sum(amount_cents) as cents from refunds where invoice_guid is null
      group by 1), used as (select payment_guid, sum(cents) as cents from payment_allocations group by 1),
      -- What is reversed leaves no credit.
      standing as (select guid, number, case when exists (select from payment_reversals v where v.payment_guid = x.guid)
      then 0 else amount_cents end as amount_cents from payments x),
      booked as (select coalesce(r.payment_guid, a.payment_guid, v.payment_guid, e.source_guid) as payment_guid,
      sum(l.credit_cents - l.debit_cents) as cents from journal_lines l join journal_entries e on e.guid = l.entry_guid
        left join refunds r on e.source = 'refund' and r.guid = e.source_guid
        left join payment_allocations a on e.source in ('allocation', 'unallocation') and a.guid = e.source_guid
        left join payment_reversals v on e.source = 'payment_reversal' and v.guid = e.source_guid
        where l.account = '2300' group by 1)
      select coalesce(p.guid, k.payment_guid) as guid, p.number, 'leaves a credit of ' ||
        ${money('coalesce(p.amount_cents - coalesce(u.cents, 0) - coalesce(g.cents, 0), 0)')} ||
        ', in the journal it is ' || ${money('coalesce(k.cents, 0)')} as message
      from standing p left join used u on u.payment_guid = p.guid left join given g on g.payment_guid = p.guid full
      join booked k on k.payment_guid = p.guid
      where coalesce(p.amount_cents - coalesce(u.cents, 0) - coalesce(g.cents, 0), 0) <> coalesce(k.cents, 0)`,
  ),
]
