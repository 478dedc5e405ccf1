-- In which order work is to be done: open orders by their planned day, then those without one, then what is finished, the last first.
alter table orders add column next_scheduled integer not null generated always as (
  case
    when status in ('completed', 'closed', 'cancelled') then 2000000 - coalesce(scheduled_on - date '2000-01-01', -500000)
    else coalesce(scheduled_on - date '2000-01-01', 1000000)
  end
) stored;
create index orders_by_next on orders (business_guid, next_scheduled, guid) where archived_at is null;
create index orders_by_status_next on orders (business_guid, status, next_scheduled, guid) where archived_at is null;
create index orders_assigned_next on orders (assigned_guid, next_scheduled, guid) where archived_at is null;
