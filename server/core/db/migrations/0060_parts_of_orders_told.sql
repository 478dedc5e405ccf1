-- What was ticked on site and what was spent is told at once, as a change of its order; words for orders as changes of their own.
create function tell_order_of_part() returns trigger language plpgsql as $$
begin
  if current_setting('app.quiet', true) = 'on' then return null; end if;
  perform pg_notify('live', json_build_object('noun', 'Orders', 'guid', o.guid, 'businessGuid', o.business_guid)::text)
  from orders o where o.guid = new.order_guid;
  return null;
end
$$;
create trigger order_checks_live after update on order_checks for each row execute function tell_order_of_part();
create trigger order_costs_live after insert on order_costs for each row execute function tell_order_of_part();
create trigger order_substatuses_live after insert or update on order_substatuses for each row execute function notify_change('Substatuses');
