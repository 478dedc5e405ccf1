import { sql } from 'kysely'
import type { CodePart, InvoiceLife } from '../../contract/gst-state.ts'
import type { Db } from '../core/ctx.ts'
import { touchedInvoices } from '../statements/touched.service.ts'

export interface TaxedInvoice extends InvoiceLife {
  guid: string
  orderGuid: string | null
  number: string
  customerName: string
  totalCents: number
  gstCents: number
}

/** What the lines of a document come to by GST code; what rounding left beside them goes with the largest part. */
const partsOf = (
  invoice: string,
) => sql`(select coalesce(json_agg(json_build_object('gstCode', t.gst_code, 'totalCents',
  t.total, 'gstCents', t.gst)), '[]'::json)
  from (select l.gst_code, sum(l.total_cents) as total, sum(l.gst_cents) as gst
  from invoice_lines l where l.invoice_guid = ${sql.ref(`${invoice}.guid`)} group by l.gst_code) t)`

/**
 * Invoices of a legal entity that something happened to in a period, with all that happened to them: each on the day
 * that the journal has it. One statement, whatever the period holds.
 */
export async function livesMovedIn(db: Db, entityGuid: string, from: string, to: string): Promise<TaxedInvoice[]> {
  type Row = Omit<TaxedInvoice, 'parts' | 'notes'> & {
    parts: CodePart[]
    notes: { on: string; totalCents: number; gstCents: number; parts: CodePart[] }[]
  }
  const { rows } = await sql<Row>`with ${touchedInvoices(entityGuid, from, to)}
    select i.guid, i.order_guid, i.number, c.display_name as customer_name, i.issue_on as issued_on,
      i.total_cents, i.gst_cents,
      (select e.posted_on from journal_entries e where e.source = 'void' and e.source_guid = i.guid) as voided_on,
      ${partsOf('i')} as parts,
      (select coalesce(json_agg(json_build_object('on', n.issue_on, 'totalCents', n.total_cents,
        'gstCents', n.gst_cents,
        'parts', ${partsOf('n')})), '[]'::json) from invoices n
        where n.adjusts_invoice_guid = i.guid and n.kind = 'adjustment_note' and n.status = 'issued') as notes,
      (select coalesce(json_agg(json_build_object('on', m.day, 'cents', m.cents)), '[]'::json) from (
        select a.effective_on as day, a.cents from payment_allocations a where a.invoice_guid = i.guid
        union all select e.posted_on, -r.amount_cents from refunds r
        join journal_entries e on e.source = 'refund' and e.source_guid = r.guid where r.invoice_guid = i.guid) m)
        as money,
      (select coalesce(json_agg(json_build_object('on', w.effective_on,
        'cents', case when w.reverses_guid is null then w.cents else -w.cents end,
        'gstCents', case when w.reverses_guid is null then w.gst_cents else -w.gst_cents end)), '[]'::json)
        from write_offs w where w.invoice_guid = i.guid) as write_offs
    from (select guid from touched union select i.guid from entries e join gst_forwards f on f.guid = e.source_guid
      join invoices i on i.order_guid = f.order_guid and i.status in ('issued', 'void', 'written_off')
      where e.source = 'gst_forward') t
    join invoices i on i.guid = t.guid join parties c on c.member_guid = i.customer_guid
    where i.kind <> 'adjustment_note' order by i.issue_on, i.number`.execute(db)
  return rows.map((row) => ({
    ...row,
    parts: wholeParts(row.parts, row),
    notes: row.notes.map((note) => ({ on: note.on, parts: wholeParts(note.parts, note) })),
  }))
}

/** GST of an order that no invoice carried yet, before a period and at its end, in cents. */
export interface Forward {
  guid: string
  number: string
  customerName: string
  /** The day it was first brought forward. */
  on: string
  beforeCents: number
  afterCents: number
}

/** Orders of a legal entity whose GST brought forward is another at the end of a period than before it. */
export async function forwardsMovedIn(db: Db, entityGuid: string, from: string, to: string): Promise<Forward[]> {
  const { rows } = await sql<Forward>`with moved as materialized (
      select distinct f.order_guid from journal_entries e join gst_forwards f on f.guid = e.source_guid
      where e.source = 'gst_forward' and e.entity_guid = ${entityGuid}::uuid
      and e.posted_on between ${from}::date and ${to}::date)
    select o.guid, o.number, c.display_name as customer_name, f.on, f.before_cents, f.after_cents from moved m
    join orders o on o.guid = m.order_guid join parties c on c.member_guid = o.customer_guid
    cross join lateral (select min(on_day) as on,
      coalesce(sum(cents) filter (where on_day < ${from}::date), 0)::bigint as before_cents,
      coalesce(sum(cents) filter (where on_day <= ${to}::date), 0)::bigint as after_cents
      from gst_forwards where order_guid = o.guid) f
    where f.before_cents <> f.after_cents order by f.on, o.number`.execute(db)
  return rows
}

/** Parts that come to what the document says. */
function wholeParts(parts: readonly CodePart[], whole: { totalCents: number; gstCents: number }): CodePart[] {
  const [first] = parts
  if (!first) return whole.totalCents === 0 ? [] : [{ gstCode: 'GST', ...whole }]
  const largest = parts.reduce(
    (most, part) => (Math.abs(part.totalCents) > Math.abs(most.totalCents) ? part : most),
    first,
  )
  const left = (field: 'totalCents' | 'gstCents') => whole[field] - parts.reduce((sum, part) => sum + part[field], 0)
  return parts.map(({ gstCode, totalCents, gstCents }) =>
    gstCode === largest.gstCode
      ? { gstCode, totalCents: totalCents + left('totalCents'), gstCents: gstCents + left('gstCents') }
      : { gstCode, totalCents, gstCents },
  )
}

/** What an account moved in a period: credits less debits, by the sums of its days. */
export async function creditedIn(
  db: Db,
  entityGuid: string,
  account: string,
  from: string,
  to: string,
): Promise<number> {
  const { rows } = await sql<{ cents: number }>`select coalesce(-sum(f.cents), 0)::bigint as cents from figures f
    where f.measure = 'account' and f.stream = ${account} and f.day between ${from}::date and ${to}::date
      and f.business_guid = any(array(select b.guid from businesses b
        where coalesce(b.parent_guid, b.guid) = ${entityGuid}::uuid))`.execute(db)
  return rows[0]?.cents ?? 0
}
