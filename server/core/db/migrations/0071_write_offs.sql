-- What nobody will pay any more is written off, and owed again when it is paid after all. Rows are only ever added; a row
-- that reverses another takes that one back, or a part of it.
create table write_offs (
  guid uuid primary key,
  invoice_guid uuid not null references invoices,
  -- The payment it came with: a small difference, or money for what was written off before.
  payment_guid uuid references payments,
  cents bigint not null check (cents > 0),
  gst_cents bigint not null check (gst_cents between 0 and cents),
  reason_code text not null check (reason_code in ('bad_debt', 'small_difference', 'other')),
  note text,
  effective_on date not null,
  reverses_guid uuid references write_offs,
  created_at timestamptz not null default now(),
  created_by uuid references users
);
create index write_offs_invoice on write_offs (invoice_guid);
create index write_offs_payment on write_offs (payment_guid);
create index write_offs_reverses on write_offs (reverses_guid);
create index write_offs_created_by on write_offs (created_by);
create trigger write_offs_append_only before update or delete on write_offs for each row execute function refuse_change();

-- The balance and what follows from it are computed anew. What was made of these columns is made again as it was.
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
    drop constraint balance_exceeded,
    add column written_off_cents bigint not null default 0,
    add column balance_cents bigint not null generated always as (
      case when status = 'issued' and kind <> 'adjustment_note'
        then total_cents - credited_cents - written_off_cents - (paid_cents - refunded_cents) else 0 end) stored,
    add column payment_status text not null generated always as (
      case
        when status = 'issued' and kind <> 'adjustment_note' and total_cents - credited_cents - written_off_cents - (paid_cents - refunded_cents) > 0
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
        when total_cents - credited_cents - written_off_cents - (paid_cents - refunded_cents) > 0
          then case when paid_cents > refunded_cents then 'partially_paid' when first_viewed_at is not null then 'viewed' else 'sent' end
        when refunded_cents > 0 then case when paid_cents = refunded_cents then 'refunded' else 'partially_refunded' end
        else 'paid'
      end) stored;
  foreach statement in array again loop
    execute statement;
  end loop;
end $$;
alter table invoices
  add constraint balance_exceeded check (kind = 'adjustment_note' or status not in ('issued', 'written_off')
    or total_cents - credited_cents - written_off_cents - (paid_cents - refunded_cents) >= 0),
  add constraint written_off_is_cleared check (written_off_cents >= 0 and (status <> 'written_off'
    or total_cents - credited_cents - written_off_cents - (paid_cents - refunded_cents) = 0));

-- What is computed is not there yet when a change is looked at: it follows from columns that are compared.
create or replace function refuse_issued_change() returns trigger language plpgsql as $$
declare
  may_move text[] := array['version', 'status', 'payment_status', 'base_status', 'paid_cents', 'credited_cents', 'refunded_cents', 'written_off_cents', 'balance_cents', 'sent_at', 'first_viewed_at', 'last_viewed_at', 'view_count', 'voided_at', 'void_reason', 'internal_notes', 'search_text', 'updated_at', 'updated_by'];
begin
  if tg_op = 'DELETE' then
    raise exception 'issued documents cannot be deleted' using errcode = 'restrict_violation', constraint = 'issued_is_immutable';
  end if;
  -- Sums of money move only together with the append-only rows they are sums of: from their triggers, never directly.
  if (new.paid_cents, new.credited_cents, new.refunded_cents, new.written_off_cents)
      is distinct from (old.paid_cents, old.credited_cents, old.refunded_cents, old.written_off_cents) and pg_trigger_depth() < 2 then
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

-- Money that leaves an invoice that was closed by a write-off is owed again.
create function reopen_written_off() returns trigger language plpgsql as $$
begin
  if new.total_cents - new.credited_cents - new.written_off_cents - (new.paid_cents - new.refunded_cents) > 0 then
    new.status := 'issued';
  end if;
  return new;
end $$;
create trigger invoices_owe_again before update on invoices for each row
  when (old.status = 'written_off' and new.status = 'written_off') execute function reopen_written_off();

-- A small difference under a payment leaves the invoice paid; whatever else clears it closes it.
create function apply_write_off() returns trigger language plpgsql as $$
declare
  whole write_offs;
  taken bigint;
  taken_gst bigint;
begin
  if new.reverses_guid is null then
    update invoices set written_off_cents = written_off_cents + new.cents,
      status = case
        when total_cents - credited_cents - written_off_cents - (paid_cents - refunded_cents) > new.cents then status
        when new.reason_code = 'small_difference' and paid_cents > refunded_cents then status
        else 'written_off' end
    where guid = new.invoice_guid and status = 'issued' and kind <> 'adjustment_note';
    if not found then
      raise exception 'only an issued invoice is written off' using errcode = 'check_violation', constraint = 'write_off_needs_issued';
    end if;
    return new;
  end if;
  update invoices set written_off_cents = written_off_cents - new.cents, status = 'issued'
    where guid = new.invoice_guid and status in ('issued', 'written_off') and kind <> 'adjustment_note';
  if not found then
    raise exception 'only an issued invoice owes again' using errcode = 'check_violation', constraint = 'write_off_needs_issued';
  end if;
  select * into whole from write_offs where guid = new.reverses_guid;
  select coalesce(sum(cents), 0), coalesce(sum(gst_cents), 0) into taken, taken_gst from write_offs where reverses_guid = new.reverses_guid;
  if whole.reverses_guid is not null or whole.invoice_guid <> new.invoice_guid
      or taken + new.cents > whole.cents or taken_gst + new.gst_cents > whole.gst_cents
      or (taken + new.cents = whole.cents and taken_gst + new.gst_cents <> whole.gst_cents) then
    raise exception 'more is recovered than was written off' using errcode = 'check_violation', constraint = 'recovery_exceeded';
  end if;
  return new;
end $$;
create trigger write_offs_apply before insert on write_offs for each row execute function apply_write_off();

analyze invoices;
