-- What a customer owes on one page that opens by a link, and is paid there in one go: the page of one business, which
-- shows invoices of these businesses and no others.
create table statement_pages (
  guid uuid primary key,
  business_guid uuid not null references businesses,
  covers uuid[] not null check (cardinality(covers) > 0),
  customer_guid uuid not null references customers,
  first_viewed_at timestamptz,
  last_viewed_at timestamptz,
  view_count int not null default 0,
  created_at timestamptz not null default now(),
  constraint statement_page_once unique (business_guid, customer_guid, covers)
);
create index statement_pages_customer on statement_pages (customer_guid);

-- A statement as it was sent: frozen, so that a second sending says the same.
create table statements (
  guid uuid primary key,
  business_guid uuid not null references businesses,
  page_guid uuid not null references statement_pages,
  customer_guid uuid not null references customers,
  kind text not null check (kind in ('open', 'activity')),
  from_on date,
  to_on date not null,
  content jsonb not null,
  created_at timestamptz not null default now(),
  created_by uuid references users
);
create index statements_business on statements (business_guid);
create index statements_page on statements (page_guid);
create index statements_customer on statements (customer_guid);
create index statements_created_by on statements (created_by);
create trigger statements_append_only before update or delete on statements for each row execute function refuse_change();

-- One card payment for many invoices: its parts say how much of each.
alter table payment_attempts
  alter column invoice_guid drop not null,
  add column statement_page_guid uuid references statement_pages,
  add constraint attempt_for_one_or_page check ((invoice_guid is null) = (statement_page_guid is not null));
create index payment_attempts_statement on payment_attempts (statement_page_guid) where statement_page_guid is not null;

create table payment_attempt_parts (
  guid uuid primary key,
  attempt_guid uuid not null references payment_attempts,
  invoice_guid uuid not null references invoices,
  cents bigint not null check (cents > 0),
  constraint attempt_part_once unique (attempt_guid, invoice_guid)
);
create index payment_attempt_parts_invoice on payment_attempt_parts (invoice_guid);
create trigger payment_attempt_parts_append_only before update or delete on payment_attempt_parts for each row execute function refuse_change();

-- The parts come to what is charged, and a payment of one invoice has none.
create function check_attempt_parts() returns trigger language plpgsql as $$
begin
  if exists (
    select from payment_attempts a where a.guid = coalesce(to_jsonb(new) ->> 'attempt_guid', to_jsonb(new) ->> 'guid')::uuid
      and (case when a.invoice_guid is null then a.amount_cents else 0 end)
        <> (select coalesce(sum(p.cents), 0) from payment_attempt_parts p where p.attempt_guid = a.guid)
  ) then
    raise exception 'the parts of a card payment do not come to it' using errcode = 'check_violation', constraint = 'attempt_parts_sum';
  end if;
  return null;
end $$;
create constraint trigger payment_attempts_parts after insert or update of amount_cents, invoice_guid on payment_attempts
  deferrable initially deferred for each row execute function check_attempt_parts();
create constraint trigger payment_attempt_parts_sum after insert on payment_attempt_parts
  deferrable initially deferred for each row execute function check_attempt_parts();

alter table service_links
  drop constraint service_links_kind_check,
  add constraint service_links_kind_check check (kind in ('quote', 'order', 'invoice', 'statement'));
alter table messages
  drop constraint messages_owner_known,
  add constraint messages_owner_known check (owner_type in ('quote', 'order', 'invoice', 'payment', 'refund', 'customer', 'user'));

-- Whoever pays an invoice by its link pays a statement by its link.
insert into permissions (role_guid, subject, action, conditions, api_guid_required, note)
select distinct p.role_guid, 'Service:Statement', 'update', p.conditions, p.api_guid_required, p.note from roles r
join permissions p on p.role_guid = r.guid and p.subject = 'Service:Invoice' and p.action = 'update' and not p.inverted
where r.kind = 'guest' and not exists (
  select from permissions c where c.role_guid = r.guid and c.subject = 'Service:Statement' and c.action = 'update');
