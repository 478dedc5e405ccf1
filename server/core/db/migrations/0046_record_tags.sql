-- Words of people's own on records, by which lists are narrowed. Of customers that were merged each keeps his; reads ask the family.
create table record_tags (
  guid uuid constraint record_tags_key primary key default new_guid(),
  -- of the record: its business, or the pool it is of
  business_guid uuid not null references businesses,
  noun text not null,
  record_guid uuid not null,
  tag text not null constraint record_tag_length check (length(tag) between 1 and 40 and tag !~ '[,;]'),
  tag_key text not null generated always as (lower(tag)) stored,
  created_at timestamptz not null default now(),
  created_by uuid references users
);
create unique index record_tag_once on record_tags (record_guid, tag_key, noun);
create index record_tags_by_tag on record_tags (business_guid, noun, tag_key, record_guid);
create index record_tags_created_by on record_tags (created_by);

-- Open screens show the record anew.
create function tell_tagged() returns trigger language plpgsql as $$
declare
  tagged record_tags := coalesce(new, old);
begin
  if current_setting('app.quiet', true) = 'on' then return null; end if;
  perform pg_notify('live', json_build_object('noun', tagged.noun, 'guid', tagged.record_guid, 'businessGuid', tagged.business_guid)::text);
  return null;
end $$;
create trigger record_tags_live after insert or delete on record_tags for each row execute function tell_tagged();
