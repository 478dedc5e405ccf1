-- A note that stands by itself lessens what its invoice is owed; where money is given back with it, the refund does.
alter table invoices add column is_credit boolean not null default false,
  add constraint credit_is_note check (not is_credit or kind = 'adjustment_note');
create or replace function credit_hire_note() returns trigger language plpgsql as $$
begin
  if new.is_credit or exists (select from hire_bills b where b.invoice_guid = new.guid and b.voided_at is null) then
    update invoices set credited_cents = credited_cents + new.total_cents, version = version + 1
    where guid = new.adjusts_invoice_guid and status = 'issued';
    if not found then
      raise exception 'only an issued invoice is credited' using errcode = 'check_violation', constraint = 'note_needs_issued';
    end if;
  end if;
  return new;
end $$;
