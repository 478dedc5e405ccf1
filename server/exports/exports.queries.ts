import { sql } from 'kysely'
import type { Address } from '../../contract/core/address.ts'
import type { GstCode, LineKind } from '../../contract/lines.ts'
import type { ExportSums } from '../../contract/exports.ts'
import { accounts, type JournalSource } from '../../contract/ledger.ts'
import type { Db } from '../core/ctx.ts'
import { followed } from '../journal/journal.service.ts'

export interface Period {
  entityGuid: string
  from: string
  to: string
}

/**
 * Documents issued in a period, in the order of their issue: what is issued later comes behind them, so a file keeps
 * its documents. Those that the period also saw voided keep their place and are in no file.
 */
const issuedIn = ({ entityGuid, from, to }: Period) => sql`
  select e.source_guid as guid, row_number() over (order by e.posted_on, e.created_at, e.guid) as nth,
    exists (select 1 from journal_entries v where v.source = 'void' and v.source_guid = e.source_guid
      and v.posted_on <= ${to}::date) as is_void
  from journal_entries e where e.entity_guid = ${entityGuid}::uuid
    and e.source in ('invoice', 'adjustment_note', 'deposit_forfeited')
    and e.posted_on between ${from}::date and ${to}::date`

/** Entries of a period in the order they were posted. */
const postedIn = ({ entityGuid, from, to }: Period) => sql`
  select e.guid, row_number() over (order by e.created_at, e.posted_on, e.guid) as nth, false as is_void
  from journal_entries e where e.entity_guid = ${entityGuid}::uuid
    and e.posted_on between ${from}::date and ${to}::date
    and exists (select 1 from journal_lines l where l.entry_guid = e.guid)`

const thingsOf = (kind: 'documents' | 'entries', period: Period) =>
  kind === 'documents' ? issuedIn(period) : postedIn(period)

interface Part {
  part: number
  documents: number
  sums: ExportSums
}

/** What each document, or entry, adds to the control totals of its file; a note takes away. */
const amountsOf = {
  documents: sql`(select json_build_object('net', s.sign * (i.total_cents - i.gst_cents), 'gst', s.sign * i.gst_cents,
      'total', s.sign * i.total_cents) as sums
    from invoices i, lateral (select case i.kind when 'adjustment_note' then -1 else 1 end as sign) s
    where i.guid = t.guid)`,
  entries: sql`(select json_build_object('debit', sum(l.debit_cents), 'credit', sum(l.credit_cents)) as sums
    from journal_lines l where l.entry_guid = t.guid)`,
}
const sumNames = { documents: ['net', 'gst', 'total'], entries: ['debit', 'credit'] } as const

/** How many documents, or entries, each file of a period has, and what they come to. */
export async function partsOf(db: Db, kind: 'documents' | 'entries', period: Period, size: number): Promise<Part[]> {
  const sums = sql.join(
    sumNames[kind].flatMap((name) => [
      sql.lit(name),
      sql`coalesce(sum((a.sums ->> ${sql.lit(name)})::bigint) filter (where not t.is_void), 0)`,
    ]),
  )
  const { rows } = await sql<Part>`
    select ((t.nth - 1) / ${size}::int + 1)::int as part, (count(*) filter (where not t.is_void))::int as documents,
      json_build_object(${sums}) as sums
    from (${thingsOf(kind, period)}) t left join lateral ${amountsOf[kind]} a on true group by 1 order by 1`.execute(db)
  return rows
}

/** What one file of a period has, in order: guids alone. */
export async function guidsOfPart(
  db: Db,
  kind: 'documents' | 'entries',
  period: Period,
  { part, size }: { part: number; size: number },
): Promise<string[]> {
  const { rows } = await sql<{ guid: string }>`select t.guid from (${thingsOf(kind, period)}) t
    where not t.is_void and t.nth > ${(part - 1) * size}::int and t.nth <= ${part * size}::int order by t.nth`.execute(
    db,
  )
  return rows.map(({ guid }) => guid)
}

export interface SoldLine {
  kind: LineKind
  name: string
  description: string | null
  /** Of the bundle it is a part of. */
  bundle: string | null
  quantity: string
  unitPriceCents: number
  gstCode: GstCode
  netCents: number
  gstCents: number
  stream: string | null
  /** The account of the other program that the stream names. */
  account: string | null
}

export interface SoldDocument {
  guid: string
  number: string
  kind: string
  customerName: string
  email: string | null
  address: Address | null
  reference: string | null
  issueOn: string
  dueOn: string
  priceMode: 'exclusive' | 'inclusive'
  totalCents: number
  gstCents: number
  /** The account that a deposit waits in; of a note the one its part of the deposits came from. */
  depositAccount: string | null
  /** Of a note: what it took out of deposits, without GST. */
  fromDepositsCents: number
  lines: SoldLine[]
}

const depositAccounts = [accounts.customerDeposits, accounts.securityDeposits]

/**
 * Documents as they were issued, with the lines that have money of their own. A note's line, which names no stream,
 * takes back from the stream that its invoice sold most of with that GST code.
 */
export async function soldDocuments(db: Db, guids: readonly string[]): Promise<SoldDocument[]> {
  const { rows } = await sql<SoldDocument>`
    select i.guid, i.number, i.kind, c.display_name as customer_name, c.email, c.billing_address as address,
      coalesce(i.reference, a.number) as reference, i.issue_on, coalesce(i.due_on, i.issue_on) as due_on,
      i.price_mode, i.total_cents, i.gst_cents, d.account as deposit_account,
      coalesce(d.cents, 0) as from_deposits_cents,
      (select coalesce(json_agg(json_build_object('kind', l.kind, 'name', l.name, 'description', l.description,
          'bundle', (select b.name from invoice_lines b where b.guid = l.parent_line_guid and b.kind = 'bundle'),
          'quantity', l.quantity::text, 'unitPriceCents', l.unit_price_cents, 'gstCode', l.gst_code,
          'netCents', l.net_cents, 'gstCents', l.gst_cents, 'stream', s.name, 'account', s.account_code)
          order by l.position), '[]'::json)
        from invoice_lines l
        left join lateral (select n.revenue_stream_guid as guid from invoice_lines n
          where n.invoice_guid = i.adjusts_invoice_guid and n.gst_code = l.gst_code and n.net_cents > 0
          group by 1 order by sum(n.net_cents) desc, 1 limit 1) whose on i.kind = 'adjustment_note'
        left join revenue_streams s on s.guid = coalesce(l.revenue_stream_guid, whose.guid)
        where l.invoice_guid = i.guid and l.kind not in ('section', 'text', 'bundle')) as lines
    from unnest(${guids}::uuid[]) with ordinality as o(guid, nth) join invoices i on i.guid = o.guid
    join parties c on c.member_guid = i.customer_guid
    left join invoices a on a.guid = i.adjusts_invoice_guid
    left join lateral (select l.account, sum(l.debit_cents)::bigint as cents from journal_entries e
      join journal_lines l on l.entry_guid = e.guid and l.account = any(${depositAccounts}::text[])
      where e.source = case i.kind when 'adjustment_note' then 'adjustment_note' else 'invoice' end
        and e.source_guid = i.guid and (i.kind <> 'deposit' or l.credit_cents > 0)
      group by l.account order by l.account limit 1) d on i.kind in ('deposit', 'adjustment_note')
    order by o.nth`.execute(db)
  return rows
}

export interface PostedLine {
  on: string
  entry: number
  source: JournalSource
  narrative: string
  account: string
  accountName: string
  debitCents: number
  creditCents: number
  gstCode: GstCode | null
  stream: string | null
  customerName: string | null
  document: string | null
}

/** The lines of entries, each with what it follows. */
export async function postedLines(db: Db, guids: readonly string[]): Promise<PostedLine[]> {
  const { rows } = await sql<PostedLine>`
    select e.posted_on as "on", e.number as entry, e.source, e.narrative, l.account, a.name as account_name,
      l.debit_cents, l.credit_cents, l.gst_code, s.name as stream, c.display_name as customer_name, d.number as document
    from unnest(${guids}::uuid[]) with ordinality as o(guid, nth) join journal_entries e on e.guid = o.guid
    join journal_lines l on l.entry_guid = e.guid
    join accounts a on a.business_guid = l.business_guid and a.code = l.account
    left join revenue_streams s on s.guid = l.revenue_stream_guid
    left join parties c on c.member_guid = l.customer_guid
    left join lateral (${followed}) d on true
    order by o.nth, l.position`.execute(db)
  return rows
}

export interface ExportProblem {
  code: 'voided_later' | 'same_name'
  noun: 'Invoices' | 'Customers'
  guid: string
  label: string
  cents: number
  on: string | null
  count: number
}

/** What the files of a period can't tell an accounting program: voided documents, and customers of one name. */
export async function problemsIn(db: Db, { entityGuid, from, to }: Period, limit: number): Promise<ExportProblem[]> {
  const { rows } = await sql<ExportProblem>`
    with issued as (
      select i.guid, i.number, i.issue_on, i.total_cents, i.customer_guid,
        (select v.posted_on from journal_entries v where v.source = 'void' and v.source_guid = i.guid) as voided_on
      from journal_entries e join invoices i on i.guid = e.source_guid
      where e.entity_guid = ${entityGuid}::uuid
    and e.source in ('invoice', 'adjustment_note', 'deposit_forfeited')
        and e.posted_on between ${from}::date and ${to}::date
    ), voided as (
      select guid, number, total_cents, voided_on from issued where voided_on > ${to}::date
      union all
      select i.guid, i.number, i.total_cents, v.posted_on from journal_entries v
      join invoices i on i.guid = v.source_guid
      where v.entity_guid = ${entityGuid}::uuid and v.source = 'void'
        and v.posted_on between ${from}::date and ${to}::date and i.issue_on < ${from}::date
    ), names as (
      select min(c.guid::text)::uuid as guid, min(c.display_name) as label, count(distinct c.guid)::int as count
      from issued i join parties c on c.member_guid = i.customer_guid
      where i.voided_on is null or i.voided_on > ${to}::date
      group by lower(btrim(c.display_name)) having count(distinct c.guid) > 1
    )
    (select 'voided_later' as code, 'Invoices' as noun, guid, number as label, total_cents as cents,
      voided_on as "on", 1 as count from voided order by voided_on, number limit ${limit})
    union all (select 'same_name', 'Customers', guid, label, 0, null, count from names order by label limit ${limit})
    limit ${limit}`.execute(db)
  return rows
}
