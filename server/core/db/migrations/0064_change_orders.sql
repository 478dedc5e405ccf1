-- What an order came to when it was agreed, and each change of it since: signed by its customer, said by word, or made by the office.
alter table orders add column contract_cents bigint;
update orders set contract_cents = total_cents where quote_guid is not null;
create table change_orders (
  guid uuid constraint change_orders_key primary key default new_guid(),
  order_guid uuid not null references orders,
  -- counts from one in its order: CO-1
  position integer not null constraint change_order_position check (position > 0),
  title text not null constraint change_order_title check (length(title) between 1 and 120),
  note text constraint change_order_note check (length(note) between 1 and 2000),
  status text not null constraint change_order_status_known check (status in ('draft', 'sent', 'accepted', 'declined', 'cancelled')),
  actions jsonb not null constraint change_order_actions check (jsonb_typeof(actions) = 'array'),
  -- as it is shown, and as it is priced: what is done when somebody agrees
  lines jsonb not null constraint change_order_lines check (jsonb_typeof(lines) = 'array'),
  resolved jsonb not null constraint change_order_resolved check (jsonb_typeof(resolved) = 'array'),
  -- GST included
  delta_cents bigint not null,
  contract_before_cents bigint not null,
  contract_after_cents bigint not null,
  -- canonical JSON of what its customer reads, under its hash; once it is sent or recorded
  content text,
  sha256 text constraint change_order_hash_shape check (sha256 ~ '^[0-9a-f]{64}$'),
  sent_at timestamptz,
  acceptance jsonb,
  decline jsonb,
  created_at timestamptz not null,
  created_by uuid references users,
  constraint change_order_sum check (contract_after_cents = contract_before_cents + delta_cents),
  constraint change_order_answer check ((status = 'accepted') = (acceptance is not null) and (status = 'declined') = (decline is not null)),
  constraint change_order_frozen check ((content is null) = (sha256 is null) and (sha256 is not null or status in ('draft', 'cancelled'))),
  constraint change_orders_order unique (order_guid, position)
);
create unique index change_order_waiting on change_orders (order_guid) where status = 'sent';
create index change_orders_created_by on change_orders (created_by) where created_by is not null;

-- What was sent is what is signed: after that it is only answered or taken back.
create function freeze_change_order() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.status not in ('draft', 'sent')
    or new.guid <> old.guid or new.order_guid <> old.order_guid or new.position <> old.position
    or (old.status = 'sent' and (new.status in ('draft', 'sent')
      or (to_jsonb(new) - array['status', 'acceptance', 'decline']) is distinct from
        (to_jsonb(old) - array['status', 'acceptance', 'decline']))) then
    raise exception 'a change order that was sent stays as it is' using errcode = 'check_violation',
      constraint = 'change_order_is_frozen', table = 'change_orders';
  end if;
  return new;
end $$;
create trigger change_orders_frozen before update or delete on change_orders for each row execute function freeze_change_order();
create trigger change_orders_live after insert or update on change_orders for each row execute function tell_order_of_part();

-- Whoever may change an order may change its contract.
insert into permissions (role_guid, subject, action, conditions, note)
select distinct r.guid, 'Orders:Changes', a.action, p.conditions, p.note from roles r
join permissions p on p.role_guid = r.guid and p.subject = 'Orders:Update:Guid' and p.action = 'update' and not p.inverted
cross join (values ('read'), ('create'), ('update')) a(action)
where r.kind = 'staff' and not exists (select from permissions c where c.role_guid = r.guid and c.subject = 'Orders:Changes' and c.action = a.action);
-- Whoever signs a quote on its page signs changes of its order on its page.
insert into permissions (role_guid, subject, action, conditions, note)
select distinct r.guid, 'Service:Order', 'update', p.conditions, p.note from roles r
join permissions p on p.role_guid = r.guid and p.subject = 'Service:Quote' and p.action = 'update' and not p.inverted
where not exists (select from permissions c where c.role_guid = r.guid and c.subject = 'Service:Order' and c.action = 'update');
