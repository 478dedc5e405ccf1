import { type RawBuilder, sql, type Selectable } from 'kysely'
import type { z } from 'zod'
import type { CodeAmount } from '../../contract/code-amounts.ts'
import type { Language } from '../../contract/core/languages.ts'
import type { Invoice, invoicesApi } from '../../contract/invoices.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { inFamily } from '../core/family.ts'
import { applyRows } from '../core/db/rows.ts'
import { dayIn, type Reach } from '../core/reach.ts'
import { archivedIf } from '../core/records.ts'
import type { InvoiceLines, Invoices } from '../core/db/schema-business.ts'
import { claimOf } from '../documents/claims.service.ts'
import { instalmentsJson, overdueCents } from '../documents/instalments.service.ts'
import { linesJson } from '../documents/lines.service.ts'
import { customerName, partiesOf } from '../documents/parties.service.ts'
import { inSpan } from '../documents/list-search.service.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'
import { tagsOf } from '../tags/tags.service.ts'
import { linkOf } from '../service-links/service-links.service.ts'
import { byCode } from './codes.ts'
import type { OpenDeposit } from './credits.ts'
import { depositUsesJson, forfeitsJson, orderCentsOf, securityJson } from './security.queries.ts'
import { writeOffsJson } from './write-offs.queries.ts'

export type InvoiceRow = Selectable<Invoices>
export type InvoiceLineRow = Selectable<InvoiceLines>

/** The invoices the caller may know of; whoever is assigned to the order is assigned to its invoices. */
export const visibleInvoices = (ctx: Pick<Ctx, 'db' | 'actor' | 'rows'>) =>
  applyRows(ctx, ctx.db.selectFrom('invoices as i'), rowColumns(ctx, 'Invoices', 'i'))

export type InvoiceFilters = z.output<typeof invoicesApi.list.query>

/** The invoices of a list by what indexes begin with, beside their business. */
export function foundInvoices(ctx: Ctx, { archived }: InvoiceFilters) {
  return visibleInvoices(ctx).where(archivedIf('i', archived))
}

/** By what else they are narrowed. */
export const invoicesWithin = (filters: InvoiceFilters): RawBuilder<boolean>[] => [
  ...(filters.kind ? [sql<boolean>`i.kind = any(${filters.kind.split(',')}::text[])`] : []),
  ...(filters.customerGuid ? [inFamily('i', filters.customerGuid)] : []),
  ...inSpan('i.issueOn', filters['issueOn.gte'], filters['issueOn.lte']),
  ...inSpan('i.dueOn', filters['dueOn.gte'], filters['dueOn.lte']),
]

/** When the newest email about an invoice left the house: none of those that wait, failed or were only tests. */
export const emailedAt = sql<string | null>`(select max(m.sent_at) from messages m
  where m.owner_type = 'invoice' and m.owner_guid = i.guid and m.direction = 'out' and not m.is_test)`
/** Since when it counts as sent, be it by its button or by a letter somebody wrote. */
const sentAt = sql<string | null>`coalesce(i.sent_at, ${emailedAt})`

/** What a list shows of each. */
export const listedInvoices = (ctx: Ctx, reach: Reach) =>
  ctx.db
    .selectFrom('invoices as i')
    .select([
      'i.guid',
      'i.version',
      'i.businessGuid',
      'i.entityGuid',
      'i.number',
      'i.kind',
      'i.depositNature',
      'i.title',
      'i.baseStatus',
      'i.customerGuid',
      customerName('i'),
      'i.orderGuid',
      'i.issueOn',
      'i.dueOn',
      'i.totalCents',
      'i.balanceCents',
      overdueCents('i', dayIn(reach, 'i.businessGuid')).as('overdueCents'),
      sentAt.as('sentAt'),
      'i.createdAt',
      'i.archivedAt',
      tagsOf('Invoices', 'i').as('tags'),
    ])

const paymentsJson = sql<
  Invoice['related']['payments']
>`(select coalesce(json_agg(json_build_object('guid', p.guid, 'number', p.number, 'method', p.method, 'receivedOn',
  p.received_on, 'cents', a.cents,
  'refundableCents', coalesce(a.paid, 0) - coalesce((select sum(r.amount_cents) from refund_attempts r
  where r.payment_guid = p.guid and r.invoice_guid = i.guid and r.status <> 'failed'), 0)
  - coalesce((select sum(r.amount_cents) from refund_requests r where r.payment_guid = p.guid
  and r.invoice_guid = i.guid and r.status = 'requested'), 0),
  'isDisputed', exists (select from payment_disputes d where d.payment_guid = p.guid and d.closed_at is null))
  order by p.created_at, p.guid), '[]'::json)
  -- What came and went back, so that it is owed again, is shown with both.
  from (select payment_guid, sum(cents) as cents, sum(cents) filter (where not went) as paid from (
    select payment_guid, cents, false as went from payment_allocations where invoice_guid = i.guid
    union all select payment_guid, amount_cents, true from refunds where reopens_guid = i.guid) m
  group by payment_guid having sum(cents) > 0) a join payments p on p.guid = a.payment_guid)`
const refundsJson = sql<
  Invoice['related']['refunds']
>`(select coalesce(json_agg(json_build_object('guid', r.guid, 'number', r.number, 'amountCents', r.amount_cents,
  'reasonCode', r.reason_code, 'createdAt', r.created_at) order by r.created_at, r.guid), '[]'::json)
  from refunds r where r.invoice_guid = i.guid or r.reopens_guid = i.guid)`
const notesJson = sql<
  Invoice['related']['adjustmentNotes']
>`(select coalesce(json_agg(json_build_object('guid', n.guid, 'label', n.number, 'totalCents', n.total_cents)
  order by n.created_at, n.guid), '[]'::json)
  from invoices n where n.adjusts_invoice_guid = i.guid and n.status = 'issued')`
const adjustsJson = sql<
  Invoice['related']['adjusts']
>`(select json_build_object('guid', a.guid, 'label', a.number) from invoices a where a.guid = i.adjusts_invoice_guid)`
const orderJson = sql<
  Invoice['related']['order']
>`(select json_build_object('guid', o.guid, 'label', o.number) from orders o where o.guid = i.order_guid)`
const quoteJson = sql<
  Invoice['related']['quote']
>`(select json_build_object('guid', q.guid, 'label', coalesce(q.number, q.title)) from quotes q
  where q.guid = i.quote_guid)`
const messagesJson = sql<
  Invoice['related']['messages']
>`(select coalesce(json_agg(json_build_object('guid', m.guid, 'label', m.subject, 'status', m.status)
  order by m.created_at desc, m.guid desc), '[]'::json)
  from messages m where m.owner_type = 'invoice' and m.owner_guid = i.guid)`

/** One invoice with everything its screen shows, in one statement. */
export const findInvoice = (ctx: Ctx, guid: string) =>
  visibleInvoices(ctx)
    .innerJoin('businesses as b', 'b.guid', 'i.businessGuid')
    .innerJoin('parties as buyer', 'buyer.memberGuid', 'i.customerGuid')
    .select([
      'i.guid',
      'i.version',
      'i.number',
      'i.kind',
      'i.depositNature',
      'i.forfeitureClause',
      'i.title',
      'i.status',
      'i.paymentStatus',
      'i.baseStatus',
      'i.isTaxInvoice',
      'i.businessGuid',
      'i.customerGuid',
      'i.contactGuid',
      'i.siteGuid',
      'i.orderGuid',
      'i.quoteGuid',
      'i.reference',
      'i.issueOn',
      'i.dueOn',
    ])
    .select([
      'i.termsDays',
      'i.priceMode',
      'i.roundingRule',
      'i.discount',
      'i.notes',
      'i.internalNotes',
      'i.subtotalCents',
      'i.discountCents',
      'i.gstCents',
      'i.totalCents',
      'i.paidCents',
      'i.creditedCents',
      'i.refundedCents',
      'i.writtenOffCents',
      'i.balanceCents',
    ])
    .select([
      'i.depositAppliedCents',
      'i.supplier',
      'i.billTo',
      sentAt.as('sentAt'),
      emailedAt.as('emailedAt'),
      'i.firstViewedAt',
      'i.lastViewedAt',
      'i.viewCount',
      'i.voidReason',
      'i.adjustsInvoiceGuid',
      'i.adjustmentReason',
      'i.createdAt',
      'i.updatedAt',
      'i.archivedAt',
    ])
    .select([
      'b.timeZone',
      'b.abn as supplierAbn',
      'b.gstRegistered',
      'buyer.displayName as buyerName',
      'buyer.abn as buyerAbn',
    ])
    .select([
      ...partiesOf('i'),
      linesJson('invoice_lines', 'i.guid').as('lines'),
      linkOf('invoice', 'i.guid').as('serviceGuid'),
      claimOf('i').as('claim'),
    ])
    .select([
      paymentsJson.as('payments'),
      refundsJson.as('refunds'),
      notesJson.as('adjustmentNotes'),
      adjustsJson.as('adjusts'),
      orderJson.as('order'),
      quoteJson.as('quote'),
      messagesJson.as('messages'),
      writeOffsJson.as('writeOffs'),
      instalmentsJson.as('instalments'),
      securityJson.as('security'),
      depositUsesJson.as('depositUses'),
      forfeitsJson.as('forfeits'),
      orderCentsOf.as('orderCents'),
      tagsOf('Invoices', 'i').as('tags'),
    ])
    .where('i.guid', '=', guid)
    .executeTakeFirst()

/** Which order an invoice belongs to: that one is locked first. Null when the caller may not know of the invoice. */
export const orderOfVisible = (ctx: Ctx, guid: string) =>
  visibleInvoices(ctx).select(['i.orderGuid']).where('i.guid', '=', guid).executeTakeFirst()

export const rowForUpdate = (db: Db, guid: string) =>
  db.selectFrom('invoices').selectAll().where('guid', '=', guid).forUpdate().executeTakeFirst()

export const invoiceLines = (db: Db, invoiceGuid: string) =>
  db.selectFrom('invoiceLines').selectAll().where('invoiceGuid', '=', invoiceGuid).orderBy('position').execute()

/** An invoice of hire is beside those that take what was ordered. */
const isWithoutHire = sql<boolean>`not exists (select from hire_bills h where h.invoice_guid = invoices.guid)`

/** What progress and final invoices of an order took so far, hire apart; drafts count, those taken back do not. */
export async function billedOf(db: Db, orderGuid: string, without?: string) {
  let query = db
    .selectFrom('invoices')
    .select(['totalCents', 'depositAppliedCents', 'discount'])
    .where('orderGuid', '=', orderGuid)
    .where('kind', 'in', ['progress', 'final'])
    .where('status', '<>', 'void')
    .where('archivedAt', 'is', null)
    .where(isWithoutHire)
  if (without) query = query.where('guid', '<>', without)
  const rows = await query.execute()
  return {
    workCents: rows.reduce((sum, i) => sum + i.totalCents + i.depositAppliedCents, 0),
    discountCents: rows.reduce((sum, i) => sum + (i.discount?.type === 'fixed' ? i.discount.value : 0), 0),
  }
}

/** Of each order line's fixed discount, what live invoices took. */
export async function lineDiscountsBilled(db: Db, orderGuid: string): Promise<Map<string, number>> {
  const { rows } = await sql<{
    guid: string
    cents: number
  }>`select il.order_line_guid as guid, sum((il.discount ->> 'value')::bigint)::bigint as cents
    from invoices i join invoice_lines il on il.invoice_guid = i.guid
    where i.order_guid = ${orderGuid}::uuid and i.status <> 'void' and i.archived_at is null
    and il.order_line_guid is not null and il.discount ->> 'type' = 'fixed'
    group by il.order_line_guid`.execute(db)
  return new Map(rows.map((row) => [row.guid, row.cents]))
}

interface OpenOptions {
  /** A draft whose own credits do not count. */
  without?: string
  /** Credits on drafts do not count: what the ledger knows. */
  isIssuedOnly?: boolean
}

/**
 * What can still be credited of deposits by kind of GST: what was billed, less what was given back and
 * what live invoices credited. Security deposits are never credited: they pay, or go back.
 */
async function openParts(db: Db, which: RawBuilder<unknown>, { without, isIssuedOnly = false }: OpenOptions) {
  const credits = isIssuedOnly
    ? sql`x.status in ('issued', 'written_off')`
    : sql`x.status <> 'void' and x.archived_at is null`
  const { rows } = await sql<
    { guid: string; number: string; language: Language } & CodeAmount
  >`select d.guid, d.number, c.language, a.gst_code, sum(a.net)::bigint as net_cents, sum(a.gst)::bigint as gst_cents
    from invoices d join parties c on c.member_guid = d.customer_guid cross join lateral (
      select l.gst_code, l.net_cents as net, l.gst_cents as gst from invoice_lines l where l.invoice_guid = d.guid
      union all select l.gst_code, -l.net_cents, -l.gst_cents from invoices n join invoice_lines l
      on l.invoice_guid = n.guid where n.adjusts_invoice_guid = d.guid and n.status = 'issued'
      union all select l.gst_code, l.net_cents, l.gst_cents from invoice_lines l join invoices x
      on x.guid = l.invoice_guid
        where l.deposit_invoice_guid = d.guid and ${credits} and x.guid is distinct from ${without ?? null}::uuid) a
    where ${which} and d.kind = 'deposit' and d.deposit_nature = 'part_payment' and d.status = 'issued'
    group by d.guid, d.number, d.created_at, c.language, a.gst_code order by d.created_at, d.guid`.execute(db)
  const deposits = new Map<string, OpenDeposit>()
  for (const { guid, number, language, ...part } of rows)
    deposits.set(guid, { guid, number, language, parts: [...(deposits.get(guid)?.parts ?? []), part] })
  return [...deposits.values()].map(({ parts, ...deposit }) => ({ ...deposit, parts: settled(byCode(parts)) }))
}

/**
 * A kind that fell below zero, because the whole was once given back or credited in one line, takes from the others.
 */
function settled(parts: readonly CodeAmount[]): CodeAmount[] {
  if (parts.every((part) => part.netCents >= 0 && part.gstCents >= 0)) return [...parts]
  const netCents = parts.reduce((sum, part) => sum + part.netCents, 0)
  const gstCents = Math.max(
    parts.reduce((sum, part) => sum + part.gstCents, 0),
    0,
  )
  return netCents > 0 ? [{ gstCode: gstCents > 0 ? 'GST' : 'FREE', netCents, gstCents }] : []
}

/** The order's billed deposits of which something is left, locked. */
export async function lockOpenDeposits(db: Db, orderGuid: string, options: OpenOptions = {}): Promise<OpenDeposit[]> {
  await sql`select 1 from invoices where order_guid = ${orderGuid}::uuid and kind = 'deposit' and status = 'issued'
    order by guid for update`.execute(db)
  return (await openParts(db, sql`d.order_guid = ${orderGuid}::uuid`, options)).filter(({ parts }) => parts.length > 0)
}

/** What of a deposit still waits in the ledger to be credited. */
export const waitingOf = async (db: Db, depositGuid: string, without?: string): Promise<CodeAmount[]> =>
  (await openParts(db, sql`d.guid = ${depositGuid}::uuid`, { isIssuedOnly: true, ...(without ? { without } : {}) }))[0]
    ?.parts ?? []

/** The live invoice that credits a deposit. */
export const creditedOn = (db: Db, depositGuid: string) =>
  db
    .selectFrom('invoiceLines as l')
    .innerJoin('invoices as i', 'i.guid', 'l.invoiceGuid')
    .select(['i.guid', 'i.number'])
    .where('l.depositInvoiceGuid', '=', depositGuid)
    .where('i.status', '<>', 'void')
    .where('i.archivedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()

export const notesOf = (db: Db, invoiceGuid: string) =>
  db
    .selectFrom('invoices')
    .select(['number', 'totalCents'])
    .where('adjustsInvoiceGuid', '=', invoiceGuid)
    .where('status', '=', 'issued')
    .execute()

/** What adjustment notes have left of an invoice, by kind of GST; a kind that only reduces the others is below zero. */
export async function leftByCode(db: Db, invoiceGuid: string): Promise<CodeAmount[]> {
  const { rows } =
    await sql<CodeAmount>`select a.gst_code, sum(a.net)::bigint as net_cents, sum(a.gst)::bigint as gst_cents from (
      select l.gst_code, l.net_cents as net, l.gst_cents as gst from invoice_lines l
        where l.invoice_guid = ${invoiceGuid}::uuid
      union all select l.gst_code, -l.net_cents, -l.gst_cents from invoices n join invoice_lines l
      on l.invoice_guid = n.guid
        where n.adjusts_invoice_guid = ${invoiceGuid}::uuid and n.status = 'issued') a group by a.gst_code`.execute(db)
  return byCode(rows)
}

export const openAttempt = (db: Db, invoiceGuid: string) =>
  db
    .selectFrom('paymentAttempts as a')
    .select('a.guid')
    .where(
      sql<boolean>`(a.invoice_guid = ${invoiceGuid}::uuid or a.guid in
        (select p.attempt_guid from payment_attempt_parts p where p.invoice_guid = ${invoiceGuid}::uuid))`,
    )
    .where('a.status', 'in', ['processing', 'requires_action'])
    .limit(1)
    .executeTakeFirst()

/** What an invoice took of its order. */
export const quantitiesOf = (lines: readonly Pick<InvoiceLineRow, 'orderLineGuid' | 'quantity'>[]) =>
  new Map(lines.flatMap((l): [string, string][] => (l.orderLineGuid ? [[l.orderLineGuid, l.quantity]] : [])))
