-- A refund says itself what it does: it lowers the price, or it gives money back that the invoice then owes again. Until now
-- its reason alone decided. Money that goes back is taken off the invoice first, so `invoice_guid` of such a refund is null
-- and `reopens_guid` says which invoice owes it again. What was refunded before keeps its empty effect.
alter table refund_requests
  add column effect text constraint refund_request_effect check (effect in ('price_reduced', 'money_back')),
  add column payee text;
alter table refund_attempts
  add column effect text constraint refund_attempt_effect check (effect in ('price_reduced', 'money_back')),
  add column reopens_guid uuid references invoices,
  add column payee text,
  add constraint refund_attempt_reopens check (reopens_guid is null
    or (effect = 'money_back' and (status = 'succeeded') = (invoice_guid is null)));
alter table refunds
  add column effect text constraint refund_effect check (effect in ('price_reduced', 'money_back')
    and (effect = 'price_reduced') = (invoice_guid is not null) and (effect = 'price_reduced') = (adjustment_note_guid is not null)),
  add column reopens_guid uuid references invoices,
  add constraint refund_reopens check (reopens_guid is null or effect = 'money_back');
create index refund_attempts_reopens on refund_attempts (reopens_guid) where reopens_guid is not null;
create index refunds_reopens on refunds (reopens_guid) where reopens_guid is not null;

-- What is on its way or waits for somebody keeps what its reason meant when it was asked for.
alter table refund_requests disable trigger user;
update refund_requests set effect = case when invoice_guid is null or reason_code in ('duplicate', 'fraud') then 'money_back'
  else 'price_reduced' end where status = 'requested';
alter table refund_requests enable trigger user;
alter table refund_attempts disable trigger user;
update refund_attempts set
  effect = case when invoice_guid is null or reason_code in ('duplicate', 'fraud') then 'money_back' else 'price_reduced' end,
  reopens_guid = case when reason_code in ('duplicate', 'fraud') then invoice_guid end where status = 'processing';
alter table refund_attempts enable trigger user;

-- What a payment pays of an invoice is taken back as a whole and the rest added anew: in between less may be paid than was
-- refunded, so that is looked at when the deed is done.
alter table invoices drop constraint refund_exceeded,
  add constraint invoice_sums_above_zero check (paid_cents >= 0 and refunded_cents >= 0 and credited_cents >= 0);
create function check_refunded() returns trigger language plpgsql as $$
begin
  if exists (select from invoices where guid = new.guid and refunded_cents > paid_cents) then
    raise exception 'more is refunded than was paid' using errcode = 'check_violation', constraint = 'refund_exceeded', table = 'invoices';
  end if;
  return null;
end $$;
create constraint trigger invoices_refunded after insert or update on invoices deferrable initially deferred
  for each row when (new.refunded_cents > new.paid_cents) execute function check_refunded();
