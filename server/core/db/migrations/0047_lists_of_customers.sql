-- The list that a customer's prices come from is one that there is; which customers have a list is asked of every list.
alter table customer_terms
  add constraint customer_terms_price_list foreign key (price_list_guid) references price_lists not valid;
alter table customer_terms validate constraint customer_terms_price_list;
create index customer_terms_by_price_list on customer_terms (price_list_guid, business_guid) where price_list_guid is not null;
