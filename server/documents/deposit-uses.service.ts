import { sql } from 'kysely'
import type { ServiceInvoice } from '../../contract/service.ts'

/** What became of the security deposit `i`: the invoices it paid, and those that say what of it is kept. */
export const usesOfDeposit = sql<ServiceInvoice['depositUses']>`(select coalesce(json_agg(json_build_object(
    'number', x.number, 'isKept', x.forfeits_guid is not null, 'cents', p.amount_cents, 'on', p.received_on)
    order by p.created_at, p.guid), '[]'::json)
  from payments p join lateral (select a.invoice_guid from payment_allocations a where a.payment_guid = p.guid
    and a.reverses_guid is null order by a.created_at limit 1) a on true
  join invoices x on x.guid = a.invoice_guid
  where p.deposit_guid = i.guid and not exists (select from payment_reversals v where v.payment_guid = p.guid))`
