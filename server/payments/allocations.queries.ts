import { sql } from 'kysely'
import type { OrderStatus } from '../../contract/orders.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { inFamily } from '../core/family.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

/** Whether an allocation still stands: it takes none back, and none takes it back. Both columns are of `alias`. */
export const stands = (alias: string) => sql<boolean>`${sql.ref(`${alias}.reversesGuid`)} is null
  and not exists (select from payment_allocations back where back.reverses_guid = ${sql.ref(`${alias}.guid`)})`

export const isReversed = (alias: string) =>
  sql<boolean>`exists (select from payment_reversals v where v.payment_guid = ${sql.ref(`${alias}.guid`)})`

/** What a payment pays now, the newest first. */
export const standingOf = (db: Db, paymentGuid: string) =>
  db
    .selectFrom('paymentAllocations as a')
    .select(['a.guid', 'a.invoiceGuid', 'a.cents', 'a.effectiveOn', 'a.createdAt'])
    .where('a.paymentGuid', '=', paymentGuid)
    .where(stands('a'))
    .orderBy('a.createdAt', 'desc')
    .orderBy('a.guid', 'desc')
    .execute()
export type Standing = Awaited<ReturnType<typeof standingOf>>[number]

/** What a payment has left that pays nothing, is not given back and not asked back; in cents. */
const creditOf = sql<number>`(p.amount_cents
  - (select coalesce(sum(a.cents), 0) from payment_allocations a where a.payment_guid = p.guid)
  - (select coalesce(sum(r.amount_cents), 0) from refund_attempts r
    where r.payment_guid = p.guid and r.invoice_guid is null and r.status <> 'failed')
  - (select coalesce(sum(q.amount_cents), 0) from refund_requests q
    where q.payment_guid = p.guid and q.invoice_guid is null and q.status = 'requested'))::bigint`

interface Credited {
  guid: string
  number: string
  receivedOn: string
  cents: number
  /** The order it is a prepayment of. */
  orderGuid: string | null
  orderNumber: string | null
  orderStatus: OrderStatus | null
}

/** Payments of one customer and legal entity with credit, the oldest first. */
export async function creditsOf(ctx: Ctx, of: { entityGuid: string; customerGuid: string }): Promise<Credited[]> {
  return applyRows(ctx, ctx.db.selectFrom('payments as p'), rowColumns(ctx, 'Payments', 'p'))
    .leftJoin('orders as o', 'o.guid', 'p.orderGuid')
    .select(['p.guid', 'p.number', 'p.receivedOn', 'p.orderGuid', 'o.number as orderNumber'])
    .select(['o.status as orderStatus', creditOf.as('cents')])
    .where('p.entityGuid', '=', of.entityGuid)
    .where(inFamily('p', of.customerGuid))
    .where(sql<boolean>`not ${isReversed('p')}`)
    .where(sql<boolean>`${creditOf} > 0`)
    .orderBy('p.receivedOn')
    .orderBy('p.guid')
    .execute()
}

/** Payments in guid order, so that no two deeds wait for each other. Their invoices are locked first. */
export const lockPayments = (db: Db, guids: readonly string[]) =>
  db
    .selectFrom('payments as p')
    .select(['p.guid', 'p.businessGuid', 'p.entityGuid', 'p.customerGuid', 'p.number', 'p.amountCents', 'p.provider'])
    .select(['p.receivedOn', 'p.depositGuid', creditOf.as('creditCents'), isReversed('p').as('isReversed')])
    .where('p.guid', 'in', [...guids])
    .orderBy('p.guid')
    .forUpdate()
    .execute()
export type CreditedPayment = Awaited<ReturnType<typeof lockPayments>>[number]

/** What is owing of a customer to a legal entity, the oldest due first. */
export const owingOf = (ctx: Ctx, of: { entityGuid: string; customerGuid: string }) =>
  applyRows(ctx, ctx.db.selectFrom('invoices as i'), rowColumns(ctx, 'Invoices', 'i'))
    .select(['i.guid', 'i.balanceCents', 'i.number', 'i.orderGuid', 'i.dueOn'])
    .where('i.entityGuid', '=', of.entityGuid)
    .where(inFamily('i', of.customerGuid))
    .where('i.status', '=', 'issued')
    .where('i.balanceCents', '>', 0)
    .orderBy('i.dueOn')
    .orderBy('i.issueOn')
    .orderBy('i.guid')
    .execute()

export const insertReversal = (
  db: Db,
  row: {
    guid: string
    paymentGuid: string
    reasonCode: string
    reversedOn: string
    note: string | null
    createdAt: Date
    createdBy: string | null
  },
) => db.insertInto('paymentReversals').values(row).execute()

/** Whether money of a payment went back, is on its way or is asked for. */
export async function hasRefunds(db: Db, paymentGuid: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select
      exists (select from refund_attempts where payment_guid = ${paymentGuid}::uuid and status <> 'failed')
      or exists (select from refund_requests where payment_guid = ${paymentGuid}::uuid and status = 'requested')
      as found`.execute(db)
  return rows[0]?.found === true
}
