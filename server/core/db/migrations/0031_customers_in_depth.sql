-- Who a customer is, the terms each business deals with him on, and people who may belong to several customers and sites.

-- A customer merged into another one stays, with all that is his; the two are one family, known by whoever is kept.
alter table customers
  add column merged_into uuid references customers constraint customer_merged_elsewhere check (merged_into <> guid),
  add column family_guid uuid not null generated always as (coalesce(merged_into, guid)) stored,
  add column acn text constraint customer_acn_shape check (acn ~ '^\d{9}$'),
  add column status text not null default 'active' constraint customer_status_known check (status in ('lead', 'active', 'inactive', 'blocked')),
  add column external_ref text;
create index customers_family on customers (family_guid);
create index customers_merged_into on customers (merged_into) where merged_into is not null;
create index customers_external_ref on customers (business_guid, external_ref) where external_ref is not null;

-- Lists show each family once.
drop index customers_by_name, customers_by_created, customers_archived, customers_by_kind;
create index customers_by_name on customers (business_guid, display_name, guid) where archived_at is null and merged_into is null;
create index customers_by_created on customers (business_guid, created_at, guid) where archived_at is null and merged_into is null;
create index customers_archived on customers (business_guid, created_at, guid) where archived_at is not null and merged_into is null;
create index customers_by_kind on customers (business_guid, kind, display_name, guid) where archived_at is null and merged_into is null;
create index customers_by_status_created on customers (business_guid, status, created_at, guid) where archived_at is null and merged_into is null;
create index customers_by_status on customers (business_guid, status, display_name, guid) where archived_at is null and merged_into is null;

-- No row: the terms of the business, without limit.
create table customer_terms (
  customer_guid uuid not null references customers,
  business_guid uuid not null references businesses,
  terms_days int constraint customer_terms_days_range check (terms_days between 0 and 365),
  limit_cents bigint constraint customer_limit_range check (limit_cents between 0 and 1000000000000),
  is_on_hold boolean not null default false,
  hold_reason text constraint customer_hold_reason_of_hold check (hold_reason is null or is_on_hold),
  discount_bp int not null default 0 constraint customer_discount_range check (discount_bp between 0 and 10000),
  price_list_guid uuid,
  primary key (customer_guid, business_guid)
);
create index customer_terms_business on customer_terms (business_guid);
create index customer_terms_held on customer_terms (business_guid, customer_guid) where is_on_hold;
insert into customer_terms (customer_guid, business_guid, terms_days)
select guid, business_guid, payment_terms_days from customers where payment_terms_days is not null;
alter table customers drop column payment_terms_days;

create table contact_links (
  guid uuid primary key,
  contact_guid uuid not null references contacts,
  customer_guid uuid references customers,
  site_guid uuid references sites,
  role text not null default 'other' constraint contact_role_known check (role in ('billing', 'site', 'approver', 'technical', 'other')),
  is_primary boolean not null default false,
  receives_quotes boolean not null default true,
  receives_invoices boolean not null default true,
  receives_reminders boolean not null default true,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint contact_link_of_one check (num_nonnulls(customer_guid, site_guid) = 1)
);
create index contact_links_contact on contact_links (contact_guid);
create index contact_links_customer on contact_links (customer_guid) where ended_at is null;
create index contact_links_site on contact_links (site_guid) where ended_at is null;
create unique index contact_links_once_customer on contact_links (contact_guid, customer_guid) where ended_at is null and customer_guid is not null;
create unique index contact_links_once_site on contact_links (contact_guid, site_guid) where ended_at is null and site_guid is not null;
create unique index contact_links_one_primary on contact_links (customer_guid) where is_primary and ended_at is null;

insert into contact_links (guid, contact_guid, customer_guid, is_primary, receives_quotes, receives_invoices, receives_reminders, created_at, ended_at)
select gen_random_uuid(), p.guid, p.customer_guid,
  p.is_primary and p.guid = (select f.guid from contacts f where f.customer_guid = p.customer_guid and f.archived_at is null and f.is_primary order by f.created_at, f.guid limit 1),
  p.receives_quotes, p.receives_invoices, p.receives_invoices, p.created_at, p.archived_at
from contacts p;
alter table contacts drop column is_primary, drop column receives_quotes, drop column receives_invoices;
alter table contacts add column version int not null default 1;

-- Whose list a person stands in: that of the customer of the oldest link that has not ended. Without one they are in no list.
create or replace function list_contact() returns trigger language plpgsql as $$
begin
  -- Shared, so that a customer who is archived meanwhile takes this contact along.
  select c.business_guid into new.listed_in from customers c where c.guid = new.customer_guid and c.archived_at is null and new.archived_at is null
    and exists (select from contact_links l where l.contact_guid = new.guid and l.ended_at is null) for share;
  return new;
end $$;
create function contact_belongs() returns trigger language plpgsql as $$
declare
  home uuid;
begin
  select coalesce(l.customer_guid, s.customer_guid) into home from contact_links l left join sites s on s.guid = l.site_guid
  where l.contact_guid = new.contact_guid and l.ended_at is null order by l.customer_guid is null, l.created_at, l.guid limit 1;
  update contacts set customer_guid = coalesce(home, customer_guid), listed_in = null where guid = new.contact_guid;
  return null;
end $$;
create trigger contact_links_belong after insert or update of contact_guid, customer_guid, site_guid, ended_at on contact_links for each row execute function contact_belongs();

-- Whoever keeps the books may go beyond a customer's limit; those who run the day ask.
insert into permissions (role_guid, subject, action, inverted, priority, note)
select r.guid, 'Customers:Credit:Override', 'update', x.inverted, x.priority, x.note from roles r
join (values ('Office', true, 10, 'credit limits are for the accountant'), ('Accountant', false, 0, null)) x(role, inverted, priority, note) on x.role = r.name
where r.kind = 'staff' and not exists (select from permissions p where p.role_guid = r.guid and p.subject = 'Customers:Credit:Override');

-- Reads by customer ask the family: what a document, payment or message says of its customer is what whoever is kept says.
create view parties as
select m.guid as member_guid, k.guid, k.business_guid, k.kind, k.display_name, k.language, k.abn, k.acn, k.email, k.phone, k.billing_address, k.status, k.archived_at
from customers m join customers k on k.guid = m.family_guid;

analyze customers, contacts;
