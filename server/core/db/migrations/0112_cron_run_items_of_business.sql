-- Whose an item of a run is: whoever works in some of the businesses is told of theirs alone. Null is nobody's alone.
alter table cron_run_items add column business_guid uuid;
