-- Addresses that nothing is sent to: all of it where a mail server said that they are gone, offers alone where somebody
-- asked for that. What was said stays; only that it was lifted is added.
create table suppressions (
  guid uuid constraint suppressions_key primary key default new_guid(),
  business_guid uuid not null references businesses,
  address text not null constraint suppression_address_shape check (address = lower(address) and length(address) between 3 and 254),
  scope text not null constraint suppression_scope_known check (scope in ('all', 'commercial')),
  reason text not null constraint suppression_reason_known check (reason in ('bounced', 'unsubscribed')),
  -- what the other server said
  said text constraint suppression_said_length check (length(said) <= 300),
  -- the message that bounced, or whose link was followed
  message_guid uuid references messages,
  created_at timestamptz not null default now(),
  lifted_at timestamptz,
  lifted_by uuid references users,
  lift_reason text constraint suppression_lift_reason_length check (length(lift_reason) between 1 and 400),
  constraint suppression_lifted_whole check ((lifted_at is null) = (lift_reason is null)),
  constraint suppression_unsubscribed_offers check (reason <> 'unsubscribed' or scope = 'commercial')
);
create unique index suppression_in_force on suppressions (business_guid, address, scope) where lifted_at is null;
create index suppressions_by_created on suppressions (business_guid, created_at, guid) where lifted_at is null;
create index suppressions_message on suppressions (message_guid);
create index suppressions_lifted_by on suppressions (lifted_by);
create function keep_suppression() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.lifted_at is not null
    or (to_jsonb(new) - array['lifted_at', 'lifted_by', 'lift_reason'])
      is distinct from (to_jsonb(old) - array['lifted_at', 'lifted_by', 'lift_reason']) then
    raise exception 'a suppression is lifted, and never changed' using errcode = 'restrict_violation', constraint = 'suppressions_are_kept';
  end if;
  return new;
end $$;
create trigger suppressions_kept before update or delete on suppressions for each row execute function keep_suppression();
create trigger suppressions_live after insert or update on suppressions for each row execute function notify_change('Messages');

-- The personal links of offers. A link is 256 random bits, of which the hash is kept.
create table unsubscribe_links (
  token_hash text constraint unsubscribe_links_key primary key,
  business_guid uuid not null references businesses,
  message_guid uuid not null references messages,
  address text not null constraint unsubscribe_address_shape check (address = lower(address) and length(address) between 3 and 254),
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index unsubscribe_links_message on unsubscribe_links (message_guid);
create index unsubscribe_links_business on unsubscribe_links (business_guid);
