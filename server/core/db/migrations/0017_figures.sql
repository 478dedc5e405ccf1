-- What tiles and boards show, kept as sums by day. Every write adds what it changed as rows of its own, so that no writer
-- waits for another; a job folds them into the days; whoever reads adds up both in one statement.
create table figure_entries (
  id bigint generated always as identity constraint figure_entries_key primary key,
  business_guid uuid not null,
  measure text not null,
  -- A status, where the measure is one of documents.
  stream text not null,
  -- The day that decides; infinity where none does.
  day date not null,
  cents bigint not null,
  gst_cents bigint not null,
  count int not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create table figure_days (
  business_guid uuid not null,
  measure text not null,
  stream text not null,
  day date not null,
  cents bigint not null,
  gst_cents bigint not null,
  count bigint not null,
  constraint figure_days_key primary key (business_guid, measure, stream, day)
);
create index figure_days_empty on figure_days (business_guid) where count = 0 and cents = 0 and gst_cents = 0;

create view figures as
  select business_guid, measure, stream, day, cents, gst_cents, count from figure_days
  union all select business_guid, measure, stream, day, cents, gst_cents, count from figure_entries;

-- The figures of one row. Triggers, the proof and the making anew of all sums share them.
create function quote_figures(
  base_status text, valid_until date, total_cents bigint, decided_on date, is_archived boolean)
returns table (measure text, stream text, day date, cents bigint, gst_cents bigint, count int)
language sql immutable as $$
  select 'quotes', base_status,
    case when base_status in ('sent', 'viewed', 'changes_requested') then coalesce(valid_until, 'infinity') else 'infinity' end,
    total_cents, 0::bigint, 1 where not is_archived
  union all
  select case base_status when 'declined' then 'declined' else 'accepted' end, '', decided_on, total_cents, 0::bigint, 1
  where not is_archived and decided_on is not null and base_status in ('accepted', 'converted', 'declined')
$$;

create function order_figures(
  status text, scheduled_on date, total_cents bigint, invoice_status text, invoiced_cents bigint, is_archived boolean)
returns table (measure text, stream text, day date, cents bigint, gst_cents bigint, count int)
language sql immutable as $$
  select 'orders', status,
    case when status in ('pending_confirmation', 'confirmed', 'in_progress', 'on_hold')
      then coalesce(scheduled_on, 'infinity') else 'infinity' end,
    total_cents, 0::bigint, 1 where not is_archived
  union all
  select 'to_invoice', '', 'infinity', greatest(total_cents - invoiced_cents, 0), 0::bigint, 1
  where not is_archived and status in ('completed', 'closed') and invoice_status in ('to_invoice', 'partially_invoiced')
$$;

-- Of what waits for money the part that is owed counts, else the total; what was issued is signed and without what is void.
create function invoice_figures(
  kind text, status text, base_status text, issue_on date, due_on date, total_cents bigint, gst_cents bigint,
  balance_cents bigint, is_archived boolean)
returns table (measure text, stream text, day date, cents bigint, gst_cents bigint, count int)
language sql immutable as $$
  select 'invoices', base_status,
    case when base_status in ('sent', 'viewed', 'partially_paid') then coalesce(due_on, 'infinity') else 'infinity' end,
    case when base_status in ('sent', 'viewed', 'partially_paid') then balance_cents else total_cents end,
    0::bigint, 1 where not is_archived
  union all
  select 'issued', '', issue_on, case kind when 'adjustment_note' then -total_cents else total_cents end,
    case kind when 'adjustment_note' then -gst_cents else gst_cents end, 1
  where not is_archived and status = 'issued' and issue_on is not null
$$;

-- The day somebody decided on a quote, where the business is.
create function decided_on(acceptance jsonb, decline jsonb, for_business uuid) returns date
language sql stable set search_path = '' as $$
  select (told.at::timestamptz at time zone b.time_zone)::date
  from (select coalesce(acceptance ->> 'at', decline ->> 'at') as at) told, public.businesses b
  where b.guid = for_business and pg_input_is_valid(told.at, 'timestamptz')
$$;
create function local_day(at timestamptz, for_business uuid) returns date
language sql stable set search_path = '' as $$
  select (at at time zone b.time_zone)::date from public.businesses b where b.guid = for_business
$$;

-- All figures there should be, row by row.
create view figure_sources as
  select q.business_guid, f.* from quotes q
    cross join lateral quote_figures(q.base_status, q.valid_until, q.total_cents,
      case when q.status in ('accepted', 'converted', 'declined') then decided_on(q.acceptance, q.decline, q.business_guid) end,
      q.archived_at is not null) f
  union all
  select o.business_guid, f.* from orders o
    cross join lateral order_figures(
      o.status, o.scheduled_on, o.total_cents, o.invoice_status, o.invoiced_cents, o.archived_at is not null) f
  union all
  select i.business_guid, f.* from invoices i
    cross join lateral invoice_figures(i.kind, i.status, i.base_status, i.issue_on, i.due_on, i.total_cents, i.gst_cents,
      i.balance_cents, i.archived_at is not null) f
  union all
  select p.business_guid, 'received', '', p.received_on, p.amount_cents, 0, 1 from payments p
  union all
  select r.business_guid, 'refunded', '', (r.created_at at time zone b.time_zone)::date, r.amount_cents, 0, 1
    from refunds r join businesses b on b.guid = r.business_guid
  union all
  select m.business_guid, 'messages', 'sent', (m.sent_at at time zone b.time_zone)::date, 0, 0, 1
    from messages m join businesses b on b.guid = m.business_guid where m.sent_at is not null;

-- Makes all sums anew, while nobody writes: for data that came in while triggers rested.
create function rebuild_figures() returns void language sql set search_path = public as $$
  delete from figure_entries;
  delete from figure_days;
  insert into figure_days (business_guid, measure, stream, day, cents, gst_cents, count)
    select business_guid, measure, stream, day, sum(cents), sum(gst_cents), sum(count)
    from figure_sources group by 1, 2, 3, 4;
$$;

-- Folds the oldest entries into their days and says how many they were. Readers see them before or after, never both or neither.
create function fold_figures(at_most int) returns int language plpgsql security definer set search_path = '' as $$
declare folded int;
begin
  with taken as (
    delete from public.figure_entries
    where id = any (array(select id from public.figure_entries order by id limit at_most)) returning *
  ), added as (
    insert into public.figure_days as d (business_guid, measure, stream, day, cents, gst_cents, count)
    select business_guid, measure, stream, day, sum(cents), sum(gst_cents), sum(count)
    from taken group by 1, 2, 3, 4
    on conflict (business_guid, measure, stream, day) do update
      set cents = d.cents + excluded.cents, gst_cents = d.gst_cents + excluded.gst_cents, count = d.count + excluded.count
  ) select count(*) from taken into folded;
  delete from public.figure_days where count = 0 and cents = 0 and gst_cents = 0;
  return folded;
end $$;

-- Each trigger adds the figures of the row as it is now and takes away those of the row as it was, in one insert.
create function note_quote_figures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.figure_entries (business_guid, measure, stream, day, cents, gst_cents, count)
  select moved.business_guid, measure, stream, day, sum(cents), sum(gst_cents), sum(count) from (
    select new.business_guid, f.* from public.quote_figures(new.base_status, new.valid_until, new.total_cents,
      case when new.status in ('accepted', 'converted', 'declined')
        then public.decided_on(new.acceptance, new.decline, new.business_guid) end,
      new.archived_at is not null) f
    union all
    select old.business_guid, f.measure, f.stream, f.day, -f.cents, 0, -f.count
    from public.quote_figures(old.base_status, old.valid_until, old.total_cents,
      case when old.status in ('accepted', 'converted', 'declined')
        then public.decided_on(old.acceptance, old.decline, old.business_guid) end,
      old.archived_at is not null) f
  ) moved where moved.business_guid is not null group by 1, 2, 3, 4 having sum(cents) <> 0 or sum(count) <> 0;
  return null;
end $$;
create trigger quotes_figures_insert after insert on quotes for each row execute function note_quote_figures();
create trigger quotes_figures_update after update on quotes for each row
  when ((old.business_guid, old.status, old.base_status, old.valid_until, old.total_cents, old.acceptance, old.decline,
      old.archived_at)
    is distinct from (new.business_guid, new.status, new.base_status, new.valid_until, new.total_cents, new.acceptance, new.decline,
      new.archived_at)) execute function note_quote_figures();
create trigger quotes_figures_delete after delete on quotes for each row execute function note_quote_figures();

create function note_order_figures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.figure_entries (business_guid, measure, stream, day, cents, gst_cents, count)
  select moved.business_guid, measure, stream, day, sum(cents), sum(gst_cents), sum(count) from (
    select new.business_guid, f.* from public.order_figures(
      new.status, new.scheduled_on, new.total_cents, new.invoice_status, new.invoiced_cents, new.archived_at is not null) f
    union all
    select old.business_guid, f.measure, f.stream, f.day, -f.cents, 0, -f.count
    from public.order_figures(
      old.status, old.scheduled_on, old.total_cents, old.invoice_status, old.invoiced_cents, old.archived_at is not null) f
  ) moved where moved.business_guid is not null group by 1, 2, 3, 4 having sum(cents) <> 0 or sum(count) <> 0;
  return null;
end $$;
create trigger orders_figures_insert after insert on orders for each row execute function note_order_figures();
create trigger orders_figures_update after update on orders for each row
  when ((old.business_guid, old.status, old.scheduled_on, old.total_cents, old.invoice_status, old.invoiced_cents, old.archived_at)
    is distinct from (new.business_guid, new.status, new.scheduled_on, new.total_cents, new.invoice_status, new.invoiced_cents,
      new.archived_at)) execute function note_order_figures();
create trigger orders_figures_delete after delete on orders for each row execute function note_order_figures();

create function note_invoice_figures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.figure_entries (business_guid, measure, stream, day, cents, gst_cents, count)
  select moved.business_guid, measure, stream, day, sum(cents), sum(gst_cents), sum(count) from (
    select new.business_guid, f.* from public.invoice_figures(
      new.kind, new.status, new.base_status, new.issue_on, new.due_on, new.total_cents, new.gst_cents,
      new.balance_cents, new.archived_at is not null) f
    union all
    select old.business_guid, f.measure, f.stream, f.day, -f.cents, -f.gst_cents, -f.count
    from public.invoice_figures(
      old.kind, old.status, old.base_status, old.issue_on, old.due_on, old.total_cents, old.gst_cents,
      old.balance_cents, old.archived_at is not null) f
  ) moved where moved.business_guid is not null group by 1, 2, 3, 4 having sum(cents) <> 0 or sum(gst_cents) <> 0 or sum(count) <> 0;
  return null;
end $$;
create trigger invoices_figures_insert after insert on invoices for each row execute function note_invoice_figures();
create trigger invoices_figures_update after update on invoices for each row
  when ((old.business_guid, old.kind, old.base_status, old.issue_on, old.due_on, old.total_cents, old.gst_cents,
      old.balance_cents, old.archived_at)
    is distinct from (new.business_guid, new.kind, new.base_status, new.issue_on, new.due_on, new.total_cents, new.gst_cents,
      new.balance_cents, new.archived_at)) execute function note_invoice_figures();
create trigger invoices_figures_delete after delete on invoices for each row execute function note_invoice_figures();

-- What is only ever added is only ever counted up.
create function note_payment_figures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.figure_entries (business_guid, measure, stream, day, cents, gst_cents, count)
  values (new.business_guid, 'received', '', new.received_on, new.amount_cents, 0, 1);
  return null;
end $$;
create trigger payments_figures after insert on payments for each row execute function note_payment_figures();

create function note_refund_figures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.figure_entries (business_guid, measure, stream, day, cents, gst_cents, count)
  values (new.business_guid, 'refunded', '', public.local_day(new.created_at, new.business_guid), new.amount_cents, 0, 1);
  return null;
end $$;
create trigger refunds_figures after insert on refunds for each row execute function note_refund_figures();

create function note_message_figures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.figure_entries (business_guid, measure, stream, day, cents, gst_cents, count)
  select business_guid, 'messages', 'sent', day, 0, 0, sum(count) from (
    select new.business_guid, public.local_day(new.sent_at, new.business_guid) as day, 1 as count
    union all select old.business_guid, public.local_day(old.sent_at, old.business_guid), -1
  ) moved where day is not null group by 1, 4 having sum(count) <> 0;
  return null;
end $$;
create trigger messages_figures_insert after insert on messages for each row
  when (new.sent_at is not null) execute function note_message_figures();
create trigger messages_figures_update after update on messages for each row
  when (old.sent_at is distinct from new.sent_at) execute function note_message_figures();
create trigger messages_figures_delete after delete on messages for each row
  when (old.sent_at is not null) execute function note_message_figures();

-- Instants fall on other days when a business moves to another time zone; nobody writes such rows meanwhile.
create function move_figures() returns trigger
language plpgsql security definer set search_path = '' as $$
declare moving text[] := array['accepted', 'declined', 'refunded', 'messages'];
begin
  lock table public.quotes, public.refunds, public.messages in share row exclusive mode;
  insert into public.figure_entries (business_guid, measure, stream, day, cents, gst_cents, count)
  select new.guid, measure, stream, day, sum(cents), sum(gst_cents), sum(count) from (
    select measure, stream, day, cents, gst_cents, count from public.figure_sources
    where business_guid = new.guid and measure = any (moving)
    union all
    select measure, stream, day, -cents, -gst_cents, -count from public.figures
    where business_guid = new.guid and measure = any (moving)
  ) moved group by 1, 2, 3, 4 having sum(cents) <> 0 or sum(gst_cents) <> 0 or sum(count) <> 0;
  return null;
end $$;
create trigger businesses_figures_zone after update on businesses for each row
  when (old.time_zone is distinct from new.time_zone) execute function move_figures();

select rebuild_figures();
analyze figure_days;
