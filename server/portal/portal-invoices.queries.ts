import { sql } from 'kysely'
import type { ServiceInvoice } from '../../contract/service.ts'
import type { Db } from '../core/ctx.ts'
import { claimOf } from '../documents/claims.service.ts'
import { usesOfDeposit } from '../documents/deposit-uses.service.ts'
import { instalmentsJson } from '../documents/instalments.service.ts'
import { linesJson } from '../documents/lines.service.ts'
import { siteLabelOf } from '../documents/parties.service.ts'
import { linkOf } from '../service-links/service-links.service.ts'

const paymentsJson = sql<
  ServiceInvoice['payments']
>`(select coalesce(json_agg(json_build_object('number', p.number, 'method', p.method, 'receivedOn', p.received_on,
  'cents', a.cents,
  'card', case when p.card is null then null else json_build_object('brand', p.card ->> 'brand', 'last4',
  p.card ->> 'last4') end) order by p.created_at), '[]'::json)
  from (select payment_guid, sum(cents) as cents from (
    select payment_guid, cents from payment_allocations where invoice_guid = i.guid
    union all select payment_guid, amount_cents from refunds where reopens_guid = i.guid) m
  group by payment_guid having sum(cents) > 0) a join payments p on p.guid = a.payment_guid)`
const refundsJson = sql<
  ServiceInvoice['refunds']
>`(select coalesce(json_agg(json_build_object('number', r.number, 'refundedOn',
  (r.created_at at time zone b.time_zone)::date, 'cents', r.amount_cents) order by r.created_at), '[]'::json)
  from refunds r where r.invoice_guid = i.guid or r.reopens_guid = i.guid)`
/** What was paid and went back, so that the invoice owes it again: a customer reads that it came and went. */
const returned = sql<number>`(select coalesce(sum(r.amount_cents), 0)::bigint from refunds r
  where r.reopens_guid = i.guid)`
const creditedByJson = sql<
  string[]
>`(select coalesce(json_agg(n.number order by n.created_at), '[]'::json) from invoices n
  where n.adjusts_invoice_guid = i.guid and n.status = 'issued')`
const openAttemptJson = sql<
  ServiceInvoice['openAttempt']
>`(select json_build_object('guid', t.guid, 'status', t.status, 'amountCents', coalesce(p.cents, t.amount_cents),
  'actionUrl', case when t.invoice_guid is not null then t.action_url end)
  from payment_attempts t left join payment_attempt_parts p on p.attempt_guid = t.guid and p.invoice_guid = i.guid
  where (t.invoice_guid = i.guid or t.guid in
    (select x.attempt_guid from payment_attempt_parts x where x.invoice_guid = i.guid))
  and t.status in ('processing', 'requires_action')
  order by t.created_at desc limit 1)`

/** All that the customer's page of an invoice shows, in one statement; nothing of a draft. */
export const invoicePage = (db: Db, guid: string) =>
  db
    .selectFrom('invoices as i')
    .innerJoin('businesses as b', 'b.guid', 'i.businessGuid')
    .innerJoin('parties as c', 'c.memberGuid', 'i.customerGuid')
    .leftJoin('orders as o', 'o.guid', 'i.orderGuid')
    .select([
      'i.snapshotSha256 as documentSha256',
      'i.number',
      'i.kind',
      'i.title',
      'i.isTaxInvoice',
      'i.status',
      'i.paymentStatus',
      'i.billTo',
      'i.reference',
      'i.issueOn',
      'i.dueOn',
      'i.priceMode',
      'i.notes',
      'i.depositNature',
      'i.forfeitureClause',
    ])
    .select([
      'i.subtotalCents',
      'i.discountCents',
      'i.gstCents',
      'i.totalCents',
      'i.paidCents',
      'i.refundedCents',
      'i.creditedCents',
      'i.writtenOffCents',
      'i.balanceCents',
    ])
    .select([
      'i.businessGuid',
      'b.timeZone',
      'c.displayName as customerName',
      'c.language',
      'c.abn as customerAbn',
      'o.number as orderNumber',
    ])
    .select([
      returned.as('returnedCents'),
      claimOf('i').as('claim'),
      linesJson('invoice_lines', 'i.guid').as('lines'),
      paymentsJson.as('payments'),
      refundsJson.as('refunds'),
      usesOfDeposit.as('depositUses'),
      creditedByJson.as('creditedBy'),
      openAttemptJson.as('openAttempt'),
      instalmentsJson.as('instalments'),
      linkOf('order', 'o.guid').as('orderLink'),
      siteLabelOf('i.siteGuid').as('siteLabel'),
    ])
    .where('i.guid', '=', guid)
    .where('i.status', 'not in', ['draft', 'scheduled'])
    .executeTakeFirst()
export type InvoicePage = NonNullable<Awaited<ReturnType<typeof invoicePage>>>

/** How much of a card payment is for an invoice; null where nothing is. */
export const partOfPayment = async (db: Db, attemptGuid: string, invoiceGuid: string): Promise<number | null> => {
  const part = await db
    .selectFrom('paymentAttempts as t')
    .leftJoin('paymentAttemptParts as p', (on) =>
      on.onRef('p.attemptGuid', '=', 't.guid').on('p.invoiceGuid', '=', invoiceGuid),
    )
    .select(sql<number>`coalesce(p.cents, t.amount_cents)`.as('cents'))
    .where('t.guid', '=', attemptGuid)
    .where((is) => is.or([is('t.invoiceGuid', '=', invoiceGuid), is('p.guid', 'is not', null)]))
    .executeTakeFirst()
  return part?.cents ?? null
}
