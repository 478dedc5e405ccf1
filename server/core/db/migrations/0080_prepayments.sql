-- Money that comes before any invoice may say which order it is for; each invoice it pays takes the place of that.
alter table payments add column order_guid uuid constraint payment_order references orders;
create index payments_order on payments (order_guid) where order_guid is not null;
