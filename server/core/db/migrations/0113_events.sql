-- What happened, as actions and webhooks wait for it: written with the line of the audit log that says so.
create table events (
  guid uuid constraint events_key primary key,
  key text not null,
  noun text not null,
  record_guid uuid not null,
  -- Whose it is: of a record of a shared list the business that worked on it.
  business_guid uuid,
  -- What its line tells.
  values jsonb not null,
  -- What templates may say of its record, read a moment later.
  facts jsonb,
  -- How many actions led to it, one after the other, and the event that the first of them waited for.
  depth smallint not null default 0 constraint event_depth check (depth >= 0),
  root_guid uuid not null,
  by_kind text not null constraint event_by check (by_kind in ('user', 'guest', 'system')),
  by_guid uuid,
  by_name text not null default '',
  at timestamptz not null,
  -- What happens once and no more.
  once_key text constraint event_once unique,
  -- Since when actions that wait for it have their runs.
  taken_at timestamptz
);
create index events_of_business on events (business_guid, at desc, guid desc);
create index events_of_key on events (business_guid, key, at desc, guid desc);
create index events_of_noun on events (business_guid, noun, at desc, guid desc);
create index events_of_record on events (record_guid, at desc);
create index events_of_root on events (root_guid, at, guid);
create index events_new on events (at, guid) where taken_at is null;
create index events_by_age on events (at) where once_key is null;
