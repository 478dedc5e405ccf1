-- What somebody chose to give back of an invoice, in cents by kind of GST, and how money that came by hand went back.
alter table refund_attempts add column given jsonb, add column method text;
alter table refunds add column method text;

-- The first day of the books: no money can have come in before it.
alter table businesses add column began_on date not null default '2000-07-01';
update businesses b set began_on = least(
  (date_trunc('year', (b.created_at at time zone b.time_zone) + interval '6 months') - interval '18 months')::date,
  (select min(i.issue_on) from invoices i where i.business_guid = b.guid),
  (select min(p.received_on) from payments p where p.business_guid = b.guid));

-- An invoice may wait for its day, and one that will never be paid is written off.
alter table invoices drop constraint invoices_status_check, drop constraint invoice_numbered;
alter table invoices
  add constraint invoices_status_check check (status in ('draft', 'scheduled', 'issued', 'void', 'written_off')),
  add constraint invoice_numbered check (status in ('draft', 'scheduled') or number is not null);

drop trigger invoices_immutable on invoices;
create or replace function refuse_issued_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'issued documents cannot be deleted' using errcode = 'restrict_violation', constraint = 'issued_is_immutable';
  end if;
  -- Sums of money move only together with the append-only rows they are sums of: from their triggers, never directly.
  if (new.paid_cents, new.credited_cents, new.refunded_cents) is distinct from (old.paid_cents, old.credited_cents, old.refunded_cents) and pg_trigger_depth() < 2 then
    raise exception 'money on issued documents moves with payments and refunds only' using errcode = 'restrict_violation', constraint = 'issued_is_immutable';
  end if;
  if (to_jsonb(new) - array['version', 'status', 'payment_status', 'base_status', 'paid_cents', 'credited_cents', 'refunded_cents', 'balance_cents', 'sent_at', 'first_viewed_at', 'last_viewed_at', 'view_count', 'voided_at', 'void_reason', 'internal_notes', 'updated_at', 'updated_by'])
     <> (to_jsonb(old) - array['version', 'status', 'payment_status', 'base_status', 'paid_cents', 'credited_cents', 'refunded_cents', 'balance_cents', 'sent_at', 'first_viewed_at', 'last_viewed_at', 'view_count', 'voided_at', 'void_reason', 'internal_notes', 'updated_at', 'updated_by'])
     or (old.status = 'issued' and new.status not in ('issued', 'void', 'written_off'))
     or (old.status = 'written_off' and new.status not in ('written_off', 'issued'))
     or (old.status = 'void' and new.status <> 'void') then
    raise exception 'issued documents cannot be changed' using errcode = 'restrict_violation', constraint = 'issued_is_immutable';
  end if;
  return new;
end $$;
create trigger invoices_immutable before update or delete on invoices for each row when (old.status not in ('draft', 'scheduled')) execute function refuse_issued_change();

create or replace function refuse_issued_line_change() returns trigger language plpgsql as $$
declare
  parent uuid := case when tg_op = 'DELETE' then old.invoice_guid else new.invoice_guid end;
begin
  if exists (select 1 from invoices where guid = parent and status not in ('draft', 'scheduled'))
     or (tg_op = 'UPDATE' and old.invoice_guid <> new.invoice_guid) then
    raise exception 'lines of issued documents cannot be changed' using errcode = 'restrict_violation', constraint = 'issued_is_immutable';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
