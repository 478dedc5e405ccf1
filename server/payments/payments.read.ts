import { sql } from 'kysely'
import { notFound } from '../../contract/core/errors.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import { type Payment, paymentMethods, type paymentsApi } from '../../contract/payments.ts'
import type { Ctx } from '../core/ctx.ts'
import { inFamily } from '../core/family.ts'
import { pageOf } from '../core/db/page.ts'
import { applyRows } from '../core/db/rows.ts'
import { listsIn, namesIn, reachOf } from '../core/reach.ts'
import { isReversed, stands } from './allocations.queries.ts'
import { showPayee } from './payees.ts'
import { disputedAt, isDisputed } from './disputes.queries.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'
import { inSpan, narrowed, oneOf } from '../documents/list-search.service.ts'

type Api = typeof paymentsApi
const refunded = sql<number>`(select coalesce(sum(r.amount_cents), 0)::bigint from refunds r
  where r.payment_guid = p.guid)`

const orderNumber = sql<string | null>`(select o.number from orders o where o.guid = p.order_guid)`

/** The payments the actor may see; every read starts here. */
const visiblePayments = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('payments as p'), rowColumns(ctx, 'Payments', 'p'))

export async function mustSeePayment(ctx: Ctx, guid: string) {
  const row = await visiblePayments(ctx).select('p.guid').where('p.guid', '=', guid).executeTakeFirst()
  if (!row) throw notFound()
}

export async function listPayments(ctx: Ctx, input: Input<Api['list']>): Promise<Output<Api['list']>> {
  const reach = await reachOf(ctx, input)
  const within = [
    ...(input.customerGuid ? [inFamily('p', input.customerGuid)] : []),
    ...inSpan('p.receivedOn', input['receivedOn.gte'], input['receivedOn.lte']),
  ]
  const page = await pageOf({
    ...(await narrowed(ctx.db, visiblePayments(ctx), 'Payments', 'p', {
      search: input.search,
      lists: listsIn(reach, 'p.businessGuid'),
      anyOf: oneOf('p.method', input.method),
      within,
    })),
    isPlain: true,
    query: ctx.db
      .selectFrom('payments as p')
      .select([
        'p.guid',
        'p.businessGuid',
        'p.number',
        'p.customerGuid',
        'p.orderGuid',
        'p.method',
        'p.amountCents',
        'p.receivedOn',
        'p.reference',
        'p.createdAt',
      ])
      .select([
        isDisputed('p').as('isDisputed'),
        sql<string>`(select c.display_name from parties c where c.member_guid = p.customer_guid)`.as('customerName'),
        orderNumber.as('orderNumber'),
        refunded.as('refundedCents'),
        sql<string>`(select coalesce(string_agg(i.number, ', ' order by i.number), '') from payment_allocations a
          join invoices i on i.guid = a.invoice_guid
          where a.payment_guid = p.guid and ${stands('a')})`.as('invoices'),
        isReversed('p').as('isReversed'),
      ]),
    sorts: { createdAt: 'p.createdAt', receivedOn: 'p.receivedOn', number: 'p.number', amountCents: 'p.amountCents' },
    guid: 'p.guid',
    input,
    defaultSort: '-createdAt',
  })
  const shown = (row: (typeof page.items)[number]) => ({
    ...row,
    businessName: namesIn(reach, row.businessGuid),
    method: methodOf(row.method),
  })
  return { ...page, items: page.items.map(shown) }
}

const methodOf = (method: string) => paymentMethods.find((m) => m === method) ?? 'other'

const allocationsJson = sql<
  Payment['allocations']
>`(select coalesce(json_agg(json_build_object('guid', a.guid, 'effectiveOn', a.effective_on,
    'invoiceGuid', a.invoice_guid, 'invoiceNumber', i.number, 'cents', a.cents,
    -- What went back is taken off the oldest first.
    'refundableCents', greatest(0, least(a.cents, a.upto - coalesce((select sum(r.amount_cents) from refund_attempts r
    where r.payment_guid = p.guid and r.invoice_guid = i.guid and r.status <> 'failed'), 0)
    - coalesce((select sum(r.amount_cents) from refund_requests r where r.payment_guid = p.guid
    and r.invoice_guid = i.guid and r.status = 'requested'), 0))))
    order by i.number, a.created_at, a.guid), '[]'::json)
  from (select a.*, sum(a.cents) over (partition by a.invoice_guid order by a.created_at, a.guid) as upto
    from payment_allocations a where a.payment_guid = p.guid and ${stands('a')}) a
  join invoices i on i.guid = a.invoice_guid)`
const refundsJson = sql<
  (Omit<Payment['refunds'][number], 'payee'> & { isCredit: boolean; attemptGuid: string; payee: string | null })[]
>`(select coalesce(json_agg(json_build_object('guid', r.guid, 'number', r.number, 'amountCents', r.amount_cents,
  'reasonCode', r.reason_code, 'note', r.note, 'createdAt', r.created_at, 'isCredit', r.invoice_guid is null,
  'reopens', case when o.guid is null then null else json_build_object('guid', o.guid, 'label', o.number) end,
  'effect', r.effect,
  'attemptGuid', a.guid, 'payee', a.payee,
  'adjustmentNote', case when n.guid is null then null else json_build_object('guid', n.guid, 'label', n.number) end)
  order by r.created_at), '[]'::json)
  from refunds r join refund_attempts a on a.guid = r.attempt_guid
  left join invoices n on n.guid = r.adjustment_note_guid
  left join invoices o on o.guid = r.reopens_guid where r.payment_guid = p.guid)`

/** With what it mirrors: rows of the same moment that take an allocation back. */
const reversalJson = sql<Payment['reversal']>`(select json_build_object('reason', v.reason_code, 'note', v.note,
  'takenOff', (select coalesce(json_agg(json_build_object('guid', a.guid, 'invoiceGuid', i.guid,
    'invoiceNumber', i.number, 'cents', -a.cents, 'on', a.effective_on) order by i.number, a.guid), '[]'::json)
    from payment_allocations a join invoices i on i.guid = a.invoice_guid
    where a.payment_guid = p.guid and a.reverses_guid is not null and a.created_at >= v.created_at))
  from payment_reversals v where v.payment_guid = p.guid)`

const requestsJson = sql<
  (Payment['requests'][number] & { isCredit: boolean })[]
>`(select coalesce(json_agg(json_build_object('guid', r.guid, 'amountCents', r.amount_cents, 'createdAt', r.created_at,
  'isCredit', r.invoice_guid is null) order by r.created_at), '[]'::json)
  from refund_requests r where r.payment_guid = p.guid and r.status = 'requested')`

function statusOf(amountCents: number, refundedCents: number) {
  if (refundedCents === 0) return 'succeeded'
  return refundedCents < amountCents ? 'partially_refunded' : 'refunded'
}

/** One payment as its page shows it. */
export async function showPayment(ctx: Ctx, guid: string): Promise<Payment> {
  const row = await visiblePayments(ctx)
    .innerJoin('parties as c', 'c.memberGuid', 'p.customerGuid')
    .select([
      'p.guid',
      'p.businessGuid',
      'p.number',
      'p.customerGuid',
      'p.orderGuid',
      orderNumber.as('orderNumber'),
      'c.displayName as customerName',
      'p.method',
      'p.amountCents',
      'p.receivedOn',
      'p.reference',
      'p.note',
      'p.card',
      'p.createdAt',
      disputedAt('p').as('disputedAt'),
      sql<string | null>`(select v.reversed_on::text from payment_reversals v where v.payment_guid = p.guid)`.as(
        'reversedOn',
      ),
    ])
    .select(reversalJson.as('reversal'))
    .select([allocationsJson.as('allocations'), refundsJson.as('refunds'), requestsJson.as('requests')])
    .where('p.guid', '=', guid)
    .executeTakeFirst()
  if (!row) throw notFound()
  const refundedCents = row.refunds.reduce((sum, r) => sum + r.amountCents, 0)
  const standing = row.disputedAt ? 'disputed' : statusOf(row.amountCents, refundedCents)
  const status = row.reversedOn ? 'reversed' : standing
  const back = [...row.refunds, ...row.requests]
  const creditBack = back.reduce((sum, r) => sum + (r.isCredit ? r.amountCents : 0), 0)
  const unallocatedCents = row.reversedOn
    ? 0
    : row.amountCents - row.allocations.reduce((sum, a) => sum + a.cents, 0) - creditBack
  const refunds = row.refunds.map(({ payee, attemptGuid, ...r }) => ({
    ...r,
    payee: showPayee(ctx, payee, attemptGuid),
    createdAt: new Date(r.createdAt).toISOString(),
  }))
  const requests = row.requests.map((r) => ({ ...r, createdAt: new Date(r.createdAt).toISOString() }))
  return { ...row, refunds, requests, method: methodOf(row.method), status, refundedCents, unallocatedCents }
}
