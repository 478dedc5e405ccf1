-- When an invoice is paid in parts: the newest plan counts. Rows are only ever added, and a plan comes to the invoice's total.
create table invoice_instalments (
  guid uuid primary key,
  invoice_guid uuid not null references invoices,
  plan int not null check (plan >= 1),
  position int not null check (position between 1 and 36),
  label text not null,
  due_on date not null,
  cents bigint not null check (cents > 0),
  created_at timestamptz not null default now(),
  created_by uuid references users,
  constraint instalment_once unique (invoice_guid, plan, position)
);
create index invoice_instalments_created_by on invoice_instalments (created_by);
create trigger invoice_instalments_append_only before update or delete on invoice_instalments for each row execute function refuse_change();

create function check_plan() returns trigger language plpgsql as $$
begin
  if (select sum(cents) from invoice_instalments where invoice_guid = new.invoice_guid and plan = new.plan)
      <> (select total_cents from invoices where guid = new.invoice_guid) then
    raise exception 'instalments do not come to the total' using errcode = 'check_violation', constraint = 'instalments_sum';
  end if;
  return null;
end $$;
create constraint trigger invoice_instalments_sum after insert on invoice_instalments deferrable initially deferred
  for each row execute function check_plan();

-- An invoice with a plan is due when the first of its parts is that its money does not cover: the oldest are filled first.
create function planned_due(invoice uuid, settled bigint) returns date language sql stable as $$
  select coalesce(min(due_on) filter (where upto > settled), max(due_on)) from (
    select t.due_on, sum(t.cents) over (order by t.position) as upto from invoice_instalments t
    where t.invoice_guid = invoice and t.plan = (select max(plan) from invoice_instalments where invoice_guid = invoice)) parts
$$;
create function follow_plan() returns trigger language plpgsql as $$
begin
  new.due_on := coalesce(planned_due(new.guid, new.credited_cents + new.written_off_cents + new.paid_cents - new.refunded_cents), new.due_on);
  return new;
end $$;
create trigger invoices_zz_plan before update on invoices for each row
  when (old.number is not null and new.kind <> 'adjustment_note') execute function follow_plan();
