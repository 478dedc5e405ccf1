import { type RawBuilder, sql } from 'kysely'
import type { RefundEffect } from '../../contract/refunds.ts'
import type { RefundRequest } from '../../contract/refund-requests.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { asJson, userName } from '../core/records.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

const hoursOfLimit = 24

/** One after the other, each person with each customer: what they give back together counts. */
export const lockLimit = (db: Db, userGuid: string, familyGuid: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('refund_limit' || ${userGuid}::text || ${familyGuid}::text,
    0))`.execute(db)

/** The family of whoever paid, and what the business lets one person give back. */
export const limitOf = (db: Db, paymentGuid: string) =>
  db
    .selectFrom('payments as p')
    .innerJoin('businesses as b', 'b.guid', 'p.entityGuid')
    .innerJoin('parties as c', 'c.memberGuid', 'p.customerGuid')
    .select(['c.guid as familyGuid', 'b.refundLimitCents'])
    .where('p.guid', '=', paymentGuid)
    .executeTakeFirstOrThrow()

/** What a person gave back to a customer since a day ago, with what waits; what failed or was refused apart. */
export async function givenInADay(
  db: Db,
  { userGuid, familyGuid, now }: { userGuid: string; familyGuid: string; now: Date },
): Promise<number> {
  const since = new Date(now.getTime() - hoursOfLimit * 3_600_000)
  const ofCustomer = (row: string): RawBuilder<boolean> =>
    sql<boolean>`exists (select from payments p join parties c on c.member_guid = p.customer_guid
      where p.guid = ${sql.ref(`${row}.payment_guid`)} and c.guid = ${familyGuid}::uuid)`
  const { rows } = await sql<{ cents: number }>`select (
    coalesce((select sum(a.amount_cents) from refund_attempts a where a.created_by = ${userGuid}::uuid
      and a.request_guid is null and a.status <> 'failed' and a.created_at > ${since}::timestamptz
      and ${ofCustomer('a')}), 0)
    + coalesce((select sum(r.amount_cents) from refund_requests r where r.requested_by = ${userGuid}::uuid
      and r.created_at > ${since}::timestamptz and ${ofCustomer('r')} and (r.status = 'requested'
      or (r.status = 'approved' and exists (select from refund_attempts a where a.request_guid = r.guid
      and a.status <> 'failed')))), 0))::bigint as cents`.execute(db)
  return rows[0]?.cents ?? 0
}

interface NewRequest {
  guid: string
  businessGuid: string
  paymentGuid: string
  invoiceGuid: string | null
  amountCents: number
  reasonCode: string
  note: string | null
  lines: { lineGuid: string; cents: number }[] | null
  method: string | null
  effect: RefundEffect
  payee: string | null
  requestedBy: string
  createdAt: Date
}
export const insertRequest = (db: Db, row: NewRequest) =>
  db
    .insertInto('refundRequests')
    .values({ ...row, lines: asJson(row.lines) })
    .execute()

export const requestOf = (db: Db, guid: string) =>
  db.selectFrom('refundRequests').selectAll().where('guid', '=', guid).executeTakeFirst()
export const lockRequest = (db: Db, guid: string) =>
  db.selectFrom('refundRequests').selectAll().where('guid', '=', guid).forUpdate().executeTakeFirst()
export type RequestRow = NonNullable<Awaited<ReturnType<typeof lockRequest>>>

export const decideRequest = (
  db: Db,
  guid: string,
  decision: {
    status: 'approved' | 'declined' | 'cancelled' | 'expired'
    decidedBy: string | null
    decidedAt: Date
    decisionNote: string | null
  },
) => db.updateTable('refundRequests').set(decision).where('guid', '=', guid).execute()

export const shownStatus = sql<RefundRequest['status']>`case when r.status <> 'approved' then r.status
  else coalesce((select a.status from refund_attempts a where a.request_guid = r.guid
    order by a.created_at desc limit 1), 'processing') end`

/** The requests for payments that the caller may see. */
export const visibleRequests = (ctx: Ctx) =>
  applyRows(
    ctx,
    ctx.db.selectFrom('refundRequests as r').innerJoin('payments as p', 'p.guid', 'r.paymentGuid'),
    rowColumns(ctx, 'Payments', 'p'),
  )

const personOf = (column: string) =>
  sql<string | null>`(select ${userName('u')} from users u where u.guid = ${sql.ref(column)})`

export const requestColumns = (ctx: Ctx) =>
  ctx.db
    .selectFrom('refundRequests as r')
    .innerJoin('payments as p', 'p.guid', 'r.paymentGuid')
    .select([
      'r.guid',
      'r.businessGuid',
      'r.createdAt',
      'r.requestedBy as requestedByGuid',
      'r.paymentGuid',
      'p.number as paymentNumber',
      'r.invoiceGuid',
      'p.customerGuid',
      'r.amountCents',
      'r.reasonCode',
    ])
    .select([
      'r.note',
      'r.decidedAt',
      'r.decisionNote',
      'r.effect',
      'r.payee as sealedPayee',
      sql<string>`(select coalesce(b.trading_name, b.legal_name) from businesses b where b.guid = r.business_guid)`.as(
        'businessName',
      ),
      sql<string | null>`(select i.number from invoices i where i.guid = r.invoice_guid)`.as('invoiceNumber'),
      personOf('r.requestedBy').as('requestedBy'),
      personOf('r.decidedBy').as('decidedBy'),
      shownStatus.as('status'),
      sql<string>`(select c.display_name from parties c where c.member_guid = p.customer_guid)`.as('customerName'),
    ])
