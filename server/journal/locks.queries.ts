import { sql } from 'kysely'
import type { Ctx, Db } from '../core/ctx.ts'
import { entriesOf, followedJson } from './journal.queries.ts'

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

/**
 * The account that takes what nobody has sorted yet, with what it holds at the end of a day: credits less debits, in
 * cents, by the sums of its days.
 */
export async function suspenseOn(db: Db, entityGuid: string, on: string) {
  const { rows } = await sql<{ guid: string; name: string; cents: number }>`
    select a.guid, a.name, coalesce((select -sum(f.cents) from figures f where f.measure = 'account'
      and f.stream = a.code and f.day <= ${on}::date and f.business_guid = any(array(select b.guid from businesses b
        where b.entity_guid = a.business_guid))), 0)::bigint as cents
    from accounts a where a.business_guid = ${entityGuid}::uuid and a.role = 'suspense'`.execute(db)
  return rows[0]
}

/** Entries of some days that were posted since a moment, newest first. */
export async function postedSince(ctx: Ctx, of: { entityGuid: string; since: string; after: string; through: string }) {
  const found = entriesOf(ctx, of.entityGuid)
    .where('e.createdAt', '>=', of.since)
    .where('e.postedOn', '>', of.after)
    .where('e.postedOn', '<=', of.through)
  const rows = await found
    .select(['e.guid', 'e.createdAt as at', 'e.postedOn', 'e.source', 'e.narrative', followedJson.as('document')])
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
