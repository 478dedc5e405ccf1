-- The quotes of a series may be paid in stages, too.
alter table quote_series add column schedule jsonb constraint series_schedule_shape check (jsonb_typeof(schedule) = 'array');
