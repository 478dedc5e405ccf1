-- Files of customers that are taken in: what they say is staged row by row, then applied in one transaction.
create table customer_imports (
  guid uuid primary key,
  business_guid uuid not null references businesses,
  -- whose terms of payment it sets: of the businesses that work with this list, the one that took it in
  terms_guid uuid not null references businesses,
  file_name text not null constraint import_file_name_length check (length(file_name) between 1 and 200),
  sha256 text not null,
  source text not null constraint import_source_known check (source in ('own', 'xero', 'myob', 'servicem8', 'jobber', 'other')),
  on_duplicate text not null constraint import_on_duplicate_known check (on_duplicate in ('skip', 'fill')),
  -- the field of each column, in the order of the file
  mapping jsonb not null,
  status text not null default 'staging'
    constraint import_status_known check (status in ('staging', 'applying', 'done', 'failed', 'stopped', 'undone')),
  total int not null constraint import_total_range check (total between 1 and 10000),
  staged int not null default 0,
  created int not null default 0,
  filled int not null default 0,
  skipped int not null default 0,
  failure text,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  finished_at timestamptz,
  undone_at timestamptz,
  undone_by uuid references users,
  constraint import_staged_range check (staged between 0 and total)
);
-- A file is taken in once, until that is undone.
create unique index import_same_file on customer_imports (business_guid, sha256) where status in ('staging', 'applying', 'done');
create index customer_imports_by_created on customer_imports (business_guid, created_at, guid);
create index customer_imports_terms on customer_imports (terms_guid);
create index customer_imports_created_by on customer_imports (created_by);
create index customer_imports_undone_by on customer_imports (undone_by);

-- The file, until it is staged.
create table customer_import_files (
  import_guid uuid primary key references customer_imports,
  content bytea not null constraint import_file_size check (octet_length(content) <= 5242880)
);

-- What a row says, until it is applied; what came of it, until that is undone.
create table customer_import_rows (
  import_guid uuid not null references customer_imports,
  row int not null,
  customer jsonb,
  customer_guid uuid references customers,
  is_created boolean not null default false,
  -- what was filled, as the columns have it; of people and sites their guids
  filled jsonb,
  primary key (import_guid, row)
);
create index customer_import_rows_customer on customer_import_rows (customer_guid) where customer_guid is not null;

-- A name as imports compare it: without case, marks and what companies are.
create function customer_name_key(name text) returns text language sql immutable parallel safe set search_path = pg_catalog as $$
  select btrim(regexp_replace(regexp_replace(regexp_replace(' ' || regexp_replace(
    replace(replace(lower(regexp_replace(normalize(name, nfd), '[\u0300-\u036f]', '', 'g')), 'p/l', ' '), '&', ' and '),
    '[][!-/:-@\\^_`{-~‘’“”–—·…\s]+', ' ', 'g') || ' ', ' (pty|ltd|limited|proprietary|the)(?= )', '', 'g'), ' +', ' ', 'g'), '^ | $', '', 'g'))
$$;
create index customers_by_name_key on customers (business_guid, customer_name_key(display_name)) where archived_at is null;
create index customers_by_abn on customers (business_guid, abn) where abn is not null and archived_at is null;
create index customers_by_email on customers (business_guid, email) where email is not null and archived_at is null;
