-- What happened to the changes of an order, each chained to all before: the evidence of who agreed to what, as quotes have it.
create table change_events (
  guid uuid constraint change_events_key primary key default new_guid(),
  order_guid uuid not null references orders,
  change_guid uuid not null references change_orders,
  -- counts from one in all changes of an order
  position integer not null constraint change_event_position check (position > 0),
  reason text not null constraint change_event_reason_known check (reason in ('sent', 'accepted', 'declined', 'cancelled', 'edited')),
  happened_at timestamptz not null,
  -- what is said of it in the evidence, to the letter, and the hash of all that was said until then
  event text not null,
  chain_sha256 text not null constraint change_event_chain_shape check (chain_sha256 ~ '^[0-9a-f]{64}$'),
  constraint change_event_order unique (order_guid, position)
);
create index change_events_change on change_events (change_guid);
create trigger change_events_append_only before update or delete on change_events for each row execute function refuse_change();
