import { sql } from 'kysely'
import type { Given } from '../../contract/code-amounts.ts'
import type { RefundEffect } from '../../contract/refunds.ts'
import type { Db } from '../core/ctx.ts'
import { asJson } from '../core/records.ts'
import { isReversed } from './allocations.queries.ts'
import { isDisputed } from './disputes.queries.ts'

const attemptColumns = [
  'guid',
  'businessGuid',
  'paymentGuid',
  'invoiceGuid',
  'amountCents',
  'reasonCode',
  'note',
  'provider',
  'providerKey',
  'providerRefundId',
  'status',
  'failure',
  'createdAt',
  'createdBy',
  'given',
  'method',
  'effect',
  'reopensGuid',
] as const

export const refundAttemptOf = (db: Db, guid: string) =>
  db.selectFrom('refundAttempts').select(attemptColumns).where('guid', '=', guid).executeTakeFirst()
export const lockRefundAttempt = (db: Db, guid: string) =>
  db.selectFrom('refundAttempts').select(attemptColumns).where('guid', '=', guid).forUpdate().executeTakeFirstOrThrow()
export type RefundAttempt = Awaited<ReturnType<typeof lockRefundAttempt>>

export const lockPayment = (db: Db, guid: string) =>
  db
    .selectFrom('payments')
    .select([
      'guid',
      'businessGuid',
      'number',
      'customerGuid',
      'method',
      'amountCents',
      'provider',
      'depositGuid',
      'providerPaymentId',
      isDisputed('payments').as('isDisputed'),
      isReversed('payments').as('isReversed'),
    ])
    .where('guid', '=', guid)
    .forUpdate()
    .executeTakeFirst()
export type LockedPayment = NonNullable<Awaited<ReturnType<typeof lockPayment>>>

/** What a payment pays of each invoice. */
export const allocationsOf = (db: Db, paymentGuid: string) =>
  db
    .selectFrom('paymentAllocations')
    .select(['invoiceGuid', sql<number>`sum(cents)::bigint`.as('cents')])
    .where('paymentGuid', '=', paymentGuid)
    .groupBy('invoiceGuid')
    .having(sql<boolean>`sum(cents) > 0`)
    .orderBy('invoiceGuid')
    .execute()

/**
 * What is given back, on its way back or waits for somebody's approval, per invoice; the customer's credit stands under
 * null.
 */
export async function givenBack(db: Db, paymentGuid: string): Promise<Map<string | null, number>> {
  const { rows } = await sql<{ invoiceGuid: string | null; cents: number }>`select invoice_guid,
    sum(amount_cents)::bigint as cents from (
      select invoice_guid, amount_cents from refund_attempts
      where payment_guid = ${paymentGuid}::uuid and status <> 'failed'
      union all select invoice_guid, amount_cents from refund_requests
      where payment_guid = ${paymentGuid}::uuid and status = 'requested') taken group by invoice_guid`.execute(db)
  return new Map(rows.map((row) => [row.invoiceGuid, row.cents]))
}

export const insertRefundAttempt = (
  db: Db,
  row: {
    guid: string
    businessGuid: string
    paymentGuid: string
    invoiceGuid: string | null
    amountCents: number
    reasonCode: string
    note: string | null
    provider: string | null
    nextCheckAt: Date
    createdAt: Date
    createdBy: string | null
    given: Given | null
    method: string | null
    requestGuid: string | null
    effect: RefundEffect
    reopensGuid: string | null
    payee: string | null
  },
) =>
  db
    .insertInto('refundAttempts')
    .values({ ...row, given: asJson(row.given), providerKey: row.guid })
    .execute()

export const updateRefundAttempt = (
  db: Db,
  guid: string,
  {
    failure,
    ...change
  }: {
    status?: RefundAttempt['status']
    providerRefundId?: string | null
    failure?: { code: string; message: string } | null
    nextCheckAt?: Date | null
    settledAt?: Date
    effect?: RefundEffect
    invoiceGuid?: string | null
    reopensGuid?: string | null
  },
) =>
  db
    .updateTable('refundAttempts')
    .set({ ...change, ...(failure !== undefined && { failure: asJson(failure) }) })
    .where('guid', '=', guid)
    .execute()

export const insertRefund = (
  db: Db,
  row: {
    guid: string
    businessGuid: string
    number: string
    paymentGuid: string
    attemptGuid: string
    invoiceGuid: string | null
    adjustmentNoteGuid: string | null
    amountCents: number
    gstCents: number
    reasonCode: string
    note: string | null
    providerRefundId: string | null
    createdAt: Date
    createdBy: string | null
    method: string | null
    effect: RefundEffect
    reopensGuid: string | null
  },
) => db.insertInto('refunds').values(row).execute()

/** The refund an attempt has led to, with its adjustment note. */
export const refundOfAttempt = (db: Db, attemptGuid: string) =>
  db
    .selectFrom('refunds as r')
    .leftJoin('invoices as n', 'n.guid', 'r.adjustmentNoteGuid')
    .select(['r.guid', 'r.number', 'r.gstCents', 'n.guid as noteGuid', 'n.number as noteNumber'])
    .where('r.attemptGuid', '=', attemptGuid)
    .executeTakeFirst()

/** A refund with the bank account it goes to, sealed. */
export const refundWithPayee = (db: Db, guid: string) =>
  db
    .selectFrom('refunds as r')
    .innerJoin('refundAttempts as a', 'a.guid', 'r.attemptGuid')
    .select(['r.number', 'r.paymentGuid', 'a.guid as attemptGuid', 'a.payee'])
    .where('r.guid', '=', guid)
    .executeTakeFirst()

/** The attempts of a payment that the provider may have news about, late news of failed ones included. */
export const refundAttemptsOf = (db: Db, paymentGuid: string) =>
  db
    .selectFrom('refundAttempts')
    .select(['guid', 'status', 'amountCents'])
    .where('paymentGuid', '=', paymentGuid)
    .where('provider', 'is not', null)
    .orderBy('createdAt')
    .execute()
