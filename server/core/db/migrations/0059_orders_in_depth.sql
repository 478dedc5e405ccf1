-- What an order has beside its lines: a word of the business's own for where it stands, who works on it, what is to be checked, what
-- it cost.

create table order_substatuses (
  guid uuid primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  core text not null constraint order_substatus_core check (core in ('draft', 'pending_confirmation', 'confirmed', 'in_progress', 'on_hold', 'completed', 'closed', 'cancelled')),
  label text not null,
  colour text not null constraint order_substatus_colour check (colour in ('grey', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink')),
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz,
  -- what orders refer to: a sub-status with its status
  constraint order_substatus_of_core unique (guid, core)
);
create unique index order_substatus_taken on order_substatuses (business_guid, core, lower(label)) where archived_at is null;
create index order_substatuses_by_label on order_substatuses (business_guid, label, guid);
create index order_substatuses_created_by on order_substatuses (created_by);
create index order_substatuses_updated_by on order_substatuses (updated_by);

alter table orders add column substatus_guid uuid;
alter table orders add constraint orders_substatus foreign key (substatus_guid, status) references order_substatuses (guid, core);
create index orders_by_substatus on orders (substatus_guid, created_at, guid) where substatus_guid is not null;
-- A sub-status belongs to one status: whoever leaves that, leaves it.
create function clear_substatus() returns trigger language plpgsql as $$
begin
  if new.substatus_guid is not distinct from old.substatus_guid then new.substatus_guid := null; end if;
  return new;
end $$;
create trigger orders_leave_substatus before update of status on orders for each row
  when (new.status <> old.status and new.substatus_guid is not null) execute function clear_substatus();

-- Who works along; the lead stands on the order.
create table order_people (
  order_guid uuid not null references orders,
  user_guid uuid not null references users,
  constraint order_people_key primary key (order_guid, user_guid)
);
create index order_people_user on order_people (user_guid, order_guid);

-- As the job type had them when the order was made.
create table order_checks (
  order_guid uuid not null references orders,
  code text not null,
  position int not null,
  label text not null,
  is_required boolean not null,
  done_at timestamptz,
  done_by uuid references users,
  constraint order_checks_key primary key (order_guid, code),
  constraint order_check_done check (done_by is null or done_at is not null)
);
create index order_checks_done_by on order_checks (done_by) where done_by is not null;

create table order_costs (
  guid uuid constraint order_costs_key primary key default new_guid(),
  order_guid uuid not null references orders,
  spent_on date not null,
  body text not null constraint order_cost_length check (length(body) between 1 and 120),
  -- below zero corrects an earlier one
  cents bigint not null constraint order_cost_amount check (cents <> 0 and abs(cents) <= 1000000000000),
  added_at timestamptz not null,
  added_by uuid references users
);
create index order_costs_order on order_costs (order_guid, spent_on, guid);
create index order_costs_added_by on order_costs (added_by) where added_by is not null;
create trigger order_costs_append_only before update or delete on order_costs for each row execute function refuse_change();

alter table orders drop constraint orders_invoice_status_check;
alter table orders add constraint orders_invoice_status_check
  check (invoice_status in ('nothing_to_invoice', 'to_invoice', 'partially_invoiced', 'invoiced', 'over_invoiced'));

-- Whoever does the work ticks what is checked on site.
insert into permissions (role_guid, subject, action, conditions, note)
select distinct r.guid, 'Orders:Check:Guid', 'update', p.conditions, p.note from roles r
join permissions p on p.role_guid = r.guid and p.subject = 'Orders:Status:Guid' and p.action = 'update' and not p.inverted
where r.name = 'Field' and r.kind = 'staff' and not exists (select from permissions c where c.role_guid = r.guid and c.subject = 'Orders:Check:Guid');
