-- A business is a legal entity, or a brand of one (`parent_guid`). Customers and products are of a pool: `business_guid` of
-- both names the business whose list it is, and `customers_of` and `catalogue_of` say whose list a business works with.
alter table businesses
  add column parent_guid uuid constraint business_parent references businesses,
  add column customers_of uuid constraint business_customers_of references businesses,
  add column catalogue_of uuid constraint business_catalogue_of references businesses;
update businesses set customers_of = guid, catalogue_of = guid;
alter table businesses alter column customers_of set not null, alter column catalogue_of set not null;
-- Whose ABN, GST, bank account, books and numbers of money hold.
alter table businesses add column entity_guid uuid not null generated always as (coalesce(parent_guid, guid)) stored;
create index businesses_parent on businesses (parent_guid) where parent_guid is not null;
create index businesses_customers_of on businesses (customers_of);
create index businesses_catalogue_of on businesses (catalogue_of);

-- The businesses a person works in; none named: all.
alter table users add column business_guids uuid[] not null default '{}';

-- A brand has no name before the law, no ABN, no GST and no bank account of its own: its row wears those of its entity, so
-- that whoever reads a business has them.
create function dress_business() returns trigger language plpgsql as $$
declare
  parent businesses;
begin
  if tg_op = 'UPDATE' and new.parent_guid is distinct from old.parent_guid then
    raise exception 'a business stays the brand it is' using errcode = 'check_violation', constraint = 'business_parent_stays';
  end if;
  new.customers_of := coalesce(new.customers_of, new.guid);
  new.catalogue_of := coalesce(new.catalogue_of, new.guid);
  if new.parent_guid is null then return new; end if;
  -- Shared, so that a change of the entity waits and then dresses this brand, too.
  select * into parent from businesses where guid = new.parent_guid for share;
  if parent.guid is null or parent.parent_guid is not null then
    raise exception 'a brand has no brands' using errcode = 'check_violation', constraint = 'business_parent_is_entity';
  end if;
  new.legal_name := parent.legal_name;
  new.abn := parent.abn;
  new.gst_registered := parent.gst_registered;
  new.bank_account := parent.bank_account;
  new.began_on := parent.began_on;
  if new.trading_name is null then
    raise exception 'a brand needs a name' using errcode = 'check_violation', constraint = 'brand_has_name';
  end if;
  return new;
end $$;
create trigger businesses_dressed before insert or update on businesses for each row execute function dress_business();

create function dress_brands() returns trigger language plpgsql as $$
begin
  update businesses set legal_name = new.legal_name where parent_guid = new.guid;
  return null;
end $$;
create trigger businesses_dress_brands after update on businesses for each row
  when (new.parent_guid is null and (old.legal_name, old.abn, old.gst_registered, old.bank_account, old.began_on)
    is distinct from (new.legal_name, new.abn, new.gst_registered, new.bank_account, new.began_on)) execute function dress_brands();

-- A pool is a business's own, or that of one whose pool is its own; it is fixed once anything hangs on it.
create function check_pools() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.customers_of = old.customers_of and new.catalogue_of = old.catalogue_of then return new; end if;
  -- Nothing that names one of these businesses can be added meanwhile.
  perform from businesses where guid in (new.guid, new.customers_of, new.catalogue_of) order by guid for update;
  if new.customers_of <> new.guid and not exists (select from businesses where guid = new.customers_of and customers_of = guid) then
    raise exception 'the customer list is not its own' using errcode = 'check_violation', constraint = 'customers_of_own';
  end if;
  if new.catalogue_of <> new.guid and not exists (select from businesses where guid = new.catalogue_of and catalogue_of = guid) then
    raise exception 'the catalogue is not its own' using errcode = 'check_violation', constraint = 'catalogue_of_own';
  end if;
  if tg_op = 'INSERT' then return new; end if;
  if new.customers_of <> old.customers_of and (
    exists (select from customers where business_guid = new.guid)
    or exists (select from businesses where customers_of = new.guid and guid <> new.guid)
    or exists (select from quotes where business_guid = new.guid) or exists (select from orders where business_guid = new.guid)
    or exists (select from invoices where business_guid = new.guid) or exists (select from payments where business_guid = new.guid)) then
    raise exception 'the customer list is in use' using errcode = 'check_violation', constraint = 'customers_of_used';
  end if;
  if new.catalogue_of <> old.catalogue_of and (
    exists (select from products where business_guid = new.guid)
    or exists (select from businesses where catalogue_of = new.guid and guid <> new.guid)
    or exists (select from quotes where business_guid = new.guid) or exists (select from orders where business_guid = new.guid)
    or exists (select from invoices where business_guid = new.guid)) then
    raise exception 'the catalogue is in use' using errcode = 'check_violation', constraint = 'catalogue_of_used';
  end if;
  return new;
end $$;
create trigger businesses_pools before insert or update of customers_of, catalogue_of on businesses for each row execute function check_pools();

-- What a customer owes is added up by business: the one list of customers may be that of several.
drop index invoices_customer_owing;
create index invoices_customer_owing on invoices (customer_guid, business_guid) include (balance_cents, due_on) where status = 'issued' and balance_cents > 0;
