-- The day that something received on a day is posted on in the books of a business: that day, or the first one after what
-- is locked. Nobody locks these books until the transaction is over. In one call, so that money waits for it once.
create function first_unlocked_day(business uuid, received date, moment timestamptz) returns date language plpgsql as $$
declare
  entity uuid;
begin
  select e.guid into strict entity from businesses e join businesses b on b.entity_guid = e.guid where b.guid = business
    for key share of e;
  return greatest(received, locked_through(entity, moment) + 1);
end $$;
