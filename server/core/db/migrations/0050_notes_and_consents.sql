-- Notes are messages that stay in the house; only whoever wrote one changes it.
alter table messages
  add column direction text not null default 'out' constraint message_direction_known check (direction in ('out', 'in', 'internal')),
  add column version integer not null default 1,
  add column updated_at timestamptz not null default now(),
  drop constraint messages_status_check,
  add constraint messages_status_check check (status in
    ('draft', 'scheduled', 'queued', 'sending', 'sent', 'delivered', 'deferred', 'bounced', 'failed', 'cancelled', 'suppressed', 'noted')),
  add constraint message_noted_within check ((direction = 'internal') = (status = 'noted')),
  add constraint message_note_is_of_customer check (direction <> 'internal'
    or (customer_guid is not null and owner_type is null and recipients = '{}' and body_text is not null));
create index messages_noted on messages (customer_guid, created_at, guid) where direction = 'internal';

-- Who may be written to with offers. What is written here stays: the newest line of an address counts.
create table consents (
  guid uuid constraint consents_key primary key default new_guid(),
  business_guid uuid not null references businesses,
  address text not null constraint consent_address_shape check (address = lower(address) and length(address) between 3 and 254),
  kind text not null constraint consent_kind_known check (kind in ('express', 'inferred', 'withdrawn')),
  -- where it was said, in words
  proof text not null constraint consent_proof_length check (length(proof) between 1 and 400),
  created_at timestamptz not null default now(),
  created_by uuid references users
);
create index consents_by_address on consents (business_guid, address, created_at, guid);
create index consents_created_by on consents (created_by);
create function keep_consents() returns trigger language plpgsql as $$
begin
  raise exception 'a consent does not change' using errcode = 'restrict_violation', constraint = 'consents_are_kept';
end $$;
create trigger consents_kept before update or delete on consents for each row execute function keep_consents();
create index contacts_email on contacts (lower(email)) where email is not null;
