-- When a version of a theme was first worn: only such a version is gone back to.
alter table theme_versions add column activated_at timestamptz;

create or replace function keep_theme_versions() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.activated_at is null
    and to_jsonb(new) - 'activated_at' = to_jsonb(old) - 'activated_at' then return new; end if;
  raise exception 'a version of a theme does not change'
    using errcode = 'restrict_violation', constraint = 'theme_versions_are_kept';
end $$;

create function note_worn_version() returns trigger language plpgsql as $$
begin
  update theme_versions set activated_at = new.updated_at where guid = new.active_guid and activated_at is null;
  return null;
end $$;
create trigger themes_version_worn after insert or update of active_guid on themes
  for each row execute function note_worn_version();

update theme_versions v set activated_at = coalesce(
    (select min(a.at) from audit_log a where a.entity = 'Themes' and a.entity_guid = v.theme_guid
      and a.action in ('theme.activated', 'theme.rolled_back') and (a.after ->> 'number')::int = v.number),
    v.created_at)
where exists (select from themes t where t.active_guid = v.guid)
  or exists (select from audit_log a where a.entity = 'Themes' and a.entity_guid = v.theme_guid
    and a.action in ('theme.activated', 'theme.rolled_back')
    and v.number in ((a.after ->> 'number')::int, (a.before ->> 'number')::int));
