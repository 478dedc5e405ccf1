-- The list of a span of days, of both directions.
create index messages_by_day on messages (business_guid, (coalesce(counted_at, case when direction = 'in' then created_at end)), guid);
analyze messages;
