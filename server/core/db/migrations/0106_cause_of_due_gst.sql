-- An entry of GST that became due on another day names the entry that caused it, and so the document it follows.
alter table journal_entries
  add column caused_by_guid uuid constraint journal_entry_caused_by references journal_entries,
  add constraint journal_cause_of_due check (caused_by_guid is null or source = 'gst_due');
create index journal_entries_caused_by on journal_entries (caused_by_guid) where caused_by_guid is not null;

-- Until now they shared a transaction and a narrative.
alter table journal_entries disable trigger user;
update journal_entries e set caused_by_guid = (select c.guid from journal_entries c
    where c.entity_guid = e.entity_guid and c.created_at = e.created_at and c.source <> 'gst_due'
      and e.narrative = 'GST due: ' || c.narrative order by c.number limit 1)
  where e.source = 'gst_due';
alter table journal_entries enable trigger user;
