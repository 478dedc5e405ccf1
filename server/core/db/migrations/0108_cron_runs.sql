-- What jobs that are due by the clock came to: the last run of each, and the runs that had something to say.
alter table cron_jobs
  add column last_run_at timestamptz,
  add column last_run_by text,
  add column last_report jsonb,
  add column last_digest text;

create table cron_runs (
  guid uuid constraint cron_runs_key primary key,
  name text not null,
  started_at timestamptz not null,
  started_by text not null,
  report jsonb not null
);
create index cron_runs_of_job on cron_runs (name, started_at desc, guid desc);
create index cron_runs_by_age on cron_runs (started_at);

create table cron_run_items (
  run_guid uuid not null constraint cron_run_items_run references cron_runs (guid) on delete cascade,
  position integer not null,
  key text not null,
  record_guid uuid not null,
  record_label text not null,
  outcome text not null constraint cron_run_items_outcome check (outcome in ('done', 'failed', 'skipped')),
  effect text,
  reason text,
  constraint cron_run_items_key primary key (run_guid, position)
);
