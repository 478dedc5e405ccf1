-- Where the money of a sale is counted, a tree for finding products, what else is known of a product, and lists of agreed prices.
-- business_guid names the pool that businesses share.

create table revenue_streams (
  guid uuid primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  code text not null,
  name text not null,
  account_code text,
  parent_guid uuid references revenue_streams check (parent_guid <> guid),
  -- [{ month, cents }] in rising order: what is aimed at from that month on.
  targets jsonb not null default '[]' check (jsonb_typeof(targets) = 'array'),
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz
);
create unique index revenue_stream_code_taken on revenue_streams (business_guid, lower(code)) where archived_at is null;
create index revenue_streams_by_code on revenue_streams (business_guid, code, guid) where archived_at is null;
create index revenue_streams_by_name on revenue_streams (business_guid, name, guid) where archived_at is null;
create index revenue_streams_by_parent on revenue_streams (parent_guid);
create index revenue_streams_created_by on revenue_streams (created_by);
create index revenue_streams_updated_by on revenue_streams (updated_by);

create table product_categories (
  guid uuid primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  parent_guid uuid references product_categories,
  name text not null,
  slug text not null,
  -- Among its neighbours, from 1.
  position int not null check (position > 0),
  -- Counted by the trigger: 1 has no parent.
  depth int not null default 1 constraint category_depth check (depth between 1 and 5),
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz
);
create unique index category_slug_taken on product_categories (business_guid, slug) where archived_at is null;
create index product_categories_in_order on product_categories (business_guid, parent_guid, position, guid) where archived_at is null;
create index product_categories_by_parent on product_categories (parent_guid);
create index product_categories_created_by on product_categories (created_by);
create index product_categories_updated_by on product_categories (updated_by);

-- Two moves at once could close a circle that neither sees, so the trees of a pool change one after the other.
create function lock_pool() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(tg_table_name || new.business_guid::text, 0));
  return new;
end $$;

create function keep_category_tree() returns trigger language plpgsql as $$
declare
  above product_categories;
  below int;
  reached uuid := new.parent_guid;
  steps int := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended(tg_table_name || new.business_guid::text, 0));
  if new.parent_guid is null then
    new.depth := 1;
  else
    select * into above from product_categories where guid = new.parent_guid;
    if above.business_guid is distinct from new.business_guid then
      raise exception 'a category lies below one of its own pool' using errcode = 'check_violation', constraint = 'category_pool';
    end if;
    while reached is not null loop
      steps := steps + 1;
      if reached = new.guid or steps > 10 then
        raise exception 'a category cannot lie below itself' using errcode = 'check_violation', constraint = 'category_circle';
      end if;
      select parent_guid into reached from product_categories where guid = reached;
    end loop;
    new.depth := above.depth + 1;
  end if;
  -- What lies below moves along.
  with recursive tree as (
    select c.guid, 1 as levels from product_categories c where c.parent_guid = new.guid
    union all select c.guid, t.levels + 1 from product_categories c join tree t on c.parent_guid = t.guid where t.levels < 10
  ) select coalesce(max(levels), 0) into below from tree;
  if new.depth + below > 5 then
    raise exception 'categories are five deep at most' using errcode = 'check_violation', constraint = 'category_depth';
  end if;
  return new;
end $$;
create trigger product_categories_tree before insert or update of parent_guid on product_categories
  for each row execute function keep_category_tree();

create function keep_category_depths() returns trigger language plpgsql as $$
begin
  update product_categories set depth = new.depth + 1 where parent_guid = new.guid and depth <> new.depth + 1;
  return null;
end $$;
create trigger product_categories_depths after update of depth, parent_guid on product_categories
  for each row when (new.depth <> old.depth) execute function keep_category_depths();

create function keep_stream_tree() returns trigger language plpgsql as $$
declare
  reached uuid := new.parent_guid;
  steps int := 0;
begin
  while reached is not null loop
    steps := steps + 1;
    if reached = new.guid or steps > 20 then
      raise exception 'a stream cannot lie below itself' using errcode = 'check_violation', constraint = 'stream_circle';
    end if;
    select parent_guid into reached from revenue_streams where guid = reached;
  end loop;
  return new;
end $$;
create trigger revenue_streams_pool before insert or update of parent_guid on revenue_streams for each row execute function lock_pool();
create trigger revenue_streams_tree before insert or update of parent_guid on revenue_streams
  for each row execute function keep_stream_tree();

alter table products drop constraint products_kind_check;
alter table products
  add constraint products_kind_check check (kind in ('service', 'goods', 'hire', 'labour', 'fee', 'bundle', 'discount')),
  add column status text not null default 'active' check (status in ('draft', 'active', 'archived')),
  -- What customers read of it beside its description: on pages that are open to everybody.
  add column public_text text,
  add column quantity_min numeric(13, 4) check (quantity_min > 0),
  add column quantity_max numeric(13, 4) check (quantity_max >= quantity_min),
  add column quantity_step numeric(13, 4) check (quantity_step > 0),
  -- [{ from, priceCents }] in rising order.
  add column tiers jsonb not null default '[]' check (jsonb_typeof(tiers) = 'array'),
  add column hire jsonb,
  add column bundle jsonb,
  add column duration_min int check (duration_min between 0 and 100000),
  add column revenue_stream_guid uuid references revenue_streams,
  add column visible_online boolean not null default false,
  add column margin_bp bigint generated always as (
    case when price_cents > 0 and cost_cents is not null then round((price_cents - cost_cents) * 10000.0 / price_cents)::bigint end) stored;
update products set status = 'archived' where archived_at is not null;
alter table products
  add constraint products_archived check ((status = 'archived') = (archived_at is not null)),
  add constraint products_bundle check ((kind = 'bundle') = (bundle is not null));
create index products_by_status on products (business_guid, status, name, guid) where archived_at is null;
create index products_by_margin on products (business_guid, margin_bp, guid) where archived_at is null;
create index products_by_stream on products (revenue_stream_guid) where revenue_stream_guid is not null;
create index products_bundled on products using gin (bundle jsonb_path_ops) where bundle is not null;

create table product_category_links (
  product_guid uuid not null references products,
  category_guid uuid not null references product_categories,
  primary key (product_guid, category_guid)
);
create index product_category_links_by_category on product_category_links (category_guid, product_guid);

create table price_lists (
  guid uuid primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  name text not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz
);
create unique index price_list_name_taken on price_lists (business_guid, lower(name)) where archived_at is null;
create index price_lists_by_name on price_lists (business_guid, name, guid) where archived_at is null;
create index price_lists_created_by on price_lists (created_by);
create index price_lists_updated_by on price_lists (updated_by);

create table price_list_items (
  price_list_guid uuid not null references price_lists,
  product_guid uuid not null references products,
  from_quantity numeric(13, 4) not null check (from_quantity > 0),
  price_cents bigint not null check (price_cents >= 0),
  primary key (price_list_guid, product_guid, from_quantity)
);
create index price_list_items_by_product on price_list_items (product_guid);

create trigger revenue_streams_live after insert or update on revenue_streams for each row execute function notify_change('RevenueStreams');
create trigger product_categories_live after insert or update on product_categories for each row execute function notify_change('Categories');
create trigger price_lists_live after insert or update on price_lists for each row execute function notify_change('PriceLists');
