-- Every table that is searched keeps the text it is searched by, as customers, contacts and products do from the start: the row's
-- own columns and nothing else. Which ones stands in the noun's row in `contract/nouns.ts`.

-- The indexes and statistics that end here go first, so that the rewrite of the tables does not build them again.
drop index quotes_search, orders_search, invoices_search, payments_search, messages_search, journal_entries_search;
drop statistics quotes_search_kept, orders_search_kept, invoices_search_kept, payments_search_kept, messages_search_kept, journal_entries_search_kept;

alter table quotes add column search_text text not null generated always as (lower(title || ' ' || coalesce(number, ''))) stored;
alter table orders add column search_text text not null
  generated always as (lower(title || ' ' || number || ' ' || coalesce(customer_reference, ''))) stored;
alter table invoices add column search_text text not null
  generated always as (lower(title || ' ' || coalesce(number, '') || ' ' || coalesce(reference, ''))) stored;
alter table payments add column search_text text not null generated always as (lower(number || ' ' || coalesce(reference, ''))) stored;
alter table messages add column search_text text not null generated always as (lower(subject || ' ' || array_to_text(recipients))) stored;
alter table journal_entries add column search_text text not null generated always as (lower(narrative)) stored;

create index quotes_search on quotes using gin (search_text gin_trgm_ops);
create index orders_search on orders using gin (search_text gin_trgm_ops);
create index invoices_search on invoices using gin (search_text gin_trgm_ops);
create index payments_search on payments using gin (search_text gin_trgm_ops);
create index messages_search on messages using gin (search_text gin_trgm_ops);
create index journal_entries_search on journal_entries using gin (search_text gin_trgm_ops);

-- What is computed is not there yet when a change is looked at: it follows from columns that are compared.
create or replace function refuse_issued_change() returns trigger language plpgsql as $$
declare
  may_move text[] := array['version', 'status', 'payment_status', 'base_status', 'paid_cents', 'credited_cents', 'refunded_cents', 'balance_cents', 'sent_at', 'first_viewed_at', 'last_viewed_at', 'view_count', 'voided_at', 'void_reason', 'internal_notes', 'search_text', 'updated_at', 'updated_by'];
begin
  if tg_op = 'DELETE' then
    raise exception 'issued documents cannot be deleted' using errcode = 'restrict_violation', constraint = 'issued_is_immutable';
  end if;
  -- Sums of money move only together with the append-only rows they are sums of: from their triggers, never directly.
  if (new.paid_cents, new.credited_cents, new.refunded_cents) is distinct from (old.paid_cents, old.credited_cents, old.refunded_cents) and pg_trigger_depth() < 2 then
    raise exception 'money on issued documents moves with payments and refunds only' using errcode = 'restrict_violation', constraint = 'issued_is_immutable';
  end if;
  if (to_jsonb(new) - may_move) <> (to_jsonb(old) - may_move)
     or (old.status = 'issued' and new.status not in ('issued', 'void', 'written_off'))
     or (old.status = 'written_off' and new.status not in ('written_off', 'issued'))
     or (old.status = 'void' and new.status <> 'void') then
    raise exception 'issued documents cannot be changed' using errcode = 'restrict_violation', constraint = 'issued_is_immutable';
  end if;
  return new;
end $$;
create or replace function refuse_sent_change() returns trigger language plpgsql as $$
declare
  may_move text[] := array['status', 'failure_reason', 'search_text'];
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - may_move) <> (to_jsonb(old) - may_move) or new.status not in ('sent', 'delivered', 'bounced') then
    raise exception 'sent messages cannot be changed' using errcode = 'restrict_violation', constraint = 'sent_is_frozen';
  end if;
  return new;
end $$;

analyze quotes, orders, invoices, payments, messages, journal_entries;
