-- A refund beyond the limit of the business waits until somebody else approves it. What waits can't be given back twice.
create table refund_requests (
  guid uuid primary key,
  business_guid uuid not null references businesses,
  payment_guid uuid not null references payments,
  invoice_guid uuid references invoices,
  amount_cents bigint not null check (amount_cents > 0),
  reason_code text not null,
  note text,
  lines jsonb,
  method text,
  status text not null default 'requested' check (status in ('requested', 'approved', 'declined', 'cancelled', 'expired')),
  requested_by uuid not null references users,
  created_at timestamptz not null default now(),
  decided_by uuid references users,
  decided_at timestamptz,
  decision_note text,
  constraint refund_second_person check (decided_by <> requested_by),
  constraint refund_request_decided check ((status in ('approved', 'declined')) = (decided_by is not null)
    and (status = 'requested') = (decided_at is null))
);
create index refund_requests_payment on refund_requests (payment_guid);
create index refund_requests_invoice on refund_requests (invoice_guid);
create index refund_requests_by_created on refund_requests (business_guid, created_at, guid);
create index refund_requests_requested_by on refund_requests (requested_by, created_at);
create index refund_requests_decided_by on refund_requests (decided_by);
create index refund_requests_open on refund_requests (created_at) where status = 'requested';

alter table refund_attempts add column request_guid uuid references refund_requests;
-- What was approved is given back once, however often it is tried after it failed.
create unique index refund_attempts_request on refund_attempts (request_guid) where request_guid is not null and status <> 'failed';

create or replace function check_refund_attempt() returns trigger language plpgsql as $$
declare
  paid bigint;
  given bigint;
  asked bigint;
begin
  select amount_cents into paid from payments where guid = new.payment_guid for update;
  select coalesce(sum(amount_cents), 0) into given from refund_attempts where payment_guid = new.payment_guid and status <> 'failed' and guid <> new.guid;
  select coalesce(sum(amount_cents), 0) into asked from refund_requests where payment_guid = new.payment_guid and status = 'requested';
  if new.status <> 'failed' and given + asked + new.amount_cents > paid then
    raise exception 'refunds exceed the payment' using errcode = 'check_violation', constraint = 'refund_exceeded';
  end if;
  return new;
end $$;

create function check_refund_request() returns trigger language plpgsql as $$
declare
  may_move text[] := array['status', 'decided_by', 'decided_at', 'decision_note'];
  paid bigint;
  given bigint;
  asked bigint;
begin
  if tg_op = 'INSERT' then
    select amount_cents into paid from payments where guid = new.payment_guid for update;
    select coalesce(sum(amount_cents), 0) into given from refund_attempts where payment_guid = new.payment_guid and status <> 'failed';
    select coalesce(sum(amount_cents), 0) into asked from refund_requests where payment_guid = new.payment_guid and status = 'requested';
    if given + asked + new.amount_cents > paid then
      raise exception 'refunds exceed the payment' using errcode = 'check_violation', constraint = 'refund_exceeded';
    end if;
    return new;
  end if;
  if tg_op = 'DELETE' or old.status <> 'requested' or (to_jsonb(new) - may_move) <> (to_jsonb(old) - may_move) then
    raise exception 'what was asked and decided stays' using errcode = 'restrict_violation', constraint = 'refund_request_decided_once';
  end if;
  return new;
end $$;
create trigger refund_requests_within before insert or update or delete on refund_requests for each row execute function check_refund_request();
