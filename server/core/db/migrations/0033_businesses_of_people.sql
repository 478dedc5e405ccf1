-- The business a person used last: where a call names none it works there.
alter table users add column last_business uuid constraint users_last_business references businesses;
create index users_last_business on users (last_business) where last_business is not null;

-- Somebody must be left who works everywhere, and can give others more than they have.
create or replace function keep_super_user() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(70001);
  if not exists (
    select from users u join roles r on r.guid = u.role_guid join permissions p on p.role_guid = r.guid
    where u.status = 'active' and r.archived_at is null and u.business_guids = '{}'
      and p.enabled and not p.inverted and p.action = 'manage' and p.subject = 'all'
  ) then
    raise exception 'no super user would remain' using errcode = 'check_violation', constraint = 'users_super_user_remains';
  end if;
  return null;
end
$$;
create constraint trigger users_super_user_works_everywhere after update of business_guids on users
  deferrable initially deferred for each row when (old.business_guids = '{}' and new.business_guids <> '{}')
  execute function keep_super_user();
