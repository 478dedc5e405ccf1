-- Those that wait without a day are few or none, which no statistics tell. An index of their own, with all that a list is sorted by,
-- is cheaper than any other, however many are expected.
create index invoices_without_day on invoices (business_guid, base_status, created_at, guid)
  include (number, title, total_cents, balance_cents, issue_on)
  where archived_at is null and due_on is null and base_status in ('sent', 'viewed', 'partially_paid');
create index quotes_without_day on quotes (business_guid, base_status, created_at, guid)
  include (number, title, total_cents, sent_at)
  where archived_at is null and valid_until is null and base_status in ('sent', 'viewed', 'changes_requested');
