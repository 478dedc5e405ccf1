import type { DepositNature } from '../../contract/deposit-natures.ts'
import { type RawBuilder, sql, type Selectable } from 'kysely'
import type { z } from 'zod'
import type { InvoiceBaseStatus, InvoiceStatus } from '../../contract/invoices.ts'
import type { Order, ordersApi } from '../../contract/orders.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { inFamily } from '../core/family.ts'
import { applyRows } from '../core/db/rows.ts'
import type { OrderLines, Orders } from '../core/db/schema-business.ts'
import { guidsOf, isIn, type Reach } from '../core/reach.ts'
import { archivedIf, userName } from '../core/records.ts'
import { addedTotals, areAll, figuresOf, keptTotals } from '../core/figures.ts'
import { linesJson, type LineRow } from '../documents/lines.service.ts'
import { customerName, jobTypeName, jobTypeOf, partiesOf } from '../documents/parties.service.ts'
import { inSpan } from '../documents/list-search.service.ts'
import { hireOf } from './hire.queries.ts'
import { stagesOf } from './stages.service.ts'
import { rowColumns, worksAlong } from '../row-scope/row-scope.service.ts'
import { tagsOf } from '../tags/tags.service.ts'
import { linkOf } from '../service-links/service-links.service.ts'
import { substatusJson } from './substatuses.service.ts'

export type OrderRow = Selectable<Orders>
export type OrderLineRow = Selectable<OrderLines>

/** The orders the caller may know of. */
const visibleOrders = (ctx: Pick<Ctx, 'db' | 'actor' | 'rows'>) =>
  applyRows(ctx, ctx.db.selectFrom('orders as o'), rowColumns(ctx, 'Orders', 'o'))

export type OrderFilters = z.output<typeof ordersApi.list.query>

/** The orders of a list by what indexes begin with, beside their business. */
export function foundOrders(ctx: Ctx, { archived }: OrderFilters) {
  return visibleOrders(ctx).where(archivedIf('o', archived))
}

/** By what else they are narrowed. */
export const ordersWithin = (filters: OrderFilters): RawBuilder<boolean>[] => [
  ...(filters.invoiceStatus ? [sql<boolean>`o.invoice_status = any(${filters.invoiceStatus.split(',')}::text[])`] : []),
  ...(filters.customerGuid ? [inFamily('o', filters.customerGuid)] : []),
  ...(filters.assignedGuid ? [sql<boolean>`o.assigned_guid = ${filters.assignedGuid}::uuid`] : []),
  ...(filters.personGuid
    ? [sql<boolean>`(o.assigned_guid = ${filters.personGuid}::uuid or ${worksAlong('o.guid', filters.personGuid)})`]
    : []),
  ...(filters.substatusGuid ? [sql<boolean>`o.substatus_guid = ${filters.substatusGuid}::uuid`] : []),
  ...(filters.jobTypeGuid ? [sql<boolean>`o.job_type_guid = ${filters.jobTypeGuid}::uuid`] : []),
  ...(filters.schedule === 'scheduled' ? [sql<boolean>`o.scheduled_on is not null`] : []),
  ...(filters.schedule === 'unscheduled' ? [sql<boolean>`o.scheduled_on is null`] : []),
  ...inSpan('o.scheduledOn', filters['scheduledOn.gte'], filters['scheduledOn.lte']),
]

/** What a list shows of each. */
export const listedOrders = (ctx: Ctx) =>
  ctx.db
    .selectFrom('orders as o')
    .select([
      'o.guid',
      'o.businessGuid',
      'o.version',
      'o.number',
      'o.title',
      'o.status as displayStatus',
      'o.invoiceStatus',
      'o.customerGuid',
      customerName('o'),
      jobTypeName('o'),
      'o.scheduledOn',
      'o.assignedGuid',
      personName('o.assigned_guid').as('assignedName'),
      crewNames.as('crewNames'),
      substatusJson('o').as('substatus'),
      'o.totalCents',
      'o.invoicedCents',
      'o.createdAt',
      'o.archivedAt',
      tagsOf('Orders', 'o').as('tags'),
    ])

/** Count and amount per status, the same rows as a list by that status. */
export const sumByStatus = (ctx: Ctx, reach: Reach) =>
  areAll(guidsOf(reach), ctx) ? keptByStatus(ctx.db, reach) : addedByStatus(ctx, reach)

const keptByStatus = (db: Db, reach: Reach) =>
  figuresOf(db, guidsOf(reach), 'orders')
    .select([sql<string>`stream`.as('status'), ...keptTotals])
    .groupBy('stream')
    .execute()

const addedByStatus = (ctx: Ctx, reach: Reach) =>
  foundOrders(ctx, {})
    .where(isIn(reach, 'o.businessGuid'))
    .select([sql<string>`o.status`.as('status'), ...addedTotals(sql.ref('o.totalCents'))])
    .groupBy('o.status')
    .execute()

/** An invoice of the order as far as the order's own state depends on it. */
export interface OrderInvoice {
  guid: string
  number: string | null
  title: string
  kind: string
  depositNature: DepositNature
  status: InvoiceStatus
  baseStatus: InvoiceBaseStatus
  dueOn: string | null
  totalCents: number
  balanceCents: number
  paidCents: number
  refundedCents: number
  creditedCents: number
  depositAppliedCents: number
  /** Whether it bills hire, or takes back what a hire was billed too much. */
  isHire: boolean
}

const personName = (column: string) =>
  sql<string | null>`(select ${userName('u')} from users u where u.guid = ${sql.ref(column)})`
const personJson = (column: string) =>
  sql<
    Order['assigned']
  >`(select json_build_object('guid', u.guid, 'name', ${userName('u')}) from users u where u.guid = ${sql.ref(column)})`

/** Who works along, by name; whoever leads the order stands on it. */
const crewOf = sql`order_people p join users u on u.guid = p.user_guid
  where p.order_guid = o.guid and p.user_guid is distinct from o.assigned_guid`
const crewNames = sql<string[]>`array(select ${userName('u')} as name from ${crewOf} order by name)`
const crewJson = sql<Order['crew']>`(select coalesce(json_agg(json_build_object('guid', u.guid, 'name',
  ${userName('u')}) order by ${userName('u')}, u.guid), '[]'::json) from ${crewOf})`
const checksJson = sql<Order['checks']>`(select coalesce(json_agg(json_build_object('code', c.code, 'label', c.label,
  'isRequired', c.is_required, 'isDone', c.done_at is not null, 'doneAt', c.done_at,
  'doneBy', (select ${userName('u')} from users u where u.guid = c.done_by)) order by c.position), '[]'::json)
  from order_checks c where c.order_guid = o.guid)`
const costsJson = sql<NonNullable<Order['costs']>>`(select coalesce(json_agg(json_build_object('guid', c.guid,
  'on', c.spent_on, 'text', c.body, 'cents', c.cents,
  'byName', (select ${userName('u')} from users u where u.guid = c.added_by))
  order by c.spent_on, c.added_at, c.guid), '[]'::json) from order_costs c where c.order_guid = o.guid)`

const notesJson = sql<Order['notes']>`(select coalesce(json_agg(json_build_object('guid', n.guid, 'text', n.body,
  'at', n.created_at, 'byName', (select ${userName('u')} from users u where u.guid = n.created_by))
  order by n.created_at desc, n.guid desc), '[]'::json) from order_notes n where n.order_guid = o.guid)`

const quoteJson = sql<
  Order['related']['quote']
>`(select json_build_object('guid', q.guid, 'label', coalesce(q.number, q.title)) from quotes q
  where q.guid = o.quote_guid)`
const invoicesJson = sql<
  OrderInvoice[]
>`(select coalesce(json_agg(json_build_object('guid', i.guid, 'number', i.number, 'title', i.title, 'kind', i.kind,
  'depositNature', i.deposit_nature, 'status', i.status, 'baseStatus', i.base_status, 'dueOn', i.due_on,
  'totalCents', i.total_cents, 'balanceCents', i.balance_cents, 'paidCents', i.paid_cents, 'refundedCents',
  i.refunded_cents, 'creditedCents', i.credited_cents,
  'depositAppliedCents', i.deposit_applied_cents, 'isHire', exists (select from hire_bills b
  where b.invoice_guid = i.guid and b.voided_at is null)) order by i.created_at, i.guid), '[]'::json) from invoices i
  where i.order_guid = o.guid and i.archived_at is null)`
/** What of a payment for an order pays nothing yet and was not given back, in cents. */
export const prepaid = sql<number>`case when p.order_guid is distinct from o.guid
  or exists (select from payment_reversals v where v.payment_guid = p.guid) then 0 else p.amount_cents
  - (select coalesce(sum(a.cents), 0) from payment_allocations a where a.payment_guid = p.guid)
  - (select coalesce(sum(r.amount_cents), 0) from refunds r where r.payment_guid = p.guid and r.invoice_guid is null)
  end::bigint`
const paymentsJson = sql<
  Order['related']['payments']
>`(select coalesce(json_agg(json_build_object('guid', p.guid, 'label', p.number, 'amountCents', p.amount_cents,
  'prepaidCents', ${prepaid}, 'receivedOn', p.received_on,
  'isDisputed', exists (select from payment_disputes d where d.payment_guid = p.guid and d.closed_at is null))
  order by p.created_at, p.guid), '[]'::json)
  from payments p where (p.order_guid = o.guid and ${prepaid} > 0) or p.guid in (select a.payment_guid
  from payment_allocations a join invoices i on i.guid = a.invoice_guid where i.order_guid = o.guid
  group by a.payment_guid having sum(a.cents) > 0))`
const gstForward = sql<number>`(select coalesce(sum(f.cents), 0)::bigint from gst_forwards f
  where f.order_guid = o.guid)`
const messagesJson = sql<
  Order['related']['messages']
>`(select coalesce(json_agg(json_build_object('guid', m.guid, 'label', m.subject, 'status', m.status)
  order by m.created_at desc, m.guid desc), '[]'::json)
  from messages m where (m.owner_type = 'order' and m.owner_guid = o.guid) or (m.owner_type = 'invoice'
  and m.owner_guid in (select i.guid from invoices i where i.order_guid = o.guid)))`

const costOfLine = sql`, 'costCents', l.cost_cents`

/** One order with everything its screen shows, in one statement. */
export const findOrder = (ctx: Ctx, guid: string, hasCosts: boolean) =>
  visibleOrders(ctx)
    .selectAll('o')
    .select([
      ...partiesOf('o'),
      jobTypeOf('o'),
      linesJson<Order['lines'][number] & { costCents?: number | null }>(
        'order_lines',
        'o.guid',
        sql`, 'quantityInvoiced', trim_scale(l.quantity_invoiced)::text${hasCosts ? costOfLine : sql``}`,
      ).as('lines'),
      substatusJson('o').as('substatus'),
      crewJson.as('crew'),
      checksJson.as('checks'),
      notesJson.as('notes'),
      hasCosts ? costsJson.as('costs') : sql<null>`null`.as('costs'),
      invoicesJson.as('invoices'),
      quoteJson.as('quote'),
      paymentsJson.as('payments'),
      gstForward.as('gstForwardCents'),
      messagesJson.as('messages'),
      tagsOf('Orders', 'o').as('tags'),
      stagesOf('o.guid').as('stages'),
      hireOf('o.guid').as('hire'),
      personJson('o.assigned_guid').as('assigned'),
      personJson('o.owner_guid').as('owner'),
      linkOf('order', 'o.guid').as('serviceGuid'),
      sql<string>`(select b.time_zone from businesses b where b.guid = o.business_guid)`.as('timeZone'),
    ])
    .where('o.guid', '=', guid)
    .executeTakeFirst()

/** Locks an order the caller may know of. */
export const visibleRowForUpdate = (ctx: Ctx, guid: string) =>
  visibleOrders(ctx).selectAll('o').where('o.guid', '=', guid).forUpdate('o').executeTakeFirst()

/**
 * Locked against other changes, and not against what merely refers to it: the database looks at the order of an invoice
 * again whenever a transaction moves that invoice a second time, and whoever pays one holds it before.
 */
export const rowForUpdate = (db: Db, guid: string) =>
  db.selectFrom('orders').selectAll().where('guid', '=', guid).forNoKeyUpdate().executeTakeFirst()

export const orderLines = (db: Db, orderGuid: string) =>
  db.selectFrom('orderLines').selectAll().where('orderGuid', '=', orderGuid).orderBy('position').execute()

export const invoicesOf = (db: Db, orderGuid: string) =>
  db
    .selectFrom('invoices')
    .select([
      'guid',
      'number',
      'kind',
      'status',
      'totalCents',
      'balanceCents',
      'paidCents',
      'refundedCents',
      'depositAppliedCents',
      sql<boolean>`exists (select from hire_bills h where h.invoice_guid = invoices.guid)`.as('isHire'),
    ])
    .where('orderGuid', '=', orderGuid)
    .where('archivedAt', 'is', null)
    .where('status', '<>', 'void')
    .where('kind', '<>', 'adjustment_note')
    .execute()

export const insertLines = async (
  db: Db,
  orderGuid: string,
  rows: readonly (LineRow & { sourceLineGuid?: string | null })[],
) => {
  if (rows.length > 0)
    await db
      .insertInto('orderLines')
      .values(rows.map((row) => ({ ...row, orderGuid })))
      .execute()
}

/** The checklist of a job type, as it is now, for a new order. */
export async function insertChecks(db: Db, orderGuid: string, jobTypeGuid: string) {
  await sql`insert into order_checks (order_guid, code, position, label, is_required)
    select ${orderGuid}::uuid, c.item ->> 'code', min(c.n), min(c.item ->> 'label'),
      bool_or((c.item ->> 'required')::boolean)
    from job_types t cross join jsonb_array_elements(t.checklist) with ordinality c(item, n)
    where t.guid = ${jobTypeGuid}::uuid group by c.item ->> 'code'`.execute(db)
}

/** Replaces the lines of an order; a line that keeps its guid keeps what is invoiced of it. */
export async function replaceLines(db: Db, orderGuid: string, rows: readonly LineRow[]) {
  const kept = rows.map((row) => row.guid)
  let gone = db.deleteFrom('orderLines').where('orderGuid', '=', orderGuid)
  if (kept.length > 0) gone = gone.where('guid', 'not in', kept)
  await gone.execute()
  if (rows.length === 0) return
  await db
    .insertInto('orderLines')
    .values(rows.map((row) => ({ ...row, orderGuid })))
    .onConflict((c) =>
      c.column('guid').doUpdateSet((e) => ({
        position: e.ref('excluded.position'),
        kind: e.ref('excluded.kind'),
        productGuid: e.ref('excluded.productGuid'),
        name: e.ref('excluded.name'),
        description: e.ref('excluded.description'),
        quantity: e.ref('excluded.quantity'),
        unit: e.ref('excluded.unit'),
        unitPriceCents: e.ref('excluded.unitPriceCents'),
        discount: e.ref('excluded.discount'),
        gstCode: e.ref('excluded.gstCode'),
        parentLineGuid: e.ref('excluded.parentLineGuid'),
        hireFrom: e.ref('excluded.hireFrom'),
        hireTo: e.ref('excluded.hireTo'),
        hireRates: e.ref('excluded.hireRates'),
        isPriceManual: e.ref('excluded.isPriceManual'),
        costCents: e.ref('excluded.costCents'),
        revenueStreamGuid: e.ref('excluded.revenueStreamGuid'),
        options: e.ref('excluded.options'),
        sourceKey: e.ref('excluded.sourceKey'),
        showsParts: e.ref('excluded.showsParts'),
        netCents: e.ref('excluded.netCents'),
        gstCents: e.ref('excluded.gstCents'),
        totalCents: e.ref('excluded.totalCents'),
      })),
    )
    .execute()
}

/** Lines that stand on any invoice, also on voided and archived ones. */
export async function linesOnInvoices(db: Db, orderGuid: string): Promise<Set<string>> {
  const { rows } = await sql<{
    guid: string
  }>`select distinct il.order_line_guid as guid from order_lines l join invoice_lines il on il.order_line_guid = l.guid
    where l.order_guid = ${orderGuid}::uuid`.execute(db)
  return new Set(rows.map((row) => row.guid))
}

/** Adds to what is invoiced of lines; below zero gives back. The table itself refuses more than was ordered. */
export async function addInvoiced(db: Db, lines: ReadonlyMap<string, string>, direction: 1 | -1) {
  if (lines.size === 0) return
  await sql`update order_lines l set quantity_invoiced = l.quantity_invoiced + ${direction}::int * given.quantity
    from unnest(${[...lines.keys()]}::uuid[], ${[...lines.values()]}::numeric[]) as given(guid, quantity)
    where l.guid = given.guid`.execute(db)
}

interface SettledLine {
  guid: string
  quantity: string
  /** JSON text. */
  discount: string | null
  netCents: number
  gstCents: number
  totalCents: number
}

/** Lines of an order as far as they are billed. */
export async function settleLines(db: Db, lines: readonly SettledLine[]) {
  if (lines.length === 0) return
  const given = lines.map(({ quantity, discount, netCents, gstCents, totalCents, guid }) => ({
    ...{ guid, quantity, net_cents: netCents, gst_cents: gstCents, total_cents: totalCents },
    discount: discount === null ? null : (JSON.parse(discount) as unknown),
  }))
  await sql`update order_lines l set quantity = g.quantity, discount = g.discount, net_cents = g.net_cents,
      gst_cents = g.gst_cents, total_cents = g.total_cents
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(guid uuid, quantity numeric, discount jsonb,
      net_cents bigint, gst_cents bigint, total_cents bigint)
    where l.guid = g.guid`.execute(db)
}

/**
 * Where invoicing stands, from the lines and the invoices. Over-invoiced is an order with nothing left to invoice whose
 * invoices, less what was credited, come to more than it.
 */
export async function refreshState(db: Db, orderGuid: string) {
  await sql`update orders o set
      invoiced_cents = coalesce((select sum(i.total_cents) from invoices i where i.order_guid = o.guid
      and i.status in ('issued', 'written_off') and i.kind <> 'adjustment_note'
      and i.deposit_nature = 'part_payment'), 0),
      invoice_status = case
        when (o.status = 'cancelled' or l.full_lines = l.priced) and b.cents > o.total_cents then 'over_invoiced'
        when o.status = 'cancelled' or coalesce(l.priced, 0) = 0 then 'nothing_to_invoice'
        when l.full_lines = l.priced and exists (select from invoices i where i.order_guid = o.guid
          and i.kind in ('progress', 'final') and i.status in ('draft', 'scheduled') and i.archived_at is null)
          then 'drafted'
        when l.full_lines = l.priced then 'invoiced'
        when l.begun > 0 or h.begun then 'partially_invoiced'
        when o.total_cents = 0 then 'nothing_to_invoice'
        else 'to_invoice'
      end
    from (select count(*) as priced, count(*) filter (where quantity_invoiced > 0) as begun, count(*)
    filter (where quantity_invoiced = quantity) as full_lines
      from order_lines where order_guid = ${orderGuid}::uuid and kind not in ('section', 'text')) l,
      (select coalesce(sum(i.total_cents), 0) - coalesce(sum((select sum(n.total_cents) from invoices n
        where n.adjusts_invoice_guid = i.guid and n.status = 'issued')), 0) as cents from invoices i
      where i.order_guid = ${orderGuid}::uuid and i.status in ('issued', 'written_off')
      and i.kind <> 'adjustment_note' and i.deposit_nature = 'part_payment') b,
      (select exists (select from hire_bills x join hire_runs r on r.guid = x.run_guid
      where r.order_guid = ${orderGuid}::uuid and x.voided_at is null and x.invoice_guid is not null) as begun) h
    where o.guid = ${orderGuid}::uuid`.execute(db)
}
