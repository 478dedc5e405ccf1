import { sql } from 'kysely'
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

type Side = EntryLine & { debitCents: number; creditCents: number }

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

/** Entries of a legal entity, of the businesses that the caller sees. */
export const entriesOf = (ctx: Ctx, entityGuid: string) =>
  applyRows(ctx, ctx.db.selectFrom('journalEntries as e'), { business: 'e.businessGuid' }).where(
    'e.entityGuid',
    '=',
    entityGuid,
  )
