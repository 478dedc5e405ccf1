-- Until when money is held that pays nothing, by payment, and deposits that nothing has used up: a report of a day looks at
-- what was held then, however much came and went before. A row says which to look at and no amount, so what it costs to be
-- wrong on the late side is one row read too many.
create table held_money (
  guid uuid primary key,
  entity_guid uuid not null references businesses,
  kind text not null check (kind in ('credit', 'deposit')),
  -- The day from which nothing is held of it any more.
  until_on date not null
);
create index held_money_until on held_money (entity_guid, kind, until_on);

-- What moved the credit that a payment is, by the entries it has.
create function credit_moves(payment uuid) returns table (day date, business_guid uuid, customer_guid uuid, cents bigint)
language sql stable as $$
  select e.posted_on, e.business_guid, l.customer_guid, l.credit_cents - l.debit_cents
  from (select 'payment' as source, payment as guid
    union all select s.source, a.guid from public.payment_allocations a, (values ('allocation'), ('unallocation')) s(source)
      where a.payment_guid = payment
    union all select 'refund', r.guid from public.refunds r where r.payment_guid = payment
    union all select 'payment_reversal', v.guid from public.payment_reversals v where v.payment_guid = payment) d
  join public.journal_entries e on e.source = d.source and e.source_guid = d.guid
  join public.journal_lines l on l.entry_guid = e.guid and l.account = '2300'
$$;

-- What was paid of a deposit, and given back or used of that; and what credited it.
create function deposit_moves(deposit uuid) returns table (day date, paid bigint, used bigint)
language sql stable as $$
  select a.effective_on, a.cents, 0::bigint from public.payment_allocations a where a.invoice_guid = deposit
  union all select e.posted_on, -r.amount_cents, 0 from public.refunds r
    join public.journal_entries e on e.source = 'refund' and e.source_guid = r.guid where r.invoice_guid = deposit
  union all select p.received_on, -p.amount_cents, 0 from public.payments p where p.deposit_guid = deposit
  union all select greatest(p.received_on, v.reversed_on), p.amount_cents, 0 from public.payments p
    join public.payment_reversals v on v.payment_guid = p.guid where p.deposit_guid = deposit
  union all select n.issue_on, 0, n.total_cents from public.invoices n
    where n.adjusts_invoice_guid = deposit and n.kind = 'adjustment_note' and n.status = 'issued'
  union all select f.issue_on, 0, -l.total_cents from public.invoice_lines l join public.invoices f on f.guid = l.invoice_guid
    where l.deposit_invoice_guid = deposit and f.kind <> 'adjustment_note' and f.status in ('issued', 'written_off')
$$;

create function held_until(of uuid, kind text) returns date
language sql stable as $$
  select case kind
    when 'credit' then (select case when sum(m.cents) <> 0 then 'infinity' else max(m.day) end from public.credit_moves(of) m)
    else (select case when least(i.total_cents - sum(m.used), sum(m.paid)) > 0 then 'infinity' else max(m.day) end
      from public.invoices i, public.deposit_moves(of) m where i.guid = of group by i.total_cents)
  end
$$;

-- The row is locked before what it says is looked at: who comes second sees what the first did.
create function settle_held(of uuid, entity uuid, what text) returns void language plpgsql as $$
begin
  insert into public.held_money (guid, entity_guid, kind, until_on) values (of, entity, what, 'infinity')
    on conflict (guid) do update set until_on = 'infinity';
  update public.held_money set until_on = public.held_until(of, what)
    where guid = of and public.held_until(of, what) <> 'infinity';
end $$;

create function settle_credit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform public.settle_held(p.guid, p.entity_guid, 'credit') from public.journal_entries e
    left join public.payment_allocations a on e.source in ('allocation', 'unallocation') and a.guid = e.source_guid
    left join public.refunds r on e.source = 'refund' and r.guid = e.source_guid
    left join public.payment_reversals v on e.source = 'payment_reversal' and v.guid = e.source_guid
    join public.payments p on p.guid = coalesce(a.payment_guid, r.payment_guid, v.payment_guid, e.source_guid)
    where e.guid = new.entry_guid;
  return null;
end $$;
create constraint trigger journal_lines_held after insert on journal_lines deferrable initially deferred
  for each row when (new.account = '2300') execute function settle_credit();

-- A deposit itself tells of what it was paid and what was given back, noted or used of it; what credits it does so by its lines.
create function settle_deposit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform public.settle_held(new.guid, new.entity_guid, 'deposit') where new.kind = 'deposit';
  perform public.settle_held(d.guid, d.entity_guid, 'deposit') from public.invoices d where d.kind = 'deposit'
    and d.guid in (select l.deposit_invoice_guid from public.invoice_lines l where l.invoice_guid = new.guid)
    order by d.guid;
  return null;
end $$;
create constraint trigger deposits_held after update on invoices deferrable initially deferred
  for each row when (new.kind = 'deposit'
    and (old.paid_cents, old.refunded_cents, old.credited_cents, old.deposit_used_cents)
      is distinct from (new.paid_cents, new.refunded_cents, new.credited_cents, new.deposit_used_cents))
  execute function settle_deposit();
create constraint trigger invoices_use_deposits after update on invoices deferrable initially deferred
  for each row when (new.kind not in ('deposit', 'adjustment_note') and old.status is distinct from new.status)
  execute function settle_deposit();

-- What the documents and the journal say, for the proof and for making all anew.
create view held_sources as
  select p.guid, p.entity_guid, 'credit' as kind, case when sum(l.credit_cents - l.debit_cents) <> 0 then 'infinity'
      else max(e.posted_on) end as until_on
    from journal_lines l join journal_entries e on e.guid = l.entry_guid
    left join payment_allocations a on e.source in ('allocation', 'unallocation') and a.guid = e.source_guid
    left join refunds r on e.source = 'refund' and r.guid = e.source_guid
    left join payment_reversals v on e.source = 'payment_reversal' and v.guid = e.source_guid
    join payments p on p.guid = coalesce(a.payment_guid, r.payment_guid, v.payment_guid, e.source_guid)
    where l.account = '2300' group by p.guid, p.entity_guid
  union all
  select i.guid, i.entity_guid, 'deposit', u.until_on from invoices i
    cross join lateral (select held_until(i.guid, 'deposit') as until_on) u where i.kind = 'deposit' and u.until_on is not null;
create function rebuild_held() returns void language sql set search_path = public as $$
  delete from held_money;
  insert into held_money (guid, entity_guid, kind, until_on) select guid, entity_guid, kind, until_on from held_sources;
$$;
select rebuild_held();
analyze held_money;
