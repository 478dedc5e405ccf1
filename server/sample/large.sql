-- Reference data at the size the speed figures speak of. Deterministic: every value follows from the row's number and from
-- the last day; only the guids of the business and of the person are given. Amounts are chosen so that every cent is
-- exact: whole dollars, GST a tenth. Triggers and indexes rest meanwhile; what triggers would have kept (sums of money on
-- invoices) is written directly, indexes are made at once of all rows, numbers go on where the counters stand, and
-- verify-ledger proves it afterwards.
-- Settings: sample.customers, .products, .quotes, .documents, .messages (how many; no more quotes than documents),
-- .business, .person (guids), .business_json (the business as documents print it, keys in order), .last_day.

create temp table settings on commit drop as select
  current_setting('sample.customers')::int as customers,
  current_setting('sample.products')::int as products,
  current_setting('sample.quotes')::int as quotes,
  current_setting('sample.documents')::int as documents,
  current_setting('sample.messages')::int as messages,
  current_setting('sample.business')::uuid as business,
  (select entity_guid from businesses where guid = current_setting('sample.business')::uuid) as entity,
  current_setting('sample.person')::uuid as person,
  current_setting('sample.business_json') as business_json,
  current_setting('sample.last_day')::date as last_day,
  (current_setting('sample.last_day')::date - 540)::timestamp at time zone 'Australia/Sydney' as first_at;

-- A version 7 guid: the time in front, as the product makes them, so that rows lie in the indexes as they would.
create function pg_temp.g(kind text, at timestamptz, i bigint) returns uuid language sql stable as
  $$ select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || overlay(overlay(substr(md5(kind || i), 1, 20) placing '7' from 1) placing '8' from 5))::uuid $$;
-- The counters as they stand. The function is no more than an expression, so that calling it costs nothing.
create temp table counter on commit drop as
select kind, prefix, padding, next - 1 as given from number_counters where business_guid = (select business from settings);
create function pg_temp.wear(c counter, n bigint) returns text language sql immutable as
  $$ select c.prefix || lpad((c.given + n)::text, greatest(c.padding, length((c.given + n)::text)), '0') $$;

create temp table filled on commit drop as select unnest(array['customers', 'contacts', 'contact_links', 'products', 'quotes', 'quote_lines', 'orders',
  'order_lines', 'invoices', 'invoice_lines', 'service_links', 'payments', 'payment_allocations', 'journal_entries', 'journal_lines', 'messages']) as name;
-- Those that constraints need stay: their rows come in order.
create temp table resting on commit drop as
select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made
from filled f join pg_index i on i.indrelid = format('public.%I', f.name)::regclass
where not exists (select from pg_constraint c where c.conindid = i.indexrelid);
do $$
declare
  name text;
begin
  for name in select f.name from filled f loop
    execute format('alter table %I disable trigger user', name);
  end loop;
  for name in select r.name from resting r loop
    execute format('drop index %s', name);
  end loop;
  -- That rows name others that are there costs more than the rows; where the role may, it is not looked up.
  if has_parameter_privilege('session_replication_role', 'set') then
    perform set_config('session_replication_role', 'replica', true);
  end if;
end $$;

create temp table buyer on commit drop as
select i, pg_temp.g('customer', first_at - interval '160 days' + make_interval(secs => i * 276), i) as guid, first_at - interval '160 days' + make_interval(secs => i * 276) as at,
  (array['Acacia', 'Banksia', 'Coastal', 'Dunmore', 'Eastgate', 'Fairfield', 'Grandview', 'Harbour', 'Ironbark', 'Jarrah', 'Kingsway', 'Lakeside', 'Meridian', 'Northside', 'Oakdale', 'Pacific', 'Quarry', 'Riverside', 'Southern', 'Tallow'])[1 + i % 20]
    || ' ' || (array['Builders', 'Constructions', 'Events', 'Facades', 'Group', 'Homes', 'Interiors', 'Joinery', 'Landscapes', 'Maintenance', 'Outfitters', 'Projects', 'Renovations', 'Shopfitting', 'Traders', 'Works'])[1 + (i / 20) % 16]
    || ' ' || i as name,
  'accounts' || i || '@customer.example' as email,
  format('{"line1":"%s Station Street","postcode":"%s","state":"NSW","suburb":"%s"}', 1 + i % 300, 2000 + i % 800, (array['Parramatta', 'Newtown', 'Manly', 'Penrith', 'Hornsby'])[1 + i % 5]) as address
from settings, generate_series(1, customers) i;
create unique index on buyer (i);
analyze buyer;

insert into customers (guid, business_guid, kind, display_name, email, phone, billing_address, created_at, created_by, updated_at, updated_by)
select guid, business, (array['business', 'individual', 'government', 'trust'])[1 + i % 4], name, email, '02 5550 ' || lpad((i % 10000)::text, 4, '0'), address::jsonb, at, person, at, person from buyer, settings;

insert into contacts (guid, customer_guid, listed_in, name, position, email, phone, created_at)
select pg_temp.g('contact', at, i), guid, business, (array['Alex', 'Bo', 'Casey', 'Dana', 'Eli', 'Frankie', 'Gray', 'Harper', 'Indi', 'Jules'])[1 + i % 10] || ' ' || (array['Adams', 'Brown', 'Chen', 'Dimitriou', 'Evans', 'Fung', 'Gupta'])[1 + i % 7] || ' ' || i,
  'Accounts', 'contact' || i || '@customer.example', null, at from buyer, settings;
insert into contact_links (guid, contact_guid, customer_guid, role, is_primary, created_at)
select pg_temp.g('contact_link', at, i), pg_temp.g('contact', at, i), guid, 'billing', true, at from buyer, settings;

insert into products (guid, business_guid, sku, name, kind, description, unit, price_cents, cost_cents, gst_code, created_at, created_by, updated_at, updated_by)
select pg_temp.g('product', at, i), business, 'REF-' || lpad(i::text, 6, '0'), (array['Hoarding panel', 'Scaffold bay', 'Site fence', 'Barrier', 'Gate', 'Ramp', 'Light tower', 'Container'])[1 + i % 8] || ' ' || i,
  (array['service', 'goods', 'hire', 'labour', 'fee'])[1 + i % 5], null, (array['each', 'hour', 'day', 'week'])[1 + i % 4], 1000 + (i * 37) % 50000, 500 + (i * 17) % 20000, 'GST', at, person, at, person
from (select i, first_at - interval '160 days' + make_interval(secs => i * 60) as at, business, person from settings, generate_series(1, products) i) made;

-- Three lines a document: quantity 1 to 3, price in whole dollars, GST on top. Numbers rise with the days.
create temp table doc on commit drop as
with made as (
  select i, 1 + (i * 7919::bigint) % customers as buyer, 1 + i % 3 as q1, 4000 + (i % 97) * 100 as p1, 2 as q2, 9000 + (i % 53) * 100 as p2, 1 as q3, 25000 + (i % 31) * 500 as p3,
    i % 20 < 3 as is_draft, i % 10 as fate, first_at + make_interval(secs => (i::bigint * 46656000 / documents)) as at, last_day
  from settings, generate_series(1, documents) i
), summed as (
  select *, (q1 * p1 + q2 * p2 + q3 * p3)::bigint as net, (at at time zone 'Australia/Sydney')::date as day, case when not is_draft then row_number() over (partition by is_draft order by i) end as n from made
)
select s.i, s.q1, s.p1, s.q2, s.p2, s.q3, s.p3, s.is_draft, s.fate, s.at, s.net, s.net / 10 as gst, s.day, s.n, b.guid as customer, b.name as buyer_name, b.email as buyer_email, b.address as buyer_address,
  case when s.is_draft or s.fate >= 8 then 0 when s.fate = 7 then (s.net + s.net / 10) / 2 else s.net + s.net / 10 end as paid, least(s.day + 9, s.last_day) as paid_on,
  pg_temp.g('quote', s.at - interval '6 days', s.i) as quote, pg_temp.g('order', s.at - interval '4 days', s.i) as order_guid, pg_temp.g('invoice', s.at, s.i) as invoice,
  pg_temp.g('payment', least(s.day + 9, s.last_day)::timestamp at time zone 'UTC', s.i) as payment, 'Hoarding and hire, stage ' || (1 + s.i % 9) as title,
  case when s.is_draft then null else pg_temp.wear(c, s.n) end as number
from summed s join buyer b on b.i = s.buyer, counter c where c.kind = 'invoice' order by s.i;
create unique index on doc (i);
create unique index on doc (n);
analyze doc;

create temp table line on commit drop as
select d.i, k, d.i * 3::bigint + k as id, (array['Hoarding panel hire', 'Installation labour', 'Delivery and collection'])[k] as name, (array[q1, q2, q3])[k] as quantity, (array['panel_week', 'hour', 'each'])[k] as unit,
  (array[p1, p2, p3])[k] as price, ((array[q1 * p1, q2 * p2, q3 * p3])[k])::bigint as net, pg_temp.g('invoice_line', at, d.i * 3::bigint + k) as guid, pg_temp.g('order_line', at - interval '4 days', d.i * 3::bigint + k) as order_line,
  pg_temp.g('quote_line', at - interval '6 days', d.i * 3::bigint + k) as quote_line
from doc d, generate_series(1, 3) k order by d.i, k;
create unique index on line (i, k);
analyze line;

-- Half of the quotes became orders; the others are open, declined, cancelled or drafts.
create temp table offer on commit drop as
select d.*, case when i % 10 < 5 then 'converted' when i % 10 = 5 then 'declined' when i % 10 < 8 then 'sent' when i % 10 = 8 then 'draft' else 'cancelled' end as status,
  case when i % 10 <> 8 then pg_temp.wear(c, row_number() over (partition by i % 10 = 8 order by i)) end as quote_number
from doc d, settings, counter c where i <= quotes and c.kind = 'quote';
insert into quotes (guid, root_guid, business_guid, number, title, customer_guid, owner_guid, status, price_mode, rounding_rule, valid_until, subtotal_cents, gst_cents, total_cents, sent_at, first_viewed_at, last_viewed_at, view_count, created_at, created_by, updated_at, updated_by)
select quote, quote, business, quote_number, title, customer, person, status, 'exclusive', 'total_invoice', case when status <> 'draft' then day - 5 + 30 end, net, gst, net + gst,
  case when status <> 'draft' then at - interval '5 days' end, case when status <> 'draft' and i % 3 > 0 then at - interval '4 days' end, case when status <> 'draft' and i % 3 > 0 then at - interval '4 days' end, case when status <> 'draft' and i % 3 > 0 then 1 else 0 end,
  at - interval '6 days', person, at - interval '4 days', person
from offer, settings order by i;
insert into quote_lines (guid, quote_guid, position, kind, name, quantity, unit, unit_price_cents, gst_code, net_cents, gst_cents, total_cents)
select quote_line, quote, k, 'item', l.name, quantity, unit, price, 'GST', l.net, l.net / 10, l.net + l.net / 10 from line l join doc d using (i), settings where i <= quotes order by i, k;

insert into orders (guid, business_guid, number, title, customer_guid, quote_guid, owner_guid, status, price_mode, rounding_rule, subtotal_cents, gst_cents, total_cents, scheduled_on, invoice_status, invoiced_cents, created_at, created_by, updated_at, updated_by)
select order_guid, business, pg_temp.wear(c, i), title, customer, case when i <= quotes and i % 10 < 5 then quote end, person,
  case when is_draft then 'in_progress' when day > last_day - 30 then 'completed' else 'closed' end, 'exclusive', 'total_invoice', net, gst, net + gst, day - 2, 'invoiced', case when is_draft then 0 else net + gst end,
  at - interval '4 days', person, at, person
from doc, settings, counter c where c.kind = 'order' order by i;
insert into order_lines (guid, order_guid, source_line_guid, position, kind, name, quantity, unit, unit_price_cents, gst_code, net_cents, gst_cents, total_cents, quantity_invoiced)
select order_line, order_guid, case when i <= quotes and i % 10 < 5 then quote_line end, k, 'item', l.name, quantity, unit, price, 'GST', l.net, l.net / 10, l.net + l.net / 10, quantity from line l join doc d using (i), settings order by i, k;

-- What was frozen when an invoice was issued, in the very bytes the product hashes: keys in order, no spaces.
create temp table frozen on commit drop as
select d.i, format('{"adjusts":null,"billTo":{"abn":null,"address":%s,"contact":null,"email":%s,"name":%s},"business":%s,"deposit":null,"discount":null,"dueOn":"%s","format":1,"intro":null,"invoiceKind":"final","isTaxInvoice":true,"issueOn":"%s","kind":"invoice","lines":[%s],"notes":null,"number":%s,"priceMode":"exclusive","reference":null,"revision":0,"scheduledOn":null,"site":null,"terms":null,"title":%s,"totals":{"discountCents":0,"gstCents":%s,"optionalTotalCents":0,"subtotalCents":%s,"totalCents":%s},"validUntil":null}',
  buyer_address, to_json(buyer_email), to_json(buyer_name), business_json, day + 14, day, lines.text, to_json(number), to_json(title), gst, d.net, d.net + gst) as text
from doc d, settings, lateral (select string_agg(format('{"alternativeGroup":null,"description":null,"discount":null,"gstCents":%s,"gstCode":"GST","guid":"%s","isOptional":false,"isSelected":true,"kind":"item","name":%s,"netCents":%s,"quantity":"%s","totalCents":%s,"unit":"%s","unitPriceCents":%s}',
  l.net / 10, l.guid, to_json(l.name), l.net, l.quantity, l.net + l.net / 10, l.unit, l.price), ',' order by k) as text from line l where l.i = d.i) lines
where not is_draft;
create unique index on frozen (i);
analyze frozen;

insert into invoices (guid, business_guid, entity_guid, number, kind, title, status, customer_guid, order_guid, quote_guid, owner_guid, issue_on, due_on, terms_days, price_mode, rounding_rule, subtotal_cents, gst_cents, total_cents, paid_cents, supplier, bill_to, snapshot, snapshot_sha256, issued_at, sent_at, first_viewed_at, last_viewed_at, view_count, created_at, created_by, updated_at, updated_by)
select invoice, business, entity, number, 'final', title, case when is_draft then 'draft' else 'issued' end, customer, order_guid, case when d.i <= quotes and d.i % 10 < 5 then quote end, person, case when not is_draft then day end, case when not is_draft then day + 14 end, 14,
  'exclusive', 'total_invoice', net, gst, net + gst, paid, case when not is_draft then jsonb_build_object('name', business_json::jsonb -> 'name', 'abn', business_json::jsonb -> 'abn', 'email', business_json::jsonb -> 'email', 'address', business_json::jsonb -> 'address') end,
  case when not is_draft then jsonb_build_object('name', buyer_name, 'abn', null, 'email', buyer_email, 'address', buyer_address::jsonb) end, f.text::jsonb, encode(sha256(convert_to(f.text, 'UTF8')), 'hex'),
  case when not is_draft then at end, case when not is_draft then at end, case when not is_draft and d.i % 4 > 0 then at + interval '1 day' end, case when not is_draft and d.i % 4 > 0 then at + interval '1 day' end, case when not is_draft and d.i % 4 > 0 then 1 else 0 end, at, person, at, person
from doc d left join frozen f on f.i = d.i, settings order by d.i;
insert into invoice_lines (guid, invoice_guid, order_line_guid, position, kind, name, quantity, unit, unit_price_cents, gst_code, net_cents, gst_cents, total_cents)
select l.guid, invoice, order_line, k, 'item', l.name, quantity, unit, price, 'GST', l.net, l.net / 10, l.net + l.net / 10 from line l join doc d using (i) order by i, k;
insert into service_links (guid, kind, record_guid, created_at) select overlay(overlay(md5('link' || i) placing '4' from 13) placing '8' from 17)::uuid, 'invoice', invoice, at from doc where not is_draft order by i;

insert into payments (guid, business_guid, entity_guid, number, customer_guid, method, amount_cents, received_on, reference, created_at, created_by)
select payment, business, entity, pg_temp.wear(c, row_number() over (order by i)), customer, 'bank_transfer', paid, paid_on, number, paid_on::timestamp at time zone 'UTC' + make_interval(secs => i % 80000), person
from doc, settings, counter c where paid > 0 and c.kind = 'payment' order by i;
insert into payment_allocations (guid, payment_guid, invoice_guid, cents, effective_on, created_at, created_by)
select pg_temp.g('allocation', paid_on::timestamp at time zone 'UTC', i), payment, invoice, paid, paid_on, paid_on::timestamp at time zone 'UTC' + make_interval(secs => i % 80000), person from doc, settings where paid > 0 order by i;

insert into journal_entries (guid, business_guid, entity_guid, posted_on, source, source_guid, narrative, created_at)
select pg_temp.g('entry_i', at, i), business, entity, day, 'invoice', invoice, 'Invoice ' || number || ' for ' || buyer_name, at from doc, settings where not is_draft
union all
select pg_temp.g('entry_p', paid_on::timestamp at time zone 'UTC', i), business, entity, paid_on, 'payment', payment, 'Payment of ' || number, paid_on::timestamp at time zone 'UTC' from doc, settings where paid > 0;
insert into journal_lines (entry_guid, business_guid, position, account, debit_cents, credit_cents, gst_code, customer_guid, gst_of)
select pg_temp.g('entry_i', at, i), entity, side.position, side.account, side.debit, side.credit, case side.account when '4000' then 'GST' end, case side.account when '1100' then customer end, case side.account when '2100' then invoice end from doc, settings, lateral (values (1, '1100', net + gst, 0::bigint), (2, '4000', 0, net), (3, '2100', 0, gst)) as side(position, account, debit, credit) where not is_draft
union all
select pg_temp.g('entry_p', paid_on::timestamp at time zone 'UTC', i), entity, side.position, side.account, side.debit, side.credit, null, case side.account when '1100' then customer end, null from doc, settings, lateral (values (1, '1000', paid, 0::bigint), (2, '1100', 0, paid)) as side(position, account, debit, credit) where paid > 0;

-- Each issued invoice was sent, later reminded of, later thanked for.
insert into messages (guid, business_guid, owner_type, owner_guid, owner_number, customer_guid, template, sender, recipients, subject, body_html, body_text, status, message_id, attempts, sent_at, created_at, created_by)
select pg_temp.g('message', m.at, m.i), business, 'invoice', invoice, number, customer, 'invoice', 'accounts@demo.example', array[buyer_email],
  (array['Tax invoice ', 'Reminder: invoice ', 'Thank you for paying invoice '])[1 + m.round % 3] || number, '<p>Please find the invoice attached.</p>', 'Please find the invoice attached.', 'sent',
  '<reference-' || m.i || '@demo.example>', 1, m.at, m.at, person
from settings, lateral (select count(*) as issued from doc where not is_draft) c, lateral (select i, 1 + (i - 1) % issued as n, (i - 1) / issued as round from generate_series(1, messages) i) o
  join lateral (select * from doc d where d.n = o.n) d on true, lateral (select o.i, o.round, d.at + make_interval(days => (o.round * 8)::int) as at) m order by m.i;

update number_counters c set next = next + n from settings, (values ('quote', (select count(*) from offer where quote_number is not null)), ('order', (select count(*) from doc)),
  ('invoice', (select count(*) from doc where not is_draft)), ('payment', (select count(*) from doc where paid > 0))) as given(kind, n) where c.business_guid = business and c.kind = given.kind;

do $$
declare
  made text;
  name text;
begin
  perform set_config('session_replication_role', 'origin', true);
  for made in select r.made from resting r loop
    execute made;
  end loop;
  for name in select f.name from filled f loop
    execute format('alter table %I enable trigger user', name);
  end loop;
end $$;

select rebuild_figures();
