-- On the accrual basis all GST of a supply belongs to the period of its first invoice or first money (GST Act s 29-5(1)), unless it
-- is provided progressively (Div 156). Orders that are here already are progressive: what was reported of them stays as it was.
alter table orders add column supply_basis text not null default 'progressive'
  constraint order_supply_basis check (supply_basis in ('single', 'progressive'));

-- What an order came to since a day, as far as it is, or was, one supply. Only triggers write it.
create table order_supplies (
  id bigint generated always as identity,
  guid uuid constraint order_supplies_key primary key default new_guid(),
  order_guid uuid not null references orders,
  on_day date not null,
  basis text not null constraint order_supply_known check (basis in ('single', 'progressive')),
  -- Nothing more will be supplied of an order that is cancelled.
  is_open boolean not null,
  total_cents bigint not null,
  gst_cents bigint not null,
  created_at timestamptz not null default now()
);
create index order_supplies_newest on order_supplies (order_guid, on_day, id);
create trigger order_supplies_append_only before update or delete on order_supplies for each row execute function refuse_change();
create trigger order_supplies_no_truncate before truncate on order_supplies for each statement execute function refuse_change();

-- What moved in or out of what is brought forward, each with its entry. No foreign key: whoever commits would wait for the order's row.
create table gst_forwards (
  guid uuid constraint gst_forwards_key primary key default new_guid(),
  order_guid uuid not null,
  on_day date not null,
  cents bigint not null constraint gst_forward_moves check (cents <> 0),
  created_at timestamptz not null default now()
);
create index gst_forwards_of_order on gst_forwards (order_guid, on_day);
create trigger gst_forwards_append_only before update or delete on gst_forwards for each row execute function refuse_change();
create trigger gst_forwards_no_truncate before truncate on gst_forwards for each statement execute function refuse_change();

-- What an order was made with counts from the first day of the books: money may have come for it before.
create function note_supply() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into order_supplies (order_guid, on_day, basis, is_open, total_cents, gst_cents)
    select new.guid, least((new.updated_at at time zone b.time_zone)::date, case when tg_op = 'INSERT' then b.began_on end), new.supply_basis, new.status <> 'cancelled', new.total_cents,
      new.gst_cents from businesses b where b.guid = new.business_guid;
  return null;
end $$;
create trigger orders_supply_insert after insert on orders for each row when (new.supply_basis = 'single') execute function note_supply();
create trigger orders_supply_update after update on orders for each row
  when ((new.supply_basis = 'single' or old.supply_basis = 'single')
    and (old.supply_basis, old.status = 'cancelled', old.total_cents, old.gst_cents)
      is distinct from (new.supply_basis, new.status = 'cancelled', new.total_cents, new.gst_cents)) execute function note_supply();

create function gst_basis_on(entity uuid, day date) returns text language sql stable as $$
  select gst_basis from businesses where guid = entity
$$;

-- What of the money that came for an order pays nothing at the end of a day, and was not given back.
create function prepaid_on(the_order uuid, day date) returns bigint language sql stable as $$
  select coalesce(sum(m.cents), 0)::bigint from payments p cross join lateral (
    select p.amount_cents as cents from journal_entries e
      where e.source = 'payment' and e.source_guid = p.guid and e.posted_on <= day
    union all select -a.cents from payment_allocations a where a.payment_guid = p.guid and a.effective_on <= day
    union all select -r.amount_cents from refunds r join journal_entries e on e.source = 'refund' and e.source_guid = r.guid
      where r.payment_guid = p.guid and r.invoice_guid is null and e.posted_on <= day
    union all select -p.amount_cents from payment_reversals v where v.payment_guid = p.guid and v.reversed_on <= day) m
  where p.order_guid = the_order
$$;

-- The GST of an order at the end of a day that no invoice carries yet, once it has begun: what it comes to less what is billed of
-- it, deposits as far as they wait to be credited. Notes that lower a price change nothing of what is still to be billed; those of
-- hire that ended early do.
create function gst_forward_on(the_order uuid, day date) returns bigint language sql stable as $$
  with supply as (
    select s.is_open, s.total_cents, s.gst_cents from order_supplies s join orders o on o.guid = s.order_guid
      join businesses b on b.guid = o.business_guid
    where s.id = (select x.id from order_supplies x where x.order_guid = the_order and x.on_day <= day
      order by x.on_day desc, x.id desc limit 1) and s.basis = 'single' and gst_basis_on(b.entity_guid, day) = 'accrual'
  ), standing as (
    select i.guid, i.kind, i.total_cents, i.gst_cents from invoices i
    where i.order_guid = the_order and i.kind <> 'adjustment_note' and i.status in ('issued', 'void', 'written_off') and i.issue_on <= day
      and not exists (select from journal_entries e where e.source = 'void' and e.source_guid = i.guid and e.posted_on <= day)
  ), credited as (
    select l.deposit_invoice_guid as guid, -sum(l.total_cents) as total_cents, -sum(l.gst_cents) as gst_cents
    from standing s join invoice_lines l on l.invoice_guid = s.guid where l.deposit_invoice_guid is not null group by 1
  ), noted as (
    select n.adjusts_invoice_guid as guid, sum(n.total_cents) as total_cents, sum(n.gst_cents) as gst_cents
    from invoices n where n.order_guid = the_order and n.kind = 'adjustment_note' and n.status = 'issued' and n.issue_on <= day group by 1
  ), billed as (
    select coalesce(sum(total_cents), 0) as total_cents, coalesce(sum(gst_cents), 0) as gst_cents from (
      select total_cents, gst_cents from standing where kind <> 'deposit'
      union all select total_cents, gst_cents from credited
      union all select greatest(s.total_cents - coalesce(n.total_cents, 0) - coalesce(c.total_cents, 0), 0),
        greatest(s.gst_cents - coalesce(n.gst_cents, 0) - coalesce(c.gst_cents, 0), 0)
        from standing s left join noted n on n.guid = s.guid left join credited c on c.guid = s.guid where s.kind = 'deposit'
      union all select -n.total_cents, -n.gst_cents from invoices n where n.order_guid = the_order and n.kind = 'adjustment_note'
        and n.status = 'issued' and n.issue_on <= day and exists (select from hire_bills h where h.invoice_guid = n.guid)) parts
  )
  select coalesce((select greatest(s.gst_cents - b.gst_cents, 0) from supply s, billed b
    where s.is_open and s.total_cents > b.total_cents and (exists (select from standing) or prepaid_on(the_order, day) > 0)), 0)
$$;

create function gst_forward_days(the_order uuid) returns setof date language sql stable as $$
  select on_day from order_supplies where order_guid = the_order
  union select on_day from gst_forwards where order_guid = the_order
  union select issue_on from invoices where order_guid = the_order and status in ('issued', 'void', 'written_off')
  union select e.posted_on from invoices i join journal_entries e on e.source = 'void' and e.source_guid = i.guid
    where i.order_guid = the_order
  union select e.posted_on from payments p join journal_entries e on e.source = 'payment' and e.source_guid = p.guid
    where p.order_guid = the_order
  union select a.effective_on from payments p join payment_allocations a on a.payment_guid = p.guid where p.order_guid = the_order
  union select e.posted_on from payments p join refunds r on r.payment_guid = p.guid
    join journal_entries e on e.source = 'refund' and e.source_guid = r.guid where p.order_guid = the_order
  union select v.reversed_on from payments p join payment_reversals v on v.payment_guid = p.guid where p.order_guid = the_order
$$;

-- Posts what is missing between what is brought forward on each day and what should be. One at a time for an order, as the last
-- thing a transaction does: whoever comes second sees all of the first.
create function settle_gst_forward(the_order uuid) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  of_order record;
  day date;
  missing bigint;
  moved uuid;
  entry uuid;
begin
  if not exists (select from order_supplies where order_guid = the_order) then return; end if;
  perform pg_advisory_xact_lock(hashtextextended('gst_forward ' || the_order, 0));
  select o.number, o.business_guid, b.entity_guid, locked_through(b.entity_guid, now()) as locked into of_order
    from orders o join businesses b on b.guid = o.business_guid where o.guid = the_order;
  for day in select distinct greatest(d, of_order.locked + 1) from gst_forward_days(the_order) d order by 1 loop
    missing := gst_forward_on(the_order, day)
      - (select coalesce(sum(f.cents), 0) from gst_forwards f where f.order_guid = the_order and f.on_day <= day);
    continue when missing = 0;
    insert into gst_forwards (order_guid, on_day, cents) values (the_order, day, missing) returning guid into moved;
    insert into journal_entries (guid, business_guid, posted_on, source, source_guid, narrative)
      values (new_guid(), of_order.business_guid, day, 'gst_forward', moved, 'GST of order ' || of_order.number
        || case when missing > 0 then ' brought forward' else ' turned back' end) returning guid into entry;
    insert into journal_lines (entry_guid, business_guid, position, account, debit_cents, credit_cents) values
      (entry, of_order.entity_guid, 1, '2106', greatest(missing, 0), greatest(-missing, 0)),
      (entry, of_order.entity_guid, 2, '2100', greatest(-missing, 0), greatest(missing, 0));
  end loop;
end $$;

create function settle_forward_of_order() returns trigger language plpgsql as $$
begin
  perform settle_gst_forward(new.order_guid);
  return null;
end $$;
create function settle_forward_of_payment() returns trigger language plpgsql as $$
begin
  perform settle_gst_forward(p.order_guid) from payments p where p.guid = new.payment_guid and p.order_guid is not null;
  return null;
end $$;
create constraint trigger order_supplies_forward after insert on order_supplies deferrable initially deferred
  for each row execute function settle_forward_of_order();
create constraint trigger invoices_forward after update on invoices deferrable initially deferred
  for each row when (new.order_guid is not null and old.status is distinct from new.status) execute function settle_forward_of_order();
create constraint trigger payments_forward after insert on payments deferrable initially deferred
  for each row when (new.order_guid is not null) execute function settle_forward_of_order();
create constraint trigger payment_allocations_forward after insert on payment_allocations deferrable initially deferred
  for each row execute function settle_forward_of_payment();
create constraint trigger payment_reversals_forward after insert on payment_reversals deferrable initially deferred
  for each row execute function settle_forward_of_payment();
create constraint trigger refunds_forward after insert on refunds deferrable initially deferred
  for each row when (new.invoice_guid is null) execute function settle_forward_of_payment();
