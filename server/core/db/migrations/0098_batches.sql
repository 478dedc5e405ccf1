-- Messages about many invoices: somebody puts them in a row, and they are sent one after another while the page is open. Each invoice of
-- a batch gets one message, however often it is asked for.
create table batches (
  guid uuid constraint batches_key primary key,
  business_guid uuid not null references businesses,
  user_guid uuid not null references users,
  template_guid uuid references templates,
  state text not null default 'open' constraint batch_state_known check (state in ('open', 'stopped', 'finished')),
  created_at timestamptz not null default now(),
  moved_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint batch_ended check ((state = 'finished') = (ended_at is not null))
);
create unique index batch_open_once on batches (user_guid) where state = 'open';
create index batches_by_user on batches (user_guid, created_at, guid);
create index batches_business on batches (business_guid);
create index batches_template on batches (template_guid);

create table batch_items (
  batch_guid uuid not null references batches,
  invoice_guid uuid not null references invoices,
  position int not null,
  state text not null default 'ready' constraint batch_item_state_known check (state in ('ready', 'skipped', 'done', 'failed')),
  message_guid uuid references messages,
  reason text constraint batch_item_reason_known check (reason in
    ('no_address', 'suppressed', 'not_issued', 'void', 'written_off', 'blocked', 'gone', 'passed_over', 'error')),
  constraint batch_item_once primary key (batch_guid, invoice_guid),
  constraint batch_item_place unique (batch_guid, position),
  constraint batch_item_done_has_message check ((state = 'done') = (message_guid is not null)),
  constraint batch_item_left_has_reason check ((state in ('skipped', 'failed')) = (reason is not null))
);
create index batch_items_invoice on batch_items (invoice_guid);
create unique index batch_items_message on batch_items (message_guid) where message_guid is not null;
create index batch_items_ready on batch_items (batch_guid, position) where state = 'ready';
