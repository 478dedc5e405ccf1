import { sql } from 'kysely'
import type { Db } from '../core/ctx.ts'
import type { Entry } from './journal.service.ts'

/** Entry and lines in one statement. */
export async function insertEntry(
  db: Db,
  entry: Omit<Entry, 'lines'> & { guid: string },
  sides: readonly { account: string; debit: number; credit: number }[],
) {
  await sql`with entry as (
      insert into journal_entries (guid, business_guid, posted_on, source, source_guid, narrative)
      values (${entry.guid}, ${entry.businessGuid}, ${entry.postedOn}, ${entry.source}, ${entry.sourceGuid},
      ${entry.narrative}) returning guid
    )
    insert into journal_lines (entry_guid, position, account, debit_cents, credit_cents)
    select entry.guid, side.position, side.account, side.debit, side.credit
    from entry, unnest(${sides.map((s) => s.account)}::text[], ${sides.map((s) => s.debit)}::bigint[],
    ${sides.map((s) => s.credit)}::bigint[]) with ordinality as side(account, debit, credit, position)`.execute(db)
}

/** The amounts an entry moved, debit above zero, for posting its mirror image. */
export async function sidesOf(
  db: Db,
  source: Entry['source'],
  sourceGuid: string,
): Promise<{ account: string; cents: number }[]> {
  return db
    .selectFrom('journalEntries as e')
    .innerJoin('journalLines as l', 'l.entryGuid', 'e.guid')
    .where('e.source', '=', source)
    .where('e.sourceGuid', '=', sourceGuid)
    .orderBy('l.position')
    .select((q) => ['l.account', sql<number>`${q.ref('l.debitCents')} - ${q.ref('l.creditCents')}`.as('cents')])
    .execute()
}
