-- Files: documents and photos that people send and hang on records.
alter table businesses
  add column photo_location text not null default 'strip'
  constraint business_photo_location check (photo_location in ('strip', 'keep'));

-- What is known of the bytes, which are kept by their hash. The same bytes may be several files.
create table files (
  guid uuid constraint files_key primary key default new_guid(),
  business_guid uuid not null references businesses,
  name text not null constraint file_name_length check (length(name) between 1 and 200),
  mime text not null,
  bytes integer not null constraint file_bytes check (bytes >= 0),
  sha256 text not null,
  -- of a picture whose place is kept: the bytes as they were sent
  original_sha256 text,
  view_sha256 text,
  thumb_sha256 text,
  width integer,
  height integer,
  taken_at timestamptz,
  lat double precision,
  lng double precision,
  scan text not null default 'off' constraint file_scan check (scan in ('off', 'waiting', 'clean', 'infected')),
  created_at timestamptz not null default now(),
  created_by uuid references users
);
create index files_business on files (business_guid);
create index files_created_by on files (created_by);
create index files_by_created on files (created_at, guid);
create index files_waiting on files (created_at) where scan = 'waiting';

-- A file stays what it is: only whether it was checked, and what was drawn of it, is found out later.
create function keep_files() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - array['scan', 'view_sha256', 'thumb_sha256'])
    is distinct from (to_jsonb(old) - array['scan', 'view_sha256', 'thumb_sha256']) then
    raise exception 'a file does not change' using errcode = 'restrict_violation';
  end if;
  if old.scan in ('clean', 'infected') and new.scan <> old.scan then
    raise exception 'what a scan found is final' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_files before update on files for each row execute function keep_files();

-- An upload in parts, or a file that came whole: the key is the sender's own, so that sending again is safe.
create table uploads (
  guid uuid constraint uploads_key primary key default new_guid(),
  business_guid uuid not null references businesses,
  -- the user, or the session of a guest
  actor_guid uuid not null,
  client_key uuid not null,
  file_name text not null,
  bytes integer not null constraint upload_bytes check (bytes between 1 and 26214400),
  taken_at timestamptz,
  file_guid uuid references files on delete cascade,
  created_at timestamptz not null default now(),
  constraint upload_started unique (actor_guid, client_key)
);
create index uploads_business on uploads (business_guid);
create index uploads_file on uploads (file_guid);
create index uploads_open on uploads (actor_guid, created_at) where file_guid is null;

create table upload_parts (
  upload_guid uuid not null references uploads on delete cascade,
  part integer not null constraint upload_part_number check (part between 0 and 49),
  bytes bytea not null constraint upload_part_length check (length(bytes) between 1 and 524288),
  constraint upload_parts_key primary key (upload_guid, part)
);

create table attachments (
  guid uuid constraint attachments_key primary key default new_guid(),
  version integer not null default 1,
  file_guid uuid not null references files,
  -- a record of any noun that files hang on
  owner_noun text not null,
  owner_guid uuid not null,
  place text constraint attachment_place_length check (length(place) <= 40),
  caption text constraint attachment_caption_length check (length(caption) <= 200),
  for_customer boolean not null default false,
  detached_at timestamptz,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users
);
create index attachments_by_owner on attachments (owner_guid, created_at, guid) where detached_at is null;
create index attachments_detached on attachments (owner_guid, created_at, guid) where detached_at is not null;
create index attachments_file on attachments (file_guid);
create index attachments_created_by on attachments (created_by);
create index attachments_updated_by on attachments (updated_by);
-- Attaching again what hangs there already changes nothing.
create unique index attachment_hangs_there on attachments (file_guid, owner_guid, owner_noun, coalesce(place, ''))
  where detached_at is null;
