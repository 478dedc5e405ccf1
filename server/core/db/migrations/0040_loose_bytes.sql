-- Bytes in the file store that may be named by no row: those that were just kept, and those that a row has stopped naming.
-- A row here is what keeping bytes and taking them away wait for each other by.
create table loose_bytes (
  sha256 text constraint loose_bytes_key primary key,
  since timestamptz not null default now()
);
create index loose_bytes_since on loose_bytes (since);

-- The arguments are the columns that name bytes.
create function loosen_bytes() returns trigger language plpgsql as $$
declare
  field text;
  before text;
  after text;
begin
  foreach field in array tg_argv loop
    before := to_jsonb(old) ->> field;
    after := case when tg_op = 'UPDATE' then to_jsonb(new) ->> field end;
    if before is not null and before is distinct from after then
      insert into loose_bytes (sha256) values (before) on conflict (sha256) do update set since = now();
    end if;
  end loop;
  return null;
end $$;
create trigger loosen_bytes after update of logo_sha256 or delete on businesses
  for each row execute function loosen_bytes('logo_sha256');
create trigger loosen_bytes after update of avatar_sha256 or delete on users
  for each row execute function loosen_bytes('avatar_sha256');
create trigger loosen_bytes after update of file_sha256 or delete on document_pdfs
  for each row execute function loosen_bytes('file_sha256');
create trigger loosen_bytes after update of raw_sha256 or delete on messages
  for each row execute function loosen_bytes('raw_sha256');
create trigger loosen_bytes after update of view_sha256, thumb_sha256 or delete on files
  for each row execute function loosen_bytes('sha256', 'original_sha256', 'view_sha256', 'thumb_sha256');
