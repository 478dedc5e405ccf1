-- What customers choose beside a product: sizes, extras, days. Definitions change; what was offered is kept with its line.
create table booking_options (
  guid uuid primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  code text not null check (code ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  label jsonb not null check (label ? 'en'),
  help jsonb,
  input text not null check (input in ('single', 'multi', 'boolean', 'quantity', 'text', 'date', 'time', 'address', 'file')),
  required boolean not null default false,
  answered_by text not null default 'staff' check (answered_by in ('staff', 'guest', 'both')),
  choices jsonb not null check (jsonb_typeof(choices) = 'array'),
  visible_when jsonb,
  -- Lists are in the order of the English words.
  name text not null generated always as (label ->> 'en') stored,
  search_text text not null generated always as (lower(code || ' ' || (label ->> 'en'))) stored,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz
);
-- Conditions and answers name options by their codes, also those that were put away.
create unique index booking_option_code_taken on booking_options (business_guid, code);
create index booking_options_search on booking_options using gin (search_text gin_trgm_ops);
create index booking_options_by_name on booking_options (business_guid, name, guid) where archived_at is null;
create index booking_options_by_created on booking_options (business_guid, created_at, guid) where archived_at is null;
create index booking_options_archived on booking_options (business_guid, name, guid) where archived_at is not null;
create index booking_options_created_by on booking_options (created_by);
create index booking_options_updated_by on booking_options (updated_by);

-- Which options a product asks for, in order.
create table option_uses (
  product_guid uuid not null references products,
  option_guid uuid not null references booking_options,
  position int not null,
  primary key (product_guid, option_guid)
);
create index option_uses_by_option on option_uses (option_guid, product_guid);
