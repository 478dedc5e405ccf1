import { sql } from 'kysely'
import type { Invoice } from '../../contract/invoices.ts'
import type { Db } from '../core/ctx.ts'
import type { InvoiceRow } from './invoices.queries.ts'

/** A deposit that later invoices credit: a security deposit pays them, or goes back. */
export const isPartPayment = ({ kind, depositNature }: Pick<InvoiceRow, 'kind' | 'depositNature'>): boolean =>
  kind === 'deposit' && depositNature === 'part_payment'

/** What of a security deposit is on its way back, or asked back. */
const leaving = sql`(coalesce((select sum(r.amount_cents) from refund_attempts r
    where r.invoice_guid = i.guid and r.status = 'processing'), 0)
  + coalesce((select sum(q.amount_cents) from refund_requests q
    where q.invoice_guid = i.guid and q.status = 'requested'), 0))`

/** Payments out of a security deposit that still stand. */
const standing = sql`p.deposit_guid = i.guid
  and not exists (select from payment_reversals v where v.payment_guid = p.guid)`

const forfeited = sql`(select coalesce(sum(f.total_cents), 0) from invoices f
  where f.forfeits_guid = i.guid and f.number is not null)`

export const securityJson = sql<Invoice['security']>`case when i.kind = 'deposit' and i.deposit_nature = 'security'
  then json_build_object('heldCents', greatest(i.paid_cents - i.refunded_cents - i.deposit_used_cents - ${leaving}, 0),
    'forfeitedCents', ${forfeited}, 'appliedCents', i.deposit_used_cents - ${forfeited},
    'returnedCents', i.refunded_cents) end`

export const depositUsesJson = sql<Invoice['related']['depositUses']>`(select coalesce(json_agg(json_build_object(
    'guid', x.guid, 'label', x.number, 'isForfeit', x.forfeits_guid is not null, 'cents', p.amount_cents,
    'on', p.received_on) order by p.created_at, p.guid), '[]'::json)
  from payments p join lateral (select a.invoice_guid from payment_allocations a where a.payment_guid = p.guid
    and a.reverses_guid is null order by a.created_at limit 1) a on true
  join invoices x on x.guid = a.invoice_guid where ${standing})`

export const forfeitsJson = sql<Invoice['related']['forfeits']>`(select json_build_object('guid', f.guid,
  'label', f.number) from invoices f where f.guid = i.forfeits_guid)`

/** What the order of a deposit comes to. */
export const orderCentsOf = sql<number | null>`(select o.total_cents from orders o where o.guid = i.order_guid)`

/** What of a locked security deposit was received and is still held: neither used, returned, nor on its way back. */
export async function heldOf(db: Db, depositGuid: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`select
      (i.paid_cents - i.refunded_cents - i.deposit_used_cents - ${leaving})::bigint as cents
    from invoices i where i.guid = ${depositGuid}::uuid and i.deposit_nature = 'security'`.execute(db)
  return Math.max(rows[0]?.cents ?? 0, 0)
}

/** What part payments of an order ask for, drafts included, that no live invoice has credited and nobody took back. */
export async function unbilledDeposits(db: Db, orderGuid: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`select coalesce(sum(d.total_cents - d.credited_cents
      + coalesce((select sum(l.total_cents) from invoice_lines l join invoices x on x.guid = l.invoice_guid
        where l.deposit_invoice_guid = d.guid and x.status <> 'void' and x.archived_at is null), 0)), 0)::bigint
        as cents
    from invoices d where d.order_guid = ${orderGuid}::uuid and d.kind = 'deposit' and d.deposit_nature = 'part_payment'
    and d.status <> 'void' and d.archived_at is null`.execute(db)
  return rows[0]?.cents ?? 0
}
