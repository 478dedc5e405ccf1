-- A file is told by the record it hangs on alone: whose rows that record is among is asked where it matters. The business the
-- file was sent in may be another one's, or a brand beside the pool. What hangs on a site is told as a change of its customer.
create or replace function notify_owners(of_file uuid, of_owner text, of_guid uuid) returns void language plpgsql as $$
begin
  if current_setting('app.quiet', true) = 'on' then return; end if;
  perform pg_notify('live', json_build_object('noun', o.noun, 'guid', o.guid)::text)
    from (
      select distinct case when s.guid is null then a.owner_noun else 'Customers' end as noun,
        coalesce(s.customer_guid, a.owner_guid) as guid
      from (
        select of_owner as owner_noun, of_guid as owner_guid where of_owner is not null
        union
        select owner_noun, owner_guid from attachments
          where of_owner is null and file_guid = of_file and detached_at is null
      ) a left join sites s on a.owner_noun = 'Sites' and s.guid = a.owner_guid
    ) o;
end $$;

-- Open screens hear when the first file is found damaged, and when none is any more.
create function notify_damaged() returns trigger language plpgsql as $$
begin
  if not exists (select from app_state where key like 'damaged:%' and key <> coalesce(new.key, old.key)) then
    perform pg_notify('live', json_build_object('noun', 'Maintenance', 'guid', null)::text);
  end if;
  return null;
end
$$;
create trigger app_state_damaged_live after insert on app_state
  for each row when (new.key like 'damaged:%') execute function notify_damaged();
create trigger app_state_mended_live after delete on app_state
  for each row when (old.key like 'damaged:%') execute function notify_damaged();
