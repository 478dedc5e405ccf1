import { sql } from 'kysely'
import { check, type Check, money } from './check.ts'

/** What security deposits hold: their sums, what is billed of what was kept, and account 2250. */
export const depositChecks: Check[] = [
  check(
    'DEPOSIT_USED_SUM',
    'Invoices',
    sql`select d.guid, d.number, 'says that ' || ${money('d.deposit_used_cents')} ||
      ' of the deposit was used, the payments out of it come to ' || ${money('coalesce(u.cents, 0)')} as message
      from invoices d left join (select p.deposit_guid as guid, sum(p.amount_cents) as cents from payments p
      where p.deposit_guid is not null and not exists (select from payment_reversals v where v.payment_guid = p.guid)
      group by 1) u on u.guid = d.guid where d.deposit_used_cents <> coalesce(u.cents, 0)
      union all select d.guid, d.number, 'used or gave back more of the deposit than was received'
      from invoices d where d.deposit_nature = 'security' and d.kind = 'deposit'
      and d.deposit_used_cents > d.paid_cents - d.refunded_cents
      union all select d.guid, d.number, 'is held without a clause that says when it is kept' from invoices d
      where d.deposit_nature = 'security' and d.kind = 'deposit' and d.number is not null
      and coalesce(d.forfeiture_clause, '') = ''
      union all select p.guid, p.number, 'came out of a deposit of another legal entity' from payments p
      join invoices d on d.guid = p.deposit_guid where d.entity_guid <> p.entity_guid
      union all select x.guid, x.number, 'is credited as a deposit and is only held' from invoice_lines l
      join invoices x on x.guid = l.deposit_invoice_guid where x.deposit_nature = 'security'`,
  ),
  check(
    'DEPOSIT_FORFEITED',
    'Invoices',
    // What was kept is billed and paid out of the deposit, to the cent.
    sql`select f.guid, f.number, 'bills ' || ${money('f.total_cents')} || ' as kept of a deposit, and ' ||
      ${money('coalesce(p.cents, 0)')} || ' of the deposit paid it' as message
      from invoices f join invoices d on d.guid = f.forfeits_guid
      left join lateral (select sum(y.amount_cents) as cents from payments y where y.deposit_guid = d.guid
      and exists (select from payment_allocations a where a.payment_guid = y.guid and a.invoice_guid = f.guid
      and a.reverses_guid is null)) p on true
      where f.number is not null and (coalesce(p.cents, 0) <> f.total_cents or d.deposit_nature <> 'security'
      or d.entity_guid <> f.entity_guid)`,
  ),
  check(
    'SUBLEDGER_2250',
    'Invoices',
    sql`with moved as (
        select guid, total_cents as cents from invoices where kind = 'deposit' and deposit_nature = 'security'
        and status in ('issued', 'written_off')
        union all select adjusts_invoice_guid, -total_cents from invoices where kind = 'adjustment_note'
        and deposit_nature = 'security' and status = 'issued'
        union all select guid, -deposit_used_cents - refunded_cents from invoices where kind = 'deposit'
        and deposit_nature = 'security' and status in ('issued', 'written_off')
      ), documents as (select guid, sum(cents) as cents from moved group by 1),
      booked as (select coalesce(n.adjusts_invoice_guid, i.forfeits_guid, i.guid, p.deposit_guid, v.deposit_guid,
        r.invoice_guid) as guid, sum(l.credit_cents - l.debit_cents) as cents from journal_lines l
        join journal_entries e on e.guid = l.entry_guid
        left join invoices n on e.source = 'adjustment_note' and n.guid = e.source_guid
        left join invoices i on e.source in ('invoice', 'void', 'deposit_forfeited') and i.guid = e.source_guid
        left join payments p on e.source = 'payment' and p.guid = e.source_guid
        left join payment_reversals b on e.source = 'payment_reversal' and b.guid = e.source_guid
        left join payments v on v.guid = b.payment_guid
        left join refunds r on e.source = 'refund' and r.guid = e.source_guid
        where l.account = '2250' group by 1)
      select coalesce(d.guid, k.guid) as guid, i.number, 'holds ' || ${money('coalesce(d.cents, 0)')} ||
        ' of a deposit, in the journal it is ' || ${money('coalesce(k.cents, 0)')} as message
      from documents d full join booked k on k.guid = d.guid left join invoices i on i.guid = coalesce(d.guid, k.guid)
      where coalesce(d.cents, 0) <> coalesce(k.cents, 0)`,
  ),
]

/** Entries of what was kept and what was applied, beside the other entries of the journal. */
export const depositJournalChecks: Check[] = [
  check(
    'JOURNAL_FORFEIT',
    'Invoices',
    sql`select i.guid, i.number, case when j.guid is null then 'has no journal entry (deposit_forfeited)'
      else 'and its journal entry (deposit_forfeited) do not agree' end as message
      from invoices i left join entries j on j.source = 'deposit_forfeited' and j.source_guid = i.guid
      where i.forfeits_guid is not null and i.number is not null and (j.guid is null
      or j.securities <> i.total_cents or j.any_gst <> -i.gst_cents or j.sales <> -(i.total_cents - i.gst_cents)
      or j.receivable <> 0 or j.bank <> 0)`,
  ),
  check(
    'JOURNAL_DEPOSIT_USED',
    'Payments',
    sql`select p.guid, p.number, 'came out of a deposit, and its journal does not say so' as message from payments p
      left join entries j on j.source = 'payment' and j.source_guid = p.guid
      left join lateral (select x.forfeits_guid, coalesce(sum(a.cents), 0) as cents from payment_allocations a
        join invoices x on x.guid = a.invoice_guid where a.payment_guid = p.guid and a.reverses_guid is null
        group by 1 order by min(a.created_at) limit 1) a on true
      where p.deposit_guid is not null and case when a.forfeits_guid is not null then j.guid is not null
      else j.guid is null or j.securities <> p.amount_cents or j.receivable <> -p.amount_cents or j.bank <> 0 end`,
  ),
]
