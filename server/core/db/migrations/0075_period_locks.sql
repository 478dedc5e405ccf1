-- Up to which day the books of a legal entity are closed. The newest row counts; one that opens them again lapses by
-- itself, and then the row before it counts again.
create table period_locks (
  id bigint generated always as identity,
  guid uuid constraint period_locks_key primary key,
  business_guid uuid not null,
  locked_through date not null,
  reason text constraint period_lock_reason check (length(reason) between 10 and 500),
  reopens_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  created_by uuid references users,
  constraint period_lock_business foreign key (business_guid) references businesses,
  constraint period_unlock_has_reason check (reopens_until is null or reason is not null)
);
create index period_locks_newest on period_locks (business_guid, id);
create index period_locks_created_by on period_locks (created_by) where created_by is not null;
create trigger period_locks_append_only before update or delete on period_locks for each row execute function refuse_change();
create trigger period_locks_no_truncate before truncate on period_locks for each statement execute function refuse_change();

-- The last locked day of a legal entity at a moment; null: nothing is locked.
create function locked_through(entity uuid, moment timestamptz) returns date language sql stable as $$
  select k.locked_through from period_locks k
    where k.business_guid = entity and (k.reopens_until is null or k.reopens_until > moment)
    order by k.id desc limit 1
$$;

-- Whoever locks holds the row of the entity for himself: a posting is there before, or sees the lock.
create function refuse_locked() returns trigger language plpgsql as $$
declare
  through date;
begin
  perform from businesses where guid = new.entity_guid for key share;
  through := locked_through(new.entity_guid, now());
  if new.posted_on <= through then
    raise exception 'the books are locked through %', through using errcode = 'check_violation', constraint = 'period_locked',
      table = 'journal_entries', detail = new.posted_on || ' ' || through || ' '
        || (select b.bas_cycle from businesses b where b.guid = new.entity_guid);
  end if;
  return null;
end $$;
create trigger journal_entries_unlocked after insert on journal_entries for each row execute function refuse_locked();
