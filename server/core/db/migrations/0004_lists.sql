-- Tiles count by status, due day and whether it was viewed; the index alone answers them.
create index invoices_by_tile on invoices (business_guid, status, payment_status, due_on) include (kind, first_viewed_at, total_cents) where archived_at is null;
create index invoices_by_kind on invoices (business_guid, kind, created_at, guid) where archived_at is null;
create index orders_by_tile on orders (business_guid, status) include (total_cents) where archived_at is null;
