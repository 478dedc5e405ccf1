import { type RawBuilder, sql } from 'kysely'

/** The guids of the invoices and payments for orders that what `entries` (source, source_guid) holds is about. */
const aboutEntries = sql`select source_guid as guid from entries
    where source in ('invoice', 'void', 'deposit_forfeited')
    union select n.adjusts_invoice_guid from entries e join invoices n on n.guid = e.source_guid
      where e.source = 'adjustment_note'
    union select a.invoice_guid from entries e join payment_allocations a on a.payment_guid = e.source_guid
      where e.source = 'payment'
    union select a.invoice_guid from entries e join payment_allocations a on a.guid = e.source_guid
      where e.source in ('allocation', 'unallocation')
    union select r.invoice_guid from entries e join refunds r on r.guid = e.source_guid
      where e.source = 'refund' and r.invoice_guid is not null
    union select w.invoice_guid from entries e join write_offs w on w.guid = e.source_guid
      where e.source in ('write_off', 'recovery')
    union select p.guid from entries e
      left join payment_allocations a on e.source in ('allocation', 'unallocation') and a.guid = e.source_guid
      left join refunds r on e.source = 'refund' and r.guid = e.source_guid
      left join payment_reversals v on e.source = 'payment_reversal' and v.guid = e.source_guid
      join payments p on p.guid = coalesce(a.payment_guid, r.payment_guid, v.payment_guid, e.source_guid)
      where e.source in ('payment', 'allocation', 'unallocation', 'refund', 'payment_reversal')
      and p.order_gst is not null`

/**
 * Two CTEs for the head of a `with`: what was posted in the books of a legal entity in a period, and `touched`, the
 * guids of the invoices and payments for orders that it moved. Without a last day everything since counts.
 */
export const touchedInvoices = (
  entityGuid: string,
  from: string | RawBuilder<unknown>,
  to: string | null,
): RawBuilder<unknown> => sql`
  entries as materialized (
    select e.guid as entry_guid, e.source, e.source_guid from journal_entries e
      where e.entity_guid = ${entityGuid}::uuid
      and e.posted_on between ${from}::date and coalesce(${to}::date, 'infinity'::date)
  ), touched as (
    ${aboutEntries}
    union select l.gst_of from entries e join journal_lines l on l.entry_guid = e.entry_guid and l.gst_of is not null
      where e.source in ('basis_change', 'gst_due')
    union select i.guid from entries e join gst_forwards f on f.guid = e.source_guid
      join invoices i on i.order_guid = f.order_guid and i.status in ('issued', 'void', 'written_off')
      where e.source = 'gst_forward'
  )`

/** The same of one entry. */
export const touchedBy = (entryGuid: string): RawBuilder<unknown> => sql`
  entries as materialized (select source, source_guid from journal_entries where guid = ${entryGuid}::uuid),
  touched as (${aboutEntries})`
