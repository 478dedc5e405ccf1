-- Open screens are told anew whether there is maintenance and whether sending is on hold.
create function notify_state() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', json_build_object('noun', 'Maintenance', 'guid', null)::text);
  return null;
end
$$;
create trigger app_state_live after insert or update on app_state
  for each row when (new.key in ('maintenance', 'hold')) execute function notify_state();
create trigger app_state_ended_live after delete on app_state
  for each row when (old.key in ('maintenance', 'hold')) execute function notify_state();
