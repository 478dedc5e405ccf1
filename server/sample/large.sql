-- Reference data at the size the speed figures speak of. Deterministic: every value follows from the row's number, dates
-- from today. Amounts are chosen so that every cent is exact: whole dollars, GST a tenth. Triggers rest meanwhile; what
-- they would have kept (sums of money on invoices) is written directly, and verify-ledger proves it afterwards.
-- Settings: sample.customers, sample.documents, sample.messages (how many), sample.business, sample.user (guids).

create temp table settings on commit drop as select
  current_setting('sample.customers')::int as customers,
  current_setting('sample.documents')::int as documents,
  current_setting('sample.messages')::int as messages,
  current_setting('sample.business')::uuid as business,
  current_setting('sample.user')::uuid as person,
  (now() at time zone 'Australia/Sydney')::date as today;

create function pg_temp.g(kind text, i bigint) returns uuid language sql immutable as $$ select md5(kind || ':' || i)::uuid $$;

alter table customers disable trigger user;
alter table orders disable trigger user;
alter table invoices disable trigger user;
alter table invoice_lines disable trigger user;
alter table payments disable trigger user;
alter table payment_allocations disable trigger user;
alter table journal_lines disable trigger user;
alter table messages disable trigger user;

insert into customers (guid, business_guid, kind, display_name, email, phone, billing_address, created_at, created_by)
select pg_temp.g('customer', i), business, (array['business', 'individual', 'government', 'trust'])[1 + i % 4],
  (array['Acacia', 'Banksia', 'Coastal', 'Dunmore', 'Eastgate', 'Fairfield', 'Grandview', 'Harbour', 'Ironbark', 'Jarrah', 'Kingsway', 'Lakeside', 'Meridian', 'Northside', 'Oakdale', 'Pacific', 'Quarry', 'Riverside', 'Southern', 'Tallow'])[1 + i % 20]
    || ' ' || (array['Builders', 'Constructions', 'Events', 'Facades', 'Group', 'Homes', 'Interiors', 'Joinery', 'Landscapes', 'Maintenance', 'Outfitters', 'Projects', 'Renovations', 'Shopfitting', 'Traders', 'Works'])[1 + (i / 20) % 16]
    || ' ' || i,
  'accounts' || i || '@customer.example', '02 5550 ' || lpad((i % 10000)::text, 4, '0'),
  jsonb_build_object('line1', (1 + i % 300) || ' Station Street', 'suburb', (array['Parramatta', 'Newtown', 'Manly', 'Penrith', 'Hornsby'])[1 + i % 5], 'state', 'NSW', 'postcode', (2000 + i % 800)::text),
  now() - make_interval(days => 700 - i % 160, secs => i), person
from settings, generate_series(1, customers) i;

-- Three lines a document: quantity 1 to 3, price in whole dollars, GST on top.
create temp table doc on commit drop as
select i, 1 + (i * 7919::bigint) % customers as customer, 1 + i % 3 as q1, 4000 + (i % 97) * 100 as p1, 2 as q2, 9000 + (i % 53) * 100 as p2, 1 as q3, 25000 + (i % 31) * 500 as p3,
  i % 20 < 3 as is_draft, i % 540 as age, i % 10 as fate
from settings, generate_series(1, documents) i;
alter table doc add net bigint generated always as (q1 * p1 + q2 * p2 + q3 * p3) stored;
alter table doc add gst bigint;
update doc set gst = net / 10;
create index on doc (i);
analyze doc;

insert into orders (guid, business_guid, number, title, customer_guid, owner_guid, status, price_mode, rounding_rule, subtotal_cents, gst_cents, total_cents, scheduled_on, invoice_status, invoiced_cents, created_at, created_by)
select pg_temp.g('order', i), business, 'O-L' || lpad(i::text, 7, '0'), 'Hoarding and hire, stage ' || (1 + i % 9), pg_temp.g('customer', customer), person,
  case when is_draft then 'in_progress' when age < 30 then 'completed' else 'closed' end, 'exclusive', 'total_invoice', net, gst, net + gst, today - age::int + 7, 'invoiced', case when is_draft then 0 else net + gst end,
  now() - make_interval(days => age::int + 10, secs => (i % 86400)::int), person
from doc, settings;

insert into order_lines (guid, order_guid, position, kind, name, quantity, unit, unit_price_cents, gst_code, net_cents, gst_cents, total_cents, quantity_invoiced)
select pg_temp.g('order_line', i * 3 + k), pg_temp.g('order', i), k, 'item', (array['Hoarding panel hire', 'Installation labour', 'Delivery and collection'])[k + 1],
  (array[q1, q2, q3])[k + 1], (array['panel_week', 'hour', 'each'])[k + 1], (array[p1, p2, p3])[k + 1], 'GST',
  (array[q1 * p1, q2 * p2, q3 * p3])[k + 1], (array[q1 * p1, q2 * p2, q3 * p3])[k + 1] / 10, (array[q1 * p1, q2 * p2, q3 * p3])[k + 1] * 11 / 10, (array[q1, q2, q3])[k + 1]
from doc, generate_series(0, 2) k;

insert into invoices (guid, business_guid, number, kind, title, status, customer_guid, order_guid, owner_guid, issue_on, due_on, terms_days, price_mode, rounding_rule, subtotal_cents, gst_cents, total_cents, paid_cents, supplier, bill_to, issued_at, sent_at, created_at, created_by)
select pg_temp.g('invoice', i), business, case when is_draft then null else 'INV-L' || lpad(i::text, 7, '0') end, 'final', 'Hoarding and hire, stage ' || (1 + i % 9), case when is_draft then 'draft' else 'issued' end,
  pg_temp.g('customer', customer), pg_temp.g('order', i), person, case when is_draft then null else today - age::int end, case when is_draft then null else today - age::int + 14 end, 14, 'exclusive', 'total_invoice', net, gst, net + gst,
  case when is_draft or fate >= 8 then 0 when fate = 7 then (net + gst) / 2 else net + gst end,
  '{"name":"Currawong Hire & Install Pty Ltd","abn":"91888222000","email":null,"address":null}', jsonb_build_object('name', 'Customer ' || customer, 'abn', null, 'email', null, 'address', null),
  case when is_draft then null else now() - make_interval(days => age::int) end, case when is_draft then null else now() - make_interval(days => age::int) end, now() - make_interval(days => age::int, secs => (i % 86400)::int), person
from doc, settings;

insert into invoice_lines (guid, invoice_guid, order_line_guid, position, kind, name, quantity, unit, unit_price_cents, gst_code, net_cents, gst_cents, total_cents)
select pg_temp.g('invoice_line', i * 3 + k), pg_temp.g('invoice', i), pg_temp.g('order_line', i * 3 + k), k, 'item', (array['Hoarding panel hire', 'Installation labour', 'Delivery and collection'])[k + 1],
  (array[q1, q2, q3])[k + 1], (array['panel_week', 'hour', 'each'])[k + 1], (array[p1, p2, p3])[k + 1], 'GST',
  (array[q1 * p1, q2 * p2, q3 * p3])[k + 1], (array[q1 * p1, q2 * p2, q3 * p3])[k + 1] / 10, (array[q1 * p1, q2 * p2, q3 * p3])[k + 1] * 11 / 10
from doc, generate_series(0, 2) k;

create temp table paid on commit drop as select i, customer, age, case when fate = 7 then (net + gst) / 2 else net + gst end as cents from doc where not is_draft and fate < 8;
insert into payments (guid, business_guid, number, customer_guid, method, amount_cents, received_on, reference, created_at, created_by)
select pg_temp.g('payment', i), business, 'R-L' || lpad(i::text, 7, '0'), pg_temp.g('customer', customer), 'bank_transfer', cents, today - greatest(age::int - 9, 0), 'INV-L' || lpad(i::text, 7, '0'), now() - make_interval(days => greatest(age::int - 9, 0), secs => (i % 3600)::int), person
from paid, settings;
insert into payment_allocations (guid, payment_guid, invoice_guid, cents, created_at, created_by)
select pg_temp.g('allocation', i), pg_temp.g('payment', i), pg_temp.g('invoice', i), cents, now() - make_interval(days => greatest(age::int - 9, 0)), person from paid, settings;

insert into journal_entries (guid, business_guid, posted_on, source, source_guid, narrative, created_at)
select pg_temp.g('entry_i', i), business, today - age::int, 'invoice', pg_temp.g('invoice', i), 'Invoice', now() - make_interval(days => age::int) from doc, settings where not is_draft
union all
select pg_temp.g('entry_p', i), business, today - greatest(age::int - 9, 0), 'payment', pg_temp.g('payment', i), 'Payment', now() - make_interval(days => greatest(age::int - 9, 0)) from paid, settings;
insert into journal_lines (entry_guid, position, account, debit_cents, credit_cents)
select pg_temp.g('entry_i', i), 0, '1100', net + gst, 0 from doc where not is_draft
union all select pg_temp.g('entry_i', i), 1, '4000', 0, net from doc where not is_draft
union all select pg_temp.g('entry_i', i), 2, '2100', 0, gst from doc where not is_draft
union all select pg_temp.g('entry_p', i), 0, '1000', cents, 0 from paid
union all select pg_temp.g('entry_p', i), 1, '1100', 0, cents from paid;

insert into messages (guid, business_guid, owner_type, owner_guid, owner_number, customer_guid, template, sender, recipients, subject, body_html, body_text, status, message_id, attempts, sent_at, created_at, created_by)
select pg_temp.g('message', i), business, 'invoice', pg_temp.g('invoice', 1 + i % documents), 'INV-L' || lpad((1 + i % documents)::text, 7, '0'), pg_temp.g('customer', 1 + ((1 + i % documents) * 7919::bigint) % customers), 'invoice', 'accounts@demo.example',
  array['accounts' || (1 + ((1 + i % documents) * 7919::bigint) % customers) || '@customer.example'], 'Invoice INV-L' || lpad((1 + i % documents)::text, 7, '0'), '<p>Please find the invoice attached.</p>', 'Please find the invoice attached.', 'sent',
  '<large-' || i || '@demo.example>', 1, now() - make_interval(days => (i % 540)::int, secs => (i % 86400)::int), now() - make_interval(days => (i % 540)::int, secs => (i % 86400)::int), person
from settings, generate_series(1, messages) i;

alter table customers enable trigger user;
alter table orders enable trigger user;
alter table invoices enable trigger user;
alter table invoice_lines enable trigger user;
alter table payments enable trigger user;
alter table payment_allocations enable trigger user;
alter table journal_lines enable trigger user;
alter table messages enable trigger user;
