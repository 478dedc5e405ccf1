-- Quotes that repeat: what each is made of, when, and what became of every cycle.
create table quote_series (
  guid uuid constraint quote_series_key primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  customer_guid uuid not null references customers,
  contact_guid uuid references contacts,
  site_guid uuid references sites,
  owner_guid uuid references users,
  title text not null,
  status text not null default 'draft' constraint series_status_known check (status in ('draft', 'active', 'paused', 'completed', 'cancelled', 'failed')),
  price_mode text not null check (price_mode in ('exclusive', 'inclusive')),
  rounding_rule text not null check (rounding_rule in ('total_invoice', 'taxable_supply')),
  discount jsonb,
  deposit_rule jsonb,
  job_type_guid uuid references job_types,
  intro text,
  terms text,
  internal_notes text,
  -- The lines of the next quote as a quote has them, priced when they were entered or with the last cycle.
  lines jsonb not null constraint series_lines_are_many check (jsonb_typeof(lines) = 'array'),
  -- The lines whose price is that of the last cycle, and no longer the catalogue's.
  carried_guids uuid[] not null default '{}',
  subtotal_cents bigint not null default 0,
  discount_cents bigint not null default 0,
  gst_cents bigint not null default 0,
  total_cents bigint not null default 0,
  optional_total_cents bigint not null default 0,
  every_n int not null constraint series_every check (every_n between 1 and 366),
  every_unit text not null constraint series_unit_known check (every_unit in ('day', 'week', 'month', 'year')),
  -- The day of the cycle `anchor_n`, from which those after it are counted: another one since the days were changed.
  anchor_on date not null,
  anchor_n int not null default 0,
  lead_days int not null default 0 constraint series_lead check (lead_days between 0 and 365),
  ends jsonb not null,
  mode text not null default 'draft' constraint series_mode_known check (mode in ('draft', 'send')),
  catch_up int not null default 1 constraint series_catch_up check (catch_up between 1 and 12),
  -- The first cycle, counted from 0, of which nothing is written yet; its day, and when it is due. None after the last one.
  next_n int not null default 0,
  next_on date,
  due_on date,
  -- The last day of which a quote was made: rises after it are still to come.
  made_on date,
  paused_on date,
  reason text,
  search_text text not null generated always as (lower(title)) stored,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  constraint series_sum check (subtotal_cents - discount_cents + gst_cents = total_cents),
  constraint series_due_with_next check ((next_on is null) = (due_on is null)),
  constraint series_paused_since check ((status = 'paused') = (paused_on is not null))
);
create index quote_series_customer on quote_series (customer_guid, created_at desc);
create index quote_series_contact on quote_series (contact_guid);
create index quote_series_site on quote_series (site_guid);
create index quote_series_owner on quote_series (owner_guid, created_at);
create index quote_series_job_type on quote_series (job_type_guid);
create index quote_series_created_by on quote_series (created_by);
create index quote_series_updated_by on quote_series (updated_by);
create index quote_series_by_created on quote_series (business_guid, created_at, guid);
create index quote_series_by_title on quote_series (business_guid, title, guid);
create index quote_series_by_total on quote_series (business_guid, total_cents, guid);
create index quote_series_by_next on quote_series (business_guid, next_on, guid);
create index quote_series_due on quote_series (due_on, guid) where status in ('active', 'paused') and due_on is not null;
create index quote_series_search on quote_series using gin (search_text gin_trgm_ops);
create trigger quote_series_live after insert or update on quote_series for each row execute function notify_change('Series');

-- What became of each cycle: a quote, or why there is none.
create table series_cycles (
  series_guid uuid not null references quote_series,
  n int not null constraint series_cycle_counted check (n >= 0),
  cycle_on date not null,
  quote_guid uuid constraint series_cycle_of_quote unique references quotes,
  reason text constraint series_cycle_reason check (reason in ('catch_up', 'paused')),
  made_at timestamptz not null default now(),
  constraint series_cycle_once primary key (series_guid, n),
  constraint series_cycle_quote_or_reason check (num_nonnulls(quote_guid, reason) = 1)
);

-- Rises of prices, series by series; those that were planned together have one guid in common. Each is written once.
create table series_rises (
  guid uuid constraint series_rises_key primary key default new_guid(),
  rise_guid uuid not null,
  business_guid uuid not null references businesses,
  series_guid uuid not null references quote_series,
  from_on date not null,
  bp int not null constraint series_rise_bp check (bp between -9000 and 9000 and bp <> 0),
  step_cents int not null constraint series_rise_step check (step_cents between 1 and 10000),
  -- Lines whose price stays.
  excluded_guids uuid[] not null default '{}',
  before_cents bigint not null,
  after_cents bigint not null,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  undone_at timestamptz,
  undone_by uuid references users
);
create unique index series_rise_once_a_day on series_rises (series_guid, from_on) where undone_at is null;
create index series_rises_series on series_rises (series_guid);
create index series_rises_planned on series_rises (rise_guid);
create index series_rises_business on series_rises (business_guid);
create index series_rises_created_by on series_rises (created_by);
create index series_rises_undone_by on series_rises (undone_by);

create function keep_series_rows() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'series_rises' then
    if to_jsonb(old) ->> 'undone_at' is null
      and to_jsonb(new) - array['undone_at', 'undone_by'] = to_jsonb(old) - array['undone_at', 'undone_by'] then
      return new;
    end if;
  end if;
  raise exception 'what became of a series does not change' using errcode = 'restrict_violation', constraint = 'series_rows_are_kept';
end $$;
create trigger series_cycles_kept before update or delete on series_cycles for each row execute function keep_series_rows();
create trigger series_rises_kept before update or delete on series_rises for each row execute function keep_series_rows();

-- Jobs by the clock that somebody has stopped for a while.
create table cron_jobs (
  name text constraint cron_jobs_key primary key,
  is_paused boolean not null default false,
  paused_reason text,
  updated_at timestamptz not null default now()
);
