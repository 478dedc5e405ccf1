-- Messages that people write, send later, and get. Those of before stay as they are: they have no reply token, and what
-- answers them is found by their Message-ID.
alter table messages
  add column category text not null default 'transactional' constraint message_category_known check (category in ('transactional', 'commercial')),
  add column purpose text not null default 'general' constraint message_purpose_known check (purpose in ('billing', 'bookings', 'marketing', 'general')),
  add column cc text[] not null default '{}',
  add column bcc text[] not null default '{}',
  -- { templateVersionGuid, language, subject, bodyHtml }, before the variables were filled in
  add column source jsonb,
  -- on a clock where the message is to be read: YYYY-MM-DDTHH:MM, its zone, and the instant that comes to
  add column scheduled_for text constraint message_scheduled_for_shape check (scheduled_for ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d$'),
  add column time_zone text,
  add column scheduled_at timestamptz,
  add column cancel_when text constraint message_cancel_when_known check (cancel_when in ('settled')),
  add column reply_token text constraint message_reply_token unique constraint message_reply_token_shape check (reply_token ~ '^[a-z2-7]{26}$'),
  add column is_test boolean not null default false,
  add column failure_type text constraint message_failure_known check
    (failure_type in ('address', 'refused', 'login', 'connection', 'document', 'crashed')),
  -- when it was sent, or given up
  add column settled_at timestamptz,
  -- what became of a message that came in
  add column filing text constraint message_filing_known check (filing in ('unmatched', 'filed', 'ignored')),
  add column is_unknown_sender boolean not null default false,
  add constraint message_scheduled_whole check ((scheduled_for is null) = (scheduled_at is null) and (scheduled_for is null) = (time_zone is null)),
  add constraint message_scheduled_has_time check (status <> 'scheduled' or scheduled_at is not null),
  add constraint message_filing_of_received check ((direction = 'in') = (filing is not null)),
  add constraint message_received_within check ((direction = 'in') = (status = 'received')),
  drop constraint messages_status_check,
  add constraint messages_status_check check (status in
    ('draft', 'scheduled', 'queued', 'sending', 'sent', 'delivered', 'deferred', 'bounced', 'failed', 'cancelled', 'suppressed', 'noted',
     'received')),
  -- A note stands on a customer or on a document, and goes to nobody.
  drop constraint message_note_is_of_customer,
  add constraint message_note_is_of_record check (direction <> 'internal'
    or ((customer_guid is not null or owner_guid is not null) and recipients = '{}' and cc = '{}' and bcc = '{}' and body_text is not null)),
  drop constraint messages_worded,
  -- What is still to be written has only what it is made of; what waits is frozen; what went has its words.
  add constraint messages_worded check (case when owner_type is not distinct from 'user'
    then body_html is null and body_text is null and raw_sha256 is null and (facts is not null) = (status in ('queued', 'sending', 'deferred'))
    else (body_html is null) = (body_text is null) and (facts is null or body_html is null)
      and (facts is not null or body_html is not null or (source is not null and status in ('draft', 'scheduled', 'cancelled', 'suppressed')))
    end);
-- The day a message counts on; of those from before the day they went.
alter table messages add column counted_at timestamptz generated always as (coalesce(settled_at, sent_at)) stored;
create index messages_counted on messages (business_guid, counted_at, guid) where counted_at is not null;
create index messages_scheduled on messages (scheduled_at, guid) where status = 'scheduled';
create index messages_received on messages (business_guid, created_at, guid) where direction = 'in';
create index messages_unmatched on messages (business_guid, created_at, guid) where filing = 'unmatched';

-- Everybody a message goes to, and what became of it there. The lists of addresses are the message's own; rows follow them until it is sent.
create table message_recipients (
  message_guid uuid not null references messages,
  address text not null constraint recipient_address_shape check (length(address) between 3 and 254),
  kind text not null constraint recipient_kind_known check (kind in ('to', 'cc', 'bcc')),
  state text not null default 'waiting' constraint recipient_state_known check
    (state in ('waiting', 'sent', 'refused', 'suppressed', 'delivered', 'bounced')),
  at timestamptz,
  reason text,
  primary key (message_guid, address)
);
create index message_recipients_address on message_recipients (lower(address));
create function follow_recipients() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from public.message_recipients r where r.message_guid = new.guid
    and r.address <> all (new.recipients || new.cc || new.bcc);
  insert into public.message_recipients as r (message_guid, address, kind)
    select new.guid, address, (array_agg(kind order by rank))[1] from (
      select unnest(new.recipients) as address, 'to' as kind, 1 as rank
      union all select unnest(new.cc), 'cc', 2
      union all select unnest(new.bcc), 'bcc', 3
    ) named where length(address) between 3 and 254 group by address
    on conflict (message_guid, address) do update set kind = excluded.kind where r.kind <> excluded.kind;
  return null;
end $$;
create trigger messages_recipients_insert after insert on messages for each row
  when (new.direction = 'out' and new.business_guid is not null) execute function follow_recipients();
create trigger messages_recipients_update after update of recipients, cc, bcc on messages for each row
  when (new.direction = 'out' and new.business_guid is not null
    and (old.recipients, old.cc, old.bcc) is distinct from (new.recipients, new.cc, new.bcc)) execute function follow_recipients();

-- Files that go with a message, in their order.
create table message_files (
  message_guid uuid not null references messages,
  file_guid uuid not null references files,
  position int not null,
  primary key (message_guid, file_guid)
);
create index message_files_file on message_files (file_guid);

-- The customer's own page told that this message led there. Once each, and never of staff.
create table message_views (
  message_guid uuid primary key references messages,
  at timestamptz not null default now()
);
create index message_views_at on message_views (at, message_guid);

create or replace function refuse_sent_change() returns trigger language plpgsql as $$
declare
  may_move text[] := array['status', 'failure_reason', 'failure_type', 'search_text', 'counted_at', 'version', 'updated_at'];
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - may_move) <> (to_jsonb(old) - may_move) or new.status not in ('sent', 'delivered', 'bounced') then
    raise exception 'sent messages cannot be changed' using errcode = 'restrict_violation', constraint = 'sent_is_frozen';
  end if;
  return new;
end $$;
-- What somebody wrote to us stays as it came; only where it belongs is decided afterwards.
create function refuse_received_change() returns trigger language plpgsql as $$
declare
  may_move text[] := array['owner_type', 'owner_guid', 'owner_number', 'customer_guid', 'filing', 'is_unknown_sender', 'search_text',
    'counted_at', 'version', 'updated_at'];
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - may_move) <> (to_jsonb(old) - may_move) then
    raise exception 'received messages cannot be changed' using errcode = 'restrict_violation', constraint = 'received_is_frozen';
  end if;
  return new;
end $$;
create trigger messages_received_frozen before update or delete on messages for each row
  when (old.direction = 'in') execute function refuse_received_change();

-- Open pages look again when what is known of a message changes beside it.
create function notify_of_message() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.messages set updated_at = clock_timestamp() where guid = new.message_guid;
  return null;
end $$;
create trigger message_recipients_told after update on message_recipients for each row
  when (old.state is distinct from new.state) execute function notify_of_message();
create trigger message_views_told after insert on message_views for each row execute function notify_of_message();

-- When something last became of a message: who has an older state of a conversation asks for what is newer.
create function touch_message() returns trigger language plpgsql as $$
begin
  if new.updated_at is not distinct from old.updated_at then new.updated_at := clock_timestamp(); end if;
  return new;
end $$;
create trigger messages_touched before update on messages for each row execute function touch_message();
create index messages_by_updated on messages (updated_at, guid);
