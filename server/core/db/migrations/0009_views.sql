-- Views of lists: what to search, filter, sort and show, under a name.
create table views (
  guid uuid constraint views_key primary key default new_guid(),
  owner_guid uuid not null references users on delete cascade,
  -- the right to read the list
  subject text not null constraint views_subject_length check (length(subject) between 1 and 120),
  name text not null constraint views_name_length check (length(name) between 1 and 80),
  view_values jsonb not null default '{}',
  is_shared boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index views_name_taken on views (owner_guid, subject, lower(name));
create index views_shared on views (subject) where is_shared;
