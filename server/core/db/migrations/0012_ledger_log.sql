-- What stood in every row of money each time it was written, by its digest: noted by triggers in the same transaction, which
-- guardLedger makes for the columns there are. A null digest: the row was taken away.
create table ledger_log (
  id bigint generated always as identity constraint ledger_log_key primary key,
  subject text not null,
  record uuid not null,
  digest bytea,
  -- noted because a migration changed the columns, not because the row was written
  is_upgrade boolean not null default false
);
create index ledger_log_record on ledger_log (subject, record, id desc);
create trigger ledger_log_append_only before update or delete on ledger_log for each row execute function refuse_change();
create trigger ledger_log_no_truncate before truncate on ledger_log for each statement execute function refuse_change();

-- The columns each digest is made of, and the triggers that were made for them.
create table ledger_columns (
  subject text constraint ledger_columns_key primary key,
  columns text[] not null,
  definition text not null
);

-- Seals are keyed from here on, and there are two logs; what was sealed without a key is sealed again from the first line.
drop table audit_seals;
drop function audit_line_hash(audit_log);
create table audit_seals (
  id bigint generated always as identity constraint audit_seals_key primary key,
  at timestamptz not null,
  log text not null constraint audit_seals_log_known check (log in ('audit', 'ledger')),
  -- lines with after_id < id <= to_id are sealed
  after_id bigint not null,
  to_id bigint not null,
  line_count integer not null,
  previous_hash text not null,
  hash text not null,
  -- HMAC-SHA256 of all the others, by a key of the installation that is not in the database
  mac text not null,
  constraint audit_seals_forward check (to_id > after_id),
  constraint audit_seals_no_gap unique (log, after_id)
);
create trigger audit_seals_append_only before update or delete on audit_seals for each row execute function refuse_change();
create trigger audit_seals_no_truncate before truncate on audit_seals for each statement execute function refuse_change();
delete from app_state where key = 'audit-horizon';
