-- What stood at the provider when a notice was put aside, so that a person sees it without asking there.
alter table webhook_outcomes add column provider_payment_id text, add column found jsonb, add column attempt_guid uuid references payment_attempts;
create index webhook_outcomes_attempt on webhook_outcomes (attempt_guid) where attempt_guid is not null;
create index webhook_outcomes_put_aside on webhook_outcomes (provider_payment_id, at) where outcome = 'quarantined';

-- What a person has decided on a payment that was put aside.
create table charge_releases (
  guid uuid primary key,
  event_guid uuid not null references webhook_events,
  provider text not null,
  provider_payment_id text not null,
  action text not null check (action in ('booked', 'refunded', 'dismissed')),
  payment_guid uuid references payments,
  note text,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  constraint charge_released_once unique (event_guid)
);
create index charge_releases_charge on charge_releases (provider, provider_payment_id, created_at);
create index charge_releases_payment on charge_releases (payment_guid) where payment_guid is not null;
create index charge_releases_created_by on charge_releases (created_by);
create trigger charge_releases_append_only before update or delete on charge_releases for each row execute function refuse_change();

-- A payment whose card holder disputes it; it is over when the business has won. A lost one stays.
create table payment_disputes (
  guid uuid primary key,
  payment_guid uuid not null references payments,
  opened_at timestamptz not null,
  closed_at timestamptz
);
create unique index payment_disputed_once on payment_disputes (payment_guid) where closed_at is null;
create index payment_disputes_payment on payment_disputes (payment_guid);
