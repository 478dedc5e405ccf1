-- Where an ended hire was billed too much, an adjustment note takes it back: its bill is below zero, on the note.
alter table hire_bills drop constraint hire_bill_invoiced,
  add constraint hire_bill_invoiced check ((cents <= 0 or invoice_guid is not null) and (cents <> 0 or invoice_guid is null)
    and (invoice_guid is null) = (invoice_line_guid is null));

-- A note that is issued for hire lessens what its invoice is owed; where money is given back, the refund does.
create function credit_hire_note() returns trigger language plpgsql as $$
begin
  if exists (select from hire_bills b where b.invoice_guid = new.guid and b.voided_at is null) then
    update invoices set credited_cents = credited_cents + new.total_cents, version = version + 1
    where guid = new.adjusts_invoice_guid and status = 'issued';
    if not found then
      raise exception 'only an issued invoice is credited' using errcode = 'check_violation', constraint = 'note_needs_issued';
    end if;
  end if;
  return new;
end $$;
create trigger invoices_hire_note after update of status on invoices for each row
  when (new.kind = 'adjustment_note' and new.status = 'issued' and old.status <> 'issued') execute function credit_hire_note();
