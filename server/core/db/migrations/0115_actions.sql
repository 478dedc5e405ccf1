-- What is done by itself when something happens, and what became of it each time.
create table actions (
  guid uuid constraint actions_key primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  name text not null constraint action_name check (length(name) between 1 and 80),
  event_key text not null,
  conditions jsonb,
  delay_minutes int not null default 0 constraint action_delay check (delay_minutes between 0 and 43200),
  effects jsonb not null constraint action_effects check (jsonb_typeof(effects) = 'array'),
  -- Whoever saved it last: it runs with the rights of this user.
  owner_guid uuid not null references users,
  status text not null default 'draft' constraint action_status check (status in ('draft', 'active', 'paused')),
  paused_reason text constraint action_paused_reason check (paused_reason in ('person', 'failures', 'owner', 'runaway')),
  -- Runs that failed, one after the other, up to now.
  failures int not null default 0 constraint action_failures check (failures >= 0),
  activated_at timestamptz,
  stopped_at timestamptz,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz,
  constraint action_paused check ((status = 'paused') = (paused_reason is not null))
);
create index actions_of_business on actions (business_guid, name, guid);
create index actions_waiting on actions (event_key) where status = 'active' and archived_at is null;
create index actions_of_owner on actions (owner_guid);
create index actions_created_by on actions (created_by);
create index actions_updated_by on actions (updated_by);

create table action_runs (
  guid uuid constraint action_runs_key primary key,
  business_guid uuid not null references businesses,
  action_guid uuid not null references actions,
  event_guid uuid not null,
  -- 0 is the first time; each replay of the event counts on.
  replay int not null default 0 constraint action_run_replay check (replay >= 0),
  -- The chain it is part of; how many actions led to it, one after the other.
  root_guid uuid not null,
  depth int not null default 0 constraint action_run_depth check (depth >= 0),
  noun text not null,
  record_guid uuid not null,
  record_label text not null default '',
  state text not null constraint action_run_state check (state in ('waiting', 'running', 'done', 'skipped', 'failed')),
  reason text,
  due_at timestamptz not null,
  ended_at timestamptz,
  attempts int not null default 0 constraint action_run_attempts check (attempts >= 0),
  -- So many of its effects are done; the next one is the first that is not.
  effects_done int not null default 0 constraint action_run_effects check (effects_done >= 0),
  trace jsonb not null constraint action_run_trace check (jsonb_typeof(trace) = 'array'),
  created_at timestamptz not null default now(),
  constraint action_run_once unique (action_guid, event_guid, replay)
);
create index action_runs_of_business on action_runs (business_guid, created_at desc, guid desc);
create index action_runs_of_action on action_runs (action_guid, created_at desc, guid desc);
create index action_runs_of_event on action_runs (event_guid);
create index action_runs_of_chain on action_runs (root_guid, action_guid);
create index action_runs_of_record on action_runs (action_guid, record_guid, created_at);
create index action_runs_due on action_runs (due_at, guid) where state in ('waiting', 'running');

alter table action_runs add constraint action_run_event foreign key (event_guid) references events (guid) on delete cascade;

-- What is left to invoice of an order, as its page tells it: what it comes to, less what was billed of it.
create function order_to_invoice(wanted uuid) returns bigint language sql stable as $$
  with bills as (
    select i.*, i.status not in ('draft', 'scheduled') as is_issued, exists (select from hire_bills b
      where b.invoice_guid = i.guid and b.voided_at is null) as is_hire
    from invoices i where i.order_guid = wanted and i.archived_at is null and i.deposit_nature = 'part_payment'
      and i.status <> 'void'
  ), hire as (
    select h.counted_cents, (select coalesce(sum(sign(b.cents) * abs(l.total_cents)), 0) from hire_bills b
      join invoice_lines l on l.guid = b.invoice_line_guid where b.run_guid = h.guid and b.voided_at is null) as billed
    from hire_runs h where h.order_guid = wanted and h.settled_at is null
  )
  select greatest(o.total_cents
    -- A running hire is billed beyond its share of the total until it ends.
    + (select coalesce(sum(greatest(h.billed - h.counted_cents, 0)), 0) from hire h)
    + (select coalesce(sum(b.total_cents), 0) from bills b where b.kind = 'adjustment_note' and b.is_hire)
    - (select coalesce(sum(b.total_cents + b.deposit_applied_cents), 0) from bills b
      where b.kind not in ('adjustment_note', 'deposit'))
    -- A deposit that was given back is to be invoiced again.
    - greatest((select coalesce(sum(b.total_cents - b.credited_cents), 0) from bills b
        where b.kind = 'deposit' and b.is_issued)
      - (select coalesce(sum(b.deposit_applied_cents), 0) from bills b where b.kind <> 'adjustment_note'), 0),
    0)::bigint
  from orders o where o.guid = wanted
$$;
