-- When an order became one, and when its customer was welcomed: once. Orders from before have neither, and get no email.
alter table orders add column confirmed_at timestamptz, add column welcomed_at timestamptz;
create index orders_by_confirmed on orders (confirmed_at, guid) where confirmed_at is not null;

-- Since when emails that nobody writes go out; null: they don’t. What was confirmed or due before is not caught up.
-- A business without a row sends them since it was created.
create table automatic_emails (
  business_guid uuid constraint automatic_emails_key primary key references businesses,
  version int not null default 1,
  welcome_since timestamptz,
  follow_up_since timestamptz,
  updated_at timestamptz not null default now(),
  updated_by uuid references users
);
create index automatic_emails_updated_by on automatic_emails (updated_by);
insert into automatic_emails (business_guid, welcome_since, follow_up_since) select guid, now(), now() from businesses;

-- Follow-ups that were sent, each once.
create table quote_follow_ups (
  quote_guid uuid not null references quotes,
  step text not null constraint quote_follow_up_step check (step in ('after_3', 'after_7', 'before_expiry')),
  sent_at timestamptz not null,
  message_guid uuid not null references messages,
  constraint quote_follow_ups_key primary key (quote_guid, step)
);
create index quote_follow_ups_message on quote_follow_ups (message_guid);
create index quotes_waiting_by_sent on quotes (sent_at) where status = 'sent' and archived_at is null;
create index quotes_waiting_by_valid on quotes (valid_until) where status = 'sent' and archived_at is null;

-- Days on which an invoice was told to be overdue, each once.
create table invoice_overdues (
  invoice_guid uuid not null references invoices,
  due_on date not null,
  at timestamptz not null,
  constraint invoice_overdues_key primary key (invoice_guid, due_on)
);
