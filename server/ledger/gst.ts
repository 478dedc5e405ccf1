import { sql } from 'kysely'
import { check, type Check, money } from './check.ts'

/** Accounts of GST against what documents move on them. */
export const gstChecks: Check[] = [
  check(
    'JOURNAL_FORWARD',
    'Orders',
    sql`select f.order_guid as guid, o.number, 'brings ' || ${money('f.cents')} ||
      ' of GST forward, and its journal entry does not' as message
      from gst_forwards f left join orders o on o.guid = f.order_guid
      left join journal_entries e on e.source = 'gst_forward' and e.source_guid = f.guid
      left join lateral (select coalesce(sum(l.debit_cents - l.credit_cents) filter (where l.account = '2106'), 0)
        as forward, coalesce(sum(l.credit_cents - l.debit_cents) filter (where l.account = '2100'), 0) as gst
        from journal_lines l where l.entry_guid = e.guid) l on true
      where e.guid is null or o.guid is null or l.forward <> f.cents or l.gst <> f.cents`,
  ),
  check(
    'SUBLEDGER_2106',
    'Businesses',
    sql`with booked as (select l.business_guid as guid, sum(l.debit_cents - l.credit_cents) as cents
        from journal_lines l where l.account = '2106' group by 1),
      documents as (select b.entity_guid as guid, sum(f.cents) as cents from gst_forwards f
        join orders o on o.guid = f.order_guid join businesses b on b.guid = o.business_guid group by 1)
      select coalesce(k.guid, d.guid) as guid, '2106' as number, 'GST brought forward stands at ' ||
        ${money('coalesce(k.cents, 0)')} || ' in the journal, of its orders it is ' || ${money('coalesce(d.cents, 0)')}
        as message from booked k full join documents d on d.guid = k.guid
      where coalesce(k.cents, 0) <> coalesce(d.cents, 0)`,
  ),
  check(
    'GST_MOVEMENT',
    'Businesses',
    // On the accrual basis each day moves what its documents say: with that any period's activity statement agrees.
    sql`with told as (
        select entity_guid, issue_on as day, gst_cents as cents from invoices
          where kind <> 'adjustment_note' and status in ('issued', 'void', 'written_off')
        union all select i.entity_guid, e.posted_on, -i.gst_cents from invoices i
          join journal_entries e on e.source = 'void' and e.source_guid = i.guid where i.status = 'void'
        union all select entity_guid, issue_on, -gst_cents from invoices
          where kind = 'adjustment_note' and status = 'issued'
        union all select i.entity_guid, w.effective_on, case when w.reverses_guid is null then -w.gst_cents
          else w.gst_cents end from write_offs w join invoices i on i.guid = w.invoice_guid
        union all select b.entity_guid, f.on_day, f.cents from gst_forwards f join orders o on o.guid = f.order_guid
          join businesses b on b.guid = o.business_guid
      ), days as (select entity_guid, day, sum(cents) as told, sum(booked) as booked from (
          select entity_guid, day, cents, 0 as booked from told
          union all select e.entity_guid, e.posted_on, 0, l.credit_cents - l.debit_cents from journal_lines l
            join journal_entries e on e.guid = l.entry_guid where l.account = '2100'
        ) both_sides group by 1, 2)
      select d.entity_guid as guid, '2100' as number, 'GST collected moved by ' || ${money('d.booked')} || ' on ' ||
        d.day || ', its documents say ' || ${money('d.told')} as message
      from days d join businesses b on b.guid = d.entity_guid
      where b.gst_basis = 'accrual' and d.told <> d.booked
        and not exists (select from basis_changes c where c.business_guid = b.guid)`,
  ),
]
