import { sql } from 'kysely'
import type { Db } from '../core/ctx.ts'
import type { FoundCharge } from '../core/db/schema-money.ts'
import { asJson } from '../core/records.ts'

/** Keeps an event; false when it was known already. */
export async function insertEvent(
  db: Db,
  row: { guid: string; provider: string; eventId: string; type: string; payload: unknown; receivedAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('webhookEvents')
    .values({ ...row, payload: JSON.stringify(row.payload ?? null) })
    .onConflict((c) => c.columns(['provider', 'eventId']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export const eventOf = (db: Db, guid: string) =>
  db
    .selectFrom('webhookEvents as e')
    .leftJoin('webhookOutcomes as o', 'o.eventGuid', 'e.guid')
    .select(['e.guid', 'e.provider', 'e.eventId', 'e.type', 'e.payload', 'o.outcome'])
    .where('e.guid', '=', guid)
    .executeTakeFirst()
export type StoredEvent = NonNullable<Awaited<ReturnType<typeof eventOf>>>

export const insertOutcome = (
  db: Db,
  {
    found,
    ...row
  }: {
    eventGuid: string
    outcome: 'done' | 'ignored' | 'quarantined'
    reason: string | null
    at: Date
    providerPaymentId: string | null
    found: FoundCharge | null
    attemptGuid: string | null
  },
) =>
  db
    .insertInto('webhookOutcomes')
    .values({ ...row, found: asJson(found) })
    .onConflict((c) => c.column('eventGuid').doNothing())
    .execute()

/** Whether somebody has to decide on the payment for this reason since an earlier notice. */
export const isAsideAlready = async (
  db: Db,
  { provider, providerPaymentId, reason }: { provider: string; providerPaymentId: string | null; reason: string },
): Promise<boolean> => {
  const earlier = await db
    .selectFrom('webhookOutcomes as o')
    .innerJoin('webhookEvents as e', 'e.guid', 'o.eventGuid')
    .select('o.eventGuid')
    .where('o.outcome', '=', 'quarantined')
    .where('e.provider', '=', provider)
    .where('o.providerPaymentId', '=', providerPaymentId)
    .where('o.reason', '=', reason)
    .where(
      sql<boolean>`not exists (select from charge_releases r where r.provider = e.provider
        and r.provider_payment_id = o.provider_payment_id and r.created_at >= o.at)`,
    )
    .limit(1)
    .executeTakeFirst()
  return earlier !== undefined
}

/** What the attempt was to pay, and whose debts these are. */
export const debtsOfAttempt = (db: Db, attemptGuid: string) =>
  db
    .selectFrom('paymentAttempts as a')
    .innerJoin('invoices as i', (on) =>
      on.on(
        sql<boolean>`i.guid = a.invoice_guid
          or i.guid in (select p.invoice_guid from payment_attempt_parts p where p.attempt_guid = a.guid)`,
      ),
    )
    .innerJoin('parties as c', 'c.memberGuid', 'i.customerGuid')
    .select(['i.guid as invoiceGuid', 'i.number', 'c.displayName as customerName'])
    .where('a.guid', '=', attemptGuid)
    .orderBy('i.number')
    .execute()

/** What a person has decided last on a payment that was put aside, and how it stood then. */
export const decisionOn = (db: Db, provider: string, providerPaymentId: string) =>
  db
    .selectFrom('chargeReleases as r')
    .innerJoin('webhookOutcomes as o', 'o.eventGuid', 'r.eventGuid')
    .select(['r.action', 'o.found'])
    .where('r.provider', '=', provider)
    .where('r.providerPaymentId', '=', providerPaymentId)
    .orderBy('r.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Events nothing has come of yet, the oldest first. */
export async function openEvents(
  db: Db,
  { before, since, limit }: { before: Date; since: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('webhookEvents as e')
    .select('e.guid')
    .where('e.receivedAt', '<', before.toISOString())
    .where('e.receivedAt', '>', since.toISOString())
    .where(sql<boolean>`not exists (select 1 from webhook_outcomes o where o.event_guid = e.guid)`)
    .orderBy('e.receivedAt')
    .limit(limit)
    .execute()
  return rows.map((row) => row.guid)
}
