import { type RawBuilder, sql } from 'kysely'
import type { JournalSource } from '../../contract/ledger.ts'
import type { GstCode } from '../../contract/lines.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import type { Entry, EntryLine } from './journal.service.ts'

/** What a line is told apart by, beside its account. */
export interface Sorted {
  revenueStreamGuid: string | null
  gstCode: GstCode | null
  customerGuid: string | null
}

export type Side = Omit<EntryLine, 'account'> & { account: string; debitCents: number; creditCents: number }

/** Entry and lines in one statement. */
export async function insertEntry(db: Db, entry: Omit<Entry, 'lines'> & { guid: string }, sides: readonly Side[]) {
  const texts = (value: (side: Side) => string | null | undefined) => sides.map((side) => value(side) ?? null)
  await sql`with entry as (
      insert into journal_entries (guid, business_guid, posted_on, source, source_guid, reverses_guid, narrative)
      values (${entry.guid}, ${entry.businessGuid}, ${entry.postedOn}, ${entry.source}, ${entry.sourceGuid},
      ${entry.reversesGuid ?? null}, ${entry.narrative}) returning guid, entity_guid
    )
    insert into journal_lines (entry_guid, business_guid, position, account, debit_cents, credit_cents,
      revenue_stream_guid, gst_code, customer_guid)
    select entry.guid, entry.entity_guid, side.position, side.account, side.debit, side.credit, side.stream, side.gst,
      side.customer
    from entry, unnest(${texts((s) => s.account)}::text[], ${sides.map((s) => s.debitCents)}::bigint[],
    ${sides.map((s) => s.creditCents)}::bigint[], ${texts((s) => s.revenueStreamGuid)}::uuid[],
    ${texts((s) => s.gstCode)}::text[], ${texts((s) => s.customerGuid)}::uuid[])
    with ordinality as side(account, debit, credit, stream, gst, customer, position)`.execute(db)
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
    .select(['l.account', 'l.revenueStreamGuid', 'l.gstCode', 'l.customerGuid'])
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

const net = sql<number>`sum(l.debit_cents - l.credit_cents)::bigint`

/** Debits less credits by code at the end of a day; null: of all days. */
export async function balancesOf(ctx: Ctx, entityGuid: string, on: string | null): Promise<Map<string, number>> {
  let entries = entriesOf(ctx, entityGuid)
  if (on !== null) entries = entries.where('e.postedOn', '<=', on)
  const rows = await entries
    .innerJoin('journalLines as l', 'l.entryGuid', 'e.guid')
    .select(['l.account', net.as('cents')])
    .groupBy('l.account')
    .execute()
  return new Map(rows.map(({ account, cents }) => [account, cents]))
}

interface OfAccount {
  entityGuid: string
  code: string
}

const linesOf = (ctx: Ctx, { entityGuid, code }: OfAccount) =>
  entriesOf(ctx, entityGuid)
    .innerJoin('journalLines as l', 'l.entryGuid', 'e.guid')
    .where('l.businessGuid', '=', entityGuid)
    .where('l.account', '=', code)

/** What moved an account before something: debits less credits, in cents. */
export async function movedBefore(ctx: Ctx, of: OfAccount, before: RawBuilder<unknown>): Promise<number> {
  const row = await linesOf(ctx, of)
    .where(before as RawBuilder<boolean>)
    .select(net.as('cents'))
    .executeTakeFirst()
  return row?.cents ?? 0
}

/** A page of what moved an account in a period, oldest first, each with what was moved up to it. */
export async function ledgerOf(
  ctx: Ctx,
  of: OfAccount,
  { from, to, page, size }: { from: string | null; to: string; page: number; size: number },
) {
  let found = linesOf(ctx, of).where('e.postedOn', '<=', to)
  if (from !== null) found = found.where('e.postedOn', '>=', from)
  const sums = await found
    .select((q) => [q.fn.countAll<number>().as('rowCount'), net.as('movedCents')])
    .executeTakeFirstOrThrow()
  const rows = await found
    .select([
      'e.guid as entryGuid',
      'e.postedOn as on',
      'e.source',
      'e.narrative as text',
      'l.debitCents',
      'l.creditCents',
    ])
    .select(
      sql<number>`(sum(l.debit_cents - l.credit_cents)
        over (order by e.posted_on, e.created_at, e.guid, l.position))::bigint`.as('balanceCents'),
    )
    .orderBy('e.postedOn')
    .orderBy('e.createdAt')
    .orderBy('e.guid')
    .orderBy('l.position')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return { rows, rowCount: Number(sums.rowCount), movedCents: sums.movedCents ?? 0 }
}

const shownLines = sql<
  { account: string; accountName: string; debitCents: number; creditCents: number }[]
>`(select coalesce(json_agg(json_build_object('account', l.account, 'accountName', a.name,
  'debitCents', l.debit_cents, 'creditCents', l.credit_cents) order by l.position), '[]'::json)
  from journal_lines l join accounts a on a.business_guid = l.business_guid and a.code = l.account
  where l.entry_guid = e.guid)`

/** One entry with its lines, each with the name of its account. */
export const entryWithLines = (db: Db, guid: string) =>
  db
    .selectFrom('journalEntries as e')
    .select(['e.guid', 'e.postedOn', 'e.source', 'e.narrative', shownLines.as('lines')])
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
  const { rows } = await sql<{
    number: string | null
  }>`select coalesce(i.number, p.number, r.number, w.number) as number
    from journal_entries e
    left join invoices i on i.guid = e.source_guid
    left join payments p on p.guid = e.source_guid
    left join refunds r on r.guid = e.source_guid
    left join lateral (select x.number from write_offs o join invoices x on x.guid = o.invoice_guid
      where o.guid = e.source_guid) w on true
    where e.guid = ${entryGuid}`.execute(db)
  return rows[0]?.number ?? null
}

/** The lines of an entry as they were posted. */
export const sidesOfEntry = (db: Db, entryGuid: string): Promise<Side[]> =>
  db
    .selectFrom('journalLines')
    .select(['account', 'debitCents', 'creditCents', 'revenueStreamGuid', 'gstCode', 'customerGuid'])
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
