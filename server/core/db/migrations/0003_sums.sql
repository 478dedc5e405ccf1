-- Sums by day are read from the index alone: what was issued and what came in, for the dashboard.
create index invoices_issued_sums on invoices (business_guid, issue_on) include (kind, total_cents, gst_cents) where status = 'issued' and archived_at is null;
create index payments_received_sums on payments (business_guid, received_on) include (amount_cents);
create index refunds_by_created on refunds (business_guid, created_at) include (amount_cents);
create index messages_by_subject on messages (business_guid, subject, guid);
