-- Lists of quotes that were lost, by why.
create index quotes_lost on quotes (business_guid, (decline ->> 'reasonCode'), created_at, guid)
  where decline is not null and archived_at is null;
