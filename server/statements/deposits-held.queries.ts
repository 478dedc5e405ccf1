import { sql } from 'kysely'
import type { HeldDeposit } from '../../contract/deposits.ts'
import type { Db } from '../core/ctx.ts'
import type { Books } from './receivables.queries.ts'

/**
 * What moved a deposit that waits on 2200, net of GST: its issue, what voided it, notes on it as far as they took it
 * from there, and what issued invoices credited of it. An invoice that was voided may give less back than it credited,
 * because notes took it meanwhile: each of its deposits then gets its share.
 */
const partPayments = (books: Books, on: string) => sql`
  select d.guid, d.total_cents - d.gst_cents as cents from invoices d
    where d.kind = 'deposit' and d.deposit_nature = 'part_payment' and d.number is not null
    and d.issue_on <= ${on}::date and ${own(books, 'd')}
  union all select d.guid, -sum(l.debit_cents - l.credit_cents) from invoices d
    join invoices n on n.guid = d.guid or n.adjusts_invoice_guid = d.guid
    join journal_entries e on e.source_guid = n.guid and e.source in ('void', 'adjustment_note')
    join journal_lines l on l.entry_guid = e.guid and l.account = '2200'
    where d.kind = 'deposit' and d.deposit_nature = 'part_payment' and e.posted_on <= ${on}::date and ${own(books, 'd')}
    group by d.guid
  union all select l.deposit_invoice_guid, l.net_cents from invoice_lines l join invoices i on i.guid = l.invoice_guid
    where l.deposit_invoice_guid is not null and i.number is not null and i.issue_on <= ${on}::date
    and ${own(books, 'i')}
  union all select v.deposit, v.net * least(v.put_back::numeric / nullif(v.credited, 0), 1)
    from (select l.deposit_invoice_guid as deposit, -sum(l.net_cents) as net, p.put_back,
        sum(-sum(l.net_cents)) over (partition by i.guid) as credited
      from invoices i join journal_entries e on e.source = 'void' and e.source_guid = i.guid
      join invoice_lines l on l.invoice_guid = i.guid and l.deposit_invoice_guid is not null
      cross join lateral (select coalesce(sum(x.credit_cents - x.debit_cents), 0) as put_back from journal_lines x
        where x.entry_guid = e.guid and x.account = '2200') p
      where e.posted_on <= ${on}::date and ${own(books, 'i')} group by i.guid, l.deposit_invoice_guid, p.put_back) v`

const own = (books: Books, row: string) => sql`${sql.ref(`${row}.entity_guid`)} = ${books.entityGuid}::uuid
  and ${sql.ref(`${row}.business_guid`)} = any(${books.businesses}::uuid[])`

/** What moved a security deposit on 2250: its issue, what voided it, notes, what it paid, what was kept or returned. */
const securities = (books: Books, on: string) => sql`
  select d.guid, d.total_cents as cents from invoices d where d.kind = 'deposit' and d.deposit_nature = 'security'
    and d.number is not null and d.issue_on <= ${on}::date and ${own(books, 'd')}
  union all select d.guid, -d.total_cents from invoices d
    join journal_entries e on e.source = 'void' and e.source_guid = d.guid
    where d.deposit_nature = 'security' and e.posted_on <= ${on}::date and ${own(books, 'd')}
  union all select n.adjusts_invoice_guid, -n.total_cents from invoices n where n.kind = 'adjustment_note'
    and n.deposit_nature = 'security' and n.number is not null and n.issue_on <= ${on}::date and ${own(books, 'n')}
  union all select d.guid, -p.amount_cents from payments p join invoices d on d.guid = p.deposit_guid
    where p.received_on <= ${on}::date and ${own(books, 'd')}
  union all select d.guid, p.amount_cents from payment_reversals v join payments p on p.guid = v.payment_guid
    join invoices d on d.guid = p.deposit_guid where v.reversed_on <= ${on}::date and ${own(books, 'd')}
  union all select d.guid, -r.amount_cents from refunds r join invoices d on d.guid = r.invoice_guid
    join journal_entries e on e.source = 'refund' and e.source_guid = r.guid
    where d.deposit_nature = 'security' and e.posted_on <= ${on}::date and ${own(books, 'd')}`

/** What of a document was owing at the end of a day, with GST. */
const unpaid = (on: string) => sql<number>`greatest(0, i.total_cents
  - coalesce((select sum(n.total_cents) from invoices n where n.adjusts_invoice_guid = i.guid and n.number is not null
    and n.issue_on <= ${on}::date), 0)
  - coalesce((select sum(a.cents) from payment_allocations a where a.invoice_guid = i.guid
    and a.effective_on <= ${on}::date), 0)
  + case when i.deposit_nature = 'security' then 0 else coalesce((select sum(r.amount_cents) from refunds r
    join journal_entries e on e.source = 'refund' and e.source_guid = r.guid
    where r.invoice_guid = i.guid and e.posted_on <= ${on}::date), 0) end
  - coalesce((select sum(case when w.reverses_guid is null then w.cents else -w.cents end) from write_offs w
    where w.invoice_guid = i.guid and w.effective_on <= ${on}::date), 0))::bigint`

/** Deposits that waited at the end of a day, the oldest first, with whoever is kept of their customers. */
export async function heldOn(db: Db, books: Books, on: string): Promise<HeldDeposit[]> {
  const { rows } = await sql<HeldDeposit>`with held as (
      select guid, round(sum(cents))::bigint as cents
      from (${partPayments(books, on)} union all ${securities(books, on)}) moved group by guid
      having round(sum(cents)) <> 0)
    select c.guid as customer_guid, c.display_name as customer_name, o.guid as order_guid, o.number as order_number,
      i.guid as invoice_guid, i.number, i.deposit_nature as nature, i.issue_on as since, h.cents,
      ${unpaid(on)} as unpaid_cents
    from held h join invoices i on i.guid = h.guid join parties c on c.member_guid = i.customer_guid
    left join orders o on o.guid = i.order_guid order by i.issue_on, i.number`.execute(db)
  return rows
}

/** What the ledger has on both accounts of deposits at the end of a day. */
export async function depositsOnLedger(db: Db, books: Books, on: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`select
      coalesce(sum(l.credit_cents - l.debit_cents), 0)::bigint as cents
    from journal_lines l join journal_entries e on e.guid = l.entry_guid
    where l.account in ('2200', '2250') and l.business_guid = ${books.entityGuid}::uuid
      and e.business_guid = any(${books.businesses}::uuid[]) and e.posted_on <= ${on}::date`.execute(db)
  return rows[0]?.cents ?? 0
}
