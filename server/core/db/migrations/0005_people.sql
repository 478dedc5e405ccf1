-- Invitations, second factors, trying a role, notifications, and the indexes that the search of everything needs.

alter table roles add column requires_two_step boolean not null default false;

alter table users
  -- encrypted with the installation's key; `pending` until a first code has shown that the app knows it
  add column two_step_secret text,
  add column two_step_pending text,
  add column two_step_on_at timestamptz,
  -- the last time step a code was taken from: every code works once
  add column two_step_used bigint not null default 0,
  add column recovery_hashes text[] not null default '{}',
  add column avatar_sha256 text,
  add column avatar_mime text,
  -- kinds of notifications the person does not want
  add column quiet_kinds text[] not null default '{}',
  add constraint users_two_step_whole check ((two_step_on_at is null) = (two_step_secret is null));

-- A link that was mailed: only its hash is kept, and it is dead once the password, role or status has changed.
create table credential_links (
  hash text constraint credential_links_key primary key,
  kind text not null constraint credential_links_kind_known check (kind in ('reset', 'invitation')),
  user_guid uuid not null references users on delete cascade,
  auth_version integer not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index credential_links_user on credential_links (user_guid, kind, expires_at);
create index credential_links_expiry on credential_links (expires_at);

-- A role the person looks through, read only, in this session alone.
alter table sessions add column trying_role uuid references roles;
create index sessions_trying_role on sessions (trying_role) where trying_role is not null;

create table notifications (
  guid uuid constraint notifications_key primary key default new_guid(),
  user_guid uuid not null references users on delete cascade,
  -- names what happened, so that a job that runs again tells nobody twice
  event text not null,
  kind text not null,
  noun text not null,
  record_guid uuid not null,
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  read_at timestamptz,
  constraint notifications_once unique (user_guid, event)
);
create index notifications_newest on notifications (user_guid, created_at, guid);
create index notifications_unread on notifications (user_guid) where read_at is null;
create index notifications_age on notifications (created_at);

-- A notification is announced to its owner alone.
create function notify_owner() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('noun', 'Notifications', 'guid', new.guid, 'userGuid', new.user_guid)::text);
  return null;
end
$$;
create trigger notifications_live after insert or update of read_at on notifications for each row execute function notify_owner();

create index orders_assigned_newest on orders (assigned_guid, created_at, guid) where archived_at is null;

-- Phone numbers are written with blanks and searched without.
create index customers_phone_digits on customers using gin (regexp_replace(coalesce(phone, ''), '\D', '', 'g') gin_trgm_ops);
create index contacts_phone_digits on contacts using gin (regexp_replace(coalesce(phone, ''), '\D', '', 'g') gin_trgm_ops);
-- Amounts are found by what they begin with, in whole dollars.
create index quotes_amount on quotes (total_cents, created_at) where archived_at is null;
create index orders_amount on orders (total_cents, created_at) where archived_at is null;
create index invoices_amount on invoices (total_cents, created_at) where archived_at is null;
create index payments_amount on payments (amount_cents, created_at);
