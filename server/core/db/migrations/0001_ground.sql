-- Time-ordered random ids: new rows land beside each other in every index.
do $do$
begin
  if to_regprocedure('pg_catalog.uuidv7()') is not null then
    execute 'create function new_guid() returns uuid language sql volatile parallel safe as ''select pg_catalog.uuidv7()''';
  else
    execute $f$
      create function new_guid() returns uuid language sql volatile parallel safe as $body$
        select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
          placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
      $body$
    $f$;
  end if;
end
$do$;

-- Append-only tables are refused here, and by privileges.sql for the role the application runs as.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% rows are never changed', tg_table_name using errcode = 'restrict_violation', constraint = tg_table_name || '_append_only';
end
$$;

-- Tells open screens which record changed. The argument is the noun as it stands in subjects, for example 'Quotes'.
-- `set local app.quiet = 'on'` silences it for mass imports.
create function notify_change() returns trigger language plpgsql as $$
declare
  record_guid uuid;
  business uuid;
begin
  if current_setting('app.quiet', true) = 'on' then return null; end if;
  if tg_op = 'DELETE' then
    record_guid := old.guid;
    business := to_jsonb(old) ->> 'business_guid';
  else
    record_guid := new.guid;
    business := to_jsonb(new) ->> 'business_guid';
  end if;
  perform pg_notify('live', json_build_object('noun', tg_argv[0], 'guid', record_guid, 'businessGuid', business)::text);
  return null;
end
$$;

create table roles (
  guid uuid constraint roles_key primary key default new_guid(),
  name text not null constraint roles_name_length check (length(name) between 1 and 80),
  description text not null default '',
  -- the one role of guests is the role every anonymous session has
  kind text not null default 'staff' constraint roles_kind_known check (kind in ('staff', 'guest')),
  -- counts every change of the role's permissions; compiled rules are cached by it
  rules_version integer not null default 1,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz
);
create unique index roles_name_taken on roles (lower(name));
create unique index roles_one_for_guests on roles (kind) where kind = 'guest';

create table permissions (
  guid uuid constraint permissions_key primary key default new_guid(),
  role_guid uuid not null constraint permissions_role references roles on delete cascade,
  subject text not null constraint permissions_subject_length check (length(subject) between 1 and 120),
  action text not null constraint permissions_action_known check (action in ('read', 'create', 'update', 'delete', 'manage')),
  conditions jsonb not null default '{}' constraint permissions_conditions_object check (jsonb_typeof(conditions) = 'object'),
  enabled boolean not null default true,
  priority integer not null default 0,
  inverted boolean not null default false,
  api_guid_required boolean not null default false,
  authorization_header_required boolean not null default true,
  note text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index permissions_role_guid on permissions (role_guid, priority, guid);
create index permissions_subject on permissions (subject, guid);

create function count_rules_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then update roles set rules_version = rules_version + 1 where guid = old.role_guid; end if;
  if tg_op <> 'DELETE' and (tg_op = 'INSERT' or new.role_guid <> old.role_guid) then
    update roles set rules_version = rules_version + 1 where guid = new.role_guid;
  end if;
  return null;
end
$$;
create trigger permissions_change after insert or update or delete on permissions for each row execute function count_rules_change();

create table users (
  guid uuid constraint users_key primary key default new_guid(),
  auth_id text not null constraint users_auth_id_length check (length(auth_id) between 1 and 254),
  password_hash text,
  first_name text not null default '',
  last_name text not null default '',
  -- the name people see: derived, so lists can sort and search by it
  name text not null generated always as (trim(first_name || ' ' || last_name)) stored,
  email text not null default '',
  phone text not null default '',
  role_guid uuid not null constraint users_role references roles,
  status text not null default 'active' constraint users_status_known check (status in ('invited', 'active', 'locked', 'suspended', 'archived')),
  preferences jsonb not null default '{}' constraint users_preferences_object check (jsonb_typeof(preferences) = 'object'),
  -- raised whenever password, role or status change: every session opened before is over
  auth_version integer not null default 1,
  last_seen_at timestamptz,
  last_login_at timestamptz,
  version integer not null default 1,
  created_by uuid,
  updated_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  constraint users_active_has_password check (status <> 'active' or password_hash is not null)
);
create unique index users_auth_id_taken on users (lower(auth_id));
create index users_role_guid on users (role_guid);
create index users_name on users (name, guid);
create index users_created_at on users (created_at, guid);
create index users_last_seen_at on users (last_seen_at, guid);

create function end_old_sessions() returns trigger language plpgsql as $$
begin
  if new.password_hash is distinct from old.password_hash or new.role_guid <> old.role_guid or new.status <> old.status then
    new.auth_version := old.auth_version + 1;
  end if;
  return new;
end
$$;
create trigger users_end_old_sessions before update on users for each row execute function end_old_sessions();
create trigger users_live after insert or update of first_name, last_name, email, phone, role_guid, status, archived_at on users
  for each row execute function notify_change('Users');

-- Two administrators who take each other's rights at once must not both succeed, hence the lock.
create function keep_super_user() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(70001);
  if not exists (
    select from users u join roles r on r.guid = u.role_guid join permissions p on p.role_guid = r.guid
    where u.status = 'active' and r.archived_at is null
      and p.enabled and not p.inverted and p.action = 'manage' and p.subject = 'all'
  ) then
    raise exception 'no super user would remain' using errcode = 'check_violation', constraint = 'users_super_user_remains';
  end if;
  return null;
end
$$;
create constraint trigger users_super_user_remains after update of role_guid, status or delete on users
  deferrable initially deferred for each row execute function keep_super_user();
create constraint trigger permissions_super_user_remains after update or delete on permissions
  deferrable initially deferred for each row when (old.action = 'manage' and old.subject = 'all') execute function keep_super_user();
create constraint trigger roles_super_user_remains after update of archived_at on roles
  deferrable initially deferred for each row execute function keep_super_user();

create table sessions (
  guid uuid constraint sessions_key primary key default gen_random_uuid(),
  kind text not null constraint sessions_kind_known check (kind in ('user', 'guest')),
  api_guid uuid not null,
  user_guid uuid constraint sessions_user references users,
  -- the role the session was opened with
  role_guid uuid not null constraint sessions_role references roles,
  auth_version integer not null default 0,
  is_remembered boolean not null default false,
  -- after this instant a new token is only given for a new login
  renewable_until timestamptz not null,
  revoked_at timestamptz,
  user_agent text not null default '',
  ip text not null default '',
  created_at timestamptz not null default now(),
  renewed_at timestamptz not null default now(),
  constraint sessions_user_or_guest check ((kind = 'user') = (user_guid is not null))
);
create index sessions_user_guid on sessions (user_guid) where user_guid is not null;
create index sessions_role_guid on sessions (role_guid);
create index sessions_renewable_until on sessions (renewable_until);

create table audit_log (
  id bigint generated always as identity constraint audit_log_key primary key,
  at timestamptz not null default now(),
  actor_kind text not null,
  actor_guid uuid,
  actor_name text not null default '',
  api_guid uuid,
  ip text not null default '',
  request_id text not null default '',
  action text not null,
  entity text not null,
  entity_guid uuid,
  before jsonb,
  after jsonb,
  reason text not null default ''
);
create index audit_log_entity on audit_log (entity, entity_guid, id);
create index audit_log_actor on audit_log (actor_guid, id);
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function refuse_change();

-- What a line of the audit log says, as one hash; the same in every session whatever its settings.
create function audit_line_hash(line audit_log) returns text language sql stable as $$
  select encode(sha256(convert_to(jsonb_build_array(line.id, extract(epoch from line.at), line.actor_kind, line.actor_guid, line.actor_name, line.api_guid,
    line.ip, line.request_id, line.action, line.entity, line.entity_guid, line.before, line.after, line.reason)::text, 'UTF8')), 'hex')
$$;

create table audit_seals (
  id bigint generated always as identity constraint audit_seals_key primary key,
  at timestamptz not null default now(),
  -- lines with after_id < id <= to_id are sealed
  after_id bigint not null,
  to_id bigint not null,
  line_count integer not null,
  previous_hash text not null,
  hash text not null,
  constraint audit_seals_forward check (to_id > after_id),
  constraint audit_seals_no_gap unique (after_id)
);
create trigger audit_seals_append_only before update or delete on audit_seals for each row execute function refuse_change();
create trigger audit_seals_no_truncate before truncate on audit_seals for each statement execute function refuse_change();

create table idempotency_keys (
  actor text not null,
  route text not null,
  key text not null,
  body_sha256 text not null,
  status integer,
  answer text,
  created_at timestamptz not null default now(),
  claimed_at timestamptz not null default now(),
  constraint idempotency_keys_key primary key (actor, route, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

create table rate_limits (
  key text constraint rate_limits_key primary key,
  count integer not null,
  resets_at timestamptz not null
);
create index rate_limits_resets_at on rate_limits (resets_at);

-- Single facts about the installation: setup, maintenance, horizons of jobs.
create table app_state (
  key text constraint app_state_key primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);
