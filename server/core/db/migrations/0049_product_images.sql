-- Pictures of products, in their order: the first stands in lists. Their bytes are those of files.
create table product_images (
  product_guid uuid not null references products,
  file_guid uuid not null references files,
  -- What it shows, for those who can't see it; without one it is called after the product.
  alt text constraint product_image_alt check (length(alt) between 1 and 200),
  -- From 1.
  position int not null constraint product_image_position check (position between 1 and 20),
  primary key (product_guid, file_guid),
  constraint product_image_order unique (product_guid, position) deferrable initially immediate
);
create index product_images_by_file on product_images (file_guid);
