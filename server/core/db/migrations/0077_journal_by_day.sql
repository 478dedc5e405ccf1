-- The journal is read by day, a ledger by account.
create index journal_entries_by_day on journal_entries (entity_guid, posted_on, guid);
create index journal_lines_of_account on journal_lines (business_guid, account, entry_guid);
