-- Money is a legal entity's: each document of money names it. A trigger fills it in from the business, the reference to both
-- together holds it there, and numbers of money are unique in it.
alter table businesses add constraint businesses_with_entity unique (guid, entity_guid);

create function fill_entity() returns trigger language plpgsql as $$
begin
  select b.entity_guid into new.entity_guid from businesses b where b.guid = new.business_guid;
  return new;
end $$;

do $$
declare
  name text;
begin
  foreach name in array array['invoices', 'payments', 'refunds', 'journal_entries'] loop
    execute format('alter table %I add column entity_guid uuid', name);
    execute format('alter table %I disable trigger user', name);
    execute format('update %I m set entity_guid = b.entity_guid from businesses b where b.guid = m.business_guid', name);
    execute format('alter table %I enable trigger user', name);
    execute format('alter table %I alter column entity_guid set not null, add constraint %I foreign key (business_guid, entity_guid)
      references businesses (guid, entity_guid)', name, name || '_entity');
    execute format('create trigger %I before insert or update of business_guid, entity_guid on %I for each row
      execute function fill_entity()', name || '_entity', name);
  end loop;
end $$;

alter table invoices drop constraint invoice_number_taken, add constraint invoice_number_taken unique (entity_guid, number);
alter table payments drop constraint payment_number_taken, add constraint payment_number_taken unique (entity_guid, number);
alter table refunds drop constraint refund_number_taken, add constraint refund_number_taken unique (entity_guid, number);
create index payments_by_number on payments (business_guid, number, guid);
-- The journal is read by entity.
create index journal_entries_of_entity on journal_entries (entity_guid, created_at, guid);

-- Money of one legal entity pays nothing that is owed to another.
create or replace function check_allocation() returns trigger language plpgsql as $$
declare
  paid bigint;
  allocated bigint;
  taker uuid;
begin
  select amount_cents, entity_guid into paid, taker from payments where guid = new.payment_guid for update;
  select coalesce(sum(cents), 0) into allocated from payment_allocations where payment_guid = new.payment_guid;
  if allocated + new.cents > paid then
    raise exception 'allocations exceed the payment' using errcode = 'check_violation', constraint = 'allocation_exceeded';
  end if;
  if exists (select from invoices where guid = new.invoice_guid and entity_guid <> taker) then
    raise exception 'the invoice is of another legal entity' using errcode = 'check_violation', constraint = 'allocation_one_entity';
  end if;
  update invoices set paid_cents = paid_cents + new.cents where guid = new.invoice_guid and status = 'issued' and kind <> 'adjustment_note';
  if not found then
    raise exception 'only issued invoices take payments' using errcode = 'check_violation', constraint = 'allocation_needs_issued';
  end if;
  return new;
end $$;
