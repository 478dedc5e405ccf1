-- What a document wears in lists as far as no day decides, kept with it: an index finds it in any order, and only its due
-- or last day makes it overdue or expired. Money decides by balance: whatever was given back, what is owed is not settled.

-- The indexes and statistics that end here go first, so that the rewrite of the tables does not build them again.
drop index invoices_open_until, invoices_by_tile, invoices_by_status, invoices_by_status_issue, quotes_open_until, quotes_by_tile, quotes_by_status, orders_by_status;
drop statistics invoices_open_until_kept, quotes_open_until_kept;
drop function open_until(text, text, date);
drop function open_until(text, date);

alter table invoices
  drop column payment_status,
  add column payment_status text not null generated always as (
    case
      when status = 'issued' and kind <> 'adjustment_note' and total_cents - credited_cents - (paid_cents - refunded_cents) > 0
        then case when paid_cents > refunded_cents then 'partially_paid' else 'unpaid' end
      when refunded_cents > 0 then case when paid_cents = refunded_cents then 'refunded' else 'partially_refunded' end
      when status = 'issued' and kind <> 'adjustment_note' then 'paid'
      else 'unpaid'
    end) stored,
  add column base_status text not null generated always as (
    case
      when status <> 'issued' then status
      when kind = 'adjustment_note' then 'issued'
      when total_cents - credited_cents - (paid_cents - refunded_cents) > 0
        then case when paid_cents > refunded_cents then 'partially_paid' when first_viewed_at is not null then 'viewed' else 'sent' end
      when refunded_cents > 0 then case when paid_cents = refunded_cents then 'refunded' else 'partially_refunded' end
      else 'paid'
    end) stored;
alter table quotes
  add column base_status text not null generated always as (case when status = 'sent' and first_viewed_at is not null then 'viewed' else status end) stored;

-- One index for each status in each order. The due day lies beside it: a list is found without reading its rows.
create index invoices_by_status_created on invoices (business_guid, base_status, created_at, guid) include (due_on) where archived_at is null;
create index invoices_by_status_issue on invoices (business_guid, base_status, issue_on, guid) include (due_on) where archived_at is null;
create index invoices_by_status_due on invoices (business_guid, base_status, due_on, guid) include (total_cents, balance_cents) where archived_at is null;
create index invoices_by_status_number on invoices (business_guid, base_status, number, guid) include (due_on) where archived_at is null;
create index invoices_by_status_title on invoices (business_guid, base_status, title, guid) include (due_on) where archived_at is null;
create index invoices_by_status_total on invoices (business_guid, base_status, total_cents, guid) include (due_on) where archived_at is null;
create index invoices_by_status_balance on invoices (business_guid, base_status, balance_cents, guid) include (due_on) where archived_at is null;
create index quotes_by_status_created on quotes (business_guid, base_status, created_at, guid) include (valid_until) where archived_at is null;
create index quotes_by_status_valid on quotes (business_guid, base_status, valid_until, guid) include (total_cents) where archived_at is null;
create index quotes_by_status_sent on quotes (business_guid, base_status, sent_at, guid) include (valid_until) where archived_at is null;
create index quotes_by_status_number on quotes (business_guid, base_status, number, guid) include (valid_until) where archived_at is null;
create index quotes_by_status_title on quotes (business_guid, base_status, title, guid) include (valid_until) where archived_at is null;
create index quotes_by_status_total on quotes (business_guid, base_status, total_cents, guid) include (valid_until) where archived_at is null;
create index orders_by_status_created on orders (business_guid, status, created_at, guid) where archived_at is null;
create index orders_by_status_scheduled on orders (business_guid, status, scheduled_on, guid) where archived_at is null;
create index orders_by_status_number on orders (business_guid, status, number, guid) where archived_at is null;
create index orders_by_status_title on orders (business_guid, status, title, guid) where archived_at is null;
create index orders_by_status_total on orders (business_guid, status, total_cents, guid) where archived_at is null;

-- An issued document never changes; what follows from its money and its views may.
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
     or (old.status = 'issued' and new.status not in ('issued', 'void')) or (old.status = 'void' and new.status <> 'void') then
    raise exception 'issued documents cannot be changed' using errcode = 'restrict_violation', constraint = 'issued_is_immutable';
  end if;
  return new;
end $$;

analyze invoices, quotes, orders;
