import { sql } from 'kysely'
import { check, type Check, money } from './check.ts'

/** What orders come to: their hire, their stages and their changes. */
export const orderChecks: Check[] = [
  check(
    'HIRE_BILLED',
    'Orders',
    sql`select o.guid, o.number, 'bills hire of ' || ${money('b.cents')} || ' with a line of ' ||
      ${money('l.unit_price_cents')} as message from hire_bills b join hire_runs h on h.guid = b.run_guid
      join orders o on o.guid = h.order_guid join invoices i on i.guid = b.invoice_guid
      join invoice_lines l on l.guid = b.invoice_line_guid
      where b.voided_at is null and ((b.cents <> l.unit_price_cents and i.kind <> 'adjustment_note')
        or (b.cents > 0) = (i.kind = 'adjustment_note') or l.quantity <> 1 or l.invoice_guid <> i.guid
        or i.order_guid is distinct from o.guid or i.status = 'void' or i.archived_at is not null)
      union all select o.guid, o.number, 'has hire back before it began, or more of it than went out'
      from hire_runs h join orders o on o.guid = h.order_guid where h.units < (select coalesce(sum(r.units), 0)
        from hire_returns r where r.run_guid = h.guid) or exists (select from hire_returns r
        where r.run_guid = h.guid and r.off_on < h.started_on)
      union all select o.guid, o.number, 'bills days of hire twice' from hire_bills a
      join hire_bills b on b.run_guid = a.run_guid and b.guid > a.guid and a.days && b.days
      join hire_runs h on h.guid = a.run_guid join orders o on o.guid = h.order_guid
      where a.voided_at is null and b.voided_at is null`,
  ),
  check(
    'STAGES_SUM',
    'Orders',
    sql`select o.guid, o.number, 'comes to ' || ${money('o.total_cents')} || ', its stages to ' ||
      ${money('s.cents')} as message
      from orders o join (select t.order_guid, sum(t.cents) as cents, coalesce(sum(t.cents) filter (where exists
      (select from invoices i where i.stage_guid = t.guid and i.archived_at is null)), 0) as billed
      from order_stages t group by t.order_guid) s on s.order_guid = o.guid
      cross join lateral (select o.total_cents - coalesce(sum(h.counted_cents), 0) as cents
      from hire_runs h where h.order_guid = o.guid) w
      -- What a cancelled order was billed of its stages beforehand can be given back.
      where s.cents <> case when o.status = 'cancelled' then greatest(w.cents, s.billed) else w.cents end
      union all select i.guid, i.number, 'bills a stage of ' || ${money('s.cents')} || ' with ' ||
      ${money('i.total_cents')} from invoices i join order_stages s on s.guid = i.stage_guid
      where i.kind = 'deposit' and i.status <> 'void' and i.archived_at is null and s.cents <> i.total_cents`,
  ),
  check(
    'CONTRACT_SUM',
    'Orders',
    sql`select o.guid, o.number, 'comes to ' || ${money('o.total_cents')} || ', what was agreed and its changes to ' ||
      ${money('coalesce(o.contract_cents + coalesce(c.cents, 0), 0)')} as message
      from orders o left join (select order_guid, sum(delta_cents) as cents from change_orders
      where status = 'accepted' group by order_guid) c on c.order_guid = o.guid
      where (o.contract_cents is not null or c.cents is not null)
      and o.contract_cents + coalesce(c.cents, 0) is distinct from o.total_cents`,
  ),
]
