-- A quote may be paid in stages instead of one deposit; its order keeps them with their amounts. One that is billed is a deposit
-- invoice, the last one is the final invoice, which credits them.
alter table quotes add column schedule jsonb constraint quote_schedule_shape check (jsonb_typeof(schedule) = 'array');
create table order_stages (
  guid uuid constraint order_stages_key primary key default new_guid(),
  order_guid uuid not null references orders,
  position integer not null constraint order_stage_position check (position > 0),
  label text not null constraint order_stage_label check (length(label) between 1 and 80),
  -- GST included
  cents bigint not null constraint order_stage_cents check (cents >= 0),
  due_type text not null constraint order_stage_due_known check (due_type in ('acceptance', 'start', 'completion', 'day')),
  due_on date,
  -- when people were told that it is to be billed
  told_at timestamptz,
  constraint order_stage_due_day check ((due_type = 'day') = (due_on is not null)),
  constraint order_stages_order unique (order_guid, position)
);
create index order_stages_waiting on order_stages (due_on) where told_at is null and due_on is not null;
alter table invoices add column stage_guid uuid references order_stages;
create unique index invoice_of_stage on invoices (stage_guid) where stage_guid is not null and status <> 'void' and archived_at is null;
