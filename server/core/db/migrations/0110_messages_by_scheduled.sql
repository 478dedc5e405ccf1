-- The list in the order in which messages are to go out.
create index messages_by_scheduled on messages (business_guid, scheduled_at, guid);
