-- A kind of job: what it usually takes, needs and asks for, and what its customers' pages say.
create table job_types (
  guid uuid primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  name text not null,
  duration_min int not null check (duration_min >= 0),
  buffer_before_min int not null check (buffer_before_min >= 0),
  buffer_after_min int not null check (buffer_after_min >= 0),
  checklist jsonb not null check (jsonb_typeof(checklist) = 'array'),
  lines jsonb not null check (jsonb_typeof(lines) = 'array'),
  deposit_rule jsonb,
  strings jsonb not null check (jsonb_typeof(strings) = 'object'),
  search_text text not null generated always as (lower(name)) stored,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz
);
create unique index job_type_name_taken on job_types (business_guid, lower(name)) where archived_at is null;
create index job_types_search on job_types using gin (search_text gin_trgm_ops);
create index job_types_by_name on job_types (business_guid, name, guid) where archived_at is null;
create index job_types_by_created on job_types (business_guid, created_at, guid) where archived_at is null;
create index job_types_archived on job_types (business_guid, name, guid) where archived_at is not null;
create index job_types_created_by on job_types (created_by);
create index job_types_updated_by on job_types (updated_by);

-- Options are asked for a product or for a kind of job.
alter table option_uses drop constraint option_uses_pkey;
alter table option_uses alter column product_guid drop not null;
alter table option_uses add column job_type_guid uuid references job_types;
alter table option_uses add constraint option_uses_of_one check (num_nonnulls(product_guid, job_type_guid) = 1);
create unique index option_uses_once_a_product on option_uses (product_guid, option_guid) where product_guid is not null;
create unique index option_uses_once_a_job_type on option_uses (job_type_guid, option_guid) where job_type_guid is not null;

alter table quotes add column job_type_guid uuid references job_types;
alter table orders add column job_type_guid uuid references job_types;
create index quotes_by_job_type on quotes (job_type_guid, created_at) where job_type_guid is not null;
create index orders_by_job_type on orders (job_type_guid, created_at) where job_type_guid is not null;
