import { type RawBuilder, sql } from 'kysely'
import type { GstBasis } from '../../contract/businesses.ts'
import type { BasisHistory, CodePart, InvoiceLife } from '../../contract/gst-state.ts'
import { accounts } from '../../contract/ledger.ts'
import type { Db } from '../core/ctx.ts'
import { touchedBy, touchedInvoices } from './touched.service.ts'

/** An invoice, or a payment for an order. */
export interface TaxedDocument extends InvoiceLife {
  noun: 'Invoices' | 'Payments'
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
export const livesMovedIn = (
  db: Db,
  entityGuid: string,
  from: string,
  to: string | null,
  changedOn: readonly string[] = [],
): Promise<TaxedDocument[]> =>
  livesOf(
    db,
    sql`with ${touchedInvoices(entityGuid, from, to)}`,
    sql`(select guid from touched ${sql.join(
      changedOn.map((day) => sql`union ${openOn(entityGuid, day)}`),
      sql` `,
    )})`,
  )

/**
 * Invoices that may owe something at the start of a day, and some that don't, and money for orders that pays nothing
 * yet: those a change of the basis may move.
 */
const openOn = (entityGuid: string, day: string) => sql`select i.guid from invoices i
  where i.entity_guid = ${entityGuid}::uuid and i.number is not null and i.kind <> 'adjustment_note'
    and i.issue_on < ${day}::date and (i.balance_cents <> 0 or i.written_off_cents <> 0 or i.credited_cents <> 0
    or i.status = 'void' or exists (select from payment_allocations a where a.invoice_guid = i.guid
    and a.effective_on >= ${day}::date))
  union select p.guid from payments p where p.entity_guid = ${entityGuid}::uuid and p.order_gst is not null
    and p.received_on < ${day}::date`

/** Invoices of a legal entity and money for its orders by their guids, for reading all of them part by part. */
export const livesAfter = (db: Db, entityGuid: string, after: string, limit: number): Promise<TaxedDocument[]> =>
  livesOf(
    db,
    sql`with touched as (select guid from (select i.guid from invoices i where i.entity_guid = ${entityGuid}::uuid
      and i.number is not null and i.kind <> 'adjustment_note' and i.deposit_nature = 'part_payment'
      and i.guid > ${after}::uuid
      union all select p.guid from payments p where p.entity_guid = ${entityGuid}::uuid and p.order_gst is not null
      and p.guid > ${after}::uuid) d order by guid limit ${limit})`,
  )

/** The same of those that one entry is about. */
export const livesOfEntry = (db: Db, entryGuid: string): Promise<TaxedDocument[]> =>
  livesOf(db, sql`with ${touchedBy(entryGuid)}`)

/** Money for orders, as far as it pays no invoice, with what the order came to. */
const prepaidLives = (of: RawBuilder<unknown>) => sql`select 'Payments' as noun, p.guid, p.order_guid, p.number,
    c.display_name, e.posted_on, (p.order_gst ->> 'totalCents')::bigint, (p.order_gst ->> 'gstCents')::bigint,
    null::date, (p.order_gst -> 'parts')::json, '[]'::json,
    (select json_agg(json_build_object('on', m.day, 'cents', m.cents)) from (
      select e.posted_on as day, p.amount_cents as cents
      union all select a.effective_on, -a.cents from payment_allocations a where a.payment_guid = p.guid
      union all select b.posted_on, -r.amount_cents from refunds r join journal_entries b on b.source = 'refund'
        and b.source_guid = r.guid where r.payment_guid = p.guid and r.invoice_guid is null
      union all select v.reversed_on, -p.amount_cents from payment_reversals v where v.payment_guid = p.guid) m),
    '[]'::json
  from ${of} t join payments p on p.guid = t.guid and p.order_gst is not null
  join journal_entries e on e.source = 'payment' and e.source_guid = p.guid
  join parties c on c.member_guid = p.customer_guid`

/** The lives of the invoices and payments that the table `touched` names. */
async function livesOf(
  db: Db,
  head: RawBuilder<unknown>,
  of: RawBuilder<unknown> = sql`touched`,
): Promise<TaxedDocument[]> {
  type Row = Omit<TaxedDocument, 'parts' | 'notes'> & {
    parts: CodePart[]
    notes: { on: string; totalCents: number; gstCents: number; parts: CodePart[] }[]
  }
  const { rows } = await sql<Row>`${head}
    select 'Invoices' as noun, i.guid, i.order_guid, i.number, c.display_name as customer_name, i.issue_on as issued_on,
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
    from ${of} t join invoices i on i.guid = t.guid join parties c on c.member_guid = i.customer_guid
    -- What is only held is no consideration: GST Act s 99-5.
    where i.kind <> 'adjustment_note' and i.deposit_nature = 'part_payment'
    union all ${prepaidLives(of)} order by issued_on, number`.execute(db)
  return rows.map((row) => ({
    ...row,
    isPrepaid: row.noun === 'Payments',
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

/** What this transaction moved in or out of what orders of a legal entity bring forward, from a day on. */
export async function forwardsPosted(db: Db, entityGuid: string, from: string) {
  const { rows } = await sql<{ guid: string; cents: number }>`select f.order_guid as guid, sum(f.cents)::bigint as cents
    from journal_entries e join gst_forwards f on f.guid = e.source_guid
    where e.source = 'gst_forward' and e.entity_guid = ${entityGuid}::uuid and e.posted_on >= ${from}::date
    and f.created_at = now() group by 1`.execute(db)
  return rows
}

/** Orders with the names of their customers, by number. */
export const ordersNamed = (db: Db, guids: readonly string[]) =>
  db
    .selectFrom('orders as o')
    .innerJoin('parties as c', 'c.memberGuid', 'o.customerGuid')
    .where(sql<boolean>`o.guid = any(${[...guids]}::uuid[])`)
    .orderBy('o.number')
    .select(['o.guid', 'o.number', 'c.displayName as customerName'])
    .execute()

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

/** On which basis a legal entity counted GST, and since when. */
export async function basisHistory(db: Db, entityGuid: string): Promise<BasisHistory> {
  const { rows } = await sql<{ gstBasis: GstBasis; changes: { from: string; basis: GstBasis }[] }>`
    select b.gst_basis, (select coalesce(json_agg(json_build_object('from', c.from_on, 'basis', c.basis)
      order by c.from_on), '[]'::json) from basis_changes c where c.business_guid = b.guid) as changes
    from businesses b where b.guid = ${entityGuid}::uuid`.execute(db)
  const { gstBasis = 'accrual', changes = [] } = rows[0] ?? {}
  const [oldest] = changes
  // There are two bases: what it changed to first is not what it was before.
  return { first: oldest ? (oldest.basis === 'cash' ? 'accrual' : 'cash') : gstBasis, changes }
}

/** What is posted as collected of documents, by document and day: credits less debits, in cents. */
export async function collectedOf(db: Db, documents: readonly string[]): Promise<Map<string, Map<string, number>>> {
  const { rows } = await sql<{ guid: string; on: string; cents: number }>`
    select l.gst_of as guid, e.posted_on as on, sum(l.credit_cents - l.debit_cents)::bigint as cents
    from journal_lines l join journal_entries e on e.guid = l.entry_guid
    where l.gst_of = any(${documents}::uuid[]) and l.account = ${accounts.gstCollected} group by 1, 2`.execute(db)
  const found = new Map<string, Map<string, number>>()
  // A document has a sum for each of its days.
  for (const { guid, on, cents } of rows) found.set(guid, (found.get(guid) ?? new Map<string, number>()).set(on, cents))
  return found
}
