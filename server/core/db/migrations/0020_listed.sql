-- In whose list a contact stands: neither it nor its customer is archived. Kept with it, so that a list and its total read contacts alone.
alter table contacts add column listed_in uuid references businesses;
update contacts p set listed_in = c.business_guid from customers c where c.guid = p.customer_guid and c.archived_at is null and p.archived_at is null;

create function list_contact() returns trigger language plpgsql as $$
begin
  -- Shared, so that a customer who is archived meanwhile takes this contact along.
  select c.business_guid into new.listed_in from customers c where c.guid = new.customer_guid and c.archived_at is null and new.archived_at is null for share;
  return new;
end $$;
create trigger contacts_listed before insert or update of customer_guid, archived_at, listed_in on contacts for each row execute function list_contact();

create function list_contacts_of() returns trigger language plpgsql as $$
begin
  update contacts set listed_in = new.business_guid where customer_guid = new.guid and archived_at is null;
  return null;
end $$;
create trigger customers_list_contacts after update of archived_at, business_guid on customers for each row
  when ((old.archived_at is null) <> (new.archived_at is null) or old.business_guid <> new.business_guid) execute function list_contacts_of();

drop index contacts_by_name, contacts_by_created;
create index contacts_by_name on contacts (listed_in, name, guid) where listed_in is not null;
create index contacts_by_created on contacts (listed_in, created_at, guid) where listed_in is not null;

-- Who owes is found customer by customer, each at its earliest due day.
create index invoices_owing_customers on invoices (business_guid, customer_guid, due_on) where status = 'issued' and balance_cents > 0 and archived_at is null;

analyze contacts, invoices;
