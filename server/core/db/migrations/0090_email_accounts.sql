-- Email accounts of a business: where its mail leaves and where replies are read. Secrets are sealed to the account and the
-- protocol they were entered for. What mail servers say of themselves (health, cursor) changes without a new version.
create table email_accounts (
  guid uuid primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  purpose text not null,
  from_name text not null,
  from_address text not null,
  -- { host, port, security, username }
  smtp jsonb not null,
  imap jsonb,
  sent_folder text,
  auth_kind text not null,
  provider text,
  smtp_secret text,
  imap_secret text,
  refresh_secret text,
  access_secret text,
  access_until timestamptz,
  -- One process renews the login; the others wait for it.
  renewing_until timestamptz,
  daily_cap int not null default 500,
  per_minute_cap int not null default 30,
  failover_order int not null default 0,
  plus_addressing boolean not null default false,
  status text not null default 'active',
  failures int not null default 0,
  open_until timestamptz,
  last_said text,
  -- How far the mailbox was read.
  uid_validity bigint,
  last_uid bigint,
  last_read_at timestamptz,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz,
  constraint email_account_purpose_known check (purpose in ('billing', 'bookings', 'marketing', 'general')),
  constraint email_account_address_lower check (from_address = lower(from_address)),
  constraint email_account_smtp_whole check (jsonb_typeof(smtp) = 'object'),
  constraint email_account_imap_whole check (imap is null or jsonb_typeof(imap) = 'object'),
  constraint email_account_login_known check ((auth_kind = 'password' and provider is null)
    or (auth_kind = 'oauth2' and provider in ('google', 'microsoft'))),
  -- A password and a login by a provider never stand beside each other.
  constraint email_account_secrets_of_login check (case auth_kind when 'password'
    then num_nonnulls(refresh_secret, access_secret, access_until) = 0
    else num_nonnulls(smtp_secret, imap_secret) = 0 end),
  constraint email_account_caps check (daily_cap between 1 and 100000 and per_minute_cap between 1 and 1000),
  constraint email_account_order check (failover_order between 0 and 100),
  constraint email_account_status_known check (status in ('active', 'paused', 'needs_login', 'broken')),
  constraint email_account_failures check (failures >= 0)
);
create index email_accounts_by_order on email_accounts (business_guid, failover_order, guid) where archived_at is null;
create index email_accounts_by_address on email_accounts (business_guid, from_address, guid);
create index email_accounts_created_by on email_accounts (created_by);
create index email_accounts_updated_by on email_accounts (updated_by);
create trigger email_accounts_live after insert or update on email_accounts
  for each row execute function notify_change('EmailAccounts');

-- A login by a provider that somebody has begun: its state works once, for ten minutes.
create table email_logins (
  state_hash text primary key,
  account_guid uuid not null references email_accounts,
  user_guid uuid not null references users,
  verifier text not null,
  expires_at timestamptz not null
);
create index email_logins_account on email_logins (account_guid);
create index email_logins_user on email_logins (user_guid);
create index email_logins_expired on email_logins (expires_at);

alter table messages
  add column account_guid uuid references email_accounts,
  -- When the account took it up last: what its caps are counted by.
  add column account_at timestamptz,
  -- The server has the whole message and never said a word: the Sent folder is asked before it goes out again.
  add column is_unanswered boolean not null default false;
create index messages_by_account on messages (account_guid, account_at) where account_guid is not null;
