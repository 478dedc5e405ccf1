-- The application's role owns nothing and has no DDL. Run after every migration; :app_role is its quoted name.
grant usage on schema public to :app_role;
grant select, insert, update, delete on all tables in schema public to :app_role;
grant usage, select on all sequences in schema public to :app_role;
grant execute on all functions in schema public to :app_role;

-- Append-only: what is written stays written.
revoke update, delete, truncate on audit_log, audit_seals, payments, payment_allocations, payment_reversals, refunds, journal_entries, journal_lines, webhook_events, webhook_outcomes from :app_role;
-- A row can only be locked by who may update one of its columns; the trigger refuses the update itself.
grant update (guid) on payments to :app_role;
-- Only triggers write what the tables of money are proven by, and the sums of tiles. A restore begins with the tables of its backup, which may not have it yet.
do $$
begin
  if to_regclass('ledger_log') is not null then
    revoke insert, update, delete, truncate on ledger_log, ledger_columns from :app_role;
  end if;
  if to_regclass('charge_releases') is not null then
    revoke update, delete, truncate on charge_releases from :app_role;
    revoke delete, truncate on payment_disputes from :app_role;
  end if;
  if to_regclass('figure_entries') is not null then
    revoke insert, update, delete, truncate on figure_entries, figure_days from :app_role;
  end if;
  if to_regclass('held_money') is not null then
    revoke insert, update, delete, truncate on held_money from :app_role;
  end if;
  if to_regclass('write_offs') is not null then
    revoke update, delete, truncate on write_offs from :app_role;
  end if;
  if to_regclass('invoice_instalments') is not null then
    revoke update, delete, truncate on invoice_instalments from :app_role;
  end if;
  if to_regclass('period_locks') is not null then
    revoke update, delete, truncate on period_locks from :app_role;
  end if;
  if to_regclass('statements') is not null then
    revoke update, delete, truncate on statements, payment_attempt_parts from :app_role;
    revoke delete, truncate on statement_pages from :app_role;
  end if;
  if to_regclass('gst_forwards') is not null then
    revoke insert, update, delete, truncate on order_supplies, gst_forwards from :app_role;
  end if;
  if to_regclass('basis_changes') is not null then
    revoke update, delete, truncate on basis_changes from :app_role;
  end if;
  if to_regclass('template_versions') is not null then
    revoke delete, truncate on template_versions from :app_role;
  end if;
  if to_regclass('theme_versions') is not null then
    revoke update, delete, truncate on theme_versions from :app_role;
    if exists (select from pg_attribute where attrelid = 'theme_versions'::regclass and attname = 'activated_at') then
      grant update (activated_at) on theme_versions to :app_role;
    end if;
    revoke delete, truncate on themes from :app_role;
  end if;
  if to_regclass('consents') is not null then
    revoke update, delete, truncate on consents from :app_role;
  end if;
  -- The addresses of a message are its own; what became of it there is all that is written beside them.
  if to_regclass('message_recipients') is not null then
    revoke insert, delete, truncate on message_recipients from :app_role;
    revoke update, delete, truncate on message_views from :app_role;
  end if;
  if to_regclass('inbound_mails') is not null then
    revoke delete, truncate on inbound_mails from :app_role;
  end if;
  if to_regclass('batch_items') is not null then
    revoke delete, truncate on batches, batch_items from :app_role;
  end if;
  if to_regclass('suppressions') is not null then
    revoke delete, truncate on suppressions, unsubscribe_links from :app_role;
  end if;
end
$$;
revoke delete, truncate on invoices, quotes, orders, payment_attempts, refund_attempts, messages, service_links, number_counters from :app_role;

-- How new the database is: all that the application may know of migrations, asked before it says that it is ready.
create or replace function schema_version() returns integer language sql stable security definer set search_path = '' as 'select max(number) from migrations.applied';
grant execute on function schema_version() to :app_role;
