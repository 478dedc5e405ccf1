-- What each account moved on each day is kept, too: trial balances, ledgers and the activity statement read days, however
-- many entries there are. Cents are debits less credits, the count is that of lines; the stream is the account's code.
do $$
begin
  execute 'create or replace view figure_sources as ' || rtrim(pg_get_viewdef('figure_sources'::regclass), '; ') || '
    union all
    select e.business_guid, ''account'', l.account, e.posted_on, l.debit_cents - l.credit_cents, 0, 1
      from journal_lines l join journal_entries e on e.guid = l.entry_guid';
end $$;
create function note_account_figures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.figure_entries (business_guid, measure, stream, day, cents, gst_cents, count)
    select e.business_guid, 'account', l.account, e.posted_on, sum(l.debit_cents - l.credit_cents), 0, count(*)
    from posted l join public.journal_entries e on e.guid = l.entry_guid group by 1, 3, 4;
  return null;
end $$;
create trigger journal_lines_figures after insert on journal_lines referencing new table as posted
  for each statement execute function note_account_figures();
insert into figure_days (business_guid, measure, stream, day, cents, gst_cents, count)
  select business_guid, measure, stream, day, sum(cents), sum(gst_cents), sum(count)
  from figure_sources where measure = 'account' group by 1, 2, 3, 4;
analyze figure_days;

-- Aged receivables begin with what owes now.
create index invoices_open_of_entity on invoices (entity_guid)
  where balance_cents <> 0 and status in ('issued', 'written_off') and kind <> 'adjustment_note';
