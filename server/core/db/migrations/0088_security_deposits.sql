-- A security deposit is held and not earned: it carries no GST until it pays an invoice or is forfeited (GST Act s 99-5,
-- s 99-10), and goes back otherwise. A note on one has the nature of what it takes back.
alter table invoices
  add column deposit_nature text not null default 'part_payment',
  add column forfeiture_clause text,
  -- Of a security deposit, what paid invoices or was forfeited.
  add column deposit_used_cents bigint not null default 0,
  -- The security deposit that an invoice bills the forfeited part of.
  add column forfeits_guid uuid references invoices,
  add constraint deposit_nature_of_deposits check (deposit_nature in ('part_payment', 'security')
    and (deposit_nature = 'part_payment' or kind in ('deposit', 'adjustment_note'))),
  add constraint security_carries_no_gst check (deposit_nature = 'part_payment' or gst_cents = 0),
  add constraint security_needs_clause check (deposit_nature = 'part_payment' or kind <> 'deposit'
    or number is null or forfeiture_clause is not null),
  add constraint deposit_not_overdrawn check (deposit_used_cents >= 0
    and (deposit_used_cents = 0 or deposit_used_cents <= paid_cents - refunded_cents)),
  add constraint security_void_was_unpaid check (status <> 'void' or deposit_nature = 'part_payment' or paid_cents = 0),
  add constraint forfeiture_is_standard check (forfeits_guid is null or kind = 'standard');
create index invoices_forfeits on invoices (forfeits_guid) where forfeits_guid is not null;
create index invoices_security on invoices (entity_guid) where deposit_nature = 'security';

-- Money that was received before, and pays now: it comes from no bank.
alter table payments
  add column deposit_guid uuid references invoices,
  add constraint payment_of_deposit check ((method = 'account_credit') = (deposit_guid is not null));
create index payments_deposit on payments (deposit_guid) where deposit_guid is not null;

create function use_deposit() returns trigger language plpgsql as $$
begin
  update invoices set deposit_used_cents = deposit_used_cents + new.amount_cents
    where guid = new.deposit_guid and kind = 'deposit' and deposit_nature = 'security' and status = 'issued'
    and entity_guid = new.entity_guid;
  if not found then
    raise exception 'only an issued security deposit pays' using errcode = 'check_violation', constraint = 'payment_of_deposit';
  end if;
  return null;
end $$;
create trigger payments_use_deposit after insert on payments for each row
  when (new.deposit_guid is not null) execute function use_deposit();

create function free_deposit() returns trigger language plpgsql as $$
begin
  update invoices i set deposit_used_cents = deposit_used_cents - p.amount_cents
    from payments p where p.guid = new.payment_guid and i.guid = p.deposit_guid;
  return null;
end $$;
create trigger payment_reversals_free_deposit after insert on payment_reversals for each row execute function free_deposit();

-- Nor does it bring the GST of its order forward: it is no part of the price.
do $$
begin
  execute replace(pg_get_functiondef('gst_forward_on(uuid, date)'::regprocedure),
    'i.kind <> ''adjustment_note'' and i.status in', 'i.kind <> ''adjustment_note'' and i.deposit_nature = ''part_payment'' and i.status in');
end $$;

-- Money that was only held goes back without a note, and its request keeps it.
alter table refunds drop constraint refund_effect,
  add constraint refund_effect check (effect in ('price_reduced', 'money_back')
    and (effect = 'price_reduced') = (adjustment_note_guid is not null)
    and (effect <> 'price_reduced' or invoice_guid is not null)),
  drop constraint refund_reopens,
  add constraint refund_reopens check (reopens_guid is null or (effect = 'money_back' and invoice_guid is null));

-- The balance and what follows from it are computed anew: what of a security deposit went back is not owed again. What was
-- made of these columns is made again as it was; the view follows below.
drop view figure_sources;
do $$
declare
  again text[];
  statement text;
begin
  select array_agg(found.made order by found.step) into again from (
    select 2 as step, indexdef || ';' as made from pg_indexes
      where schemaname = 'public' and tablename = 'invoices' and indexdef ~ '(balance_cents|payment_status|base_status)'
    union all
    select 3, pg_get_statisticsobjdef(oid) || ';' from pg_statistic_ext
      where stxrelid = 'invoices'::regclass and pg_get_statisticsobjdef(oid) ~ '(balance_cents|payment_status|base_status)'
    union all
    select 4, pg_get_triggerdef(oid) || ';' from pg_trigger
      where tgrelid = 'invoices'::regclass and not tgisinternal and pg_get_triggerdef(oid) ~ '(balance_cents|payment_status|base_status)'
    union all
    select 1, 'create view ' || c.oid::regclass || ' as ' || pg_get_viewdef(c.oid) from pg_class c
      where c.relkind = 'v' and c.oid in (
        select r.ev_class from pg_depend d join pg_rewrite r on r.oid = d.objid and d.classid = 'pg_rewrite'::regclass
          join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
        where d.refobjid = 'invoices'::regclass and a.attname in ('balance_cents', 'payment_status', 'base_status'))
  ) found;
  alter table invoices drop column balance_cents cascade, drop column payment_status cascade, drop column base_status cascade;
  alter table invoices
    add column balance_cents bigint not null generated always as (
      case when status = 'issued' and kind <> 'adjustment_note'
        then total_cents - credited_cents - written_off_cents - paid_cents
          + case when deposit_nature = 'security' then 0 else refunded_cents end else 0 end) stored,
    add column payment_status text not null generated always as (
      case
        when status = 'issued' and kind <> 'adjustment_note' and total_cents - credited_cents - written_off_cents - paid_cents
            + case when deposit_nature = 'security' then 0 else refunded_cents end > 0
          then case when paid_cents > refunded_cents then 'partially_paid' else 'unpaid' end
        when refunded_cents > 0 then case when paid_cents = refunded_cents then 'refunded' else 'partially_refunded' end
        when status = 'issued' and kind <> 'adjustment_note' then 'paid'
        when paid_cents > 0 then 'partially_paid'
        else 'unpaid'
      end) stored,
    add column base_status text not null generated always as (
      case
        when status <> 'issued' then status
        when kind = 'adjustment_note' then 'issued'
        when total_cents - credited_cents - written_off_cents - paid_cents
            + case when deposit_nature = 'security' then 0 else refunded_cents end > 0
          then case when paid_cents > refunded_cents then 'partially_paid' when first_viewed_at is not null then 'viewed' else 'sent' end
        when refunded_cents > 0 then case when paid_cents = refunded_cents then 'refunded' else 'partially_refunded' end
        else 'paid'
      end) stored;
  foreach statement in array again loop
    execute statement;
  end loop;
end $$;
alter table invoices add constraint security_balance_exceeded check (deposit_nature = 'part_payment'
  or kind = 'adjustment_note' or status <> 'issued' or total_cents - credited_cents - paid_cents >= 0);

create or replace function follow_plan() returns trigger language plpgsql as $$
begin
  new.due_on := coalesce(planned_due(new.guid, new.credited_cents + new.written_off_cents + new.paid_cents
    - case when new.deposit_nature = 'security' then 0 else new.refunded_cents end), new.due_on);
  return new;
end $$;

create or replace function refuse_issued_change() returns trigger language plpgsql as $$
declare
  may_move text[] := array['version', 'status', 'payment_status', 'base_status', 'paid_cents', 'credited_cents', 'refunded_cents', 'written_off_cents', 'deposit_used_cents', 'balance_cents', 'sent_at', 'first_viewed_at', 'last_viewed_at', 'view_count', 'voided_at', 'void_reason', 'internal_notes', 'search_text', 'updated_at', 'updated_by'];
begin
  if tg_op = 'DELETE' then
    raise exception 'issued documents cannot be deleted' using errcode = 'restrict_violation', constraint = 'issued_is_immutable';
  end if;
  -- Sums of money move only together with the append-only rows they are sums of: from their triggers, never directly.
  if (new.paid_cents, new.credited_cents, new.refunded_cents, new.written_off_cents, new.deposit_used_cents)
      is distinct from (old.paid_cents, old.credited_cents, old.refunded_cents, old.written_off_cents, old.deposit_used_cents)
      and pg_trigger_depth() < 2 then
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

-- What is held is not billed, and what it pays was received before. A security deposit comes with a kind of its own.
create or replace function invoice_figures(
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
  where not is_archived and status = 'issued' and issue_on is not null and kind <> 'security_deposit'
$$;
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
    cross join lateral invoice_figures(case when i.deposit_nature = 'security' then 'security_deposit' else i.kind end,
      i.status, i.base_status, i.issue_on, i.due_on, i.total_cents, i.gst_cents, i.balance_cents, i.archived_at is not null) f
  union all
  select p.business_guid, 'received', '', p.received_on, p.amount_cents, 0, 1 from payments p where p.deposit_guid is null
  union all
  select r.business_guid, 'refunded', '', (r.created_at at time zone b.time_zone)::date, r.amount_cents, 0, 1
    from refunds r join businesses b on b.guid = r.business_guid
  union all
  select m.business_guid, 'messages', 'sent', (m.sent_at at time zone b.time_zone)::date, 0, 0, 1
    from messages m join businesses b on b.guid = m.business_guid where m.sent_at is not null
  union all
  select p.business_guid, 'received', '', v.reversed_on, -p.amount_cents, 0, -1
    from payment_reversals v join payments p on p.guid = v.payment_guid where p.deposit_guid is null
  union all
  select e.business_guid, 'account', l.account, e.posted_on, l.debit_cents - l.credit_cents, 0, 1
    from journal_lines l join journal_entries e on e.guid = l.entry_guid;

create or replace function note_invoice_figures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.figure_entries (business_guid, measure, stream, day, cents, gst_cents, count)
  select moved.business_guid, measure, stream, day, sum(cents), sum(gst_cents), sum(count) from (
    select new.business_guid, f.* from public.invoice_figures(
      case when new.deposit_nature = 'security' then 'security_deposit' else new.kind end,
      new.status, new.base_status, new.issue_on, new.due_on, new.total_cents, new.gst_cents,
      new.balance_cents, new.archived_at is not null) f
    union all
    select old.business_guid, f.measure, f.stream, f.day, -f.cents, -f.gst_cents, -f.count
    from public.invoice_figures(
      case when old.deposit_nature = 'security' then 'security_deposit' else old.kind end,
      old.status, old.base_status, old.issue_on, old.due_on, old.total_cents, old.gst_cents,
      old.balance_cents, old.archived_at is not null) f
  ) moved where moved.business_guid is not null group by 1, 2, 3, 4 having sum(cents) <> 0 or sum(gst_cents) <> 0 or sum(count) <> 0;
  return null;
end $$;
create or replace function note_payment_figures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.figure_entries (business_guid, measure, stream, day, cents, gst_cents, count)
  select new.business_guid, 'received', '', new.received_on, new.amount_cents, 0, 1 where new.deposit_guid is null;
  return null;
end $$;
create or replace function note_reversal_figures() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.figure_entries (business_guid, measure, stream, day, cents, gst_cents, count)
    select p.business_guid, 'received', '', new.reversed_on, -p.amount_cents, 0, -1 from public.payments p
    where p.guid = new.payment_guid and p.deposit_guid is null;
  return null;
end $$;

analyze invoices;
