-- Which quotes were won and lost, when, and to whom.

-- The instants are kept as ISO 8601 in UTC, so that no setting decides what they mean.
create function answered_at(status text, acceptance jsonb, decline jsonb) returns timestamptz language sql immutable parallel safe as
  $$ select case when status in ('accepted', 'converted') then acceptance ->> 'at' when status = 'declined' then decline ->> 'at' end::timestamptz $$;
alter table quotes
  -- who got the job instead
  add column competitor text constraint quote_competitor_length check (length(competitor) between 1 and 120),
  -- when it was accepted or declined, while that is how it stands; one that ran out has its last day
  add column answered_at timestamptz generated always as (answered_at(status, acceptance, decline)) stored;
create index quotes_answered on quotes (business_guid, answered_at) where archived_at is null and answered_at is not null;
analyze quotes;
