-- Merging moves nothing: what it changed of the customer who is kept stands here, and is taken back from here.
create table customer_merges (
  guid uuid primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  keep_guid uuid not null references customers,
  from_guid uuid not null references customers,
  -- Whoever had been merged into the one that went, and came along.
  members uuid[] not null,
  -- Whoever had been merged into the kept one before.
  kept uuid[] not null,
  -- What differs of the kept one: of each field what it was and what it became.
  fields jsonb not null,
  -- The same of the terms, by business.
  terms jsonb not null,
  merged_at timestamptz not null default clock_timestamp(),
  merged_by uuid references users,
  undone_at timestamptz,
  undone_by uuid references users,
  constraint merge_of_two check (keep_guid <> from_guid)
);
create unique index customer_merges_live on customer_merges (from_guid) where undone_at is null;
create index customer_merges_keep on customer_merges (keep_guid);
create index customer_merges_from on customer_merges (from_guid);
create index customer_merges_business on customer_merges (business_guid);
create index customer_merges_merged_by on customer_merges (merged_by);
create index customer_merges_undone_by on customer_merges (undone_by);

-- A name as it is compared: without case, marks, what kind of company it is, and "the". Kept as `plainName` computes it.
create function plain_name(name text) returns text language sql immutable parallel safe as $$
  select trim(regexp_replace(regexp_replace(regexp_replace(
    replace(replace(lower(regexp_replace(normalize(name, nfd), '[\u0300-\u036f]', '', 'g')), '&', ' and '), 'p/l', ' '),
    '[^a-z0-9]+', ' ', 'g'), '\m(pty|ltd|the)\M', ' ', 'g'), '\s+', ' ', 'g'))
$$;
alter table customers
  add column plain_name text not null generated always as (plain_name(display_name)) stored,
  -- The version that was last looked at for duplicates.
  add column matched_version int;
create index customers_plain_name on customers using gin (plain_name gin_trgm_ops) where archived_at is null and merged_into is null;
create index customers_abn on customers (business_guid, abn) where abn is not null and archived_at is null and merged_into is null;
create index customers_email on customers (business_guid, lower(email)) where email is not null and archived_at is null and merged_into is null;
create index customers_last_digits on customers (business_guid, right(regexp_replace(phone, '\D', '', 'g'), 9)) where phone is not null and archived_at is null and merged_into is null;
create index customers_to_match on customers (guid) where archived_at is null and merged_into is null and matched_version is distinct from version;

create table duplicate_pairs (
  guid uuid primary key,
  business_guid uuid not null references businesses,
  a_guid uuid not null references customers,
  b_guid uuid not null references customers,
  points int not null,
  reasons text[] not null,
  found_at timestamptz not null default now(),
  dismissed_at timestamptz,
  dismissed_by uuid references users,
  constraint pair_in_order check (a_guid < b_guid)
);
create unique index duplicate_pairs_once on duplicate_pairs (a_guid, b_guid);
create index duplicate_pairs_b on duplicate_pairs (b_guid);
create index duplicate_pairs_open on duplicate_pairs (business_guid, points, guid) where dismissed_at is null;
create index duplicate_pairs_dismissed on duplicate_pairs (business_guid, points, guid) where dismissed_at is not null;
create index duplicate_pairs_dismissed_by on duplicate_pairs (dismissed_by);

analyze customers;
