-- What came to the mailboxes of a business. A mail is stored with its bytes first, and read afterwards: whoever dies in between
-- leaves it to be read. The same mail is kept once, also where a server numbers its mails anew.
create table inbound_mails (
  guid uuid constraint inbound_mails_key primary key default new_guid(),
  business_guid uuid not null references businesses,
  account_guid uuid not null references email_accounts,
  uid_validity bigint not null,
  uid bigint not null,
  bytes bigint not null constraint inbound_bytes check (bytes >= 0),
  -- none of a mail that is too large to be fetched
  raw_sha256 text,
  state text not null default 'stored' constraint inbound_state_known check
    (state in ('stored', 'filed', 'unmatched', 'bounce', 'ignored', 'quarantined')),
  -- why it is kept away
  reason text constraint inbound_reason_known check (reason in ('size', 'time', 'depth', 'headers', 'memory', 'unreadable')),
  attempts int not null default 0,
  -- what became of it; of a bounce the message it is about
  message_guid uuid references messages,
  received_at timestamptz not null default now(),
  settled_at timestamptz,
  constraint inbound_mail_once unique (account_guid, uid_validity, uid),
  constraint inbound_quarantined_why check ((state = 'quarantined') <= (reason is not null)),
  constraint inbound_raw_kept check (raw_sha256 is not null or state in ('quarantined', 'ignored')),
  constraint inbound_filed_as_message check ((state in ('filed', 'unmatched', 'bounce')) <= (message_guid is not null))
);
create index inbound_mails_raw on inbound_mails (account_guid, raw_sha256);
create index inbound_mails_message on inbound_mails (message_guid);
create index inbound_mails_stored on inbound_mails (received_at, guid) where state = 'stored';
create index inbound_mails_quarantined on inbound_mails (business_guid, received_at, guid) where state = 'quarantined';
create trigger inbound_mails_live after insert or update on inbound_mails for each row
  when (new.state = 'quarantined' or new.reason is not null) execute function notify_change('EmailAccounts');

-- Who reads a mailbox just now: one process at a time, which says so again and again.
create table mailbox_leases (
  account_guid uuid constraint mailbox_leases_key primary key references email_accounts,
  holder uuid not null,
  until timestamptz not null,
  -- the mail that is being fetched, and how often that was begun: one that always fails is passed over in the end
  at_uid bigint,
  tries int not null default 0
);

-- Where an email was filed by hand is said once, at its message.
create function follow_filing() returns trigger language plpgsql as $$
begin
  update inbound_mails set state = new.filing where message_guid = new.guid and state in ('filed', 'unmatched', 'ignored');
  return null;
end $$;
create trigger messages_filing after update of filing on messages for each row
  when (old.filing is distinct from new.filing) execute function follow_filing();
