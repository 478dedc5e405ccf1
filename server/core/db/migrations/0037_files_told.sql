-- What hangs on a record is told to open screens as a change of that record: rights and rows are the record's.
create function notify_owners(of_file uuid, of_owner text, of_guid uuid) returns void language plpgsql as $$
begin
  if current_setting('app.quiet', true) = 'on' then return; end if;
  perform pg_notify('live', json_build_object(
      'noun', o.owner_noun, 'guid', o.owner_guid, 'businessGuid', f.business_guid)::text)
    from (
      select of_owner as owner_noun, of_guid as owner_guid where of_owner is not null
      union
      select a.owner_noun, a.owner_guid from attachments a
        where of_owner is null and a.file_guid = of_file and a.detached_at is null
    ) o, files f where f.guid = of_file;
end $$;

create function attachment_told() returns trigger language plpgsql as $$
begin
  perform notify_owners(new.file_guid, new.owner_noun, new.owner_guid);
  return null;
end $$;
create trigger attachment_told after insert or update on attachments for each row execute function attachment_told();

create function file_told() returns trigger language plpgsql as $$
begin
  perform notify_owners(new.guid, null, null);
  return null;
end $$;
create trigger file_told after update on files for each row execute function file_told();
