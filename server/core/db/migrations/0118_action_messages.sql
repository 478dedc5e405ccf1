-- The run of an action that has a message sent: what becomes of the message follows from the event of that run.
alter table messages add column run_guid uuid;

-- Whoever looks at an event sees what is known of its record as soon as that is read.
create trigger events_live after update on events for each row
  when (old.taken_at is null and new.taken_at is not null) execute function notify_change('Events');
