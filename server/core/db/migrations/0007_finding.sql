-- Every filter of a list finds its rows by an index, however few they are among many.

-- Until when a document waits for its customer, for comparing with today; null when it waits for nobody.
create function open_until(status text, kind text, due_on date) returns date language sql immutable parallel safe as
  $$ select case when status <> 'issued' then null when kind = 'adjustment_note' or due_on is null then 'infinity'::date else due_on end $$;
create function open_until(status text, valid_until date) returns date language sql immutable parallel safe as
  $$ select case when status in ('sent', 'changes_requested') then coalesce(valid_until, 'infinity'::date) end $$;
create index invoices_open_until on invoices (business_guid, status, payment_status, open_until(status, kind, due_on)) where archived_at is null;
create index quotes_open_until on quotes (business_guid, status, open_until(status, valid_until)) where archived_at is null;
create index quotes_by_tile on quotes (business_guid, status) include (valid_until, first_viewed_at, total_cents) where archived_at is null;

-- What is archived is little, and asked for alone.
create index customers_archived on customers (business_guid, created_at, guid) where archived_at is not null;
create index products_archived on products (business_guid, created_at, guid) where archived_at is not null;
create index quotes_archived on quotes (business_guid, created_at, guid) where archived_at is not null;
create index orders_archived on orders (business_guid, created_at, guid) where archived_at is not null;
create index invoices_archived on invoices (business_guid, created_at, guid) where archived_at is not null;

create index customers_by_kind on customers (business_guid, kind, display_name, guid) where archived_at is null;
create index products_by_sku on products (business_guid, sku, guid) where archived_at is null;
create index payments_by_method on payments (business_guid, method, created_at, guid);
create index journal_entries_search on journal_entries using gin (lower(narrative) gin_trgm_ops);

-- How many rows a condition on an expression leaves is known only where it was asked to be kept.
create statistics invoices_open_until_kept on open_until(status, kind, due_on) from invoices;
create statistics quotes_open_until_kept on open_until(status, valid_until) from quotes;
create statistics quotes_search_kept on (lower(title || ' ' || coalesce(number, ''))) from quotes;
create statistics orders_search_kept on (lower(title || ' ' || number || ' ' || coalesce(customer_reference, ''))) from orders;
create statistics invoices_search_kept on (lower(title || ' ' || coalesce(number, '') || ' ' || coalesce(reference, ''))) from invoices;
create statistics payments_search_kept on (lower(number || ' ' || coalesce(reference, ''))) from payments;
create statistics messages_search_kept on (lower(subject || ' ' || array_to_text(recipients))) from messages;
create statistics journal_entries_search_kept on (lower(narrative)) from journal_entries;
analyze quotes, orders, invoices, payments, messages, journal_entries;
