-- Deposits are looked through for those that wait too long.
create index invoices_deposits on invoices (entity_guid, issue_on) where kind = 'deposit';
