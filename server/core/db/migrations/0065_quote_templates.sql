-- What quotes are made of again and again: a quote without whom it is for.
create table quote_templates (
  guid uuid constraint quote_templates_key primary key,
  version int not null default 1,
  -- the pool of the catalogue
  business_guid uuid not null references businesses,
  name text not null,
  title text not null,
  price_mode text not null check (price_mode in ('exclusive', 'inclusive')),
  rounding_rule text not null check (rounding_rule in ('total_invoice', 'taxable_supply')),
  discount jsonb,
  deposit_rule jsonb,
  schedule jsonb constraint quote_template_schedule_shape check (jsonb_typeof(schedule) = 'array'),
  -- days from the day a quote is made; none: as the business has it
  validity_days int constraint quote_template_validity check (validity_days between 1 and 365),
  job_type_guid uuid references job_types,
  intro text,
  terms text,
  internal_notes text,
  -- Lines as they are entered. Those of a product have no price: the catalogue has it when the template is used.
  lines jsonb not null constraint quote_template_lines_are_many check (jsonb_typeof(lines) = 'array'),
  -- The day that days of hire and of payments are counted from.
  anchored_on date not null,
  search_text text not null generated always as (lower(name || ' ' || title)) stored,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz
);
create unique index quote_template_name_taken on quote_templates (business_guid, lower(name)) where archived_at is null;
create index quote_templates_by_name on quote_templates (business_guid, name, guid) where archived_at is null;
create index quote_templates_by_title on quote_templates (business_guid, title, guid) where archived_at is null;
create index quote_templates_by_created on quote_templates (business_guid, created_at, guid) where archived_at is null;
create index quote_templates_archived on quote_templates (business_guid, name, guid) where archived_at is not null;
create index quote_templates_job_type on quote_templates (job_type_guid);
create index quote_templates_created_by on quote_templates (created_by);
create index quote_templates_updated_by on quote_templates (updated_by);
create index quote_templates_search on quote_templates using gin (search_text gin_trgm_ops);
create trigger quote_templates_live after insert or update on quote_templates
  for each row execute function notify_change('QuoteTemplates');
