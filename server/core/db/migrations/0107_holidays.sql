-- Whose public holidays a business keeps; null: those of the state in its address.
alter table businesses add column holiday_state text constraint business_holiday_state
  check (holiday_state in ('ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA'));

-- The holidays themselves are worked out; here stands only what a business keeps otherwise. A change that is undone is gone.
create table holiday_changes (
  guid uuid constraint holiday_changes_key primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  state text not null constraint holiday_change_state check (state in ('ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA')),
  day date not null constraint holiday_change_day check (day between '2000-01-01' and '2100-12-31'),
  name text not null constraint holiday_change_name check (length(name) between 1 and 200),
  is_added boolean not null,
  from_min int constraint holiday_change_from check (from_min between 1 and 1439),
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  constraint holiday_change_taken unique (business_guid, state, day),
  constraint holiday_removed_whole check (is_added or from_min is null)
);
create index holiday_changes_created_by on holiday_changes (created_by);
create index holiday_changes_updated_by on holiday_changes (updated_by);
