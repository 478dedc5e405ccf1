import { sql } from 'kysely'
import { localDay } from '../../contract/core/dates.ts'
import type { CardDetails } from '../core/db/schema-money.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { keeperOf } from '../core/family.ts'
import { newGuid } from '../core/guid.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

/** Attempts that hold a part of the balance until they are settled. */
const open = ['processing', 'requires_action'] as const

const invoicesIn = (db: Db, guids: readonly string[]) =>
  db
    .selectFrom('invoices')
    .select(['guid', 'businessGuid', 'entityGuid', 'customerGuid', 'number', 'kind', 'status', 'issueOn'])
    .select(['balanceCents', 'writtenOffCents', 'depositNature', 'forfeitsGuid'])
    .select('snapshotSha256')
    .select(keeperOf(sql.ref('invoices.customerGuid')).as('familyGuid'))
    .where('guid', 'in', [...guids])

/** The same, of those that the actor's rules let through. */
export const lockVisibleInvoices = (ctx: Ctx, guids: readonly string[]) =>
  applyRows(ctx, invoicesIn(ctx.db, guids), rowColumns(ctx, 'Invoices', 'invoices'))
    .orderBy('guid')
    .forUpdate()
    .execute()

/** Locks invoices in guid order, so that payments of several never wait for each other in a circle. */
export const lockInvoices = (db: Db, guids: readonly string[]) =>
  invoicesIn(db, guids).orderBy('guid').forUpdate().execute()
export type LockedInvoice = Awaited<ReturnType<typeof lockInvoices>>[number]

/** What open card payments hold of each invoice. */
export async function reservedOf(db: Db, invoiceGuids: readonly string[]): Promise<Map<string, number>> {
  if (invoiceGuids.length === 0) return new Map()
  const { rows } = await sql<PartPaid>`select d.invoice_guid, sum(d.cents)::bigint as cents from (
      select invoice_guid, amount_cents as cents from payment_attempts
        where invoice_guid = any(${[...invoiceGuids]}::uuid[]) and status in (${sql.join(open)})
      union all select p.invoice_guid, p.cents from payment_attempt_parts p
        join payment_attempts a on a.guid = p.attempt_guid
        where p.invoice_guid = any(${[...invoiceGuids]}::uuid[]) and a.status in (${sql.join(open)})) d
    group by d.invoice_guid`.execute(db)
  return new Map(rows.map((row) => [row.invoiceGuid, row.cents]))
}

/** How much of which invoice. */
export interface PartPaid {
  invoiceGuid: string
  cents: number
}

/** What a card payment is for, in guid order of the invoices. */
export async function partsOf(
  db: Db,
  { guid, invoiceGuid, amountCents }: Pick<Attempt, 'guid' | 'invoiceGuid' | 'amountCents'>,
): Promise<PartPaid[]> {
  if (invoiceGuid !== null) return [{ invoiceGuid, cents: amountCents }]
  const parts = db.selectFrom('paymentAttemptParts').select(['invoiceGuid', 'cents'])
  return parts.where('attemptGuid', '=', guid).orderBy('invoiceGuid').execute()
}

const attemptColumns = [
  'guid',
  'businessGuid',
  'invoiceGuid',
  'statementPageGuid',
  'amountCents',
  'provider',
  'providerKey',
  'providerPaymentId',
  'status',
  'actionUrl',
  'failure',
  'method',
  'card',
  'checks',
  'createdAt',
] as const

export const attemptOf = (db: Db, guid: string) =>
  db.selectFrom('paymentAttempts').select(attemptColumns).where('guid', '=', guid).executeTakeFirst()
export const lockAttempt = (db: Db, guid: string) =>
  db.selectFrom('paymentAttempts').select(attemptColumns).where('guid', '=', guid).forUpdate().executeTakeFirstOrThrow()
export type Attempt = Awaited<ReturnType<typeof lockAttempt>>

/** By our own key, or by the provider's id where the provider did not give the key back. */
export const attemptOfCharge = (
  db: Db,
  provider: string,
  charge: { idempotencyKey: string | null; providerPaymentId: string | null },
) =>
  db
    .selectFrom('paymentAttempts')
    .select(attemptColumns)
    .where('provider', '=', provider)
    .where((is) =>
      is.or([
        is('providerKey', '=', charge.idempotencyKey ?? ''),
        ...(charge.providerPaymentId ? [is('providerPaymentId', '=', charge.providerPaymentId)] : []),
      ]),
    )
    .orderBy(sql`provider_key = ${charge.idempotencyKey ?? ''}`, 'desc')
    .limit(1)
    .executeTakeFirst()

export async function insertAttempt(
  db: Db,
  parts: readonly PartPaid[],
  row: {
    guid: string
    businessGuid: string
    statementPageGuid: string | null
    amountCents: number
    provider: string
    apiGuid: string | null
    createdAt: Date
    nextCheckAt: Date
  },
): Promise<void> {
  const isOne = row.statementPageGuid === null
  const invoiceGuid = isOne ? (parts[0]?.invoiceGuid ?? null) : null
  await db
    .insertInto('paymentAttempts')
    .values({ ...row, invoiceGuid, providerKey: row.guid })
    .execute()
  if (isOne) return
  const rows = parts.map((part) => ({ ...part, guid: newGuid(), attemptGuid: row.guid }))
  await db.insertInto('paymentAttemptParts').values(rows).execute()
}

export interface AttemptChange {
  status?: Attempt['status']
  providerPaymentId?: string
  actionUrl?: string | null
  failure?: { code: string; message: string } | null
  method?: string
  card?: CardDetails
  nextCheckAt?: Date | null
  settledAt?: Date | null
}
export const updateAttempt = (db: Db, guid: string, { failure, card, ...change }: AttemptChange) =>
  db
    .updateTable('paymentAttempts')
    .set({
      ...change,
      ...(failure !== undefined && { failure: failure && JSON.stringify(failure) }),
      ...(card && { card: JSON.stringify(card) }),
    })
    .where('guid', '=', guid)
    .execute()

/**
 * Takes the attempts whose time has come; each is looked at again later, whoever takes it and whatever becomes of it.
 */
export const claimDueAttempts = (db: Db, now: Date, limit: number) =>
  claimDue(db, 'payment_attempts', ['processing', 'requires_action'], now, limit)
export const claimDueRefunds = (db: Db, now: Date, limit: number) =>
  claimDue(db, 'refund_attempts', ['processing'], now, limit)

async function claimDue(
  db: Db,
  table: 'payment_attempts' | 'refund_attempts',
  statuses: readonly string[],
  now: Date,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ guid: string }>`
    update ${sql.table(table)} set checks = checks + 1,
      next_check_at = ${now}::timestamptz + least(interval '10 minutes', interval '5 seconds' * power(2, least(checks,
      10)))
    where guid in (
      select guid from ${sql.table(table)} where status in (${sql.join(statuses.map((s) => sql.lit(s)))})
        and next_check_at <= ${now}
      order by next_check_at limit ${limit} for update skip locked)
    returning guid`.execute(db)
  return rows.map((row) => row.guid)
}

export interface NewPayment {
  guid: string
  businessGuid: string
  customerGuid: string
  orderGuid?: string | null
  attemptGuid?: string | null
  depositGuid?: string
  method: string
  amountCents: number
  receivedOn: string
  reference?: string | null
  note?: string | null
  provider?: string
  providerPaymentId?: string | null
  card?: CardDetails | null
  createdAt: Date
  createdBy: string | null
}
/** Writes a payment under the next number and returns it. */
export async function insertPayment(db: Db, { card, ...row }: NewPayment): Promise<string> {
  const number = sql<string>`next_number(${row.businessGuid}::uuid, 'payment')`
  const made = await db
    .insertInto('payments')
    .values({ ...row, number, card: card ? JSON.stringify(card) : null })
    .returning('number')
    .executeTakeFirstOrThrow()
  return made.number
}

/** One row after the other, in the order given: each moves the sums of its invoice. */
export const insertAllocations = (
  db: Db,
  rows: {
    guid: string
    paymentGuid: string
    invoiceGuid: string
    cents: number
    effectiveOn: string
    reversesGuid?: string
    createdAt: Date
    createdBy: string | null
  }[],
) => db.insertInto('paymentAllocations').values(rows).execute()

/** The payments that an invoice was paid by, in guid order. */
export async function payersOf(db: Db, invoiceGuid: string): Promise<string[]> {
  const rows = await db
    .selectFrom('paymentAllocations')
    .select('paymentGuid')
    .where('invoiceGuid', '=', invoiceGuid)
    .groupBy('paymentGuid')
    .having(sql<boolean>`sum(cents) > 0`)
    .orderBy('paymentGuid')
    .execute()
  return rows.map((row) => row.paymentGuid)
}

export const receiptNumberOf = async (db: Db, attemptGuid: string) =>
  (await db.selectFrom('payments').select('number').where('attemptGuid', '=', attemptGuid).executeTakeFirst())
    ?.number ?? null

export const paymentOfAttempt = (db: Db, attemptGuid: string) =>
  db
    .selectFrom('payments')
    .select(['guid', 'amountCents', 'providerPaymentId'])
    .where('attemptGuid', '=', attemptGuid)
    .executeTakeFirst()

export const standingOf = (db: Db, invoiceGuid: string) =>
  db
    .selectFrom('invoices')
    .select(['paymentStatus', 'balanceCents'])
    .where('guid', '=', invoiceGuid)
    .executeTakeFirstOrThrow()

/** The day it is for a business. */
export async function dayOf(db: Db, businessGuid: string, now: Date): Promise<string> {
  const { timeZone } = await db
    .selectFrom('businesses')
    .select('timeZone')
    .where('guid', '=', businessGuid)
    .executeTakeFirstOrThrow()
  return localDay(now.toISOString(), timeZone)
}

/** The legal entity of a business. */
export async function entityOf(db: Db, businessGuid: string): Promise<string> {
  const found = db.selectFrom('businesses').select('entityGuid').where('guid', '=', businessGuid)
  return (await found.executeTakeFirstOrThrow()).entityGuid
}
export async function legalNameOf(db: Db, businessGuid: string): Promise<string> {
  const found = db.selectFrom('businesses').select('legalName').where('guid', '=', businessGuid)
  return (await found.executeTakeFirstOrThrow()).legalName
}

/** An order that money may come for. */
export const orderFor = (db: Db, guid: string) =>
  db
    .selectFrom('orders as o')
    .innerJoin('businesses as b', 'b.guid', 'o.businessGuid')
    .select(['o.guid', 'o.status', 'o.archivedAt', 'b.entityGuid'])
    .select(keeperOf(sql.ref('o.customerGuid')).as('familyGuid'))
    .where('o.guid', '=', guid)
    .executeTakeFirst()

export async function bookedAt(db: Db, kind: 'payment' | 'refund', guid: string): Promise<Date | null> {
  const row = await db
    .selectFrom(kind === 'payment' ? 'payments' : 'refunds')
    .select('createdAt')
    .where('guid', '=', guid)
    .executeTakeFirst()
  return row ? new Date(row.createdAt) : null
}
