import { type RawBuilder, sql } from 'kysely'
import type { AccountRole, JournalSource } from '../../contract/ledger.ts'
import type { GstCode } from '../../contract/lines.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import type { Entry, EntryLine } from './journal.service.ts'

/** What a line is told apart by, beside its account. */
export interface Sorted {
  revenueStreamGuid: string | null
  gstCode: GstCode | null
  customerGuid: string | null
  gstOf: string | null
}

export type Side = Omit<EntryLine, 'account'> & { account: string; debitCents: number; creditCents: number }

const entryRow = (entry: Omit<Entry, 'lines'> & { guid: string }) =>
  sql`insert into journal_entries (guid, business_guid, posted_on, source, source_guid, reverses_guid,
      caused_by_guid, narrative, reason)
    values (${entry.guid}, ${entry.businessGuid}, ${entry.postedOn}, ${entry.source}, ${entry.sourceGuid},
    ${entry.reversesGuid ?? null}, ${entry.causedByGuid ?? null}, ${entry.narrative}, ${entry.reason ?? null})
    returning guid, entity_guid, posted_on`

/** Lines of what `entry` (guid, entity_guid) is in a statement. */
function lineRows(sides: readonly Side[], condition: RawBuilder<unknown>) {
  const texts = (value: (side: Side) => string | null | undefined) => sides.map((side) => value(side) ?? null)
  return sql`insert into journal_lines (entry_guid, business_guid, position, account, debit_cents, credit_cents,
      revenue_stream_guid, gst_code, customer_guid, gst_of)
    select entry.guid, entry.entity_guid, side.position, side.account, side.debit, side.credit, side.stream, side.gst,
      side.customer, side.gst_of
    from ${condition}, unnest(${texts((s) => s.account)}::text[], ${sides.map((s) => s.debitCents)}::bigint[],
    ${sides.map((s) => s.creditCents)}::bigint[], ${texts((s) => s.revenueStreamGuid)}::uuid[],
    ${texts((s) => s.gstCode)}::text[], ${texts((s) => s.customerGuid)}::uuid[], ${texts((s) => s.gstOf)}::uuid[])
    with ordinality as side(account, debit, credit, stream, gst, customer, gst_of, position)`
}

/** Entry and lines in one statement. */
export async function insertEntry(db: Db, entry: Omit<Entry, 'lines'> & { guid: string }, sides: readonly Side[]) {
  await sql`with entry as (${entryRow(entry)}) ${lineRows(sides, sql`entry`)}`.execute(db)
}

interface Begun {
  entityGuid: string
  /** Its GST counts with the money, so its lines are still to be added: by `insertLines`, all at once. */
  isOnCash: boolean
}

/**
 * Entry and lines in one statement, unless its legal entity counts GST with the money on that day. Whoever changes the
 * basis waits for the posting, or the posting sees the change.
 */
export async function beginEntry(
  db: Db,
  entry: Omit<Entry, 'lines'> & { guid: string },
  sides: readonly Side[],
): Promise<Begun> {
  const { rows } = await sql<Begun>`with books as materialized (
      select coalesce(b.gst_basis = 'cash' or b.gst_basis_from > ${entry.postedOn}::date, false) as is_on_cash
      from businesses b where b.guid = (select o.entity_guid from businesses o
        where o.guid = ${entry.businessGuid}::uuid)
      for share of b
    ), entry as (${entryRow(entry)}), lines as (${lineRows(sides, sql`entry join books on not books.is_on_cash`)})
    select entry.entity_guid, books.is_on_cash from entry, books`.execute(db)
  const [begun] = rows
  if (!begun) throw new Error(`no entry for ${entry.source} ${entry.sourceGuid}`)
  return begun
}

/** All lines of an entry that has none. */
export async function insertLines(db: Db, entryGuid: string, sides: readonly Side[]): Promise<void> {
  const entry = sql`(select e.guid, e.entity_guid from journal_entries e where e.guid = ${entryGuid}::uuid) entry`
  await lineRows(sides, entry).execute(db)
}

/** What an entry moved, debit above zero, for posting its mirror image. */
export async function sidesOf(
  db: Db,
  source: JournalSource,
  sourceGuid: string,
): Promise<(Sorted & { account: string; cents: number })[]> {
  return db
    .selectFrom('journalEntries as e')
    .innerJoin('journalLines as l', 'l.entryGuid', 'e.guid')
    .where('e.source', '=', source)
    .where('e.sourceGuid', '=', sourceGuid)
    .orderBy('l.position')
    .select(['l.account', 'l.revenueStreamGuid', 'l.gstCode', 'l.customerGuid', 'l.gstOf'])
    .select((q) => sql<number>`${q.ref('l.debitCents')} - ${q.ref('l.creditCents')}`.as('cents'))
    .execute()
}

/** Net sales of an invoice's lines by stream and GST code, without what they credit of deposits. */
export async function salesOf(
  db: Db,
  invoiceGuid: string,
): Promise<(Pick<Sorted, 'revenueStreamGuid'> & { gstCode: GstCode; cents: number })[]> {
  return db
    .selectFrom('invoiceLines')
    .select(['revenueStreamGuid', 'gstCode'])
    .select((q) => sql<number>`sum(${q.ref('netCents')})::bigint`.as('cents'))
    .where('invoiceGuid', '=', invoiceGuid)
    .where('depositInvoiceGuid', 'is', null)
    .groupBy(['revenueStreamGuid', 'gstCode'])
    .orderBy('gstCode')
    .orderBy('revenueStreamGuid')
    .execute()
}

/** The chart of accounts of a legal entity, by code. */
export const accountsOf = (db: Db, entityGuid: string) =>
  db
    .selectFrom('accounts')
    .select(['guid', 'version', 'code', 'name', 'type', 'role', 'isActive'])
    .where('businessGuid', '=', entityGuid)
    .orderBy('code')
    .execute()

/** Entries of a legal entity, of the businesses that the caller sees. */
export const entriesOf = (ctx: Ctx, entityGuid: string) =>
  applyRows(ctx, ctx.db.selectFrom('journalEntries as e'), { business: 'e.businessGuid' }).where(
    'e.entityGuid',
    '=',
    entityGuid,
  )

/** Sums by day of a legal entity's accounts, of the businesses that the caller sees; the stream is the account. */
const accountDays = (ctx: Ctx, entityGuid: string) =>
  applyRows(ctx, ctx.db.selectFrom('figures as f'), { business: 'f.businessGuid' })
    .where('f.measure', '=', 'account')
    .where(
      sql<boolean>`f.business_guid = any(array(select b.guid from businesses b
        where coalesce(b.parent_guid, b.guid) = ${entityGuid}::uuid))`,
    )

const moved = sql<number>`sum(f.cents)::bigint`

/** Debits less credits by code at the end of a day; null: of all days. */
export async function balancesOf(ctx: Ctx, entityGuid: string, on: string | null): Promise<Map<string, number>> {
  let days = accountDays(ctx, entityGuid)
  if (on !== null) days = days.where('f.day', '<=', on)
  const rows = await days
    .select(['f.stream as account', moved.as('cents')])
    .groupBy('f.stream')
    .execute()
  return new Map(rows.map(({ account, cents }) => [account, cents]))
}

interface OfAccount {
  entityGuid: string
  code: string
}

interface LedgerPage {
  entryGuid: string
  number: number
  on: string
  source: JournalSource
  text: string
  document: Followed | null
  debitCents: number
  creditCents: number
  /** Debits less credits of the period up to this row. */
  balanceCents: number
}

/**
 * A page of what moved an account in a period, oldest first, and what moved it before and in all. The sums by day say
 * where the page begins and ends, so that only its days are read, in one statement that sees all of it at one moment.
 */
export async function ledgerOf(
  ctx: Ctx,
  of: OfAccount,
  { from, to, page, size }: { from: string | null; to: string; page: number; size: number },
) {
  const first = (page - 1) * size
  const days = accountDays(ctx, of.entityGuid)
    .where('f.stream', '=', of.code)
    .where('f.day', '<=', to)
    .groupBy('f.day')
    .select(['f.day', moved.as('cents'), sql<number>`sum(f.count)`.as('count')])
  const inOrder = sql`over (order by e.posted_on, e.created_at, e.guid, l.position)`
  const lines = entriesOf(ctx, of.entityGuid)
    .innerJoin('journalLines as l', 'l.entryGuid', 'e.guid')
    .where('l.businessGuid', '=', of.entityGuid)
    .where('l.account', '=', of.code)
    .where(sql<boolean>`e.posted_on between (select first_day from shown) and (select last_day from shown)`)
    .select([
      'e.guid as entryGuid',
      'e.number',
      'e.sourceGuid',
      'e.causedByGuid',
      'e.postedOn as on',
      'e.source',
      'e.narrative as text',
      'l.debitCents',
      'l.creditCents',
    ])
    .select([
      sql<number>`(select cents from shown) + sum(l.debit_cents - l.credit_cents) ${inOrder}`.as('balanceCents'),
      sql<number>`(select count from shown) + row_number() ${inOrder}`.as('nth'),
    ])
  const { rows } = await sql<{
    openingCents: number
    movedCents: number
    rowCount: number
    rows: LedgerPage[]
  }>`with days as materialized (${days}),
    -- What stands before each day of the period.
    told as (select day, count, sum(cents) over (order by day) - cents as cents_before,
      sum(count) over (order by day) - count as count_before
      from days where ${from}::date is null or day >= ${from}::date),
    shown as materialized (select min(day) as first_day, max(day) as last_day, min(count_before) as count,
      (array_agg(cents_before order by day))[1] as cents
      from told where count_before < ${first + size} and count_before + count > ${first}),
    lines as (${lines})
    select coalesce((select sum(cents) from days where day < ${from}::date), 0)::bigint as opening_cents,
      coalesce((select sum(cents) from days where ${from}::date is null or day >= ${from}::date), 0)::bigint
        as moved_cents,
      coalesce((select sum(count) from told), 0)::int as row_count,
      coalesce((select json_agg(json_build_object('entryGuid', entry_guid, 'number', number, 'on', "on",
        'source', source, 'text', text, 'debitCents', debit_cents, 'creditCents', credit_cents,
        'balanceCents', balance_cents, 'document', ${followedJson}) order by nth)
        from lines e where nth > ${first} and nth <= ${first + size}), '[]'::json) as rows`.execute(ctx.db)
  const [found] = rows
  if (!found) throw new Error('a ledger is one row')
  return found
}

interface ShownLine {
  account: string
  accountName: string
  accountRole: AccountRole | null
  debitCents: number
  creditCents: number
}

/** The lines of an entry `e`, each with what its account is called. */
export const shownLines = sql<
  ShownLine[]
>`(select coalesce(json_agg(json_build_object('account', l.account, 'accountName', a.name, 'accountRole', a.role,
  'debitCents', l.debit_cents, 'creditCents', l.credit_cents) order by l.position), '[]'::json)
  from journal_lines l join accounts a on a.business_guid = l.business_guid and a.code = l.account
  where l.entry_guid = e.guid)`

interface Followed {
  noun: 'Invoices' | 'Payments' | 'Orders'
  guid: string
  number: string
}

/**
 * What an entry `e` follows: the record it is about, by the noun it opens as, and the number it is known by. Where it
 * is of GST that became due, the record of the entry that made it so.
 */
export const followed = sql`select d.noun, d.guid, d.number from (select coalesce(
      (select c.source_guid from journal_entries c where c.guid = e.caused_by_guid), e.source_guid) as guid) s
    cross join lateral (
    select 'Invoices' as noun, i.guid, i.number from invoices i where i.guid = s.guid
    union all select 'Payments', p.guid, p.number from payments p where p.guid = s.guid
    union all select 'Payments', r.payment_guid, r.number from refunds r where r.guid = s.guid
    union all select 'Orders', o.guid, o.number from gst_forwards f join orders o on o.guid = f.order_guid
      where f.guid = s.guid
    union all select 'Invoices', i.guid, i.number from write_offs w join invoices i on i.guid = w.invoice_guid
      where w.guid = s.guid
    union all select 'Payments', p.guid, p.number from payment_allocations x join payments p on p.guid = x.payment_guid
      where x.guid = s.guid
    union all select 'Payments', p.guid, p.number from payment_reversals v join payments p on p.guid = v.payment_guid
      where v.guid = s.guid) d
  limit 1`

/** The same for what it is shown with. */
export const followedJson = sql<Followed | null>`(
  select json_build_object('noun', x.noun, 'guid', x.guid, 'number', x.number) from (${followed}) x
  where e.source not in ('manual', 'reversal'))`

/** One entry with its lines, each with the name of its account. */
export const entryWithLines = (db: Db, guid: string) =>
  db
    .selectFrom('journalEntries as e')
    .select(['e.guid', 'e.number', 'e.postedOn', 'e.source', 'e.narrative', shownLines.as('lines')])
    .where('e.guid', '=', guid)
    .executeTakeFirstOrThrow()

/** An entry of the books, with what reversed it. Whoever reverses it second meets the constraint. */
export const findEntry = (ctx: Ctx, guid: string, entityGuid: string) =>
  entriesOf(ctx, entityGuid)
    .leftJoin('journalEntries as r', 'r.reversesGuid', 'e.guid')
    .select(['e.businessGuid', 'e.source', 'e.postedOn', 'e.narrative', 'r.guid as reversedBy'])
    .where('e.guid', '=', guid)
    .executeTakeFirst()

/** The number of the document that an entry follows, if it has one. */
export async function documentOf(db: Db, entryGuid: string): Promise<string | null> {
  const { rows } = await sql<{ number: string | null }>`select x.number from journal_entries e
    left join lateral (${followed}) x on true where e.guid = ${entryGuid}`.execute(db)
  return rows[0]?.number ?? null
}

/** The lines of an entry as they were posted. */
export const sidesOfEntry = (db: Db, entryGuid: string): Promise<Side[]> =>
  db
    .selectFrom('journalLines')
    .select(['account', 'debitCents', 'creditCents', 'revenueStreamGuid', 'gstCode', 'customerGuid', 'gstOf'])
    .where('entryGuid', '=', entryGuid)
    .orderBy('position')
    .execute()

/** Customers and streams that lines name and that are none of the caller's business. */
export async function strangersAmong(
  ctx: Ctx,
  lines: readonly { customerGuid?: string | null | undefined; revenueStreamGuid?: string | null | undefined }[],
): Promise<Set<string>> {
  const customers = [...new Set(lines.flatMap(({ customerGuid }) => customerGuid ?? []))]
  const streams = [...new Set(lines.flatMap(({ revenueStreamGuid }) => revenueStreamGuid ?? []))]
  if (customers.length + streams.length === 0) return new Set()
  const { rows } = await sql<{ guid: string }>`
    select m.member_guid as guid from parties m where m.member_guid = any(${customers}::uuid[])
      and m.business_guid = ${ctx.business.customersOf}
    union all select s.guid from revenue_streams s where s.guid = any(${streams}::uuid[])
      and s.business_guid = ${ctx.business.catalogueOf}`.execute(ctx.db)
  const known = new Set(rows.map(({ guid }) => guid))
  return new Set([...customers, ...streams].filter((guid) => !known.has(guid)))
}
