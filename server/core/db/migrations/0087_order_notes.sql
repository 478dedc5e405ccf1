-- What people write down about an order, for staff alone. Nothing that was written changes.
create table order_notes (
  guid uuid constraint order_notes_key primary key default new_guid(),
  order_guid uuid not null references orders,
  body text not null constraint order_note_length check (length(body) between 1 and 4000),
  created_at timestamptz not null,
  created_by uuid references users
);
create index order_notes_order on order_notes (order_guid, created_at, guid);
create index order_notes_created_by on order_notes (created_by) where created_by is not null;
create trigger order_notes_append_only before update or delete on order_notes for each row execute function refuse_change();

-- Whoever does the work writes notes on it.
insert into permissions (role_guid, subject, action, conditions, note)
select distinct r.guid, 'Orders:Note', 'create', p.conditions, p.note from roles r
join permissions p on p.role_guid = r.guid and p.subject = 'Orders:Status:Guid' and p.action = 'update' and not p.inverted
where r.name = 'Field' and r.kind = 'staff' and not exists (select from permissions c where c.role_guid = r.guid and c.subject = 'Orders:Note');
