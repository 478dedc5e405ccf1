-- How many customers undoing an import archived; of those undone before, the line in the activity tells.
alter table customer_imports add column archived int constraint import_archived_range check (archived between 0 and created);
update customer_imports i set archived = (select count(*) from customer_import_rows r join customers c on c.guid = r.customer_guid
  where r.import_guid = i.guid and r.is_created and c.archived_at is not null)
where i.status = 'undone';
