-- The business, its customers and its documents. Money is integer cents, rates are basis points, days are dates in the
-- business's time zone, instants are timestamptz.

create table businesses (
  guid uuid primary key,
  version int not null default 1,
  legal_name text not null,
  trading_name text,
  abn text constraint business_abn_shape check (abn ~ '^\d{11}$'),
  gst_registered boolean not null default true,
  email text,
  phone text,
  website text,
  address jsonb,
  bank_account jsonb,
  default_terms_days int not null default 14 check (default_terms_days between 0 and 365),
  default_validity_days int not null default 30 check (default_validity_days between 1 and 365),
  default_deposit_rule jsonb not null default '{"type":"none"}',
  default_price_mode text not null default 'exclusive' check (default_price_mode in ('exclusive', 'inclusive')),
  rounding_rule text not null default 'total_invoice' check (rounding_rule in ('total_invoice', 'taxable_supply')),
  quote_terms text,
  invoice_notes text,
  primary_colour text not null default '#7367F0',
  time_zone text not null default 'Australia/Sydney',
  logo_sha256 text,
  logo_mime text,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz
);
create index businesses_created_by on businesses (created_by);
create index businesses_updated_by on businesses (updated_by);

-- One row per business and kind: the only thing two issues of the same kind ever wait for.
create table number_counters (
  business_guid uuid not null references businesses,
  kind text not null check (kind in ('quote', 'order', 'invoice', 'adjustment_note', 'payment', 'refund')),
  prefix text not null,
  padding int not null check (padding between 1 and 10),
  next int not null check (next >= 1),
  first int not null,
  primary key (business_guid, kind)
);

-- Gives the next number of a kind. The row stays locked until the transaction ends, so a rollback leaves no gap:
-- call it as late as possible.
create function next_number(for_business uuid, of_kind text) returns text language sql as $$
  update number_counters set next = next + 1 where business_guid = for_business and kind = of_kind
  returning prefix || lpad((next - 1)::text, greatest(padding, length((next - 1)::text)), '0')
$$;

create table customers (
  guid uuid primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  kind text not null default 'business' check (kind in ('individual', 'business', 'government', 'charity', 'trust', 'partnership')),
  display_name text not null,
  abn text constraint customer_abn_shape check (abn ~ '^\d{11}$'),
  email text,
  phone text,
  billing_address jsonb,
  payment_terms_days int check (payment_terms_days between 0 and 365),
  internal_notes text,
  search_text text not null generated always as (lower(display_name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(abn, ''))) stored,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz
);
create extension if not exists pg_trgm;
create index customers_search on customers using gin (search_text gin_trgm_ops);
create index customers_by_name on customers (business_guid, display_name, guid) where archived_at is null;
create index customers_by_created on customers (business_guid, created_at, guid) where archived_at is null;
create index customers_created_by on customers (created_by);
create index customers_updated_by on customers (updated_by);

create table contacts (
  guid uuid primary key,
  customer_guid uuid not null references customers,
  name text not null,
  position text,
  email text,
  phone text,
  is_primary boolean not null default false,
  receives_quotes boolean not null default true,
  receives_invoices boolean not null default true,
  search_text text not null generated always as (lower(name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, ''))) stored,
  created_at timestamptz not null default now(),
  archived_at timestamptz
);
create index contacts_customer on contacts (customer_guid);
create index contacts_search on contacts using gin (search_text gin_trgm_ops);
create index contacts_by_name on contacts (name, guid) where archived_at is null;
create index contacts_by_created on contacts (created_at, guid) where archived_at is null;

create table sites (
  guid uuid primary key,
  customer_guid uuid not null references customers,
  name text not null,
  address jsonb not null,
  access_notes text,
  created_at timestamptz not null default now(),
  archived_at timestamptz
);
create index sites_customer on sites (customer_guid);

create table products (
  guid uuid primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  sku text,
  name text not null,
  kind text not null default 'service' check (kind in ('service', 'goods', 'hire', 'labour', 'fee')),
  description text,
  unit text not null default 'each',
  price_cents bigint not null check (price_cents >= 0),
  cost_cents bigint check (cost_cents >= 0),
  gst_code text not null default 'GST' check (gst_code in ('GST', 'FREE', 'EXPORT', 'INPUT_TAXED', 'NOT_REGISTERED')),
  search_text text not null generated always as (lower(name || ' ' || coalesce(sku, '') || ' ' || coalesce(description, ''))) stored,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz
);
create unique index product_sku_taken on products (business_guid, lower(sku)) where sku is not null and archived_at is null;
create index products_search on products using gin (search_text gin_trgm_ops);
create index products_by_name on products (business_guid, name, guid) where archived_at is null;
create index products_by_price on products (business_guid, price_cents, guid) where archived_at is null;
create index products_by_created on products (business_guid, created_at, guid) where archived_at is null;
create index products_created_by on products (created_by);
create index products_updated_by on products (updated_by);

-- Random address of a customer's page: unrelated to the record's own guid, revocable and reissuable.
create table service_links (
  guid uuid primary key,
  kind text not null check (kind in ('quote', 'order', 'invoice')),
  record_guid uuid not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create unique index service_links_one_open on service_links (kind, record_guid) where revoked_at is null;

create table quotes (
  guid uuid primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  number text,
  revision int not null default 0,
  previous_revision_guid uuid references quotes,
  title text not null,
  customer_guid uuid not null references customers,
  contact_guid uuid references contacts,
  site_guid uuid references sites,
  owner_guid uuid references users,
  status text not null default 'draft' check (status in ('draft', 'sent', 'changes_requested', 'accepted', 'declined', 'converted', 'cancelled', 'superseded')),
  price_mode text not null check (price_mode in ('exclusive', 'inclusive')),
  rounding_rule text not null check (rounding_rule in ('total_invoice', 'taxable_supply')),
  discount jsonb,
  valid_until date,
  deposit_rule jsonb,
  intro text,
  terms text,
  internal_notes text,
  subtotal_cents bigint not null default 0,
  discount_cents bigint not null default 0,
  gst_cents bigint not null default 0,
  total_cents bigint not null default 0,
  optional_total_cents bigint not null default 0,
  -- What the customer was shown, frozen when sent, and its hash; the acceptance is bound to the hash.
  snapshot jsonb,
  snapshot_sha256 text,
  sent_at timestamptz,
  first_viewed_at timestamptz,
  last_viewed_at timestamptz,
  view_count int not null default 0,
  acceptance jsonb,
  decline jsonb,
  change_request jsonb,
  cancel_reason text,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz,
  constraint quote_number_taken unique (business_guid, number, revision),
  constraint quote_sum check (subtotal_cents - discount_cents + gst_cents = total_cents),
  constraint quote_numbered check (status = 'draft' or status = 'cancelled' or number is not null)
);
create unique index quote_revised_once on quotes (previous_revision_guid) where previous_revision_guid is not null and status <> 'cancelled' and archived_at is null;
create index quotes_customer on quotes (customer_guid, created_at desc);
create index quotes_contact on quotes (contact_guid);
create index quotes_site on quotes (site_guid);
create index quotes_owner on quotes (owner_guid);
create index quotes_created_by on quotes (created_by);
create index quotes_updated_by on quotes (updated_by);
create index quotes_by_created on quotes (business_guid, created_at, guid) where archived_at is null;
create index quotes_by_status on quotes (business_guid, status, created_at, guid) where archived_at is null;
create index quotes_by_number on quotes (business_guid, number, guid) where archived_at is null;
create index quotes_by_total on quotes (business_guid, total_cents, guid) where archived_at is null;
create index quotes_by_valid on quotes (business_guid, valid_until, guid) where archived_at is null;
create index quotes_by_sent on quotes (business_guid, sent_at, guid) where archived_at is null;
create index quotes_by_title on quotes (business_guid, title, guid) where archived_at is null;
create index quotes_search on quotes using gin (lower(title || ' ' || coalesce(number, '')) gin_trgm_ops);

create table quote_lines (
  guid uuid primary key,
  quote_guid uuid not null references quotes,
  position int not null,
  kind text not null check (kind in ('item', 'labour', 'hire', 'section', 'text', 'discount', 'fee', 'deposit_credit')),
  product_guid uuid references products,
  name text not null,
  description text,
  quantity numeric(13, 4) not null default 1,
  unit text not null default 'each',
  unit_price_cents bigint not null default 0,
  discount jsonb,
  gst_code text not null default 'GST',
  is_optional boolean not null default false,
  alternative_group text,
  is_selected boolean not null default true,
  net_cents bigint not null default 0,
  gst_cents bigint not null default 0,
  total_cents bigint not null default 0
);
create index quote_lines_quote on quote_lines (quote_guid, position);
create index quote_lines_product on quote_lines (product_guid) where product_guid is not null;

create table orders (
  guid uuid primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  number text not null,
  title text not null,
  customer_guid uuid not null references customers,
  contact_guid uuid references contacts,
  site_guid uuid references sites,
  quote_guid uuid references quotes,
  owner_guid uuid references users,
  assigned_guid uuid references users,
  status text not null default 'confirmed' check (status in ('draft', 'pending_confirmation', 'confirmed', 'in_progress', 'on_hold', 'completed', 'closed', 'cancelled')),
  status_reason text,
  customer_reference text,
  scheduled_on date,
  started_at timestamptz,
  completed_at timestamptz,
  price_mode text not null check (price_mode in ('exclusive', 'inclusive')),
  rounding_rule text not null check (rounding_rule in ('total_invoice', 'taxable_supply')),
  discount jsonb,
  internal_notes text,
  subtotal_cents bigint not null default 0,
  discount_cents bigint not null default 0,
  gst_cents bigint not null default 0,
  total_cents bigint not null default 0,
  -- Where invoicing stands, kept by the orders service whenever an invoice of this order is drafted, archived, issued or voided.
  invoice_status text not null default 'to_invoice' check (invoice_status in ('nothing_to_invoice', 'to_invoice', 'partially_invoiced', 'invoiced')),
  invoiced_cents bigint not null default 0,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz,
  constraint order_number_taken unique (business_guid, number),
  -- A quote is decided once: whoever accepts second finds the order there.
  constraint order_of_quote_exists unique (quote_guid)
);
create index orders_customer on orders (customer_guid, created_at desc);
create index orders_contact on orders (contact_guid);
create index orders_site on orders (site_guid);
create index orders_owner on orders (owner_guid);
create index orders_assigned on orders (assigned_guid);
create index orders_created_by on orders (created_by);
create index orders_updated_by on orders (updated_by);
create index orders_by_created on orders (business_guid, created_at, guid) where archived_at is null;
create index orders_by_status on orders (business_guid, status, created_at, guid) where archived_at is null;
create index orders_by_invoice_status on orders (business_guid, invoice_status, created_at, guid) where archived_at is null;
create index orders_by_number on orders (business_guid, number, guid) where archived_at is null;
create index orders_by_total on orders (business_guid, total_cents, guid) where archived_at is null;
create index orders_by_scheduled on orders (business_guid, scheduled_on, guid) where archived_at is null;
create index orders_by_title on orders (business_guid, title, guid) where archived_at is null;
create index orders_search on orders using gin (lower(title || ' ' || number || ' ' || coalesce(customer_reference, '')) gin_trgm_ops);

create table order_lines (
  guid uuid primary key,
  order_guid uuid not null references orders,
  source_line_guid uuid references quote_lines,
  position int not null,
  kind text not null check (kind in ('item', 'labour', 'hire', 'section', 'text', 'discount', 'fee', 'deposit_credit')),
  product_guid uuid references products,
  name text not null,
  description text,
  quantity numeric(13, 4) not null default 1,
  unit text not null default 'each',
  unit_price_cents bigint not null default 0,
  discount jsonb,
  gst_code text not null default 'GST',
  is_optional boolean not null default false,
  alternative_group text,
  is_selected boolean not null default true,
  net_cents bigint not null default 0,
  gst_cents bigint not null default 0,
  total_cents bigint not null default 0,
  quantity_invoiced numeric(13, 4) not null default 0,
  constraint order_line_invoiced_within check (quantity_invoiced >= 0 and quantity_invoiced <= quantity)
);
create index order_lines_order on order_lines (order_guid, position);
create index order_lines_source on order_lines (source_line_guid) where source_line_guid is not null;
create index order_lines_product on order_lines (product_guid) where product_guid is not null;

create table invoices (
  guid uuid primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  number text,
  kind text not null default 'standard' check (kind in ('standard', 'deposit', 'progress', 'final', 'adjustment_note')),
  title text not null,
  status text not null default 'draft' check (status in ('draft', 'issued', 'void')),
  is_tax_invoice boolean not null default true,
  customer_guid uuid not null references customers,
  contact_guid uuid references contacts,
  site_guid uuid references sites,
  order_guid uuid references orders,
  quote_guid uuid references quotes,
  adjusts_invoice_guid uuid references invoices,
  adjustment_reason text,
  owner_guid uuid references users,
  reference text,
  issue_on date,
  due_on date,
  terms_days int not null default 14 check (terms_days between 0 and 365),
  price_mode text not null check (price_mode in ('exclusive', 'inclusive')),
  rounding_rule text not null check (rounding_rule in ('total_invoice', 'taxable_supply')),
  discount jsonb,
  notes text,
  internal_notes text,
  subtotal_cents bigint not null default 0,
  discount_cents bigint not null default 0,
  gst_cents bigint not null default 0,
  total_cents bigint not null default 0,
  deposit_applied_cents bigint not null default 0,
  -- Kept by triggers on the append-only rows they are sums of; verify-ledger proves them.
  paid_cents bigint not null default 0,
  credited_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  balance_cents bigint not null generated always as (case when status = 'issued' and kind <> 'adjustment_note' then total_cents - credited_cents - (paid_cents - refunded_cents) else 0 end) stored,
  payment_status text not null generated always as (
    case
      when refunded_cents > 0 and paid_cents = refunded_cents then 'refunded'
      when refunded_cents > 0 then 'partially_refunded'
      when status = 'issued' and kind <> 'adjustment_note' and total_cents - credited_cents - paid_cents <= 0 then 'paid'
      when paid_cents > 0 then 'partially_paid'
      else 'unpaid'
    end) stored,
  supplier jsonb,
  bill_to jsonb,
  snapshot jsonb,
  snapshot_sha256 text,
  issued_at timestamptz,
  sent_at timestamptz,
  first_viewed_at timestamptz,
  last_viewed_at timestamptz,
  view_count int not null default 0,
  voided_at timestamptz,
  void_reason text,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz,
  constraint invoice_number_taken unique (business_guid, number),
  constraint invoice_numbered check (status = 'draft' or number is not null),
  constraint invoice_sum check (subtotal_cents - discount_cents + gst_cents = total_cents),
  constraint balance_exceeded check (kind = 'adjustment_note' or status <> 'issued' or total_cents - credited_cents - (paid_cents - refunded_cents) >= 0),
  constraint refund_exceeded check (refunded_cents between 0 and paid_cents and credited_cents >= 0),
  constraint void_has_no_money check (status <> 'void' or paid_cents - refunded_cents = 0),
  constraint adjustment_points_back check (kind <> 'adjustment_note' or adjusts_invoice_guid is not null)
);
create unique index deposit_invoice_once on invoices (quote_guid) where kind = 'deposit' and status <> 'void' and archived_at is null;
create index invoices_customer on invoices (customer_guid, created_at desc);
create index invoices_contact on invoices (contact_guid);
create index invoices_site on invoices (site_guid);
create index invoices_order on invoices (order_guid);
create index invoices_quote on invoices (quote_guid);
create index invoices_adjusts on invoices (adjusts_invoice_guid) where adjusts_invoice_guid is not null;
create index invoices_owner on invoices (owner_guid);
create index invoices_created_by on invoices (created_by);
create index invoices_updated_by on invoices (updated_by);
create index invoices_by_created on invoices (business_guid, created_at, guid) where archived_at is null;
create index invoices_by_status on invoices (business_guid, status, payment_status, created_at, guid) where archived_at is null;
create index invoices_by_status_issue on invoices (business_guid, status, payment_status, issue_on, guid) where archived_at is null;
create index invoices_by_number on invoices (business_guid, number, guid) where archived_at is null;
create index invoices_by_total on invoices (business_guid, total_cents, guid) where archived_at is null;
create index invoices_by_balance on invoices (business_guid, balance_cents, guid) where archived_at is null;
create index invoices_by_issue on invoices (business_guid, issue_on, guid) where archived_at is null;
create index invoices_by_due on invoices (business_guid, due_on, guid) where archived_at is null;
create index invoices_by_title on invoices (business_guid, title, guid) where archived_at is null;
create index invoices_owing on invoices (business_guid, due_on) include (customer_guid, balance_cents) where status = 'issued' and balance_cents > 0 and archived_at is null;
create index invoices_customer_owing on invoices (customer_guid) include (balance_cents, due_on) where status = 'issued' and balance_cents > 0;
create index invoices_search on invoices using gin (lower(title || ' ' || coalesce(number, '') || ' ' || coalesce(reference, '')) gin_trgm_ops);

create table invoice_lines (
  guid uuid primary key,
  invoice_guid uuid not null references invoices,
  order_line_guid uuid references order_lines,
  deposit_invoice_guid uuid references invoices,
  position int not null,
  kind text not null check (kind in ('item', 'labour', 'hire', 'section', 'text', 'discount', 'fee', 'deposit_credit')),
  product_guid uuid references products,
  name text not null,
  description text,
  quantity numeric(13, 4) not null default 1,
  unit text not null default 'each',
  unit_price_cents bigint not null default 0,
  discount jsonb,
  gst_code text not null default 'GST',
  is_optional boolean not null default false,
  alternative_group text,
  is_selected boolean not null default true,
  net_cents bigint not null default 0,
  gst_cents bigint not null default 0,
  total_cents bigint not null default 0
);
create index invoice_lines_invoice on invoice_lines (invoice_guid, position);
create index invoice_lines_order_line on invoice_lines (order_line_guid) where order_line_guid is not null;
create index invoice_lines_deposit on invoice_lines (deposit_invoice_guid) where deposit_invoice_guid is not null;
create index invoice_lines_product on invoice_lines (product_guid) where product_guid is not null;

-- An issued document never changes: only what happens to it (money, views, sending, voiding) may move.
create function refuse_issued_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'issued documents cannot be deleted' using errcode = 'restrict_violation', constraint = 'issued_is_immutable';
  end if;
  -- Sums of money move only together with the append-only rows they are sums of: from their triggers, never directly.
  if (new.paid_cents, new.credited_cents, new.refunded_cents) is distinct from (old.paid_cents, old.credited_cents, old.refunded_cents) and pg_trigger_depth() < 2 then
    raise exception 'money on issued documents moves with payments and refunds only' using errcode = 'restrict_violation', constraint = 'issued_is_immutable';
  end if;
  if (to_jsonb(new) - array['version', 'status', 'payment_status', 'paid_cents', 'credited_cents', 'refunded_cents', 'balance_cents', 'sent_at', 'first_viewed_at', 'last_viewed_at', 'view_count', 'voided_at', 'void_reason', 'internal_notes', 'updated_at', 'updated_by'])
     <> (to_jsonb(old) - array['version', 'status', 'payment_status', 'paid_cents', 'credited_cents', 'refunded_cents', 'balance_cents', 'sent_at', 'first_viewed_at', 'last_viewed_at', 'view_count', 'voided_at', 'void_reason', 'internal_notes', 'updated_at', 'updated_by'])
     or (old.status = 'issued' and new.status not in ('issued', 'void')) or (old.status = 'void' and new.status <> 'void') then
    raise exception 'issued documents cannot be changed' using errcode = 'restrict_violation', constraint = 'issued_is_immutable';
  end if;
  return new;
end $$;
create trigger invoices_immutable before update or delete on invoices for each row when (old.status <> 'draft') execute function refuse_issued_change();

create function refuse_issued_line_change() returns trigger language plpgsql as $$
declare
  parent uuid := case when tg_op = 'DELETE' then old.invoice_guid else new.invoice_guid end;
begin
  if exists (select 1 from invoices where guid = parent and status <> 'draft')
     or (tg_op = 'UPDATE' and old.invoice_guid <> new.invoice_guid) then
    raise exception 'lines of issued documents cannot be changed' using errcode = 'restrict_violation', constraint = 'issued_is_immutable';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger invoice_lines_immutable before insert or update or delete on invoice_lines for each row execute function refuse_issued_line_change();

-- A card payment on its way. The row is committed before the provider is asked, so an answer that never comes is not forgotten.
create table payment_attempts (
  guid uuid primary key,
  business_guid uuid not null references businesses,
  invoice_guid uuid not null references invoices,
  amount_cents bigint not null check (amount_cents > 0),
  provider text not null,
  -- The key the provider knows the charge by; also how it is looked up when the answer was lost.
  provider_key text not null unique,
  provider_payment_id text,
  status text not null default 'processing' check (status in ('processing', 'requires_action', 'succeeded', 'failed')),
  action_url text,
  failure jsonb,
  method text not null default 'card',
  card jsonb,
  api_guid uuid,
  checks int not null default 0,
  next_check_at timestamptz,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  constraint provider_payment_known unique (provider, provider_payment_id)
);
create index payment_attempts_invoice on payment_attempts (invoice_guid);
create index payment_attempts_business on payment_attempts (business_guid);
create index payment_attempts_open on payment_attempts (next_check_at) where status in ('processing', 'requires_action');

create table payments (
  guid uuid primary key,
  business_guid uuid not null references businesses,
  number text not null,
  customer_guid uuid not null references customers,
  attempt_guid uuid references payment_attempts,
  method text not null,
  amount_cents bigint not null check (amount_cents > 0),
  received_on date not null,
  reference text,
  note text,
  provider text,
  provider_payment_id text,
  card jsonb,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  constraint payment_number_taken unique (business_guid, number),
  -- Browser and webhook may both bring the news: the payment is booked once.
  constraint attempt_paid_once unique (attempt_guid),
  constraint provider_payment_booked_once unique (provider, provider_payment_id)
);
create index payments_customer on payments (customer_guid);
create index payments_created_by on payments (created_by);
create index payments_by_created on payments (business_guid, created_at, guid);
create index payments_by_received on payments (business_guid, received_on, guid);
create index payments_by_amount on payments (business_guid, amount_cents, guid);
create index payments_search on payments using gin (lower(number || ' ' || coalesce(reference, '')) gin_trgm_ops);

create table payment_allocations (
  guid uuid primary key,
  payment_guid uuid not null references payments,
  invoice_guid uuid not null references invoices,
  cents bigint not null check (cents > 0),
  created_at timestamptz not null default now(),
  created_by uuid references users
);
create index payment_allocations_payment on payment_allocations (payment_guid);
create index payment_allocations_invoice on payment_allocations (invoice_guid);
create index payment_allocations_created_by on payment_allocations (created_by);

create table refund_attempts (
  guid uuid primary key,
  business_guid uuid not null references businesses,
  payment_guid uuid not null references payments,
  invoice_guid uuid references invoices,
  amount_cents bigint not null check (amount_cents > 0),
  reason_code text not null,
  note text,
  provider text,
  provider_key text not null unique,
  provider_refund_id text,
  status text not null default 'processing' check (status in ('processing', 'succeeded', 'failed')),
  failure jsonb,
  checks int not null default 0,
  next_check_at timestamptz,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  settled_at timestamptz
);
create index refund_attempts_payment on refund_attempts (payment_guid);
create index refund_attempts_invoice on refund_attempts (invoice_guid);
create index refund_attempts_business on refund_attempts (business_guid);
create index refund_attempts_created_by on refund_attempts (created_by);
create index refund_attempts_open on refund_attempts (next_check_at) where status = 'processing';

create table refunds (
  guid uuid primary key,
  business_guid uuid not null references businesses,
  number text not null,
  payment_guid uuid not null references payments,
  attempt_guid uuid not null references refund_attempts,
  invoice_guid uuid references invoices,
  adjustment_note_guid uuid references invoices,
  amount_cents bigint not null check (amount_cents > 0),
  gst_cents bigint not null default 0,
  reason_code text not null,
  note text,
  provider_refund_id text,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  constraint refund_number_taken unique (business_guid, number),
  constraint refund_booked_once unique (attempt_guid)
);
create index refunds_payment on refunds (payment_guid);
create index refunds_invoice on refunds (invoice_guid);
create index refunds_note on refunds (adjustment_note_guid);
create index refunds_created_by on refunds (created_by);

-- Reservations and sums that no road around the services can break. Each locks the row it depends on first.
create function check_refund_attempt() returns trigger language plpgsql as $$
declare
  paid bigint;
  given bigint;
begin
  select amount_cents into paid from payments where guid = new.payment_guid for update;
  select coalesce(sum(amount_cents), 0) into given from refund_attempts where payment_guid = new.payment_guid and status <> 'failed' and guid <> new.guid;
  if new.status <> 'failed' and given + new.amount_cents > paid then
    raise exception 'refunds exceed the payment' using errcode = 'check_violation', constraint = 'refund_exceeded';
  end if;
  return new;
end $$;
create trigger refund_attempts_within before insert or update on refund_attempts for each row execute function check_refund_attempt();

create function check_allocation() returns trigger language plpgsql as $$
declare
  paid bigint;
  allocated bigint;
begin
  select amount_cents into paid from payments where guid = new.payment_guid for update;
  select coalesce(sum(cents), 0) into allocated from payment_allocations where payment_guid = new.payment_guid;
  if allocated + new.cents > paid then
    raise exception 'allocations exceed the payment' using errcode = 'check_violation', constraint = 'allocation_exceeded';
  end if;
  update invoices set paid_cents = paid_cents + new.cents where guid = new.invoice_guid and status = 'issued' and kind <> 'adjustment_note';
  if not found then
    raise exception 'only issued invoices take payments' using errcode = 'check_violation', constraint = 'allocation_needs_issued';
  end if;
  return new;
end $$;
create trigger payment_allocations_apply before insert on payment_allocations for each row execute function check_allocation();

create function apply_refund() returns trigger language plpgsql as $$
begin
  if new.invoice_guid is not null then
    update invoices set refunded_cents = refunded_cents + new.amount_cents,
      credited_cents = credited_cents + case when new.adjustment_note_guid is null then 0 else new.amount_cents end
    where guid = new.invoice_guid;
  end if;
  return new;
end $$;
create trigger refunds_apply before insert on refunds for each row execute function apply_refund();

create table webhook_events (
  guid uuid primary key,
  provider text not null,
  event_id text not null,
  type text not null,
  payload jsonb not null,
  received_at timestamptz not null default now(),
  constraint webhook_event_known unique (provider, event_id)
);
-- What became of an event: separate, so that what was received is never rewritten.
create table webhook_outcomes (
  event_guid uuid primary key references webhook_events,
  outcome text not null check (outcome in ('done', 'ignored', 'quarantined')),
  reason text,
  at timestamptz not null default now()
);

create table journal_entries (
  guid uuid primary key,
  business_guid uuid not null references businesses,
  posted_on date not null,
  source text not null check (source in ('invoice', 'void', 'payment', 'adjustment_note', 'refund')),
  source_guid uuid not null,
  narrative text not null,
  created_at timestamptz not null default now(),
  constraint journal_posted_once unique (source, source_guid)
);
create index journal_entries_by_created on journal_entries (business_guid, created_at, guid);
create table journal_lines (
  entry_guid uuid not null references journal_entries,
  position int not null,
  account text not null,
  debit_cents bigint not null default 0 check (debit_cents >= 0),
  credit_cents bigint not null default 0 check (credit_cents >= 0),
  primary key (entry_guid, position),
  constraint journal_line_one_side check ((debit_cents = 0) <> (credit_cents = 0))
);
create function check_journal_balance() returns trigger language plpgsql as $$
begin
  if (select sum(debit_cents) <> sum(credit_cents) from journal_lines where entry_guid = new.entry_guid) then
    raise exception 'journal entry does not balance' using errcode = 'check_violation', constraint = 'journal_balances';
  end if;
  return null;
end $$;
create constraint trigger journal_balances after insert on journal_lines deferrable initially deferred for each row execute function check_journal_balance();

create trigger payments_append_only before update or delete on payments for each row execute function refuse_change();
create trigger payment_allocations_append_only before update or delete on payment_allocations for each row execute function refuse_change();
create trigger refunds_append_only before update or delete on refunds for each row execute function refuse_change();
create trigger journal_entries_append_only before update or delete on journal_entries for each row execute function refuse_change();
create trigger journal_lines_append_only before update or delete on journal_lines for each row execute function refuse_change();
create trigger webhook_events_append_only before update or delete on webhook_events for each row execute function refuse_change();

create table message_templates (
  guid uuid primary key,
  business_guid uuid not null references businesses,
  kind text not null,
  language text not null default 'en',
  subject text not null,
  -- Logic-less: variables of a fixed list only, escaped for where they stand.
  body text not null,
  button text,
  updated_at timestamptz not null default now(),
  constraint message_template_taken unique (business_guid, kind, language)
);

-- array_to_string is not immutable because of its element types; for text it is.
create function array_to_text(parts text[]) returns text language sql immutable parallel safe as $$ select array_to_string(parts, ' ') $$;

create table messages (
  guid uuid primary key,
  business_guid uuid not null references businesses,
  owner_type text check (owner_type in ('quote', 'order', 'invoice', 'payment', 'refund')),
  owner_guid uuid,
  owner_number text,
  customer_guid uuid references customers,
  template text,
  sender text not null,
  reply_to text,
  recipients text[] not null,
  subject text not null,
  body_html text not null,
  body_text text not null,
  -- [{ name, kind: quote|order|invoice, guid, sha256? }]: the bytes are rendered when it is sent and kept by content hash.
  attachments jsonb not null default '[]',
  status text not null default 'queued' check (status in ('draft', 'scheduled', 'queued', 'sending', 'sent', 'delivered', 'deferred', 'bounced', 'failed', 'cancelled', 'suppressed')),
  -- Fixed when queued: a mail that goes out twice after a crash is recognised as the same one.
  message_id text not null unique,
  attempts int not null default 0,
  next_attempt_at timestamptz,
  lease_until timestamptz,
  sent_at timestamptz,
  raw_sha256 text,
  failure_reason text,
  resend_of_guid uuid references messages,
  created_at timestamptz not null default now(),
  created_by uuid references users
);
create index messages_due on messages (next_attempt_at) where status in ('queued', 'deferred');
create index messages_leased on messages (lease_until) where status = 'sending';
create index messages_owner on messages (owner_type, owner_guid);
create index messages_customer on messages (customer_guid);
create index messages_resend_of on messages (resend_of_guid);
create index messages_created_by on messages (created_by);
create index messages_by_created on messages (business_guid, created_at, guid);
create index messages_by_status on messages (business_guid, status, created_at, guid);
create index messages_by_sent on messages (business_guid, sent_at, guid);
create index messages_search on messages using gin (lower(subject || ' ' || array_to_text(recipients)) gin_trgm_ops);

-- A sent message is frozen.
create function refuse_sent_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - array['status', 'failure_reason']) <> (to_jsonb(old) - array['status', 'failure_reason']) or new.status not in ('sent', 'delivered', 'bounced') then
    raise exception 'sent messages cannot be changed' using errcode = 'restrict_violation', constraint = 'sent_is_frozen';
  end if;
  return new;
end $$;
create trigger messages_frozen before update or delete on messages for each row when (old.status in ('sent', 'delivered', 'bounced')) execute function refuse_sent_change();

create trigger customers_live after insert or update on customers for each row execute function notify_change('Customers');
create trigger products_live after insert or update on products for each row execute function notify_change('Products');
create trigger quotes_live after insert or update on quotes for each row execute function notify_change('Quotes');
create trigger orders_live after insert or update on orders for each row execute function notify_change('Orders');
create trigger invoices_live after insert or update on invoices for each row execute function notify_change('Invoices');
create trigger payments_live after insert on payments for each row execute function notify_change('Payments');
create trigger messages_live after insert or update on messages for each row execute function notify_change('Messages');
