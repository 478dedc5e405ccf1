import { sql } from 'kysely'
import type { Db } from '../core/ctx.ts'

/** Whether the card holder of a payment disputes it now; `table` is how the query calls the payments. */
export const isDisputed = (table: string) =>
  sql<boolean>`exists (select 1 from payment_disputes d where d.payment_guid = ${sql.ref(`${table}.guid`)}
    and d.closed_at is null)`
export const disputedAt = (table: string) =>
  sql<string | null>`(select d.opened_at from payment_disputes d where d.payment_guid = ${sql.ref(`${table}.guid`)}
    and d.closed_at is null)`

export const paymentOfCharge = (db: Db, provider: string, providerPaymentId: string | null) =>
  db
    .selectFrom('payments')
    .select(['guid', 'number', 'amountCents', 'attemptGuid'])
    .where('provider', '=', provider)
    .where('providerPaymentId', '=', providerPaymentId ?? '')
    .executeTakeFirst()
