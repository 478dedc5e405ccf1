-- How a person likes a list where its address does not say otherwise.
create table list_defaults (
  user_guid uuid not null references users on delete cascade,
  -- the right to read the list
  subject text not null constraint list_defaults_subject_length check (length(subject) between 1 and 120),
  -- null, here and below: as the list has it
  column_ids text[] constraint list_defaults_columns check (cardinality(column_ids) between 1 and 60),
  sort text constraint list_defaults_sort_length check (length(sort) between 1 and 200),
  size integer constraint list_defaults_size check (size between 1 and 100),
  updated_at timestamptz not null default now(),
  constraint list_defaults_key primary key (user_guid, subject)
);
