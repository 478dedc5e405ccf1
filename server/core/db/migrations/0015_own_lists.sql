-- The newest documents of a person lie in order, and how status and day go together is known to whoever plans a list.
create index quotes_owner_newest on quotes (owner_guid, created_at);
create index orders_owner_newest on orders (owner_guid, created_at);
create index invoices_owner_newest on invoices (owner_guid, created_at);
drop index quotes_owner, orders_owner, invoices_owner;
create statistics quotes_status_day (mcv) on base_status, valid_until from quotes;
create statistics invoices_status_day (mcv) on base_status, due_on from invoices;
analyze quotes, invoices;
