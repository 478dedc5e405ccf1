-- What became of a template follows from what it has: put away, in use by a version, or still being written.
alter table templates drop constraint template_in_use_has_version, drop constraint template_archived,
  drop constraint template_default_in_use, drop constraint template_status, drop column status;
alter table templates add column status text not null generated always as (case when archived_at is not null then 'archived'
  when active_version_guid is not null then 'active' else 'draft' end) stored;
alter table templates add constraint template_default_in_use
  check (not is_default or (active_version_guid is not null and archived_at is null));
