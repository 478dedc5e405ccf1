-- Products of one kind lie in each order that they are listed in: a page and its count read no others.
create index products_by_kind_name on products (business_guid, kind, name, guid) where archived_at is null;
create index products_by_kind_sku on products (business_guid, kind, sku, guid) where archived_at is null;
create index products_by_kind_price on products (business_guid, kind, price_cents, guid) where archived_at is null;
create index products_by_kind_created on products (business_guid, kind, created_at, guid) where archived_at is null;
