import { sql } from 'kysely'
import type { Ctx, Db } from '../core/ctx.ts'
import { entriesOf } from './journal.queries.ts'

/** Holds the books of a legal entity for whoever locks or unlocks: no posting is under way meanwhile. */
export async function holdBooks(db: Db, entityGuid: string): Promise<void> {
  await db.selectFrom('businesses').select('guid').where('guid', '=', entityGuid).forUpdate().executeTakeFirstOrThrow()
}

/** The day that something received on a day is posted on, in books that nobody locks meanwhile. */
export async function postingDay(db: Db, businessGuid: string, received: string, at: Date): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select first_unlocked_day(${businessGuid}::uuid, ${received}::date, ${at.toISOString()}::timestamptz)::text as day
  `.execute(db)
  return rows[0]?.day ?? received
}

/** What locks a legal entity at a moment: the newest row that has not lapsed. */
export const presentLock = (db: Db, entityGuid: string, at: Date) =>
  db
    .selectFrom('periodLocks')
    .select(['lockedThrough', 'reopensUntil'])
    .where('businessGuid', '=', entityGuid)
    .where((q) => q.or([q('reopensUntil', 'is', null), q('reopensUntil', '>', at.toISOString())]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The newest lock that does not lapse. */
export const standingLock = (db: Db, entityGuid: string) =>
  db
    .selectFrom('periodLocks')
    .select('lockedThrough')
    .where('businessGuid', '=', entityGuid)
    .where('reopensUntil', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const newestLock = (db: Db, entityGuid: string) =>
  db
    .selectFrom('periodLocks')
    .select(['lockedThrough', 'reopensUntil', 'reason', 'createdAt'])
    .where('businessGuid', '=', entityGuid)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function insertLock(
  db: Db,
  row: {
    guid: string
    businessGuid: string
    lockedThrough: string
    reason: string | null
    reopensUntil: Date | null
    createdAt: Date
    createdBy: string | null
  },
): Promise<void> {
  await db.insertInto('periodLocks').values(row).execute()
}

/** Time zones of a legal entity and its brands. */
export const zonesOf = (db: Db, entityGuid: string) =>
  db.selectFrom('businesses').select('timeZone').distinct().where('entityGuid', '=', entityGuid).execute()

/** What an account of a role comes to at the end of a day: credits less debits, in cents. */
export async function creditOfRole(db: Db, entityGuid: string, role: 'suspense', on: string): Promise<number> {
  const row = await db
    .selectFrom('journalLines as l')
    .innerJoin('accounts as a', (j) =>
      j.onRef('a.businessGuid', '=', 'l.businessGuid').onRef('a.code', '=', 'l.account'),
    )
    .innerJoin('journalEntries as e', 'e.guid', 'l.entryGuid')
    .where('l.businessGuid', '=', entityGuid)
    .where('a.role', '=', role)
    .where('e.postedOn', '<=', on)
    .select(sql<number>`coalesce(sum(l.credit_cents - l.debit_cents), 0)::bigint`.as('cents'))
    .executeTakeFirstOrThrow()
  return row.cents
}

/** Entries of some days that were posted since a moment, newest first. */
export async function postedSince(ctx: Ctx, of: { entityGuid: string; since: string; after: string; through: string }) {
  const found = entriesOf(ctx, of.entityGuid)
    .where('e.createdAt', '>=', of.since)
    .where('e.postedOn', '>', of.after)
    .where('e.postedOn', '<=', of.through)
  const rows = await found
    .select(['e.guid', 'e.createdAt as at', 'e.postedOn', 'e.source', 'e.narrative'])
    .select(
      sql<number>`(select coalesce(sum(l.debit_cents), 0)::bigint from journal_lines l where l.entry_guid = e.guid)`.as(
        'cents',
      ),
    )
    .orderBy('e.createdAt', 'desc')
    .orderBy('e.guid')
    .limit(200)
    .execute()
  const { count } = await found.select((q) => q.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { rows, count: Number(count) }
}

const ofForwards = sql.raw(
  ['order_supplies', 'invoices', 'payments', 'payment_allocations', 'payment_reversals', 'refunds', 'basis_changes']
    .map((table) => `${table}_forward`)
    .join(', '),
)

/** Posts what orders bring forward and would at the end of the transaction, while its days are still open. */
export async function settleForwards(db: Db): Promise<void> {
  await sql`set constraints ${ofForwards} immediate`.execute(db)
  await sql`set constraints ${ofForwards} deferred`.execute(db)
}
