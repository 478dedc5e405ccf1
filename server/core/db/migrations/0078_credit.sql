-- Money that paid no invoice pays one later, and is taken off again. Allocations are only ever added: one that takes
-- another back mirrors it, and each has the day it counts from.
alter table payment_allocations disable trigger user;
alter table payment_allocations
  add column effective_on date,
  add column reverses_guid uuid references payment_allocations,
  drop constraint payment_allocations_cents_check,
  add constraint allocation_moves check (cents <> 0 and (cents < 0) = (reverses_guid is not null)),
  add constraint allocation_reversed_once unique (reverses_guid);
update payment_allocations a set effective_on = coalesce(
  (select e.posted_on from journal_entries e where e.source = 'payment' and e.source_guid = a.payment_guid), p.received_on)
  from payments p where p.guid = a.payment_guid;
alter table payment_allocations alter column effective_on set not null;
alter table payment_allocations enable trigger user;

-- A payment that turned out not to be one: it bounced, was entered by mistake, or the bank took it back.
create table payment_reversals (
  guid uuid primary key,
  payment_guid uuid not null references payments,
  reason_code text not null check (reason_code in ('dishonoured', 'wrong_entry', 'disputed')),
  reversed_on date not null,
  note text,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  constraint payment_reversed_once unique (payment_guid)
);
create index payment_reversals_created_by on payment_reversals (created_by);
create trigger payment_reversals_append_only before update or delete on payment_reversals for each row execute function refuse_change();

create or replace function check_allocation() returns trigger language plpgsql as $$
declare
  paid bigint;
  taken bigint;
  taker uuid;
  whole payment_allocations;
begin
  select amount_cents, entity_guid into paid, taker from payments where guid = new.payment_guid for update;
  if new.reverses_guid is not null then
    select * into whole from payment_allocations where guid = new.reverses_guid;
    if whole.reverses_guid is not null
        or (whole.payment_guid, whole.invoice_guid, whole.cents) is distinct from (new.payment_guid, new.invoice_guid, -new.cents) then
      raise exception 'an allocation is taken back as it was made' using errcode = 'check_violation', constraint = 'allocation_mirrors';
    end if;
    update invoices set paid_cents = paid_cents + new.cents
      where guid = new.invoice_guid and status in ('issued', 'written_off') and kind <> 'adjustment_note';
    if not found then
      raise exception 'only issued invoices owe again' using errcode = 'check_violation', constraint = 'allocation_needs_issued';
    end if;
    return new;
  end if;
  if exists (select from payment_reversals where payment_guid = new.payment_guid) then
    raise exception 'the payment was reversed' using errcode = 'check_violation', constraint = 'payment_is_reversed';
  end if;
  select coalesce(sum(cents), 0) + (select coalesce(sum(amount_cents), 0) from refund_attempts
      where payment_guid = new.payment_guid and invoice_guid is null and status <> 'failed')
    into taken from payment_allocations where payment_guid = new.payment_guid;
  if taken + new.cents > paid then
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

-- Nothing of a payment pays or goes back once it is reversed, and it is reversed only as a whole.
create function check_reversal() returns trigger language plpgsql as $$
begin
  perform from payments where guid = new.payment_guid for update;
  if exists (select from refund_attempts where payment_guid = new.payment_guid and status <> 'failed')
      or exists (select from refund_requests where payment_guid = new.payment_guid and status = 'requested')
      or (select coalesce(sum(cents), 0) from payment_allocations where payment_guid = new.payment_guid) <> 0 then
    raise exception 'something of the payment is still in use' using errcode = 'check_violation', constraint = 'reversal_of_whole';
  end if;
  return new;
end $$;
create trigger payment_reversals_whole before insert on payment_reversals for each row execute function check_reversal();

create function check_refundable() returns trigger language plpgsql as $$
begin
  perform from payments where guid = new.payment_guid for update;
  if exists (select from payment_reversals where payment_guid = new.payment_guid) then
    raise exception 'the payment was reversed' using errcode = 'check_violation', constraint = 'payment_is_reversed';
  end if;
  return new;
end $$;
create trigger refund_attempts_standing before insert on refund_attempts for each row execute function check_refundable();
create trigger refund_requests_standing before insert on refund_requests for each row execute function check_refundable();

-- What was received is less by it, on the day it is taken back.
do $$
begin
  execute 'create or replace view figure_sources as ' || rtrim(pg_get_viewdef('figure_sources'::regclass), '; ') || '
    union all
    select p.business_guid, ''received'', '''', v.reversed_on, -p.amount_cents, 0, -1
      from payment_reversals v join payments p on p.guid = v.payment_guid';
end $$;
create function note_reversal_figures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.figure_entries (business_guid, measure, stream, day, cents, gst_cents, count)
    select p.business_guid, 'received', '', new.reversed_on, -p.amount_cents, 0, -1 from public.payments p where p.guid = new.payment_guid;
  return null;
end $$;
create trigger payment_reversals_figures after insert on payment_reversals for each row execute function note_reversal_figures();
