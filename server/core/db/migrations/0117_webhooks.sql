-- Addresses of other programs that actions send events to. Secrets are sealed to the webhook; the one before signs along until
-- old_until.
create table webhooks (
  guid uuid constraint webhooks_key primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  name text not null constraint webhook_name check (length(name) between 1 and 80),
  url text not null constraint webhook_url check (length(url) between 1 and 2000),
  status text not null default 'active' constraint webhook_status_known check (status in ('active', 'paused')),
  paused_reason text constraint webhook_paused_reason_known check (paused_reason in ('person', 'gone')),
  secret text not null,
  old_secret text,
  old_until timestamptz,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz,
  constraint webhook_paused_why check ((status = 'paused') = (paused_reason is not null)),
  constraint webhook_old_secret_ends check ((old_secret is null) = (old_until is null))
);
create unique index webhook_name_taken on webhooks (business_guid, lower(name)) where archived_at is null;
create index webhooks_by_age on webhooks (business_guid, created_at, guid);
create index webhooks_created_by on webhooks (created_by);
create index webhooks_updated_by on webhooks (updated_by);
create trigger webhooks_live after insert or update on webhooks
  for each row execute function notify_change('Webhooks');

-- One event on its way to one address. The body is kept as it was handed over: every try sends the same.
create table webhook_deliveries (
  guid uuid constraint webhook_deliveries_key primary key,
  webhook_guid uuid not null constraint webhook_delivery_webhook references webhooks,
  event_guid uuid not null,
  event text not null,
  number text,
  body text not null,
  is_test boolean not null default false,
  state text not null default 'waiting'
    constraint webhook_delivery_state_known check (state in ('waiting', 'delivered', 'failed')),
  attempts int not null default 0,
  status int,
  said text constraint webhook_delivery_said check (length(said) <= 1024),
  created_at timestamptz not null,
  -- When the tries began that are being made: they end a day later.
  first_at timestamptz,
  tried_at timestamptz,
  next_at timestamptz,
  -- A process is at it until then; one that died leaves it to the next.
  lease_until timestamptz,
  constraint webhook_delivery_next check ((state = 'waiting') = (next_at is not null)),
  constraint webhook_delivery_lease check (state = 'waiting' or lease_until is null)
);
create index webhook_deliveries_of on webhook_deliveries (webhook_guid, created_at desc, guid desc);
create index webhook_deliveries_due on webhook_deliveries (webhook_guid, next_at) where state = 'waiting';
create index webhook_deliveries_by_age on webhook_deliveries (coalesce(tried_at, created_at));

-- Whoever looks at a webhook sees what became of its deliveries.
create function notify_webhook() returns trigger language plpgsql as $$
begin
  if current_setting('app.quiet', true) = 'on' then return null; end if;
  perform pg_notify('live', json_build_object('noun', 'Webhooks', 'guid', w.guid, 'businessGuid', w.business_guid)::text)
    from webhooks w where w.guid = new.webhook_guid;
  return null;
end
$$;
create trigger webhook_deliveries_live after insert or update on webhook_deliveries
  for each row execute function notify_webhook();
