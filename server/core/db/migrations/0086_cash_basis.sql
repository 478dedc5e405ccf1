-- On the cash basis GST waits in an account of its own until the money comes. A line of GST says which document it is
-- of: an invoice, or a payment for an order.
alter table journal_lines add column gst_of uuid;
alter table journal_lines disable trigger user;
update journal_lines l set gst_of = case when e.source in ('invoice', 'void') then e.source_guid
    when e.source = 'adjustment_note' then (select n.adjusts_invoice_guid from invoices n where n.guid = e.source_guid)
    else (select w.invoice_guid from write_offs w where w.guid = e.source_guid) end
  from journal_entries e
  where e.guid = l.entry_guid and l.account in ('2100', '2105')
    and e.source in ('invoice', 'void', 'adjustment_note', 'write_off', 'recovery');
alter table journal_lines enable trigger user;
create index journal_lines_gst_of on journal_lines (gst_of) where gst_of is not null;

-- GST that became due on another day than that of the entry which caused it: something was added before it.
alter table journal_entries drop constraint journal_source_known,
  add constraint journal_source_known check (source in ('invoice', 'void', 'payment', 'adjustment_note', 'refund', 'payment_reversal',
    'allocation', 'unallocation', 'write_off', 'recovery', 'deposit_forfeited', 'gst_forward', 'gst_due', 'basis_change', 'manual',
    'reversal'));

-- From which day a legal entity counts GST otherwise than before.
create table basis_changes (
  guid uuid constraint basis_changes_key primary key,
  business_guid uuid not null references businesses,
  from_on date not null,
  basis text not null constraint basis_change_basis check (basis in ('accrual', 'cash')),
  created_at timestamptz not null default now(),
  created_by uuid references users,
  constraint basis_changed_once_a_day unique (business_guid, from_on)
);
create index basis_changes_created_by on basis_changes (created_by) where created_by is not null;
create trigger basis_changes_append_only before update or delete on basis_changes for each row execute function refuse_change();
create trigger basis_changes_no_truncate before truncate on basis_changes for each statement execute function refuse_change();

-- The day of the newest of them, where every posting looks.
alter table businesses add column gst_basis_from date;

-- What an order brings forward follows the basis of each day.
create or replace function gst_basis_on(entity uuid, day date) returns text language sql stable as $$
  select coalesce(
    (select c.basis from basis_changes c where c.business_guid = b.guid and c.from_on <= day order by c.from_on desc limit 1),
    (select case c.basis when 'cash' then 'accrual' else 'cash' end from basis_changes c where c.business_guid = b.guid
      order by c.from_on limit 1),
    b.gst_basis) from businesses b where b.guid = entity
$$;

create or replace function gst_forward_days(the_order uuid) returns setof date language sql stable as $$
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
  union select c.from_on from orders o join businesses b on b.guid = o.business_guid
    join basis_changes c on c.business_guid = b.entity_guid where o.guid = the_order
$$;

create function settle_forwards_of_basis() returns trigger language plpgsql as $$
begin
  perform settle_gst_forward(o.order_guid) from (select distinct s.order_guid from order_supplies s join orders r on r.guid = s.order_guid
    join businesses b on b.guid = r.business_guid where b.entity_guid = new.business_guid) o;
  return null;
end $$;
create constraint trigger basis_changes_forward after insert on basis_changes deferrable initially deferred
  for each row execute function settle_forwards_of_basis();
