-- What an order hires out: since when, what came back, and what is billed of it. Days that are billed are billed once; a bill whose
-- invoice is voided or archived frees them for the next.
create extension if not exists btree_gist;
create table hire_runs (
  guid uuid constraint hire_runs_key primary key default new_guid(),
  order_guid uuid not null references orders,
  line_guid uuid not null constraint hire_run_of_line unique references order_lines,
  started_on date not null,
  -- the last day charged, once all is back
  off_on date constraint hire_run_days check (off_on >= started_on),
  units numeric(13, 4) not null constraint hire_run_units check (units > 0),
  every text not null constraint hire_run_rhythm check (every in ('7', '28', 'month')),
  -- what it costs, as it was agreed when it began
  price jsonb not null constraint hire_run_price check (jsonb_typeof(price) = 'object'),
  -- what its line is of the order's total, GST included
  counted_cents bigint not null default 0,
  -- when its line fell to what was billed
  settled_at timestamptz,
  created_at timestamptz not null default now(),
  created_by uuid references users
);
create index hire_runs_order on hire_runs (order_guid);
create index hire_runs_created_by on hire_runs (created_by);

create table hire_returns (
  guid uuid constraint hire_returns_key primary key default new_guid(),
  run_guid uuid not null references hire_runs,
  -- the last day these are charged for
  off_on date not null,
  units numeric(13, 4) not null constraint hire_return_units check (units > 0),
  created_at timestamptz not null default now(),
  created_by uuid references users
);
create index hire_returns_run on hire_returns (run_guid);
create index hire_returns_created_by on hire_returns (created_by);
create trigger hire_returns_append_only before update or delete on hire_returns for each row execute function refuse_change();

create table hire_bills (
  guid uuid constraint hire_bills_key primary key default new_guid(),
  run_guid uuid not null references hire_runs,
  days datemultirange not null,
  -- before GST is added; below zero where too much was billed when the hire ended
  cents bigint not null,
  -- none where it comes to nothing
  invoice_guid uuid references invoices,
  invoice_line_guid uuid references invoice_lines,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  voided_at timestamptz,
  constraint hire_bill_invoiced check ((cents > 0) = (invoice_guid is not null) and (invoice_guid is null) = (invoice_line_guid is null)),
  constraint hire_days_billed_once exclude using gist (run_guid with =, days with &&) where (voided_at is null)
);
create index hire_bills_run on hire_bills (run_guid);
create index hire_bills_invoice on hire_bills (invoice_guid) where invoice_guid is not null;
create index hire_bills_invoice_line on hire_bills (invoice_line_guid) where invoice_line_guid is not null;
create index hire_bills_created_by on hire_bills (created_by);

create function keep_hire_bills() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if old.voided_at is null and to_jsonb(new) - 'voided_at' = to_jsonb(old) - 'voided_at' then return new; end if;
  end if;
  raise exception 'what was billed of a hire does not change' using errcode = 'restrict_violation', constraint = 'hire_bills_are_kept';
end $$;
create trigger hire_bills_kept before update or delete on hire_bills for each row execute function keep_hire_bills();
